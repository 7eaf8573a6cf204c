// SPDX-License-Identifier: Apache-2.0
// The views of L1D's units in lockstep: sizes, coverage, and that an error is found.
#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "cosim/hardware_unit.hpp"
#include "support/broken_rtl.hpp"
#include "support/lockstep_result.hpp"
#include "units/bucl_ctrl/bucl_ctrl_unit.hpp"
#include "units/mrpb_drain/mrpb_drain_unit.hpp"

namespace warpmem::cosim {
namespace {

using Drain = units::MrpbDrainPolicy;
using testing::HasSubstr;
using units::BuclCtrlSize;
using units::MrpbDrainSize;

constexpr std::uint32_t kL1dSeed = 20140215;

LockstepResult mrpb(const MrpbDrainSize& size, std::uint64_t cycles) {
  return run_unit<units::MrpbDrainDescription>(size, options_of(cycles, kL1dSeed + size.queues));
}
LockstepResult bucl(const BuclCtrlSize& size, std::uint64_t cycles) {
  return run_unit<units::BuclCtrlDescription>(size, options_of(cycles, kL1dSeed + size.period));
}
BuclCtrlSize period(std::uint32_t cycles) {
  BuclCtrlSize size;
  size.period = cycles;
  return size;
}

TEST(MrpbDrainLockstep, DesignOfThePaper) {
  expect_all(mrpb({48, 8, Drain::fixed, true}, 300'000));
}
TEST(MrpbDrainLockstep, RoundRobin) { expect_all(mrpb({5, 3, Drain::round_robin, true}, 50'000)); }
TEST(MrpbDrainLockstep, Longest) { expect_all(mrpb({48, 32, Drain::longest, true}, 100'000)); }
TEST(MrpbDrainLockstep, GreedyFixed) {
  expect_all(mrpb({8, 4, Drain::greedy_fixed, true}, 50'000));
}
TEST(MrpbDrainLockstep, GreedyRoundRobin) {
  expect_all(mrpb({32, 8, Drain::greedy_round_robin, false}, 100'000));
}
TEST(MrpbDrainLockstep, GreedyLongest) {
  expect_all(mrpb({64, 5, Drain::greedy_longest, true}, 100'000));
}
TEST(MrpbDrainLockstep, OneQueueOfOne) {
  expect_all(mrpb({1, 1, Drain::round_robin, true}, 20'000));
}
TEST(MrpbDrainLockstep, SizesThatAreNotAllowed) {
  try {
    mrpb({65, 0, Drain::fixed, true}, 1);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("queues: 65 is not 1 to 64"));
    EXPECT_THAT(error.what(), HasSubstr("entries: 0 is not 1 to 1024"));
  }
}

TEST(BuclCtrlLockstep, DynamicWithAShortPeriod) { expect_all(bucl(period(50), 300'000)); }
TEST(BuclCtrlLockstep, PeriodOfThePaper) { expect_all(bucl(period(1000), 300'000)); }
TEST(BuclCtrlLockstep, Profile) {
  BuclCtrlSize size = period(20);
  size.profile = true;
  expect_all(bucl(size, 100'000));
}
class BuclCtrlCorners : public testing::TestWithParam<BuclCtrlSize> {};
TEST_P(BuclCtrlCorners, AreInEverySituation) { expect_all(bucl(GetParam(), kCornerCycles)); }
INSTANTIATE_TEST_SUITE_P(All, BuclCtrlCorners,
                         testing::ValuesIn(units::BuclCtrlDescription::kSizes),
                         [](const auto& test) {
                           return "period_" + std::to_string(test.param.period) +
                                  (test.param.profile ? "_profile" : "");
                         });
TEST(BuclCtrlLockstep, SizesThatAreNotAllowed) {
  try {
    bucl({1, 1.5, 0.7, 5, 6, 33, false}, 1);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("period: 1 is not 2 to 1000000"));
    EXPECT_THAT(error.what(), HasSubstr("hit_rate_limit: 1.5 is not 0 to 1"));
    EXPECT_THAT(error.what(), HasSubstr("tucd: 6 up to 5 up to 33 do not rise from 1 to 32"));
  }
}

class BrokenL1dUnit : public BrokenRtl {
 protected:
  Difference mrpb_difference(const std::string& from, const std::string& to, Drain policy) {
    replace("mrpb_drain/mrpb_drain.sv", from, to);
    LockstepOptions options = options_of(100'000, kL1dSeed + 11);
    options.places.rtl = rtl();
    options.waves_of_difference = folder() / "difference.fst";
    return found(run_unit<units::MrpbDrainDescription>({11, 3, policy, true}, options));
  }
  Difference bucl_difference(const std::string& from, const std::string& to) {
    replace("bucl_ctrl/bucl_ctrl.sv", from, to);
    LockstepOptions options = options_of(100'000, kL1dSeed + 50);
    options.places.rtl = rtl();
    options.waves_of_difference = folder() / "difference.fst";
    return found(run_unit<units::BuclCtrlDescription>(period(50), options));
  }

 private:
  static Difference found(const LockstepResult& result) {
    EXPECT_TRUE(result.difference) << "the error was not found";
    if (!result.difference) return {};
    EXPECT_EQ(result.difference->of_class, result.difference->of_systemc);
    EXPECT_GT(std::filesystem::file_size(result.waves), 100u);
    return *result.difference;
  }
};

TEST_F(BrokenL1dUnit, FlushOfAQueueThatIsNotFull) {
  EXPECT_EQ(mrpb_difference("(full & head_hot) != '0);", "(held & head_hot) != '0);", Drain::fixed)
                .signal,
            "drain_forced");
}
TEST_F(BrokenL1dUnit, RoundRobinStaysWithTheLastQueue) {
  EXPECT_EQ(mrpb_difference("~(last_hot_q | (last_hot_q - QUEUES'(1)))",
                            "~(last_hot_q - QUEUES'(1))", Drain::round_robin)
                .signal,
            "drain_queue");
}
TEST_F(BrokenL1dUnit, GreedyKeepsAQueueThatWasEmptied) {
  EXPECT_EQ(mrpb_difference("(leaves & held_after) != '0", "1'b1", Drain::greedy_fixed).signal,
            "drain_queue");
}
TEST_F(BrokenL1dUnit, ALengthIsLost) {
  mrpb_difference("if (enters[q] && !leaves[q])", "if (enters[q] && leaves == '0)", Drain::longest);
}
TEST_F(BrokenL1dUnit, RateAtTheLimitRaisesTheThreshold) {
  EXPECT_EQ(bucl_difference("!below && balance != '0", "!below").signal, "tucd");
}
TEST_F(BrokenL1dUnit, AccessOfTheLastCycleIsLost) {
  bucl_difference("accessed_q || access_valid_i;", "accessed_q || (access_valid_i && !ends);");
}
TEST_F(BrokenL1dUnit, PeriodOneCycleShort) {
  EXPECT_EQ(bucl_difference("CYCLE_W'(PERIOD - 1)", "CYCLE_W'(PERIOD - 2)").signal, "period_end");
}
TEST_F(BrokenL1dUnit, ThresholdBeyondItsBound) {
  EXPECT_EQ(
      bucl_difference("above && tucd_q != 6'(MOST)", "above && tucd_q != 6'(MOST + 1)").signal,
      "tucd");
}

}  // namespace
}  // namespace warpmem::cosim
