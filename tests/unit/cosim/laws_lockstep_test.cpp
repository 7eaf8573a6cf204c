// SPDX-License-Identifier: Apache-2.0
// The views of LAWS's units in lockstep: sizes, corners, coverage, and that an error is found.
#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "cosim/hardware_unit.hpp"
#include "support/broken_rtl.hpp"
#include "support/lockstep_result.hpp"
#include "units/laws_score/laws_score_unit.hpp"
#include "units/throttle_unit/throttle_unit_unit.hpp"

namespace warpmem::cosim {
namespace {

using testing::HasSubstr;
using units::LawsScoreSize;
using units::ThrottleSize;

constexpr std::uint32_t kLawsSeed = 20200117;

LockstepResult score(const LawsScoreSize& size, std::uint64_t cycles, std::uint32_t seed = 0) {
  return run_unit<units::LawsScoreDescription>(
      size, options_of(cycles, kLawsSeed + size.score_bits + seed));
}
LockstepResult throttle(const ThrottleSize& size, std::uint64_t cycles, std::uint32_t seed = 0) {
  return run_unit<units::ThrottleUnitDescription>(
      size, options_of(cycles, kLawsSeed + size.warps + seed));
}

TEST(LawsScoreLockstep, FullSize) {
  const LockstepResult result = score({16, 31}, 300'000);
  expect_all(result);
  EXPECT_EQ(result.cycles, result.directed_cycles + 300'000);
}
TEST(LawsScoreLockstep, Corners) {
  for (const LawsScoreSize& size :
       {LawsScoreSize{2, 1}, {4, 100}, {6, 5}, {16, 4}, {16, 127}, {31, 65535}}) {
    SCOPED_TRACE(size.score_bits);
    expect_all(score(size, 50'000));
  }
}
TEST(LawsScoreLockstep, DirectedVectorsAloneCoverEverything) { expect_all(score({16, 31}, 0)); }
TEST(LawsScoreLockstep, SameSeedSameRun) {
  const std::string table = score({16, 31}, 20'000).coverage.table;
  EXPECT_EQ(score({16, 31}, 20'000).coverage.table, table);
  EXPECT_NE(score({16, 31}, 20'000, 1).coverage.table, table);
}
TEST(LawsScoreLockstep, SizesThatAreNotAllowed) {
  try {
    score({1, 0}, 1);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("score_bits: 1 is not 2 to 31"));
    EXPECT_THAT(error.what(), HasSubstr("miss_limit: 0 is not 1 to 65535"));
  }
}

TEST(ThrottleLockstep, FullSize) { expect_all(throttle({32, 8, 8, 20, true}, 300'000)); }
TEST(ThrottleLockstep, HoldOfThePaper) { expect_all(throttle({32, 8, 8, 1000, true}, 300'000)); }
TEST(ThrottleLockstep, Corners) {
  for (const ThrottleSize& size : {ThrottleSize{2, 1, 1, 1, true},
                                   {3, 3, 2, 2, true},
                                   {5, 5, 2, 2, true},
                                   {12, 5, 3, 40, false},
                                   {64, 64, 255, 1, true},
                                   {48, 8, 8, 100, true}}) {
    SCOPED_TRACE(size.warps);
    expect_all(throttle(size, 200'000));
  }
}
TEST(ThrottleLockstep, DirectedVectorsAloneCoverEverything) {
  expect_all(throttle({32, 8, 8, 20, true}, 0));
}
TEST(ThrottleLockstep, SameSeedSameRun) {
  const std::string table = throttle({32, 8, 8, 20, true}, 20'000).coverage.table;
  EXPECT_EQ(throttle({32, 8, 8, 20, true}, 20'000).coverage.table, table);
  EXPECT_NE(throttle({32, 8, 8, 20, true}, 20'000, 1).coverage.table, table);
}
TEST(ThrottleLockstep, SizesThatAreNotAllowed) {
  try {
    throttle({65, 66, 0, 0, true}, 1);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("warps: 65 is not 2 to 64"));
    EXPECT_THAT(error.what(), HasSubstr("divergence: 66 is not 1 to 65"));
    EXPECT_THAT(error.what(), HasSubstr("stable: 0 is not 1 to 255"));
    EXPECT_THAT(error.what(), HasSubstr("hold: 0 is not 1 to 65535"));
  }
}

class BrokenLaws : public BrokenRtl {
 protected:
  Difference score_difference() {
    LockstepOptions options = options_of(100'000, kLawsSeed + 16);
    options.places.rtl = rtl();
    options.waves_of_difference = folder() / "difference.fst";
    return found(run_unit<units::LawsScoreDescription>({16, 31}, options));
  }
  Difference throttle_difference() {
    LockstepOptions options = options_of(100'000, kLawsSeed + 32);
    options.places.rtl = rtl();
    options.waves_of_difference = folder() / "difference.fst";
    return found(run_unit<units::ThrottleUnitDescription>({32, 8, 8, 20, true}, options));
  }

 private:
  static Difference found(const LockstepResult& result) {
    EXPECT_TRUE(result.difference) << "the error was not found";
    if (!result.difference) return {};
    EXPECT_EQ(result.cycles, result.difference->cycle + 1);
    EXPECT_GT(std::filesystem::file_size(result.waves), 100u);
    EXPECT_EQ(result.difference->of_class, result.difference->of_systemc);
    return *result.difference;
  }
};

TEST_F(BrokenLaws, ScoreWrapsAtTheUpperEnd) {
  replace("laws_score/laws_score.sv", "if ($signed(sum) > $signed(MOST)) sum = MOST;", "");
  const Difference d = score_difference();
  EXPECT_EQ(d.signal, "fair");
  EXPECT_THAT(d.history, HasSubstr("score   32767"));
}
TEST_F(BrokenLaws, ScoreWrapsAtTheLowerEnd) {
  replace("laws_score/laws_score.sv", "if ($signed(sum) < $signed(LEAST)) sum = LEAST;",
          "if ($signed(sum) == $signed(LEAST)) sum = LEAST;");
  EXPECT_THAT(score_difference().history, HasSubstr("score  -3276"));
}
TEST_F(BrokenLaws, MissCountGoesOnAfterAHitBetweenWarps) {
  replace("laws_score/laws_score.sv", "if (mshr_inter) miss_count_d = '0;", "");
  EXPECT_EQ(score_difference().signal, "miss_count");
}
TEST_F(BrokenLaws, EventsOfOneCycleInTheOtherOrder) {
  replace("laws_score/laws_score.sv", "mshr_inter ? {1'b0, miss_count_l1d}",
          "mshr_inter ? {1'b0, miss_count_q}");
  EXPECT_EQ(score_difference().signal, "score");
}
TEST_F(BrokenLaws, CheckOfTheLimit) {
  replace("laws_score/laws_score.sv", "(MISS_BITS+1)'(MISS_LIMIT + 1))\n",
          "(MISS_BITS+1)'(MISS_LIMIT))\n");
  EXPECT_THAT(score_difference().signal, HasSubstr("laws_score.sv"));
}

TEST_F(BrokenLaws, MeanRoundedDown) {
  replace("throttle_unit/throttle_unit.sv", "{1'b0, max_d} + (COUNT_W+1)'(1)) >> 1",
          "{1'b0, max_d}) >> 1");
  EXPECT_EQ(throttle_difference().signal, "limit");
}
TEST_F(BrokenLaws, DivergenceIsNeverLeft) {
  replace("throttle_unit/throttle_unit.sv", "next_hits > limit_q;", "next_hits < limit_q;");
  EXPECT_NE(throttle_difference().signal, "hit_count");
}
TEST_F(BrokenLaws, DecisionWhileFair) {
  replace("throttle_unit/throttle_unit.sv", "!fair_i && ((mshr_full_i", "((mshr_full_i");
  throttle_difference();
}
TEST_F(BrokenLaws, HoldIsOneCycleShort) {
  replace("throttle_unit/throttle_unit.sv", "hold_d = HOLD_W'(HOLD);",
          "hold_d = HOLD_W'(HOLD - 1);");
  throttle_difference();
}
TEST_F(BrokenLaws, LimitAtTheVeryThreshold) {
  replace("throttle_unit/throttle_unit.sv", "load_count_i < COUNT_W'(DIVERGENCE)",
          "load_count_i <= COUNT_W'(DIVERGENCE)");
  EXPECT_EQ(throttle_difference().signal, "limited");
}
TEST_F(BrokenLaws, EndOfAWarpLosesToItsHit) {
  replace("throttle_unit/throttle_unit.sv", "& access_hot))\n", "& access_hot) & ~end_warps_i)\n");
  replace("throttle_unit/throttle_unit.sv", "& access_hot)) & ~end_warps_i;", "& access_hot));");
  EXPECT_EQ(throttle_difference().signal, "hit_count");
}

}  // namespace
}  // namespace warpmem::cosim
