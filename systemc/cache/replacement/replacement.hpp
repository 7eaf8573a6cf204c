// SPDX-License-Identifier: Apache-2.0
// Replacement policy: which line a set of a cache gives up. Invalid lines go first, and reserved
// ones never; both are the tag array's business.
#pragma once

#include <cstdint>

#include "base/bit_set.hpp"

namespace warpmem::cache {

/// Position of a line: set * ways + way.
using LineId = std::uint32_t;

/// What a policy keeps state for.
struct CacheShape {
  std::uint32_t sets = 1;  ///< any number
  std::uint32_t ways = 1;  ///< 1..kMaxWays
};

inline constexpr unsigned kMaxWays = 256;
/// Ways of a set.
using WayMask = BitSet<kMaxWays>;

class Replacement {
 public:
  virtual ~Replacement() = default;
  /// A request hit `line`.
  virtual void touched(LineId line) = 0;
  /// `line`, which holds data, is about to take another block; inserted() follows.
  virtual void evicting(LineId) {}
  /// `line` has been taken for a block, which may still be on its way.
  virtual void inserted(LineId line) = 0;
  /// The block of `line` has arrived.
  virtual void filled(LineId) {}
  /// The way of `set` to give up, among `candidates` (not empty). A question, asked any number of
  /// times before the line is taken, if it is: it changes nothing, and the answer stays the same
  /// until one of the calls above.
  virtual unsigned victim(std::uint32_t set, const WayMask& candidates) const = 0;
};

}  // namespace warpmem::cache
