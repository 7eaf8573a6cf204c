// SPDX-License-Identifier: Apache-2.0
// Tree pseudo-LRU: a binary tree over the ways of a set, with a bit a node that points to the half
// used longer ago. A use turns the bits on its path away from itself; the victim is where they
// lead, but for halves in which no line may go.
#pragma once

#include <cstddef>
#include <vector>

#include "cache/replacement/replacement.hpp"

namespace warpmem::cache {

class TreePlru final : public Replacement {
 public:
  /// A number of ways that is no power of two is a tree that lacks its last leaves.
  explicit TreePlru(const CacheShape& shape) : ways_(shape.ways), points_right_(shape.sets) {
    while (leaves_ < ways_) leaves_ *= 2;
  }

  void touched(LineId line) override { use(line); }
  void inserted(LineId line) override { use(line); }

  unsigned victim(std::uint32_t set, WayMask candidates) const override {
    unsigned first = 0;
    unsigned node = 1;
    for (unsigned half = leaves_ / 2; half != 0; half /= 2) {
      const WayMask left = mask_of(first, half), right = mask_of(first + half, half);
      bool go_right = points_right_[set] >> node & 1;
      if ((candidates & (go_right ? right : left)) == 0) go_right = !go_right;
      node = 2 * node + go_right;
      if (go_right) first += half;
    }
    return first;
  }

 private:
  static WayMask mask_of(unsigned first, unsigned count) {
    return count >= 64 ? ~WayMask{0} : ((WayMask{1} << count) - 1) << first;
  }
  void use(LineId line) {
    const unsigned way = line % ways_;
    std::uint64_t& bits = points_right_[line / ways_];
    unsigned node = 1;
    for (unsigned half = leaves_ / 2; half != 0; half /= 2) {
      const bool in_right = way & half;
      const std::uint64_t bit = std::uint64_t{1} << node;
      bits = in_right ? bits & ~bit : bits | bit;
      node = 2 * node + in_right;
    }
  }

  std::uint32_t ways_;
  unsigned leaves_ = 1;
  std::vector<std::uint64_t> points_right_;  // a set; node n in bit n, the root is node 1
};

}  // namespace warpmem::cache
