// SPDX-License-Identifier: Apache-2.0
// Times in cycles and nanoseconds: as they are read, written and rounded.
#include <gtest/gtest.h>

#include "base/params.hpp"

namespace warpmem {
namespace {

class ClockTimeKey : public testing::Test {
 protected:
  ClockTimeKey() {
    schema.time("time", time, {1, 4096}, "");
    schema.time("any", any, {0, 4096}, "");
  }
  std::string set(const char* text) { return schema.find("time")->set(text); }
  std::string shown() const { return schema.find("time")->get(); }

  ClockTime time = 12;
  ClockTime any = 0;
  Schema schema;
};

TEST_F(ClockTimeKey, TakesCyclesAndNanoseconds) {
  EXPECT_EQ(shown(), "12");
  EXPECT_EQ(set("7"), "");
  EXPECT_EQ(time, 7u);
  EXPECT_EQ(set("40 ck"), "");
  EXPECT_EQ(time, 40u);
  EXPECT_EQ(shown(), "40");
  EXPECT_EQ(set("12.98 ns"), "");
  EXPECT_EQ(shown(), "12.98 ns");
  EXPECT_EQ(set("13ns"), "");
  EXPECT_EQ(shown(), "13 ns");
  EXPECT_EQ(set("0.001 ns"), "");
  EXPECT_EQ(shown(), "0.001 ns");
  EXPECT_EQ(set("9"), "");
  EXPECT_EQ(shown(), "9");
}

TEST_F(ClockTimeKey, RefusesTheRest) {
  const std::string allowed = "; allowed: 1..4096 ck or up to 4096 ns";
  EXPECT_EQ(set("0"), "0 is out of range" + allowed);
  EXPECT_EQ(set("0 ns"), "0 ns is out of range" + allowed);
  EXPECT_EQ(set("4097"), "4097 is out of range" + allowed);
  EXPECT_EQ(set("4096.001 ns"), "4096.001 ns is out of range" + allowed);
  EXPECT_EQ(set("-1 ns"), "-1 ns is out of range" + allowed);
  EXPECT_EQ(set("12.5"), "12.5 is not a whole number of cycles or picoseconds" + allowed);
  EXPECT_EQ(set("1.0005 ns"), "1.0005 ns is not a whole number of cycles or picoseconds" + allowed);
  EXPECT_EQ(set("12 us"), "12 us has the unknown unit us; units: ck, ns" + allowed);
  EXPECT_EQ(set("soon"), "soon is not a time" + allowed);
  EXPECT_EQ(time, 12u);
}

TEST_F(ClockTimeKey, NoTimeIsNoCycles) {
  EXPECT_EQ(schema.find("any")->set("0 ns"), "");
  EXPECT_EQ(any.in_cycles(1'000'000'000), 0u);
}

TEST(ClockTime, RoundsUpToCycles) {
  const ClockTime time = ClockTime::of_picoseconds(12'980);
  EXPECT_EQ(time.in_cycles(924'000'000), 12u);    // 11.99
  EXPECT_EQ(time.in_cycles(2'700'000'000), 36u);  // 35.05
  EXPECT_EQ(time.in_cycles(1'000'000), 1u);
  EXPECT_EQ(ClockTime::of_picoseconds(13'000).in_cycles(1'000'000'000), 13u);
  EXPECT_EQ(ClockTime(12).in_cycles(2'700'000'000), 12u);
  // The longest interval at the fastest clock.
  EXPECT_EQ(ClockTime::of_picoseconds(10'000'000'000).in_cycles(10'000'000'000), 100'000'000u);
}

}  // namespace
}  // namespace warpmem
