// SPDX-License-Identifier: Apache-2.0
// Early evictions of TSMA (KI 5.1), and which of them hurt: lines that give way at the miss of
// another block, although that block arrives only later. Until then a cache that allocates on fill
// would still have them, so a miss on one of them was caused by its early eviction.
//
// A set keeps the order in which its lines gave way, since they would have been replaced in that
// order: each line that arrives takes the oldest.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <vector>

#include "base/types.hpp"

namespace warpmem::mha {

class EarlyEvictions {
 public:
  EarlyEvictions(std::uint32_t sets, std::uint32_t ways)
      : ways_(ways), gone_(std::size_t(sets) * ways, kNothing), count_(sets, 0) {}

  /// A line that was invalid gives way in `set`.
  void took_empty(std::uint32_t set) { push(set, kNothing); }
  /// The valid line of `block` gives way.
  void evicted(std::uint32_t set, Addr block) {
    push(set, block);
    ++evictions_;
  }
  /// A line arrives: it would have replaced the oldest.
  void filled(std::uint32_t set) {
    if (count_[set] == 0) return;
    Addr* const first = &gone_[std::size_t(set) * ways_];
    std::copy(first + 1, first + count_[set], first);
    --count_[set];
  }
  /// A primary miss of `block`.
  void missed(std::uint32_t set, Addr block) { hurt_ += remove(set, block); }
  /// A store of `block` passes, which would have invalidated the line.
  void written(std::uint32_t set, Addr block) { remove(set, block); }

  const std::uint64_t& evictions() const { return evictions_; }
  const std::uint64_t& hurt() const { return hurt_; }

 private:
  static constexpr Addr kNothing = ~Addr(0);

  // At most as many lines have given way as have not arrived, so there is room.
  void push(std::uint32_t set, Addr block) {
    assert(count_[set] < ways_);
    gone_[std::size_t(set) * ways_ + count_[set]++] = block;
  }
  bool remove(std::uint32_t set, Addr block) {
    Addr* const first = &gone_[std::size_t(set) * ways_];
    Addr* const found = std::find(first, first + count_[set], block);
    if (found == first + count_[set]) return false;
    *found = kNothing;
    return true;
  }

  std::uint32_t ways_;
  std::vector<Addr> gone_;  // by set, oldest first
  std::vector<std::uint32_t> count_;
  std::uint64_t evictions_ = 0;
  std::uint64_t hurt_ = 0;
};

}  // namespace warpmem::mha
