// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "units/laws_score/laws_score_core.hpp"

namespace warpmem::units {
namespace {

using ScoreCore = LawsScoreCore<16, 5, 31>;

ScoreCore::In l1d_hit(bool intra) {
  ScoreCore::In in;
  in.l1d_hit = true;
  in.l1d_intra = intra;
  return in;
}
ScoreCore::In mshr(bool secondary, bool intra = false) {
  ScoreCore::In in;
  in.mshr_valid = true;
  in.mshr_hit = secondary;
  in.mshr_intra = intra;
  return in;
}

TEST(LawsScore, PrimaryMissesAndHitsWithinTheWarpRaiseIt) {
  ScoreCore core;
  EXPECT_EQ(core.eval().score, 0);
  EXPECT_FALSE(core.eval().fair);
  core.commit(mshr(false));
  core.commit(l1d_hit(true));
  core.commit(mshr(true, true));
  EXPECT_EQ(core.eval().score, 3);
  EXPECT_EQ(core.eval().miss_count, 1u);
}

TEST(LawsScore, AHitBetweenWarpsTakesBackTheMissesSinceTheLastOne) {
  ScoreCore core;
  for (int i = 0; i < 4; ++i) core.commit(mshr(false));
  core.commit(l1d_hit(false));
  EXPECT_EQ(core.eval().score, -1);
  EXPECT_TRUE(core.eval().fair);
  EXPECT_EQ(core.eval().miss_count, 0u);
  core.commit(mshr(true, false));
  EXPECT_EQ(core.eval().score, -2);
}

TEST(LawsScore, TwoEventsInACycleApplyL1dFirst) {
  ScoreCore core;
  for (int i = 0; i < 3; ++i) core.commit(mshr(false));
  ScoreCore::In both = l1d_hit(false);
  both.mshr_valid = true;  // a primary miss
  core.commit(both);
  EXPECT_EQ(core.eval().score, 3 - 4 + 1);
  EXPECT_EQ(core.eval().miss_count, 1u);  // the other order would leave 0
}

TEST(LawsScore, SaturatesAtSixteenAndFiveBits) {
  ScoreCore core;
  for (int i = 0; i < 40000; ++i) core.commit(mshr(false));
  EXPECT_EQ(core.eval().score, 32767);
  EXPECT_EQ(core.eval().miss_count, 31u);
  core.commit(l1d_hit(false));
  EXPECT_EQ(core.eval().score, 32767 - 32);
  for (int i = 0; i < 70000; ++i) core.commit(l1d_hit(false));
  EXPECT_EQ(core.eval().score, -32768);
  core.commit(l1d_hit(true));
  EXPECT_EQ(core.eval().score, -32767);
  for (int i = 0; i < 2; ++i) core.commit(mshr(false));
  core.commit(l1d_hit(false));  // -32765 - 3 is the smallest score exactly
  EXPECT_EQ(core.eval().score, -32768);
}

TEST(LawsScore, ALaunchClears) {
  ScoreCore core;
  core.commit(mshr(false));
  ScoreCore::In in = mshr(false);
  in.clear = true;
  core.commit(in);
  EXPECT_EQ(core.eval().score, 0);
  EXPECT_EQ(core.eval().miss_count, 0u);
}

TEST(LawsScore, AgreesWithWideArithmeticOnRandomEvents) {
  LawsScoreCore<6, 3, 5> core;
  long score = 0;
  long misses = 0;
  const auto clamp = [](long v) { return std::clamp(v, -32L, 31L); };
  std::mt19937 random(7);
  for (int i = 0; i < 100000; ++i) {
    LawsScoreCore<6, 3, 5>::In in;
    in.clear = random() % 5000 == 0;
    in.l1d_hit = random() % 3 == 0;
    in.l1d_intra = random() % 2 == 0;
    in.mshr_valid = random() % 2 == 0;
    in.mshr_hit = random() % 3 == 0;
    in.mshr_intra = random() % 2 == 0;
    core.commit(in);
    const auto hit = [&](bool intra) {
      score = clamp(intra ? score + 1 : score - (misses + 1));
      if (!intra) misses = 0;
    };
    if (in.clear) {
      score = misses = 0;
    } else {
      if (in.l1d_hit) hit(in.l1d_intra);
      if (in.mshr_valid && in.mshr_hit) hit(in.mshr_intra);
      if (in.mshr_valid && !in.mshr_hit) {
        score = clamp(score + 1);
        misses = std::min(misses + 1, 5L);
      }
    }
    ASSERT_EQ(core.eval().score, score) << "event " << i;
    ASSERT_EQ(core.eval().miss_count, misses) << "event " << i;
    ASSERT_EQ(core.eval().fair, score < 0);
  }
}

}  // namespace
}  // namespace warpmem::units
