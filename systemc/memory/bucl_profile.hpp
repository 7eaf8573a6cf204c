// SPDX-License-Identifier: Apache-2.0
// Makes BUCL-Prf's choice: some cycles after a launch it takes the SM that has executed most (BU
// IV-B).
#pragma once

#include <functional>
#include <vector>

#include "base/after_ticks.hpp"
#include "base/clock_domain.hpp"
#include "l1d/bypass/bucl.hpp"

namespace warpmem::memory {

class BuclProfile : public Clocked {
 public:
  /// `executed` gives the instructions that every SM has executed so far.
  BuclProfile(sc_core::sc_module_name name, ClockDomain& domain, l1d::Bucl& bucl,
              std::function<std::vector<std::uint64_t>()> executed)
      : Clocked(domain),
        bucl_(bucl),
        executed_(std::move(executed)),
        all_ticked_(name, AfterTicks::Does::changes, [this] { choose(); }) {}

  void begin_launch() {
    before_ = executed_();
    end_ = bucl_.profile_end();
    wake_at(end_);
  }

 private:
  Cycle tick(Cycle now) override {
    if (now == end_) all_ticked_.request();
    return kNever;
  }
  void choose() {
    const std::vector<std::uint64_t> now = executed_();
    unsigned best = 0;
    for (unsigned sm = 1; sm < now.size(); ++sm)
      if (now[sm] - before_[sm] > now[best] - before_[best]) best = sm;
    bucl_.choose(best, domain().now());
  }

  l1d::Bucl& bucl_;
  std::function<std::vector<std::uint64_t>()> executed_;
  std::vector<std::uint64_t> before_;
  Cycle end_ = kNever;  // of the launch's profile
  AfterTicks all_ticked_;
};

}  // namespace warpmem::memory
