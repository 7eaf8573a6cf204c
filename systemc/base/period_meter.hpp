// SPDX-License-Identifier: Apache-2.0
// A level of one module, averaged over periods of simulated time, which another module reads with a
// delay of at least a cycle. What is read depends only on changes before that, never on the order
// in which modules are ticked. Nothing happens in between, so both may sleep.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/clock_domain.hpp"

namespace warpmem {

class PeriodMeter {
 public:
  /// `period` is in femtoseconds, > 0. `kept` (> 0) is the number of periods before the present one
  /// whose averages can be read.
  PeriodMeter(Femtoseconds period, std::size_t kept) : period_(period), averages_(kept) {}

  /// The level is `level` from `now` on. Calls come in order of time.
  void set(Femtoseconds now, double level) {
    for (; now >= end(); next_period(now)) {
      averages_[number_ % averages_.size()] = average_to_end();
    }
    integral_ += level_ * static_cast<double>(now - since_);
    since_ = now;
    level_ = level;
  }

  /// Returns the end of the period that holds `when`; average() stays as it is until then.
  Femtoseconds end_of(Femtoseconds when) const { return (when / period_ + 1) * period_; }

  /// Returns the average over the last period that had ended at `when`, or 0 before the first has
  /// ended. `when` is less than `kept` periods before the last change.
  double average(Femtoseconds when) const {
    const std::uint64_t ended = when / period_;  // periods 0 .. ended - 1
    if (ended == 0) return 0;
    const std::uint64_t wanted = ended - 1;
    if (wanted > number_) return level_;
    return wanted == number_ ? average_to_end() : averages_[wanted % averages_.size()];
  }

 private:
  Femtoseconds end() const { return (number_ + 1) * period_; }
  double average_to_end() const {
    const double rest = since_ < end() ? static_cast<double>(end() - since_) : 0.0;
    return (integral_ + level_ * rest) / static_cast<double>(period_);
  }
  // After a long time without changes only the last periods are kept.
  void next_period(Femtoseconds now) {
    const std::uint64_t last = now / period_;
    if (last > number_ + averages_.size()) {
      averages_.assign(averages_.size(), level_);
      number_ = last - 1;
    }
    ++number_;
    since_ = number_ * period_;
    integral_ = 0;
  }

  Femtoseconds period_;
  std::uint64_t number_ = 0;  // number of the present period
  Femtoseconds since_ = 0;    // since when the level has held, in the present period
  double level_ = 0;
  double integral_ = 0;  // level x time in the present period, up to since_
  std::vector<double> averages_;
};

}  // namespace warpmem
