// SPDX-License-Identifier: Apache-2.0
// What an access to L1D says about the locality of the program: hit and locality type of KI 2.5.1.
// L1D reports, the SM's scheduling policy listens.
#pragma once

#include <cstdint>

#include "base/types.hpp"

namespace warpmem {

/// Classes of L1D accesses (KI Fig 2.11): intra when the warp that brought the line, or started the
/// outstanding miss, is the requester.
enum class Locality : std::uint8_t {
  miss,     ///< primary miss
  intra,    ///< hit
  inter,    ///< hit
  intra_m,  ///< secondary miss
  inter_m,  ///< secondary miss
  count
};
inline constexpr std::size_t kLocalities = static_cast<std::size_t>(Locality::count);

struct LocalityEvent {
  Locality kind = Locality::miss;
  std::uint8_t warp = 0;           ///< slot in the SM
  bool mshr_full = false;          ///< this primary miss has taken the last MSHR entry
  std::uint8_t loading_warps = 0;  ///< warps that hold MSHR entries, this one included
  bool lost = false;  ///< a miss on a block whose line this warp had, among its victim tags
};

/// Told in the cycle of the access; what it does must not be seen before the next cycle.
class LocalityListener {
 public:
  virtual ~LocalityListener() = default;
  virtual void l1d_accessed(const LocalityEvent& event, Cycle now) = 0;
};

}  // namespace warpmem
