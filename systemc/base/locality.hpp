// SPDX-License-Identifier: Apache-2.0
// What an access to L1D says about the locality of the program: hit and locality type of KI 2.5.1.
// L1D reports it, and the SM's scheduling policy listens.
#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace warpmem {

/// Classes of L1D accesses (KI Fig 2.11). An access is intra when the requester is the warp that
/// brought the line or started the outstanding miss.
enum class Locality : std::uint8_t {
  miss,     ///< primary miss
  intra,    ///< hit on a line of the same warp
  inter,    ///< hit on a line of another warp
  intra_m,  ///< secondary miss on a miss of the same warp
  inter_m,  ///< secondary miss on a miss of another warp
  count
};
inline constexpr std::size_t kLocalities = static_cast<std::size_t>(Locality::count);

struct LocalityEvent {
  Locality kind = Locality::miss;
  std::uint8_t warp = 0;           ///< slot of the warp in the SM
  bool mshr_full = false;          ///< this primary miss has taken the last MSHR entry
  std::uint8_t loading_warps = 0;  ///< warps that hold MSHR entries, this one included
  bool lost = false;               ///< a miss on a block that is among the victim tags of its warp
};

/// Is told in the cycle of the access; what it does must not be seen before the next cycle.
class LocalityListener {
 public:
  virtual ~LocalityListener() = default;
  virtual void l1d_accessed(const LocalityEvent& event, Cycle now) = 0;
};

}  // namespace warpmem
