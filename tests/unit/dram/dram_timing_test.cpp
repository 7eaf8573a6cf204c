// SPDX-License-Identifier: Apache-2.0
// Hand-computed cycles of whole requests. A request sent in cycle s is accepted in s+1, its first
// command goes in s+2 at the earliest; its response is seen one cycle after it was sent.
#include <gtest/gtest.h>

#include "unit/dram/dram_bench.hpp"

namespace warpmem::dram {
namespace {

using Cycles = std::vector<Cycle>;

TEST(DramRequestTiming, ReadOfAClosedBank) {
  DramBench b("b");
  b.initiator->script = {{0, at(0, 1)}};
  b.run();
  EXPECT_EQ(b.log.text(), "ACT RD");
  EXPECT_EQ(b.log.records[0].cycle, 2u);
  EXPECT_EQ(b.log.records[1].cycle, 14u);                   // + tRCD
  EXPECT_EQ(b.initiator->responded[0], 14u + 12 + 16 + 1);  // + tCL + beats
  EXPECT_EQ(b.channel->stats().row_misses, 1u);
}

TEST(DramRequestTiming, RowHitFollowsAtTheBusRate) {
  DramBench b("b");
  b.initiator->script = {{0, at(0, 1)}, {0, at(0, 1, 128)}, {0, at(0, 1, 256), false, 32}};
  b.run();
  EXPECT_EQ(b.log.text(), "ACT RD RD RD");
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14, 30, 46}));
  EXPECT_EQ(b.initiator->responded, (Cycles{43, 59, 46 + 12 + 4 + 1}));
  EXPECT_EQ(b.channel->stats().row_hits, 2u);
}

TEST(DramRequestTiming, ConflictWaitsForTrasTrpTrcd) {
  DramBench b("b");
  b.initiator->script = {{0, at(0, 1)}, {0, at(0, 2)}};
  b.run();
  EXPECT_EQ(b.log.text(), "ACT RD PRE ACT RD");
  EXPECT_EQ(b.log.cycles(Command::precharge), (Cycles{30}));    // 2 + tRAS, after 14 + 12 + tRTP
  EXPECT_EQ(b.log.cycles(Command::activate), (Cycles{2, 42}));  // + tRP = 2 + tRC
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14, 54}));     // + tRCD
  EXPECT_EQ(b.initiator->responded[1], 54u + 12 + 16 + 1);
  EXPECT_EQ(b.channel->stats().row_conflicts, 1u);
}

TEST(DramRequestTiming, WriteConflictWaitsForTwr) {
  DramBench b("b");
  b.initiator->script = {{0, at(0, 1), true}, {0, at(0, 2)}};
  b.run();
  EXPECT_EQ(b.log.text(), "ACT WR PRE ACT RD");
  EXPECT_EQ(b.initiator->responded[0], 14u + 4 + 16 + 1);  // acknowledged after its last beat
  EXPECT_EQ(b.log.cycles(Command::precharge), (Cycles{14 + 4 + 16 + 12}));
}

TEST(DramRequestTiming, WriteThenReadOfOneLine) {
  DramBench b("b");
  b.initiator->script = {{0, at(0, 1), true}, {0, at(0, 1)}};
  b.run();
  EXPECT_EQ(b.log.text(), "ACT WR RD");
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14 + 4 + 16 + 5}));  // tCDLR after the last beat
}

TEST(DramRequestTiming, TwoBanksOverlap) {
  DramBench b("b");
  b.initiator->script = {{0, at(0, 1)}, {0, at(1, 1)}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::activate), (Cycles{2, 8}));  // tRRD
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14, 30}));    // data bus
  ChannelStats stats = b.channel->stats();
  stats.pending.settle();
  stats.any_bank.settle();
  EXPECT_EQ(stats.pending.total(), 58u - 1);  // accepted in 1, last beat in 57
  EXPECT_EQ(stats.any_bank.total(), 58u - 2);
  EXPECT_EQ(stats.bank_cycles, (42u - 2) + (58u - 8));
  EXPECT_EQ(stats.banks[0].busy_cycles, 40u);
  EXPECT_EQ(stats.data_cycles, 32u);
  EXPECT_EQ(stats.read_latency.sum(), (42u - 1) + (58u - 2));
}

TEST(DramRequestTiming, MinLatencyAddsToEveryRead) {
  Channel::Params params = DramBench::defaults();
  params.min_latency = 400;
  DramBench b("b", params);
  b.initiator->script = {{0, at(0, 1)}, {0, at(0, 1, 128)}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14, 30}));  // the device is not held up
  EXPECT_EQ(b.initiator->responded, (Cycles{443, 459}));
}

TEST(DramRequestTiming, RefreshClosesTheRowsAndHoldsTheBanks) {
  Channel::Params params = DramBench::defaults();
  params.refresh = Refresh::all_bank;
  params.timing.t_refi = 300;
  params.timing.t_rfc = 100;
  DramBench b("b", params);
  b.initiator->script = {{0, at(0, 1)}, {290, at(0, 2)}};
  b.run();
  // The conflict gets its PRECHARGE in 292; ACTIVATE could go in 304, but the refresh is due in
  // 300.
  EXPECT_EQ(b.log.text(), "ACT RD PRE REF ACT RD");
  EXPECT_EQ(b.log.cycles(Command::refresh), (Cycles{304}));      // tRP
  EXPECT_EQ(b.log.cycles(Command::activate), (Cycles{2, 404}));  // tRFC
  EXPECT_EQ(b.channel->stats().row_conflicts, 1u);
}

TEST(DramRequestTiming, ARefreshMayRepeatAnActivate) {
  Channel::Params params = DramBench::defaults();
  params.refresh = Refresh::all_bank;
  params.timing.t_refi = 300;
  params.timing.t_rfc = 100;
  DramBench b("b", params);
  b.initiator->script = {{293, at(0, 1)}};  // ACTIVATE in 295, READ could go in 307
  b.run();
  EXPECT_EQ(b.log.text(), "ACT PREA REF ACT RD");
  EXPECT_EQ(b.log.cycles(Command::precharge_all), (Cycles{323}));  // tRAS
  EXPECT_EQ(b.channel->stats().reactivations, 1u);
  EXPECT_EQ(b.channel->stats().row_misses, 1u);
}

TEST(DramRequestTiming, RefreshesOfAnIdleTimeFallOnTheGrid) {
  Channel::Params params = DramBench::defaults();
  params.refresh = Refresh::all_bank;
  params.timing.t_refi = 1000;
  DramBench b("b", params);
  b.initiator->script = {{0, at(0, 1)}, {5050, at(0, 1)}};
  b.run();
  EXPECT_EQ(b.log.text(), "ACT RD PREA REF REF REF REF REF ACT RD");
  EXPECT_EQ(b.log.cycles(Command::refresh), (Cycles{1012, 2000, 3000, 4000, 5000}));
  EXPECT_EQ(b.log.cycles(Command::activate), (Cycles{2, 5102}));  // 5000 + tRFC 102
  EXPECT_EQ(b.channel->stats().refreshes, 5u);
}

}  // namespace
}  // namespace warpmem::dram
