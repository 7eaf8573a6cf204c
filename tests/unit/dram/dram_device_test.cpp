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

TEST(DramTiming, ValidateNamesTheKey) {
  Timing t;
  t.t_rc = 10;
  t.t_faw = 2;
  t.t_refi = 100;
  Problems problems;
  t.validate(problems);
  EXPECT_EQ(problems.list().size(), 3u);
}

}  // namespace
}  // namespace warpmem::dram
