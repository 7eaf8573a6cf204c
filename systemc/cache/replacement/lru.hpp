// SPDX-License-Identifier: Apache-2.0
// Least recently used: the arrival of a block is a use of its line, and so is the miss that takes
// the line.
#pragma once

#include <cstddef>
#include <vector>

#include "cache/replacement/replacement.hpp"

namespace warpmem::cache {

class LeastRecentlyUsed final : public Replacement {
 public:
  explicit LeastRecentlyUsed(const CacheShape& shape)
      : ways_(shape.ways), used_(std::size_t(shape.sets) * shape.ways) {}

  void touched(LineId line) override { used_[line] = ++clock_; }
  void inserted(LineId line) override { used_[line] = ++clock_; }
  void filled(LineId line) override { used_[line] = ++clock_; }

  unsigned victim(std::uint32_t set, const WayMask& candidates) const override {
    const std::uint64_t* const used = used_.data() + std::size_t(set) * ways_;
    unsigned oldest = candidates.first();
    candidates.for_each([&](unsigned way) {
      if (used[way] < used[oldest]) oldest = way;
    });
    return oldest;
  }

 private:
  std::uint32_t ways_;
  std::uint64_t clock_ = 0;
  std::vector<std::uint64_t> used_;
};

}  // namespace warpmem::cache
