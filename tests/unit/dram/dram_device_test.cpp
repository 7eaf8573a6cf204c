// SPDX-License-Identifier: Apache-2.0
// Each timing rule by hand-computed numbers: refused one cycle early, accepted on time, by the
// device's registers and by the independent checker alike.
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "dram/device.hpp"
#include "dram/timing_checker.hpp"

namespace warpmem::dram {
namespace {

constexpr unsigned kBanks = 16;
constexpr unsigned kBusBytes = 8;  // a 128 B payload takes 16 beats, an atom 4

Organisation organisation(Refresh refresh = Refresh::none) {
  Organisation o;
  o.bus_bytes = kBusBytes;
  o.refresh = refresh;
  return o;
}

class Pair {
 public:
  explicit Pair(const Timing& timing = {}, const Organisation& o = organisation())
      : device(timing, kBanks, o), checker(timing, kBanks, o) {}

  void act(unsigned bank, std::uint32_t row, Cycle now) {
    device.activate(bank, row, now);
    checker.on_command({now, Command::activate, bank, row});
  }
  void pre(unsigned bank, Cycle now) {
    device.precharge(bank, now);
    checker.on_command({now, Command::precharge, bank});
  }
  void col(Command command, unsigned bank, std::uint32_t row, Cycle now, unsigned beats = 16) {
    device.column(bank, command == Command::write, beats, now);
    checker.on_command({now, command, bank, row, beats});
  }
  void all(Command command, Cycle now, unsigned bank = 0) {
    command == Command::refresh ? device.refresh(bank, now) : device.precharge_all(bank, now);
    checker.on_command({now, command, bank});
  }
  void refresh(unsigned bank, Cycle now) {
    device.refresh_bank(bank, now);
    checker.on_command({now, Command::refresh_bank, bank});
  }
  /// `record` is legal from `cycle` on, and the rule that forbids it before is `rule`.
  void expect_from(Cycle cycle, CommandRecord record, const std::string& rule) {
    EXPECT_EQ(first_legal(record), cycle) << rule;
    record.cycle = cycle - 1;
    const std::string early = checker.violation(record);
    EXPECT_EQ(early.substr(0, rule.size()), rule) << early;
    record.cycle = cycle;
    EXPECT_EQ(checker.violation(record), "") << rule;
  }

  /// The command bus is taken in `cycle` and free in the next, of which the device knows nothing.
  void expect_bus_taken(Cycle cycle, CommandRecord record) {
    record.cycle = cycle;
    EXPECT_EQ(checker.violation(record).substr(0, 19), "one command a cycle");
    record.cycle = cycle + 1;
    EXPECT_EQ(checker.violation(record), "");
  }

  Device device;
  TimingChecker checker;

