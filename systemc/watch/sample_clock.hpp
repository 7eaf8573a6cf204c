// SPDX-License-Identifier: Apache-2.0
// Calls back at the end of every interval of a launch, and at the launch's own end, when all
// modules of the instant have ticked.
#pragma once

#include <functional>

#include "base/after_ticks.hpp"
#include "base/clock_domain.hpp"

namespace warpmem::watch {

class SampleClock : public Clocked {
 public:
  /// `interval` is at least 1 cycle of `domain`. `sample` gets the cycle and must not throw;
  /// `between` runs in a tick some time later and may. Must be made before the simulation starts.
  SampleClock(const char* name, ClockDomain& domain, Cycle interval,
              std::function<void(Cycle)> sample, std::function<void()> between = {})
      : Clocked(domain),
        interval_(interval),
        sample_(std::move(sample)),
        between_(std::move(between)),
        after_ticks_(name, AfterTicks::Does::looks, [this] { sample_(this->domain().now()); }) {}

  /// A launch begins in the next cycle.
  void begin() {
    running_ = true;
    next_ = domain().next_cycle() + interval_;
    wake_at(next_);
  }
  /// It is over: calls back unless an interval has just ended.
  void end() {
    running_ = false;
    if (domain().now() != next_ - interval_) sample_(domain().now());
  }

 private:
  Cycle tick(Cycle now) override {
    if (!running_ || now < next_) return kNever;
    if (between_) between_();
    after_ticks_.request();
    next_ += interval_;
    return next_;
  }

  Cycle interval_;
  std::function<void(Cycle)> sample_;
  std::function<void()> between_;
  AfterTicks after_ticks_;
  bool running_ = false;
  Cycle next_ = 0;
};

}  // namespace warpmem::watch
