// SPDX-License-Identifier: Apache-2.0
// Random replacement: one generator for all sets of a cache, which draws again at each eviction, as
// a shift register in hardware would.
#pragma once

#include "base/random.hpp"
#include "cache/replacement/replacement.hpp"

namespace warpmem::cache {

class RandomReplacement final : public Replacement {
 public:
  explicit RandomReplacement(const CacheShape&) : drawn_(random_.next() >> 11) {}

  void touched(LineId) override {}
  void evicting(LineId) override { drawn_ = random_.next() >> 11; }
  void inserted(LineId) override {}

  unsigned victim(std::uint32_t, WayMask candidates) const override {
    auto skip = drawn_ % static_cast<unsigned>(__builtin_popcountll(candidates));
    for (; skip != 0; --skip) candidates &= candidates - 1;
    return static_cast<unsigned>(__builtin_ctzll(candidates));
  }

 private:
  Random random_{1};
  std::uint64_t drawn_;
};

}  // namespace warpmem::cache
