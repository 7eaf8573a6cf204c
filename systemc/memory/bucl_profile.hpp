// SPDX-License-Identifier: Apache-2.0
// Makes BUCL-Prf's choice: some cycles after a launch it takes the SM that has executed most (BU
// IV-B).
#pragma once

#include <functional>
#include <vector>

#include "base/clock_domain.hpp"
#include "l1d/bypass/bucl.hpp"

namespace warpmem::memory {

class BuclProfile : public sc_core::sc_module, public Clocked {
 public:
  /// `executed` gives the instructions that every SM has executed so far.
  BuclProfile(sc_core::sc_module_name name, ClockDomain& domain, l1d::Bucl& bucl,
              std::function<std::vector<std::uint64_t>()> executed)
      : sc_module(name), Clocked(domain), bucl_(bucl), executed_(std::move(executed)) {
    SC_METHOD(choose);
    sensitive << all_ticked_;
    dont_initialize();
  }

  void begin_launch() {
    before_ = executed_();
    end_ = bucl_.profile_end();
    wake_at(end_);
  }

 private:
  SC_HAS_PROCESS(BuclProfile);

  Cycle tick(Cycle now) override {
    // The counts are read in the next delta cycle, when every SM of this instant has been ticked.
    if (now == end_) all_ticked_.notify(sc_core::SC_ZERO_TIME);
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
  sc_core::sc_event all_ticked_;
};

}  // namespace warpmem::memory