 private:
  Cycle first_legal(const CommandRecord& r) const {
    switch (r.command) {
      case Command::activate:
        return device.activate_at(r.bank);
      case Command::precharge:
        return device.precharge_at(r.bank);
      case Command::precharge_all:
        return device.precharge_all_at(r.bank);
      case Command::read:
        return device.read_at(r.bank);
      case Command::write:
        return device.write_at(r.bank);
      case Command::refresh_bank:
        return device.refresh_bank_at(r.bank);
      default:
        return device.refresh_at(r.bank);
    }
  }
};

CommandRecord activate(unsigned bank, std::uint32_t row) {
  return {0, Command::activate, bank, row};
}
CommandRecord precharge(unsigned bank) { return {0, Command::precharge, bank}; }
CommandRecord column(Command command, unsigned bank, std::uint32_t row, unsigned beats = 16) {
  return {0, command, bank, row, beats};
}

TEST(DramDevice, ActivateToColumnIsTrcd) {
  Pair p;
  p.act(3, 7, 100);
  p.expect_from(112, column(Command::read, 3, 7), "tRCD");
  p.expect_from(112, column(Command::write, 3, 7), "tRCD");
}

TEST(DramDevice, ActivateToPrechargeIsTras) {
  Pair p;
  p.act(0, 1, 100);
  p.expect_from(128, precharge(0), "tRAS");
}

TEST(DramDevice, PrechargeToActivateIsTrp) {
  Pair p;
  p.act(0, 1, 100);
  p.pre(0, 150);
  p.expect_from(162, activate(0, 2), "tRP");
}

TEST(DramDevice, ActivateToActivateOfOneBankIsTrc) {
  Timing t;
  t.t_rc = 50;
  Pair p(t);
  p.act(0, 1, 100);
  p.pre(0, 128);  // tRP alone would allow 140
  p.expect_from(150, activate(0, 2), "tRC");
}

TEST(DramDevice, ActivateToActivateOfTwoBanksIsTrrd) {
  Pair p;
  p.act(0, 1, 100);
  p.expect_from(106, activate(1, 1), "tRRD");
}

TEST(DramDevice, FourActivatesFillTheWindow) {
  Timing t;
  t.t_faw = 30;
  Pair p(t);
  for (unsigned b = 0; b < 4; ++b) p.act(b, 1, 100 + 6 * b);
  p.expect_from(130, activate(4, 1), "tFAW");  // the first was at 100; tRRD alone would allow 124
}

TEST(DramDevice, ReadsFollowEachOtherAtTheDataBusRate) {
  Pair p;
  p.act(0, 1, 100);
  p.act(1, 1, 106);
  p.col(Command::read, 0, 1, 120);
  p.expect_from(136, column(Command::read, 1, 1), "data bus");
}

TEST(DramDevice, ColumnToColumnIsTccd) {
  Timing t;
  t.t_ccd = 9;
  Pair p(t);
  p.act(0, 1, 100);
  p.col(Command::read, 0, 1, 120, 4);  // the data bus alone would allow 124
  p.expect_from(129, column(Command::read, 0, 1, 4), "tCCD");
}

TEST(DramDevice, WriteToReadWaitsForTheLastBeatAndTcdlr) {
  Pair p;
  p.act(0, 1, 100);
  p.act(1, 1, 106);
  p.col(Command::write, 0, 1, 120);  // beats in 124..139, tCDLR 5
  p.expect_from(145, column(Command::read, 1, 1), "tCDLR");
  p.expect_from(145, column(Command::read, 0, 1), "tCDLR");
  p.expect_from(136, column(Command::write, 1, 1), "data bus");
}

TEST(DramDevice, ReadToWriteTurnsTheDataBus) {
  Pair p;
  p.act(0, 1, 100);
  p.col(Command::read, 0, 1, 120);  // beats in 132..147, then 2 idle; a WRITE's beats come 4 later
  p.expect_from(146, column(Command::write, 0, 1), "data bus");
}

TEST(DramDevice, WriteToPrechargeIsTwrAfterTheLastBeat) {
  Pair p;
  p.act(0, 1, 100);
  p.col(Command::write, 0, 1, 120);  // last beat in 139, so 140 + 12
  p.expect_from(152, precharge(0), "tWR");
}

TEST(DramDevice, ReadToPrechargeIsTrtpAfterTheLastBurst) {
  Pair p;
  p.act(0, 1, 100);
  p.col(Command::read, 0, 1, 130);  // bursts at 130, 134, 138, 142
  p.expect_from(144, precharge(0), "tRTP");
  p.expect_from(144, {0, Command::precharge_all}, "tRTP");
}

TEST(DramDevice, RefreshWaitsForPrechargeAndHoldsActivate) {
  Pair p({}, organisation(Refresh::all_bank));
  p.act(0, 1, 100);
  p.act(1, 1, 106);
  p.expect_from(134, {0, Command::precharge_all}, "tRAS");
  p.all(Command::precharge_all, 134);
  p.expect_from(146, {0, Command::refresh}, "tRP");
  p.all(Command::refresh, 146);
  p.expect_from(248, activate(5, 1), "tRFC");
}

TEST(DramDevice, BurstsAreMovedWhole) {
  Organisation o = organisation();
  const Device device({}, kBanks, o);
  EXPECT_EQ(device.bursts(0, 128), 4u);
  EXPECT_EQ(device.bursts(0, 32), 1u);
  EXPECT_EQ(device.bursts(0, 1), 1u);
  EXPECT_EQ(device.bursts(0, 33), 2u);
  EXPECT_EQ(device.bursts(28, 8), 2u);
  EXPECT_EQ(device.bursts(60, 8), 2u);
  EXPECT_EQ(o.burst_cycles(), 4u);
  o.burst_bytes = 64;
  EXPECT_EQ(Device({}, kBanks, o).bursts(32, 32), 1u);
  EXPECT_EQ(Device({}, kBanks, o).bursts(32, 64), 2u);
  EXPECT_EQ(o.burst_cycles(), 8u);
}

TEST(DramTimingChecker, KnowsBankStates) {
  Pair p;
  EXPECT_NE(p.checker.violation(precharge(0)), "");
  EXPECT_NE(p.checker.violation(column(Command::read, 0, 1)), "");
  p.act(0, 1, 100);
  CommandRecord again = activate(0, 2);
  again.cycle = 1000;
  EXPECT_NE(p.checker.violation(again), "");
  CommandRecord other_row = column(Command::read, 0, 2);
  other_row.cycle = 1000;
  EXPECT_NE(p.checker.violation(other_row), "");
  CommandRecord refresh{1000, Command::refresh};
  EXPECT_NE(p.checker.violation(refresh), "");
  EXPECT_THROW(p.checker.on_command(refresh), SimulationError);
}

TEST(DramTimingChecker, OneCommandACycle) {
  Pair p;
  p.act(0, 1, 100);
  p.act(1, 1, 106);
  p.expect_from(134, precharge(1), "tRAS");
  p.pre(0, 140);
  CommandRecord r = precharge(1);
  r.cycle = 140;
  EXPECT_NE(p.checker.violation(r), "");
  r.cycle = 141;
  EXPECT_EQ(p.checker.violation(r), "");
}

TEST(DramTimingChecker, MissesNoRefresh) {
  Timing t;
  t.t_refi = 1000;
  Pair p(t, organisation(Refresh::all_bank));
  CommandRecord r = activate(0, 1);
  r.cycle = 1000;
  EXPECT_EQ(p.checker.violation(r), "");
  r.cycle = 1400;
  EXPECT_NE(p.checker.violation(r), "");
}

// ---- bank groups, pseudo channels, buses, refresh of one bank ----------------------------------

// Four bank groups: bank b is in group b mod 4. tRRD 4 and 6, tCCD 2 and 5, tWTR 3 and 8.
Timing timing_of_groups() {
  Timing t;
  t.t_rrd = 4;
  t.t_rrd_l = 6;
  t.t_ccd = 2;
  t.t_ccd_l = 5;
  t.t_cdlr = 3;
  t.t_wtr_l = 8;
  return t;
}

Organisation groups(unsigned pseudo_channels = 1) {
  Organisation o;
  o.bus_bytes = 16;  // an atom takes 2 beats
  o.bank_groups = 4;
  o.pseudo_channels = pseudo_channels;
  o.column_command = ColumnCommand::burst;
  return o;
}

TEST(DramBankGroups, ActivatesOfOneGroupAreFurtherApart) {
  Pair p(timing_of_groups(), groups());
  p.act(1, 1, 100);
  p.expect_from(104, activate(2, 1), "tRRD:");
  p.expect_from(106, activate(5, 1), "tRRD_L");
}

TEST(DramBankGroups, ColumnCommandsOfOneGroupAreFurtherApart) {
  Pair p(timing_of_groups(), groups());
  p.act(1, 1, 100);
  p.act(2, 1, 104);
  p.act(5, 1, 108);
  p.col(Command::read, 1, 1, 130, 2);
  p.expect_from(132, column(Command::read, 2, 1, 2), "tCCD:");
  p.expect_from(135, column(Command::read, 1, 1, 2), "tCCD_L");
  p.expect_from(135, column(Command::read, 5, 1, 2), "tCCD_L");
}

TEST(DramBankGroups, NeighboursMayBeInOneGroup) {
  Organisation o = groups();
  o.group_bits = GroupBits::high;
  Pair p(timing_of_groups(), o);
  p.act(1, 1, 100);
  p.expect_from(104, activate(5, 1), "tRRD:");
  p.expect_from(106, activate(2, 1), "tRRD_L");
}

// Sixteen banks in two pseudo channels of four groups: banks 0 and 2 of a pseudo channel's eight.
TEST(DramBankGroups, EachBankIsInOneGroup) {
  for (const GroupBits bits : {GroupBits::low, GroupBits::high}) {
    Organisation o = groups(2);
    o.group_bits = bits;
    std::vector<unsigned> banks_of(o.groups());
    for (unsigned b = 0; b < 16; ++b) {
      ASSERT_LT(o.group_of(b, 16), o.groups());
      EXPECT_EQ(o.group_of(b, 16) % 2, o.pseudo_channel_of(b));
      ++banks_of[o.group_of(b, 16)];
    }
    EXPECT_EQ(banks_of, std::vector<unsigned>(8, 2));
    EXPECT_EQ(o.group_of(0, 16) == o.group_of(2, 16), bits == GroupBits::high);
  }
}

TEST(DramBankGroups, AReadAfterAWriteOfOneGroupWaitsLonger) {
  Pair p(timing_of_groups(), groups());
  p.act(1, 1, 100);
  p.act(2, 1, 104);
  p.col(Command::write, 1, 1, 130, 2);  // beats in 134 and 135
  p.expect_from(139, column(Command::read, 2, 1, 2), "tCDLR");
  p.expect_from(144, column(Command::read, 1, 1, 2), "tWTR_L");
}

TEST(DramBankGroups, OneGroupKnowsNoLongTimes) {
  Timing t = timing_of_groups();
  Organisation o = groups();
  o.bank_groups = 1;
  Pair p(t, o);
  p.act(1, 1, 100);
  p.expect_from(104, activate(5, 1), "tRRD:");
}

TEST(DramPseudoChannels, HaveWindowsAndDataBusesOfTheirOwn) {
  Timing t = timing_of_groups();
  t.t_faw = 40;
  Pair p(t, groups(2));  // even banks are in the first pseudo channel
  p.act(0, 1, 100);
  p.expect_bus_taken(100, activate(1, 1));
  p.expect_from(104, activate(2, 1), "tRRD:");
  p.expect_from(106, activate(8, 1), "tRRD_L");
  p.act(2, 1, 104);
  p.act(4, 1, 108);
  p.act(6, 1, 112);
  p.expect_from(140, activate(8, 1), "tFAW");
  p.act(1, 1, 116);
  p.col(Command::write, 0, 1, 130, 2);
  p.expect_bus_taken(130, column(Command::read, 1, 1, 2));
  p.expect_from(132, column(Command::write, 2, 1, 2), "tCCD:");
}

TEST(DramPseudoChannels, PrechargeAndRefreshTakeOne) {
  Organisation o = groups(2);
  o.refresh = Refresh::all_bank;
  Pair p(timing_of_groups(), o);
  p.act(0, 1, 100);
  p.act(1, 1, 120);
  p.expect_from(128, {0, Command::precharge_all, 0}, "tRAS");
  p.expect_from(148, {0, Command::precharge_all, 1}, "tRAS");
  p.all(Command::precharge_all, 130, 0);
  p.expect_from(142, {0, Command::refresh, 0}, "tRP");
  p.all(Command::refresh, 142, 0);  // bank 1 is still open
  p.expect_from(244, activate(2, 1), "tRFC");
  p.expect_bus_taken(142, activate(3, 1));
  CommandRecord other{200, Command::refresh, 1};
  EXPECT_EQ(p.checker.violation(other).substr(0, 25), "REFRESH with an open bank");
}

TEST(DramCommandBus, RowAndColumnCommandsGoTogether) {
  Organisation o = groups();
  o.command_bus = CommandBus::row_and_column;
  Pair p(timing_of_groups(), o);
  p.act(0, 1, 100);
  p.act(1, 1, 106);
  p.col(Command::read, 0, 1, 134, 2);
  CommandRecord both = precharge(1);
  both.cycle = 134;
  EXPECT_EQ(p.checker.violation(both), "");
  p.pre(1, 134);
  CommandRecord second_row = precharge(0);
  second_row.cycle = 134;
  EXPECT_NE(p.checker.violation(second_row), "");
  p.act(2, 1, 140);
  p.col(Command::read, 0, 1, 152, 2);
  CommandRecord second_column = column(Command::read, 2, 1, 2);
  second_column.cycle = 152;
  EXPECT_EQ(p.checker.violation(second_column).substr(0, 19), "one command a cycle");
}

TEST(DramCommandBus, OneBusTakesNoPair) {
  Pair p(timing_of_groups(), groups());
  p.act(0, 1, 100);
  p.act(1, 1, 106);
  p.col(Command::read, 0, 1, 134, 2);
  CommandRecord both = precharge(1);
  both.cycle = 134;
  EXPECT_EQ(p.checker.violation(both).substr(0, 19), "one command a cycle");
}

TEST(DramRefreshOfABank, HoldsThisBankAndSpacesTheOthers) {
  Timing t;
  t.t_rfc_pb = 51;
  t.t_rrefd = 9;
  Organisation o = organisation(Refresh::per_bank);
  Pair p(t, o);
  p.act(3, 1, 100);
  p.expect_from(106, {0, Command::refresh_bank, 4}, "tRRD");
  CommandRecord open{200, Command::refresh_bank, 3};
  EXPECT_EQ(p.checker.violation(open).substr(0, 23), "REFRESH of an open bank");
  p.refresh(4, 120);
  p.expect_from(129, activate(5, 1), "tRREFD");
  p.expect_from(129, {0, Command::refresh_bank, 5}, "tRREFD");
  p.expect_from(171, activate(4, 1), "tRFCpb");
  p.expect_from(128, precharge(3), "tRAS");
  p.col(Command::read, 3, 1, 121);  // another bank goes on
  p.pre(3, 140);
  p.expect_from(152, {0, Command::refresh_bank, 3}, "tRP");
}

TEST(DramRefreshOfABank, IsMissedBankByBank) {
  Timing t;
  t.t_refi = 1600;
  Pair p(t, organisation(Refresh::per_bank));
  for (unsigned bank = 0; bank + 1 < kBanks; ++bank) p.refresh(bank, 100 * (bank + 1));
  CommandRecord r = activate(0, 1);
  r.cycle = 1650;
  EXPECT_EQ(p.checker.violation(r), "");
  r.cycle = 1900;  // bank 15 has had none
  EXPECT_EQ(p.checker.violation(r).substr(0, 5), "tREFI");
  p.refresh(15, 1895);
  r.cycle = 1950;  // bank 0 since cycle 100
  EXPECT_EQ(p.checker.violation(r).substr(0, 5), "tREFI");
}

// ---- times that contradict each other ----------------------------------------------------------

std::vector<std::string> problems_of(const Timing& timing, const Organisation& o = organisation(),
                                     std::uint64_t hertz = 1'000'000'000) {
  Problems problems;
  timing.validate(problems, o, kBanks, hertz);
  std::vector<std::string> all;
  for (const auto& problem : problems.list()) all.push_back(problem);
  return all;
}

TEST(DramTiming, DefaultsAreValid) {
  EXPECT_TRUE(problems_of({}).empty());
  EXPECT_TRUE(problems_of({}, organisation(Refresh::all_bank)).empty());
  EXPECT_TRUE(problems_of({}, organisation(Refresh::per_bank)).empty());
  Organisation o = organisation();
  o.bank_groups = 4;
  EXPECT_TRUE(problems_of({}, o).empty());
}

TEST(DramTiming, EachContradictionNamesBothKeys) {
  const auto one = [](auto change, const Organisation& o, const std::string& a,
                      const std::string& b) {
    Timing t;
    change(t);
    const std::vector<std::string> all = problems_of(t, o);
    ASSERT_EQ(all.size(), 1u) << a;
    EXPECT_NE(all[0].find("dram.timing." + a), std::string::npos) << all[0];
    EXPECT_NE(all[0].find(b), std::string::npos) << all[0];
  };
  const Organisation plain = organisation();
  one([](Timing& t) { t.t_rc = 38; }, plain, "tRC", "dram.timing.tRAS + dram.timing.tRP");
  one([](Timing& t) { t.t_ras = 11; }, plain, "tRAS", "dram.timing.tRCD");
  one([](Timing& t) { t.t_faw = 5; }, plain, "tFAW", "dram.timing.tRRD");
  Organisation o = groups();
  one([](Timing& t) { t.t_rrd_l = 5; }, o, "tRRD_L", "dram.timing.tRRD");
  one([](Timing& t) { t.t_ccd_l = 1; }, o, "tCCD_L", "dram.timing.tCCD");
  one([](Timing& t) { t.t_wtr_l = 4; }, o, "tWTR_L", "dram.timing.tCDLR");
  o.column_command = ColumnCommand::train;
  one([](Timing& t) { t.t_ccd_l = 3; }, o, "tCCD_L", "dram.column_command: burst");
  const Organisation all = organisation(Refresh::all_bank);
  one([](Timing& t) { t.t_refi = 150; }, all, "tREFI", "dram.timing.tRFC");
  const Organisation per_bank = organisation(Refresh::per_bank);
  one([](Timing& t) { t.t_refi = 900; }, per_bank, "tREFI", "dram.timing.tRREFD");
  one(
      [](Timing& t) {
        t.t_refi = 1756;
        t.t_rc = 157;
      },
      per_bank, "tREFI", "dram.timing.tRC");
  one([](Timing& t) { t.t_rrefd = 52; }, per_bank, "tRFCpb", "dram.timing.tRREFD");
}

TEST(DramTiming, NanosecondsBecomeCyclesRoundedUp) {
  Timing t;
  t.t_rp = ClockTime::of_picoseconds(13'300);
  EXPECT_EQ(t.in_cycles(1'000'000'000).t_rp, 14u);
  EXPECT_EQ(t.in_cycles(924'000'000).t_rp, 13u);    // 12.29
  EXPECT_EQ(t.in_cycles(2'700'000'000).t_rp, 36u);  // 35.91
  t.t_rp = ClockTime::of_picoseconds(13'000);
  EXPECT_EQ(t.in_cycles(1'000'000'000).t_rp, 13u);  // exactly
  EXPECT_EQ(t.in_cycles(1'000'000'000).t_rc, 40u);  // cycles stay
}

TEST(DramTiming, RoundingIsNoContradiction) {
  Timing t;  // 45.1, 32.1 and 13 ns: at 1.7 GHz 77 cycles against 55 + 23
  t.t_rc = ClockTime::of_picoseconds(45'100);
  t.t_ras = ClockTime::of_picoseconds(32'100);
  t.t_rp = ClockTime::of_picoseconds(13'000);
  EXPECT_TRUE(problems_of(t, organisation(), 1'700'000'000).empty());
  t.t_rc = ClockTime::of_picoseconds(44'000);
  EXPECT_EQ(problems_of(t, organisation(), 1'700'000'000).size(), 1u);
}

}  // namespace
}  // namespace warpmem::dram
