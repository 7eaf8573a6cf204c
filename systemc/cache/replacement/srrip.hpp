// SPDX-License-Identifier: Apache-2.0
// Static re-reference interval prediction with hit priority (Jaleel et al., ISCA 2010, section 4):
// two bits a line say how soon its next use is expected. A new block is expected late, a block that
// was hit soon; the first line that is expected last goes, after every line of the set has aged
// until one is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cache/replacement/replacement.hpp"

namespace warpmem::cache {

class Srrip final : public Replacement {
 public:
  explicit Srrip(const CacheShape& shape)
      : ways_(shape.ways), expected_(std::size_t(shape.sets) * shape.ways, kLast) {}

  void touched(LineId line) override { expected_[line] = 0; }
  void evicting(LineId line) override {
    const unsigned years = kLast - expected_[line];
    if (years == 0) return;
    const unsigned way = line % ways_;
    const auto first = expected_.begin() + std::ptrdiff_t(line - way);
    for (auto e = first; e != first + ways_; ++e)
      *e = static_cast<std::uint8_t>(std::min<unsigned>(*e + years, kLast));
  }
  void inserted(LineId line) override { expected_[line] = kLast - 1; }

  unsigned victim(std::uint32_t set, const WayMask& candidates) const override {
    const std::uint8_t* const expected = expected_.data() + std::size_t(set) * ways_;
    unsigned last = candidates.first();
    candidates.for_each([&](unsigned way) {
      if (expected[way] > expected[last]) last = way;
    });
    return last;
  }

 private:
  static constexpr std::uint8_t kLast = 3;
  std::uint32_t ways_;
  std::vector<std::uint8_t> expected_;
};

}  // namespace warpmem::cache
