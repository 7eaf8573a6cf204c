// SPDX-License-Identifier: Apache-2.0
// Bank groups, bursts, pseudo channels, command buses and refreshes by cycles of whole requests,
// and that nothing of them depends on how it is simulated. A request sent in cycle s is accepted in
// s+1, its first command goes in s+2 at the earliest; its response is seen one cycle after it was
// sent.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "files/stats_json.hpp"
#include "unit/dram/dram_bench.hpp"

namespace warpmem::dram {
namespace {

using Cycles = std::vector<Cycle>;

/// A burst takes 2 of 16 B; bank b is in group b mod 4.
Channel::Params channel_of_groups() {
  Channel::Params params = DramBench::defaults();
  params.bus_bytes = 16;
  params.column_command = ColumnCommand::burst;
  params.bank_groups = 4;
  params.timing.t_ccd_l = 4;
  params.timing.t_rrd_l = 9;
  params.timing.t_wtr_l = 8;
  return params;
}

TEST(DramBursts, ARequestIsAColumnCommandForEachBurst) {
  DramBench b("b", channel_of_groups());
  b.initiator->script = {{0, at(0, 1)}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14, 18, 22, 26}));  // tCCD_L
  EXPECT_EQ(b.initiator->responded, (Cycles{26 + 12 + 2 + 1}));      // after the last one
  const ChannelStats& s = b.channel->stats();
  EXPECT_EQ(s.column_commands, 4u);
  EXPECT_EQ(s.row_misses, 1u);
  EXPECT_EQ(s.row_hits, 0u);
  EXPECT_EQ(s.data_cycles, 8u);
}

TEST(DramBursts, TwoBankGroupsFillTheDataBus) {
  DramBench b("b", channel_of_groups());
  b.initiator->script = {{0, at(0, 1)}, {0, at(1, 1)}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::activate), (Cycles{2, 8}));  // tRRD
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14, 18, 20, 22, 24, 26, 28, 32}));
}

TEST(DramBursts, TwoBanksOfOneGroupDoNot) {
  DramBench b("b", channel_of_groups());
  b.initiator->script = {{0, at(0, 1)}, {0, at(4, 1)}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::activate), (Cycles{2, 11}));  // tRRD_L
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14, 18, 22, 26, 30, 34, 38, 42}));
}

TEST(DramBursts, AReadAfterAWriteIsEarlierInAnotherGroup) {
  DramBench other("other", channel_of_groups()), same("same", channel_of_groups());
  for (DramBench* b : {&other, &same}) {
    const unsigned bank = b == &other ? 1 : 4;
    b->initiator->script = {{0, at(0, 1), false, 32},
                            {0, at(bank, 1), false, 32},
                            {60, at(0, 1), true, 32},
                            {60, at(bank, 1), false, 32}};
  }
  other.run();
  same.run();
  EXPECT_EQ(other.log.cycles(Command::write), (Cycles{62}));  // beats in 66 and 67
  EXPECT_EQ(other.log.cycles(Command::read)[2], 68u + 5);     // tCDLR
  EXPECT_EQ(same.log.cycles(Command::read)[2], 68u + 8);      // tWTR_L
}

TEST(DramBursts, SixtyFourByteBurstsMoveWhole) {
  Channel::Params params = channel_of_groups();
  params.burst_bytes = 64;
  DramBench b("b", params);
  b.initiator->script = {{0, at(0, 1), false, 32}, {0, at(0, 1, 128)}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14, 18, 22}));  // 4 beats each
  EXPECT_EQ(b.channel->stats().data_cycles, 12u);
}

TEST(DramBursts, ARefreshMayComeBetweenTheBurstsOfARequest) {
  Channel::Params params = channel_of_groups();
  params.refresh = Refresh::all_bank;
  params.timing.t_refi = 300;
  params.timing.t_rfc = 100;
  DramBench b("b", params);
  b.initiator->script = {{280, at(0, 1)}};  // ACTIVATE in 282, READs in 294 and 298
  b.run();
  EXPECT_EQ(b.log.cycles(Command::precharge_all), (Cycles{310}));  // tRAS
  EXPECT_EQ(b.log.cycles(Command::refresh)[0], 322u);
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{294, 298, 434, 438}));
  EXPECT_EQ(b.channel->stats().reactivations, 1u);
  EXPECT_EQ(b.channel->stats().row_misses, 1u);
}

