// SPDX-License-Identifier: Apache-2.0
#include "gpu/monitor.hpp"

#include <gtest/gtest.h>

#include "base/errors.hpp"

namespace warpmem::gpu {
namespace {

/// A machine that does `work_until` cycles of work, awaits the host until `host_until`, and hangs.
class Bench {
 public:
  Bench(const Monitor::Limits& limits, Cycle work_until, Cycle host_until = 0)
      : domain_("clock", (set_simulation_resolution(), 1'000'000'000)),
        monitor_(domain_, limits, hooks(work_until, host_until)) {}

  /// What the monitor said within `nanoseconds`, empty if nothing.
  std::string run(double nanoseconds) {
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    monitor_.begin_launch();
    sc_core::sc_start(sc_core::sc_time(nanoseconds, sc_core::SC_NS));
    try {
      rethrow_tick_failure();
    } catch (const SimulationError& error) {
      return error.what();
    }
    return "";
  }
  unsigned looks = 0;
  Cycle ctas_until = kNever;

 private:
  Monitor::Hooks hooks(Cycle work_until, Cycle host_until) {
    Monitor::Hooks h;
    h.waits_for_host = [this, host_until] { return domain_.now() < host_until; };
    h.work_done = [this, work_until] { return std::min(domain_.now(), work_until); };
    h.running = [] { return true; };
    h.has_ctas = [this] { return domain_.now() < ctas_until; };
    h.describe = [] { return std::string("  l1d[3]: head refused: entry_full\n"); };
    h.progress = [this](Cycle) { ++looks; };
    return h;
  }
  ClockDomain domain_;
  Monitor monitor_;
};

TEST(Monitor, ReportsADeadlockWithTheStateOfTheMachine) {
  Bench bench({20'000, 0}, 10'000);
  const std::string said = bench.run(100'000);
  EXPECT_NE(said.find("no progress for "), std::string::npos) << said;
  EXPECT_NE(said.find("watchdog = 20000"), std::string::npos) << said;
  EXPECT_NE(said.find("l1d[3]: head refused: entry_full"), std::string::npos) << said;
}

TEST(Monitor, WaitingForTheHostIsNoDeadlock) {
  Bench bench({20'000, 0}, 10'000, kNever);
  EXPECT_EQ(bench.run(100'000), "");
}

TEST(Monitor, AHangAfterTheHostHasAnsweredIsOne) {
  Bench bench({20'000, 0}, 10'000, 50'000);
  EXPECT_NE(bench.run(100'000).find("no progress for 20000 cycles"), std::string::npos);
}

TEST(Monitor, IsQuietWhileWorkIsDone) {
  Bench bench({20'000, 0}, kNever);
  EXPECT_EQ(bench.run(200'000), "");
  EXPECT_GE(bench.looks, 200'000u / Monitor::kCheckCycles - 1);
}

TEST(Monitor, ZeroSwitchesTheWatchdogOff) {
  Bench bench({0, 0}, 10);
  EXPECT_EQ(bench.run(200'000), "");
}

TEST(Monitor, EndsALaunchThatTakesTooLong) {
  Bench bench({0, 50'000}, kNever);
  const std::string said = bench.run(100'000);
  EXPECT_NE(said.find("max_cycles = 50000"), std::string::npos) << said;
}

TEST(Monitor, EndsItInTheCycleOfTheLimit) {
  Bench bench({0, 100}, kNever);
  EXPECT_NE(bench.run(100'000).find("max_cycles = 100 at cycle 101;"), std::string::npos);
}

// It begins at edge 1.
TEST(Monitor, ALaunchOfSoManyCyclesIsNotTooLong) {
  Bench bench({0, 100}, kNever);
  bench.ctas_until = 101;
  EXPECT_EQ(bench.run(100'000), "");
}

TEST(Monitor, OneOfOneCycleMoreIs) {
  Bench bench({0, 100}, kNever);
  bench.ctas_until = 102;
  EXPECT_NE(bench.run(100'000), "");
}

TEST(Monitor, AShortWatchdogIsLookedAtInTime) {
  Bench bench({100, 0}, 1'000);
  EXPECT_NE(bench.run(100'000).find("no progress for 100 cycles (deadlock)"), std::string::npos);
  EXPECT_LE(bench.looks, 1'200u / 100);
}

}  // namespace
}  // namespace warpmem::gpu
