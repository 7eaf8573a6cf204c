// SPDX-License-Identifier: Apache-2.0
#include "sm/laws/laws.hpp"

#include <gtest/gtest.h>

#include <random>

#include "sm/throttle/ccws.hpp"
#include "units/laws_score/laws_score_core.hpp"
#include "units/throttle_unit/throttle_unit_core.hpp"

namespace warpmem::sm {
namespace {

TEST(LawsViews, TheFastScoreAgreesWithTheCoreInEveryCycle) {
  LawsScoreSize size;
  size.score_bits = 6;
  size.miss_limit = 5;
  FastLawsScore fast(size);
  units::LawsScoreCore<6, 3, 5> core;
  std::mt19937 random(11);
  for (int i = 0; i < 200000; ++i) {
    units::LawsScoreIn in;
    in.clear = random() % 3000 == 0;
    in.l1d_hit = random() % 3 == 0;
    in.l1d_intra = random() % 2 == 0;
    in.mshr_valid = random() % 3 == 0;
    in.mshr_hit = random() % 3 == 0;
    in.mshr_intra = random() % 2 == 0;
    fast.commit(in);
    core.commit(in);
    ASSERT_EQ(fast.eval(), core.eval()) << "cycle " << i;
  }
}

template <bool kMemory>
void compare_throttles(unsigned seed) {
  ThrottleSize size;
  size.warps = 12;
  size.divergence = 5;
  size.stable = 3;
  size.hold = 40;
  size.by_divergence = kMemory;
  FastThrottleUnit fast(size);
  units::ThrottleUnitCore<12, 5, 3, 40, kMemory> core;
  std::mt19937 random(seed);
  unsigned limits = 0;
  for (int i = 0; i < 100000; ++i) {
    units::ThrottleIn in;
    const bool hits = i / 2000 % 2 != 0;  // phases with and without locality
    in.clear = random() % 20000 == 0;
    in.fair = i / 700 % 5 == 0;
    in.access_valid = random() % 4 == 0;
    in.access_intra = hits && random() % 2 == 0;
    in.access_warp = static_cast<std::uint8_t>(random() % 12);
    if (random() % 30 == 0) in.end_warps = random() & 0xfff;
    in.mshr_full = random() % 20 == 0;
    in.load_count = static_cast<std::uint8_t>(random() % 13);
    fast.commit(in);
    core.commit(in);
    const bool fair = random() % 4 == 0;
    units::ThrottleIn look;
    look.fair = fair;
    ASSERT_EQ(fast.eval(fair), core.eval(look)) << "cycle " << i;
    limits += fast.eval(false).limited;
    if (random() % 50 == 0) {  // cycles left out
      const Cycle skipped = random() % 60;
      fast.idle(skipped, fair);
      for (Cycle c = 0; c < skipped; ++c) core.commit(look);
      ASSERT_EQ(fast.eval(fair), core.eval(look)) << "after idling in cycle " << i;
    }
  }
  EXPECT_GT(limits, 1000u);
}

TEST(LawsViews, TheFastThrottleAgreesWithTheCoreInEveryCycle) {
  compare_throttles<true>(5);
  compare_throttles<false>(6);
}

LocalityEvent event(Locality kind, unsigned warp = 0) {
  LocalityEvent e;
  e.kind = kind;
  e.warp = static_cast<std::uint8_t>(warp);
  return e;
}

TEST(Laws, AnEventIsFeltInTheNextCycle) {
  Laws laws(std::make_unique<FastLawsScore>(LawsScoreSize{}), nullptr);
  laws.launch(10);
  EXPECT_FALSE(laws.fair(10));
  laws.l1d_accessed(event(Locality::inter), false, 20);
  EXPECT_FALSE(laws.fair(20));
  EXPECT_TRUE(laws.fair(21));
  laws.l1d_accessed(event(Locality::intra_m), false, 30);
  EXPECT_TRUE(laws.fair(30));
  EXPECT_FALSE(laws.fair(31));  // -1 + 1
}

// A load that nobody waits for may hit after its warp's end (KI 3.3.1: its bit is clear then).
TEST(Laws, AWarpThatHasEndedIsNotCounted) {
  for (const bool ended : {false, true}) {
    Laws laws(std::make_unique<FastLawsScore>(LawsScoreSize{}),
              std::make_unique<FastThrottleUnit>(ThrottleSize{}));
    laws.launch(1);
    for (unsigned warp = 0; warp < 4; ++warp) {
      laws.warp_ended(warp, 10 + warp);
      laws.l1d_accessed(event(Locality::intra, warp), ended, 20 + warp);
    }
    LocalityEvent full = event(Locality::miss, 5);
    full.mshr_full = true;
    full.loading_warps = 1;
    laws.l1d_accessed(full, false, 30);
    EXPECT_EQ(laws.limit(31), ended ? 2u : 5u);
  }
}

TEST(Laws, FullMshrsLimitTheWarps) {
  Laws laws(std::make_unique<FastLawsScore>(LawsScoreSize{}),
            std::make_unique<FastThrottleUnit>(ThrottleSize{}));
  laws.launch(1);
  laws.l1d_accessed(event(Locality::intra, 3), false, 10);
  LocalityEvent full = event(Locality::miss, 5);
  full.mshr_full = true;
  full.loading_warps = 9;
  laws.l1d_accessed(full, false, 11);
  EXPECT_EQ(laws.limit(11), Laws::kUnlimited);
  EXPECT_EQ(laws.limit(12), 2u);
  laws.launch(100);
  EXPECT_EQ(laws.limit(100), Laws::kUnlimited);
}

class CcwsTest : public ::testing::Test {
 protected:
  CcwsTest() {
    for (unsigned slot = 0; slot < 4; ++slot) ccws.started(slot, 0);
  }
  void lose(unsigned slot, Cycle now) {
    LocalityEvent e = event(Locality::miss, slot);
    e.lost = true;
    ccws.l1d_accessed(e, now);
  }
  Ccws ccws{100, 8};
};

TEST_F(CcwsTest, WithoutLossesEverybodyLoads) {
  ccws.begin_cycle(100);
  EXPECT_EQ(ccws.allowed(), 0xfu);
  EXPECT_EQ(ccws.allowed_loads(), 0xfu);
}

TEST_F(CcwsTest, AWarpThatLosesLinesPushesOthersOut) {
  for (int i = 0; i < 16; ++i) ccws.issued(0);
  lose(2, 100);  // 1 hit x 8 / 16 instructions x cutoff 400 = 200
  ccws.begin_cycle(100);
  EXPECT_EQ(ccws.allowed_loads(), 0xfu);
  ccws.begin_cycle(101);
  EXPECT_EQ(ccws.score(2, 101), 200u);
  EXPECT_EQ(ccws.allowed_loads(), 0b0111u);  // 200 + 100 + 100; the youngest is left out
  EXPECT_EQ(ccws.allowed(), 0xfu);           // it may still do other things
  EXPECT_EQ(ccws.next_change(101, true), 112u);
}

TEST_F(CcwsTest, ScoresFallByOneACycle) {
  for (int i = 0; i < 16; ++i) ccws.issued(0);
  lose(2, 100);
  ccws.begin_cycle(160);
  EXPECT_EQ(ccws.score(2, 161), 140u);
  EXPECT_EQ(ccws.allowed_loads(), 0b0111u);
  ccws.begin_cycle(207);  // 192 is the last time the order was taken: 109
  EXPECT_EQ(ccws.allowed_loads(), 0b0111u);
  ccws.begin_cycle(208);
  EXPECT_EQ(ccws.allowed_loads(), 0xfu);
  EXPECT_EQ(ccws.next_change(208, true), kNever);
}

// The SM may have ticked before the L1D in the cycle of the loss, or after it.
TEST_F(CcwsTest, ALossIsDueInTheNextCycle) {
  ccws.begin_cycle(5);
  EXPECT_EQ(ccws.next_change(5, true), kNever);
  LocalityEvent miss = event(Locality::miss, 0);
  EXPECT_FALSE(ccws.l1d_accessed(miss, 5));
  miss.lost = true;
  EXPECT_TRUE(ccws.l1d_accessed(miss, 5));
  EXPECT_EQ(ccws.next_change(5, true), 6u);
  EXPECT_EQ(ccws.next_change(5, false), kNever);
  ccws.catch_up(6);
  ccws.begin_cycle(6);
  EXPECT_GT(ccws.next_change(6, true), 7u);
}

// L1D with several banks has several misses in a cycle.
TEST_F(CcwsTest, EachLossOfACycleCounts) {
  for (int i = 0; i < 16; ++i) ccws.issued(0);
  lose(2, 100);
  lose(1, 100);
  ccws.begin_cycle(101);
  EXPECT_EQ(ccws.score(2, 101), 200u);  // 1 hit x 8 / 16 instructions x cutoff 400
  EXPECT_EQ(ccws.score(1, 101), 400u);  // 2 hits
  EXPECT_EQ(ccws.allowed_loads(), 0b0010u);
}

TEST_F(CcwsTest, OneWarpAlwaysLoads) {
  ccws.issued(0);
  lose(1, 10);  // far beyond the cutoff
  ccws.begin_cycle(11);
  EXPECT_EQ(ccws.allowed_loads(), 0b0010u);
  ccws.finished(1, 12);
  EXPECT_EQ(ccws.allowed_loads(), 0b1101u);
}

}  // namespace
}  // namespace warpmem::sm
