// SPDX-License-Identifier: Apache-2.0
// Watches a running launch. It ends the launch with a report of the machine's state when for too
// long nothing has progressed and nothing is awaited from the host (deadlock), or when the launch
// takes longer than allowed (a program that spins for ever issues instructions all the time). It
// also lets the application show progress.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/clock_domain.hpp"

namespace warpmem::gpu {

class Monitor : public Clocked {
 public:
  struct Hooks {
    /// Returns a number that grows whenever the machine does useful work: instructions issued,
    /// requests answered.
    std::function<std::uint64_t()> work_done;
    /// Returns whether something outside the GPU is at work for it and will be done at a known
    /// time, however long that is: the host on a fault, a transfer on the link.
    std::function<bool()> waits_for_host;
    std::function<bool()> running;
    /// Returns whether CTAs of the launch have not ended, seen when this edge is over.
    std::function<bool()> has_ctas;
    /// Describes the state of every queue and MSHR, for the report.
    std::function<std::string()> describe;
    /// Is called at every look at a running launch, at least every kCheckCycles.
    std::function<void(Cycle)> progress;
  };
  static constexpr Cycle kCheckCycles = 4096;

  struct Limits {
    /// Key watchdog: cycles in which no work is done; 0 = no limit. Work shows at the next look, so
    /// a hang is found after so many cycles at least, and by fewer than kCheckCycles, or than
    /// twice as many, later.
    Cycle without_progress = 0;
    /// Key max_cycles: cycles of one launch (gpu.cycles), which fails in that cycle; 0 = no limit.
    Cycle launch = 0;
  };
  Monitor(ClockDomain& domain, const Limits& limits, Hooks hooks);
  void begin_launch();

 private:
  Cycle tick(Cycle now) override;
  Cycle next_look(Cycle now) const;
  [[noreturn]] void fail(const std::string& what, Cycle now) const;

  Limits limits_;
  Hooks hooks_;
  std::uint64_t last_work_ = 0;
  Cycle start_ = 0;
  Cycle last_progress_ = 0;
  Cycle next_check_ = 0;
};

}  // namespace warpmem::gpu
