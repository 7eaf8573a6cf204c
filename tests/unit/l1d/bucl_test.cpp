// SPDX-License-Identifier: Apache-2.0
// BUCL's update logic: thresholds by period, profiling, and what a refused request is let past on.
#include "l1d/bypass/bucl.hpp"

#include <gtest/gtest.h>

#include "base/clock_domain.hpp"

namespace warpmem::l1d {
namespace {

class BuclTest : public testing::Test {
 protected:
  BuclTest() {
    set_simulation_resolution();
    clock_ = std::make_unique<ClockDomain>("clock", 1'000'000'000, false);
    AddressMapParams params;
    params.partitions = 2;
    params.interleave_bytes = 256;
    map_ = std::make_unique<AddressMap>(params);
  }
  Bucl make(Bucl::Params params) const { return Bucl(params, *map_, *clock_); }
  /// `hits` of ten accesses in the period that begins at `begin`.
  static void period(Bucl& bucl, Cycle begin, int hits) {
    for (int i = 0; i < 10; ++i) bucl.accessed(begin + 10 * static_cast<Cycle>(i), i < hits);
  }
  std::unique_ptr<ClockDomain> clock_;
  std::unique_ptr<AddressMap> map_;
};

TEST_F(BuclTest, TheThresholdFollowsTheHitRateOfThePeriodBefore) {
  Bucl b = make({});
  EXPECT_EQ(b.tucd(0, 0), 5u);
  period(b, 0, 9);
  EXPECT_EQ(b.tucd(0, 999), 5u);
  EXPECT_EQ(b.tucd(0, 1000), 6u);
  period(b, 1000, 8);  // 0.8 is not above the limit
  EXPECT_EQ(b.tucd(3, 2000), 5u);
  EXPECT_EQ(b.tucd(3, 9000), 5u);  // periods without accesses say nothing
}

TEST_F(BuclTest, TheThresholdStaysWithinItsBounds) {
  Bucl b = make({});
  for (Cycle p = 0; p < 10; ++p) period(b, 1000 * p, 0);
  EXPECT_EQ(b.tucd(0, 10'000), 2u);
  EXPECT_FALSE(b.bypasses_load(0, 2, 10'000));
  EXPECT_TRUE(b.bypasses_load(0, 3, 10'000));
  for (Cycle p = 10; p < 50; ++p) period(b, 1000 * p, 10);
  EXPECT_EQ(b.tucd(0, 50'000), 25u);
}

TEST_F(BuclTest, BoundsThatExcludeTheThresholdAreAnError) {
  Bucl::Params params;
  params.least = 6;
  Problems problems;
  params.validate(problems);
  ASSERT_EQ(problems.list().size(), 1u);
  EXPECT_NE(problems.list()[0].find("l1d.bypass.bucl.tucd: 5 is not within least 6 and most 25"),
            std::string::npos)
      << problems.list()[0];
}

TEST_F(BuclTest, ALaunchBeginsAnew) {
  Bucl b = make({});
  period(b, 0, 10);
  EXPECT_EQ(b.tucd(0, 1000), 6u);
  b.begin_launch(1500);
  EXPECT_EQ(b.tucd(0, 1500), 5u);
  period(b, 1500, 10);
  EXPECT_EQ(b.tucd(0, 2499), 5u);
  EXPECT_EQ(b.tucd(0, 2500), 6u);
}

TEST_F(BuclTest, ProfilingGivesEverySmItsOwnThresholdAndThenTheBest) {
  Bucl::Params params;
  params.profile = true;
  params.profile_cycles = 5000;
  Bucl b = make(params);
  b.begin_launch(100);
  EXPECT_EQ(b.profile_end(), 5100u);
  EXPECT_EQ(b.tucd(0, 100), 2u);
  EXPECT_EQ(b.tucd(7, 5100), 10u);
  EXPECT_EQ(b.tucd(14, 5100), 25u);
  EXPECT_EQ(b.tucd(15, 5100), 2u);
  b.choose(7, 5100);
  EXPECT_EQ(b.tucd(0, 5100), 2u);
  EXPECT_EQ(b.tucd(0, 5101), 10u);
  period(b, 5200, 10);
  EXPECT_EQ(b.tucd(14, 8000), 10u);  // profiled, not adapted
}

// Whoever is refused sleeps until then: no answer may change before, and each change is named.
TEST_F(BuclTest, NextChangeNamesEveryCycleInWhichAnAnswerChanges) {
  Bucl::Params params;
  params.period = 100;
  params.input_delay = 37;
  Bucl b = make(params);
  b.begin_launch(13);
  Cycle changes = 0, due = 13;
  bool load = false, refused = false;
  for (Cycle now = 13; now < 3000; ++now) {
    const bool load_now = b.bypasses_load(0, 6, now);
    const bool refused_now = b.bypasses_refused(0, now);
    if (now > 13 && (load_now != load || refused_now != refused)) {
      EXPECT_EQ(now, due) << "changed while a refused request slept";
      ++changes;
    }
    load = load_now;
    refused = refused_now;
    if (now == due) due = b.next_change(now);
    EXPECT_GT(due, now);
    EXPECT_EQ(b.next_change(now), due);
    b.accessed(now, now / 400 % 2 == 0);
    b.input_of(0).set(clock_->time_of(now), now / 300 % 2 == 0 ? 0.9 : 0.1);
  }
  EXPECT_GT(changes, 10u);
}

TEST_F(BuclTest, NextChangeNamesTheChoiceOfAProfile) {
  Bucl::Params params;
  params.profile = true;
  params.profile_cycles = 50;
  params.input_delay = 5000;
  Bucl b = make(params);
  b.begin_launch(100);
  EXPECT_EQ(b.next_change(100), 151u);
  EXPECT_EQ(b.next_change(150), 151u);
  b.choose(7, 150);
  EXPECT_EQ(b.next_change(151), 1100u);
}

TEST_F(BuclTest, ARefusedRequestPassesWithLowLocalityAndAFreePartition) {
  Bucl b = make({});
  const Femtoseconds cycle = clock_->time_of(1);
  b.input_of(0).set(0, 0.9);
  b.input_of(1).set(0, 0.2);
  period(b, 0, 5);
  // The first period is known 64 cycles after its end.
  EXPECT_TRUE(b.bypasses_refused(0, 1063));
  EXPECT_FALSE(b.bypasses_refused(0, 1064));
  EXPECT_TRUE(b.bypasses_refused(256, 1064));  // partition 1
  b.input_of(0).set(1000 * cycle, 0.6);
  EXPECT_TRUE(b.bypasses_refused(0, 2064));
  period(b, 2100, 9);
  EXPECT_FALSE(b.bypasses_refused(0, 3064));  // the hit rate is too good
  period(b, 3100, 7);
  EXPECT_TRUE(b.bypasses_refused(0, 4064));
}

}  // namespace
}  // namespace warpmem::l1d
