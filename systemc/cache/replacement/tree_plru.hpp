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
  explicit TreePlru(const CacheShape& shape) : ways_(shape.ways) {
    while (leaves_ < ways_) leaves_ *= 2;
    words_ = (leaves_ + 63) / 64;
    points_right_.resize(std::size_t(shape.sets) * words_);
  }

  void touched(LineId line) override { use(line); }
  void inserted(LineId line) override { use(line); }

  unsigned victim(std::uint32_t set, const WayMask& candidates) const override {
    const std::uint64_t* const bits = bits_of(set);
    unsigned first = 0;
    unsigned node = 1;
    for (unsigned half = leaves_ / 2; half != 0; half /= 2) {
      bool go_right = bits[node / 64] >> node % 64 & 1;
      if (!candidates.any_of(go_right ? first + half : first, half)) go_right = !go_right;
      node = 2 * node + go_right;
      if (go_right) first += half;
    }
    return first;
  }

 private:
  const std::uint64_t* bits_of(std::uint32_t set) const {
    return points_right_.data() + std::size_t(set) * words_;
  }
  void use(LineId line) {
    const unsigned way = line % ways_;
    std::uint64_t* const bits = points_right_.data() + std::size_t(line / ways_) * words_;
    unsigned node = 1;
    for (unsigned half = leaves_ / 2; half != 0; half /= 2) {
      const bool in_right = way & half;
      const std::uint64_t bit = std::uint64_t{1} << node % 64;
      std::uint64_t& word = bits[node / 64];
      word = in_right ? word & ~bit : word | bit;
      node = 2 * node + in_right;
    }
  }

  std::uint32_t ways_;
  unsigned leaves_ = 1;
  unsigned words_ = 1;                       // of the bits of a set
  std::vector<std::uint64_t> points_right_;  // by set; node n in bit n, the root is node 1
};

}  // namespace warpmem::cache
