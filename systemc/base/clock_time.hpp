// SPDX-License-Identifier: Apache-2.0
// A time between two events of a clock, as data sheets give it: in cycles, or in nanoseconds that
// become cycles once the clock is known.
#pragma once

#include <cstdint>
#include <string>

#include "base/assert.hpp"

namespace warpmem {

class ClockTime {
 public:
  ClockTime(std::uint32_t cycles = 0) : cycles_(cycles) {}
  static ClockTime of_picoseconds(std::uint64_t picoseconds) {
    ClockTime time;
    time.picoseconds_ = picoseconds;
    return time;
  }

  /// Precondition: the time is in cycles, as in_cycles() returns it.
  operator std::uint32_t() const {
    assert(picoseconds_ == 0);
    return cycles_;
  }
  /// Returns the same time in cycles of a clock of `hertz`, rounded up.
  ClockTime in_cycles(std::uint64_t hertz) const;
  /// Returns "12", or "13.5 ns", as Schema::time reads it.
  std::string text() const;

 private:
  std::uint32_t cycles_;
  std::uint64_t picoseconds_ = 0;  // 0: the time is given in cycles
};

}  // namespace warpmem