TEST(DramPseudoChannel, HasADataBusOfItsOwn) {
  Channel::Params params = DramBench::defaults();
  params.pseudo_channels = 2;
  DramBench b("b", params);
  b.initiator->script = {{0, at(0, 1)}, {0, at(1, 1)}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::activate), (Cycles{2, 3}));  // no tRRD, but one command a cycle
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14, 15}));
  EXPECT_EQ(b.initiator->responded, (Cycles{43, 44}));  // 16 beats each, at the same time
  // Each bus is busy for 16 cycles of those in which it could be: the efficiency stays below 1.
  const ChannelStats& stats = b.channel->stats();
  EXPECT_EQ(stats.data_cycles, 2 * 16u);
  EXPECT_EQ(stats.pending_bus_cycles, 2 * stats.pending.total());
}

// Four beats that begin a cycle after sixteen of the other pseudo channel end twelve before them.
TEST(DramPseudoChannel, AShortReadDoesNotWaitForALongOneOfTheOther) {
  Channel::Params params = DramBench::defaults();
  params.pseudo_channels = 2;
  DramBench b("b", params);
  b.initiator->script = {{0, at(0, 1)}, {0, at(1, 1), false, 32}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14, 15}));
  EXPECT_EQ(b.initiator->responded, (Cycles{43, 44 - 12}));
}

TEST(DramBuses, ARowAndAColumnCommandGoInOneCycle) {
  Channel::Params params = DramBench::defaults();
  DramBench one("one", params);
  params.command_bus = CommandBus::row_and_column;
  DramBench two("two", params);
  for (DramBench* b : {&one, &two})
    for (unsigned bank = 0; bank < 4; ++bank) b->initiator->script.push_back({0, at(bank, 3)});
  one.run();
  two.run();
  EXPECT_EQ(one.log.cycles(Command::read)[0], 14u);
  EXPECT_EQ(two.log.cycles(Command::read)[0], 14u);
  EXPECT_EQ(one.log.cycles(Command::activate), (Cycles{2, 8, 15, 21}));
  EXPECT_EQ(two.log.cycles(Command::activate), (Cycles{2, 8, 14, 20}));  // tRRD
}

// ---- refresh -----------------------------------------------------------------------------------

Channel::Params per_bank() {
  Channel::Params params = DramBench::defaults();
  params.refresh = Refresh::per_bank;
  params.timing.t_refi = 1600;  // a bank every 100 cycles
  return params;
}

TEST(DramRefresh, OfABankLetsTheOthersGoOn) {
  DramBench b("b", per_bank());
  b.initiator->script = {{0, at(0, 1)}, {100, at(0, 1, 128)}, {100, at(5, 1)}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::precharge), (Cycles{100}));         // due
  EXPECT_EQ(b.log.cycles(Command::refresh_bank)[0], 112u);            // + tRP
  EXPECT_EQ(b.log.cycles(Command::activate), (Cycles{2, 103, 163}));  // bank 5, then tRFCpb
  EXPECT_EQ(b.log.cycles(Command::read), (Cycles{14, 115, 175}));
  const ChannelStats& s = b.channel->stats();
  EXPECT_EQ(s.refresh_precharges, 1u);
  EXPECT_EQ(s.refresh_late_cycles, 12u);
  EXPECT_EQ(s.banks[0].refreshes, 1u);
}

TEST(DramRefresh, OfAllBanksHoldsThemAll) {
  Channel::Params params = per_bank();
  params.refresh = Refresh::all_bank;
  params.timing.t_refi = 400;
  DramBench b("b", params);
  b.initiator->script = {{0, at(0, 1)}, {400, at(5, 1)}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::precharge_all)[0], 400u);
  EXPECT_EQ(b.log.cycles(Command::refresh)[0], 412u);
  EXPECT_EQ(b.log.cycles(Command::activate), (Cycles{2, 514}));  // tRFC 102
}

TEST(DramRefresh, OfPseudoChannelsTakesTurns) {
  Channel::Params params = per_bank();
  params.refresh = Refresh::all_bank;
  params.pseudo_channels = 2;
  params.timing.t_refi = 800;  // the first in 400, the second in 800
  DramBench b("b", params);
  b.initiator->script = {{0, at(0, 1)}, {0, at(1, 1)}, {410, at(1, 1, 128)}, {410, at(2, 1)}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::refresh)[0], 412u);
  EXPECT_EQ(b.log.cycles(Command::read)[2], 412u + 1);  // bank 1 keeps its row
  EXPECT_EQ(b.log.cycles(Command::activate), (Cycles{2, 3, 514}));
}

