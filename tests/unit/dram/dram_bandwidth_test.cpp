// SPDX-License-Identifier: Apache-2.0
// Bandwidth against formulae: a stream against the data bus, random requests against the rule that
// bounds them.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "unit/dram/dram_bench.hpp"

namespace warpmem::dram {
namespace {

/// Share of the data-bus cycles that moved a beat, from the first command to the last.
double bus_share(const DramBench& b) {
  const Cycle cycles = b.log.records.back().cycle - b.log.records.front().cycle;
  return static_cast<double>(b.channel->stats().data_cycles) / static_cast<double>(cycles);
}

TEST(DramBandwidth, AStreamReaches95PercentOfTheDataBus) {
  DramBench b("b");
  for (unsigned i = 0; i < 20'000; ++i) b.initiator->script.push_back({0, 128 * Addr(i)});
  b.run();
  EXPECT_GE(bus_share(b), 0.95);
  EXPECT_GE(static_cast<double>(b.channel->stats().row_hits), 0.93 * 20'000);  // 16 lines a row
}

TEST(DramBandwidth, AStreamWithRefreshLosesWhatTheRefreshTakes) {
  Channel::Params params = DramBench::defaults();
  params.refresh = Refresh::all_bank;
  params.timing.t_refi = 1756;
  DramBench b("b", params);
  for (unsigned i = 0; i < 20'000; ++i) b.initiator->script.push_back({0, 128 * Addr(i)});
  b.run();
  const double free_of_refresh = 1.0 - 102.0 / 1756.0;
  EXPECT_GE(bus_share(b), 0.95 * free_of_refresh);
  EXPECT_LE(bus_share(b), free_of_refresh);
}

/// These are uniformly random 32 B reads over many rows, so that there is hardly a row hit.
void random_reads(DramBench& b, unsigned requests) {
  Random random(77);
  for (unsigned i = 0; i < requests; ++i)
    b.initiator->script.push_back(
        {0,
         at(static_cast<unsigned>(random.below(16)), static_cast<unsigned>(random.below(1 << 14)),
            static_cast<unsigned>(random.below(64)) * 32),
         false, 32});
  b.run();
}

TEST(DramBandwidth, RandomReadsAreBoundByTheFourActivateWindow) {
  Channel::Params params = DramBench::defaults();
  params.queue = 128;  // deep enough that a bank to open is always found
  params.timing.t_faw = 48;
  DramBench b("b", params);
  random_reads(b, 30'000);
  const double limit = 4.0 / 48 * 4;  // ACTs a cycle x beats
  EXPECT_LE(bus_share(b), limit * 1.01);
  EXPECT_GE(bus_share(b), limit * 0.97);
}

TEST(DramBandwidth, RandomReadsOfOneBankAreBoundByTrc) {
  DramBench b("b");
  for (unsigned i = 0; i < 5000; ++i) b.initiator->script.push_back({0, at(0, i), false, 32});
  b.run();
  EXPECT_NEAR(bus_share(b), 4.0 / 40, 0.001);  // 4 beats every tRC
}

TEST(DramBandwidth, RandomLinesAreBoundByTheBusWhenBanksAreEnough) {
  Channel::Params params = DramBench::defaults();
  params.queue = 128;
  DramBench b("b", params);
  Random random(78);
  for (unsigned i = 0; i < 20'000; ++i)
    b.initiator->script.push_back({0, at(static_cast<unsigned>(random.below(16)),
                                         static_cast<unsigned>(random.below(1 << 14)))});
  b.run();
  // The data bus decides: 16 beats a line stand against tRRD 6 and tRC 40 / 16 banks.
  EXPECT_GE(bus_share(b), 0.97);
}

}  // namespace
}  // namespace warpmem::dram
