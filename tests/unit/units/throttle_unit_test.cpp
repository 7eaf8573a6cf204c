// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "units/throttle_unit/throttle_unit_core.hpp"

namespace warpmem::units {
namespace {

using ThrottleCore = ThrottleUnitCore<32, 8, 8, 1000, true>;

class Throttle : public ::testing::Test {
 protected:
  void access(unsigned warp, bool intra) {
    ThrottleCore::In in;
    in.access_valid = true;
    in.access_warp = static_cast<std::uint8_t>(warp);
    in.access_intra = intra;
    core.commit(in);
  }
  void end(unsigned warp) {
    ThrottleCore::In in;
    in.end_warps = std::uint64_t(1) << warp;
    core.commit(in);
  }
  void full(unsigned load_count = 32) {
    ThrottleCore::In in;
    in.mshr_full = true;
    in.load_count = static_cast<std::uint8_t>(load_count);
    core.commit(in);
  }
  void wait(unsigned cycles) {
    for (unsigned i = 0; i < cycles; ++i) core.commit({});
  }
  /// Makes Hit_CNT `count` and lets the hold run out.
  void hits(unsigned count) {
    for (unsigned w = 0; w < 32; ++w) access(w, w < count);
    wait(1000);
  }
  ThrottleCore::Out out() const { return core.eval({}); }
  ThrottleCore core;
};

TEST_F(Throttle, CountsWarpsWhoseLastAccessHitTheirOwnLine) {
  access(3, true);
  access(5, true);
  access(3, true);
  EXPECT_EQ(out().hit_count, 2u);
  access(3, false);
  EXPECT_EQ(out().hit_count, 1u);
  end(5);
  EXPECT_EQ(out().hit_count, 0u);
  EXPECT_FALSE(out().limited);
}

TEST_F(Throttle, FullMshrsSetTheLimitOneAboveTheHits) {
  hits(4);
  full();
  EXPECT_TRUE(out().limited);
  EXPECT_EQ(out().limit, 5u);
  EXPECT_FALSE(out().by_divergence);
}

TEST_F(Throttle, ADecisionHoldsAThousandCycles) {
  hits(4);
  full();
  for (unsigned w = 0; w < 32; ++w) access(w, w < 10);
  wait(1000 - 32 - 1);
  full();  // the 1000th cycle after the decision
  EXPECT_EQ(out().limit, 5u);
  full();
  EXPECT_EQ(out().limit, 11u);
}

TEST_F(Throttle, StableAfterEightDecisionsItTakesTheMeanRoundedUp) {
  hits(3);
  full();
  hits(8);
  full();  // Min 3, Max 8
  for (int i = 0; i < 7; ++i) {
    hits(5);
    full();
    EXPECT_EQ(out().limit, 6u) << i;
  }
  hits(5);
  full();
  EXPECT_EQ(out().min_count, 3u);
  EXPECT_EQ(out().max_count, 8u);
  EXPECT_EQ(out().limit, 6u);  // (3 + 8 + 1) / 2
  hits(4);
  full();
  EXPECT_EQ(out().limit, 6u);  // no longer Hit_CNT + 1
  hits(12);
  full();
  EXPECT_EQ(out().limit, 13u);  // Max_CNT moved: searching again
}

TEST_F(Throttle, DivergenceLimitsToTheWarpsThatHoldTheMshrs) {
  full(7);
  EXPECT_TRUE(out().by_divergence);
  EXPECT_EQ(out().limit, 7u);
  wait(1000);
  full(8);  // not below the divergence factor
  EXPECT_FALSE(out().limited);
  wait(1000);
  full(1);
  EXPECT_EQ(out().limit, 2u);  // at least two warps
}

TEST_F(Throttle, HitsBeyondLoadCountTakeOverAtOnce) {
  full(4);
  for (unsigned w = 0; w < 3; ++w) access(w, true);
  wait(1);
  EXPECT_EQ(out().limit, 4u);  // Hit_CNT + 1 does not exceed it
  access(3, true);
  wait(1);
  EXPECT_EQ(out().limit, 5u);
  EXPECT_FALSE(out().by_divergence);
}

TEST_F(Throttle, TheFairPolicyIsNotThrottled) {
  hits(4);
  full();
  ThrottleCore::In fair;
  fair.fair = true;
  EXPECT_FALSE(core.eval(fair).limited);
  wait(1000);
  fair.mshr_full = true;
  fair.load_count = 3;
  hits(9);
  core.commit(fair);  // no decision either
  EXPECT_EQ(out().limit, 5u);
}

TEST_F(Throttle, WithoutDivergenceOnlyHitsThrottle) {
  ThrottleUnitCore<32, 8, 8, 1000, false> plain;
  ThrottleUnitCore<32, 8, 8, 1000, false>::In in;
  in.mshr_full = true;
  in.load_count = 3;
  plain.commit(in);
  EXPECT_FALSE(plain.eval({}).limited);
}

TEST_F(Throttle, ALaunchClears) {
  hits(4);
  full();
  ThrottleCore::In in;
  in.clear = true;
  core.commit(in);
  EXPECT_FALSE(out().limited);
  EXPECT_EQ(out().hit_count, 0u);
  EXPECT_EQ(out().max_count, 0u);
}

}  // namespace
}  // namespace warpmem::units
