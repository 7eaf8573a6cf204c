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

  unsigned victim(std::uint32_t, const WayMask& candidates) const override {
    WayMask rest = candidates;
    for (auto skip = drawn_ % candidates.count(); skip != 0; --skip) rest.clear(rest.first());
    return rest.first();
  }

 private:
  Random random_{1};
  std::uint64_t drawn_;
};

}  // namespace warpmem::cache
