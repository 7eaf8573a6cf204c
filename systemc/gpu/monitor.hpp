// SPDX-License-Identifier: Apache-2.0
// Watches a running launch: ends it with a report when nothing has progressed for too long
// (deadlock or livelock), and offers the application a chance to show progress.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/clock_domain.hpp"

namespace warpmem::gpu {

class Monitor : public Clocked {
 public:
  struct Hooks {
    /// Grows whenever the machine does useful work: instructions issued, requests answered.
    std::function<std::uint64_t()> work_done;
    std::function<bool()> running;
    /// State of every queue and MSHR, for the report.
    std::function<std::string()> describe;
    /// Called every kCheckCycles while a launch runs.
    std::function<void(Cycle)> progress;
  };
  static constexpr Cycle kCheckCycles = 4096;

  /// `limit` cycles without progress are an error; 0 switches the watchdog off.
  Monitor(ClockDomain& domain, Cycle limit, Hooks hooks);
  void begin_launch();

 private:
  Cycle tick(Cycle now) override;

  Cycle limit_;
  Hooks hooks_;
  std::uint64_t last_work_ = 0;
  Cycle last_progress_ = 0;
  Cycle next_check_ = 0;
};

}  // namespace warpmem::gpu
