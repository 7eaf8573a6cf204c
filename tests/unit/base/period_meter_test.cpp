// SPDX-License-Identifier: Apache-2.0
#include "base/period_meter.hpp"

#include <gtest/gtest.h>

namespace warpmem {
namespace {

TEST(PeriodMeter, AveragesPeriodsThatHaveEnded) {
  PeriodMeter m(100, 8);
  m.set(0, 1);
  m.set(50, 0);
  EXPECT_EQ(m.average(99), 0.0);  // no period has ended
  EXPECT_DOUBLE_EQ(m.average(100), 0.5);
  EXPECT_DOUBLE_EQ(m.average(199), 0.5);
  m.set(175, 1);
  EXPECT_DOUBLE_EQ(m.average(200), 0.25);
  EXPECT_DOUBLE_EQ(m.average(150), 0.5);  // this is known with a delay of 50
}

TEST(PeriodMeter, ALevelLastsWithoutCalls) {
  PeriodMeter m(100, 8);
  m.set(10, 0.5);
  EXPECT_DOUBLE_EQ(m.average(100), 0.45);
  EXPECT_DOUBLE_EQ(m.average(5'000), 0.5);
  m.set(123'456'780, 0);
  EXPECT_DOUBLE_EQ(m.average(123'456'750), 0.5);
  EXPECT_DOUBLE_EQ(m.average(123'456'800), 0.4);
  EXPECT_DOUBLE_EQ(m.average(123'457'000), 0.0);
}

TEST(PeriodMeter, AChangeAtTheEdgeBelongsToTheNextPeriod) {
  PeriodMeter m(100, 8);
  m.set(0, 1);
  m.set(100, 0);
  EXPECT_DOUBLE_EQ(m.average(100), 1.0);
  EXPECT_DOUBLE_EQ(m.average(200), 0.0);
}

// There is a reader with a delay of 30 periods, while the level changes in each.
TEST(PeriodMeter, KeepsAsManyPeriodsAsAreAsked) {
  PeriodMeter m(100, 32);
  for (Femtoseconds period = 0; period < 40; ++period)
    m.set(period * 100, static_cast<double>(period));
  EXPECT_DOUBLE_EQ(m.average(1'000), 9.0);
  EXPECT_DOUBLE_EQ(m.average(3'900), 38.0);
}

}  // namespace
}  // namespace warpmem
