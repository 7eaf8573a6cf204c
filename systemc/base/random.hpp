// SPDX-License-Identifier: Apache-2.0
// A small, fast, reproducible generator (xorshift64*), which gives the same numbers on every
// machine.
#pragma once

#include <cstdint>

namespace warpmem {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 0x1234567ULL) {
    if (state_ == 0) state_ = 1;
  }
  std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1DULL;
  }
  /// Returns a number uniform in [0, bound); `bound` >= 1.
  std::uint64_t below(std::uint64_t bound) { return (next() >> 11) % bound; }
  /// Returns true with probability `percent` / 100.
  bool chance(unsigned percent) { return below(100) < percent; }

 private:
  std::uint64_t state_;
};

}  // namespace warpmem
