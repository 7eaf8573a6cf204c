// SPDX-License-Identifier: Apache-2.0
// Ends BUCL's sampling periods while a launch runs. What BUCL reads of the partitions' input
// buffers is kept only for its delay, so no end of a period may be overslept.
#pragma once

#include <functional>
#include <utility>

#include "base/clock_domain.hpp"
#include "l1d/bypass/bucl.hpp"

namespace warpmem::memory {

class BuclPeriods : public Clocked {
 public:
  BuclPeriods(ClockDomain& domain, l1d::Bucl& bucl, std::function<bool()> running)
      : Clocked(domain), bucl_(bucl), running_(std::move(running)) {}

  void begin_launch(Cycle now) { wake_at(bucl_.settle(now)); }

 private:
  // Time also goes by before a launch, while pages are moved ahead of it.
  Cycle tick(Cycle now) override { return running_() ? bucl_.settle(now) : kNever; }

  l1d::Bucl& bucl_;
  std::function<bool()> running_;
};

}  // namespace warpmem::memory