TEST(DramRefresh, OfAPseudoChannelDoesNotWaitForALateOneOfTheOther) {
  Channel::Params params = per_bank();
  params.pseudo_channels = 2;
  params.timing.t_refi = 640;  // bank 0 in 40, bank 1 in 80
  params.timing.t_wr = 80;
  DramBench b("b", params);
  // The row of bank 0 opens in 12 and is written to in 24, so that it closes in 28 + 16 + 80.
  b.initiator->script = {{10, at(0, 1), true}, {70, at(3, 1)}, {200, at(3, 1)}};
  b.run();
  EXPECT_EQ(b.log.cycles(Command::write), (Cycles{24}));
  EXPECT_EQ(b.log.cycles(Command::precharge)[0], 124u);
  EXPECT_EQ(b.log.cycles(Command::refresh_bank)[0], 80u);   // bank 1
  EXPECT_EQ(b.log.cycles(Command::refresh_bank)[1], 136u);  // bank 0: + tRP
  EXPECT_EQ(b.log.cycles(Command::refresh_bank)[2], 142u);  // bank 2, due in 120: + tRREFD
}

TEST(DramRefresh, EachBankHasItsShareOfAnIdleTime) {
  DramBench b("b", per_bank());
  b.initiator->script = {{0, at(0, 1)}, {100'050, at(0, 1)}};
  b.run();
  // 1000 were due by cycle 100 000, bank after bank, and bank 8 has had one more than bank 9.
  for (unsigned bank = 0; bank < 16; ++bank)
    EXPECT_EQ(b.channel->stats().banks[bank].refreshes, bank < 9 ? 63u : 62u) << bank;
}

void compare_with_unobserved(Refresh refresh, unsigned pseudo_channels) {
  Channel::Params params = per_bank();
  params.refresh = refresh;
  params.pseudo_channels = pseudo_channels;
  DramBench observed("observed", params);
  params.check_timing = false;  // nobody sees the commands, so they need not be issued
  DramBench alone("alone", params, false, false, plain_map(), false);
  for (DramBench* b : {&observed, &alone}) {
    Random random(7);
    Cycle t = 0;
    for (unsigned i = 0; i < 200; ++i) {
      t += random.below(random.chance(20) ? 100'000 : 500);
      b->initiator->script.push_back(
          {t, at(static_cast<unsigned>(random.below(16)), static_cast<unsigned>(random.below(4)))});
    }
  }
  observed.run(20'000'000);
  alone.run(20'000'000);
  EXPECT_EQ(observed.initiator->responded, alone.initiator->responded);
  EXPECT_EQ(observed.channel->stats().activates, alone.channel->stats().activates);
  EXPECT_GT(alone.channel->stats().refreshes, 500u);
}

TEST(DramRefresh, TimesWithoutRequestsAreCountedAtOnce) {
  compare_with_unobserved(Refresh::all_bank, 1);
}
TEST(DramRefresh, TimesWithoutRequestsAreCountedAtOnceInPseudoChannels) {
  compare_with_unobserved(Refresh::all_bank, 2);
}
TEST(DramRefresh, TimesWithoutRequestsAreCountedAtOnceBankByBank) {
  compare_with_unobserved(Refresh::per_bank, 1);
}

// ---- how it is simulated -----------------------------------------------------------------------

Channel::Params everything() {
  Channel::Params params = channel_of_groups();
  params.pseudo_channels = 2;
  params.command_bus = CommandBus::row_and_column;
  params.refresh = Refresh::per_bank;
  params.timing.t_faw = 30;
  params.age_cap = 900;
  params.response_queue = 1;
  params.queue = 12;
  params.write_drain = true;
  return params;
}

void compare(DramBench& a, DramBench& b) {
  for (DramBench* bench : {&a, &b}) {
    Random random(21);
    Cycle t = 0;
    for (unsigned i = 0; i < 5000; ++i) {
      if (random.chance(3)) t += random.below(4000);
      bench->initiator->script.push_back(
          {t, at(0, 0) + 128 * 37 * random.below(300), random.chance(50)});
    }
    bench->initiator->take_responses_from = 3000;
  }
  a.run();
  b.run();
  ASSERT_EQ(a.log.records.size(), b.log.records.size());
  for (std::size_t i = 0; i < a.log.records.size(); ++i) {
    ASSERT_EQ(a.log.records[i].cycle, b.log.records[i].cycle) << i;
    ASSERT_EQ(a.log.records[i].command, b.log.records[i].command) << i;
    ASSERT_EQ(a.log.records[i].bank, b.log.records[i].bank) << i;
  }
  EXPECT_EQ(a.initiator->responded, b.initiator->responded);
  EXPECT_EQ(stats_json(a.registry, true), stats_json(b.registry, true));
}

TEST(DramOrganisation, TickingEveryCycleChangesNothing) {
  DramBench skipping("a", everything());
  DramBench all("b", everything(), true);
  compare(skipping, all);
}

TEST(DramOrganisation, OrderOfConstructionChangesNothing) {
  DramBench a("a", everything());
  DramBench b("b", everything(), false, true);
  compare(a, b);
}

}  // namespace
}  // namespace warpmem::dram
