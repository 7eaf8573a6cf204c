// SPDX-License-Identifier: Apache-2.0
// Calls back whenever a system has become idle. It is looked at in every cycle from the first
// request on, when every module of that instant has been ticked.
#pragma once

#include <functional>
#include <utility>

#include "base/after_ticks.hpp"
#include "base/clock_domain.hpp"

namespace warpmem::memory {

class IdleWatch : public Clocked {
 public:
  /// `idle` must not depend on what happens within an edge. Whoever makes the system busy wakes
  /// this module.
  IdleWatch(sc_core::sc_module_name name, ClockDomain& domain, std::function<bool()> idle)
      : Clocked(domain),
        idle_(std::move(idle)),
        all_ticked_(name, AfterTicks::Does::looks, [this] { look(); }) {}

  /// `call` runs as part of a method process and must not throw.
  void on_idle(std::function<void()> call) { call_ = std::move(call); }

 private:
  Cycle tick(Cycle) override {
    if (call_) all_ticked_.request();
    return kNever;
  }
  void look() {
    const bool was_busy = std::exchange(busy_, !idle_());
    if (busy_) {
      wake();
    } else if (was_busy) {
      call_();
    }
  }

  std::function<bool()> idle_;
  std::function<void()> call_;
  bool busy_ = false;
  AfterTicks all_ticked_;
};

}  // namespace warpmem::memory
