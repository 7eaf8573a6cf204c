// SPDX-License-Identifier: Apache-2.0
// Early evictions of TSMA (KI 5.1), and which of them hurt. A line is evicted early when it gives
// way at the miss of another block, although that block arrives only later. Until then a cache that
// allocates on fill would still have the line, so a miss on it is due to its early eviction.
//
// A set keeps the order in which its lines gave way, since allocation on fill would have replaced
// them in that order: each line that arrives takes the oldest.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/assert.hpp"
#include "base/types.hpp"

namespace warpmem::mha {

class EarlyEvictions {
 public:
  EarlyEvictions(std::uint32_t sets, std::uint32_t ways)
      : ways_(ways), gone_(std::size_t(sets) * ways, kNothing), count_(sets, 0) {}

  /// A miss in `set` has taken an invalid line.
  void took_empty(std::uint32_t set) { push(set, kNothing); }
  /// A miss in `set` has taken the valid line of `block`.
  void evicted(std::uint32_t set, Addr block) {
    push(set, block);
    ++evictions_;
  }
  /// A line has arrived, which would have replaced the oldest of these lines.
  void filled(std::uint32_t set) {
    if (count_[set] == 0) return;
    Addr* const first = &gone_[std::size_t(set) * ways_];
    std::copy(first + 1, first + count_[set], first);
    --count_[set];
  }
  /// Takes note of a primary miss of `block`.
  void missed(std::uint32_t set, Addr block) { hurt_ += remove(set, block); }
  /// Takes note of a store to `block`, which would have invalidated the line.
  void written(std::uint32_t set, Addr block) { remove(set, block); }

  const std::uint64_t& evictions() const { return evictions_; }
  const std::uint64_t& hurt() const { return hurt_; }

 private:
  static constexpr Addr kNothing = ~Addr(0);

  // There is room, since at most as many lines have given way as have not arrived.
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
  std::vector<Addr> gone_;  // blocks that gave way, by set, oldest first
  std::vector<std::uint32_t> count_;
  std::uint64_t evictions_ = 0;
  std::uint64_t hurt_ = 0;
};

}  // namespace warpmem::mha
