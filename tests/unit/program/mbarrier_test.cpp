// SPDX-License-Identifier: Apache-2.0
// The mbarrier object: when a phase ends, what its eight bytes hold, and what no operation may do.
#include <gtest/gtest.h>

#include <random>

#include "program/async.hpp"

namespace warpmem::program {
namespace {

Mbarrier fresh(std::uint32_t arrivals) {
  Mbarrier m(0);
  EXPECT_EQ(m.apply(MbarrierOp::init, arrivals).error, "");
  return m;
}

TEST(Mbarrier, APhaseEndsWithItsLastArrival) {
  Mbarrier m = fresh(3);
  EXPECT_TRUE(m.ended(true));  // the phase before the first one
  EXPECT_FALSE(m.apply(MbarrierOp::arrive, 1).phase_ended);
  EXPECT_FALSE(m.ended(false));
  EXPECT_TRUE(m.apply(MbarrierOp::arrive, 2).phase_ended);
  EXPECT_TRUE(m.ended(false));
  EXPECT_FALSE(m.ended(true));
  EXPECT_EQ(m.pending, 3u);  // the next phase expects as many
}

TEST(Mbarrier, APhaseAwaitsItsBytesToo) {
  Mbarrier m = fresh(1);
  EXPECT_FALSE(m.apply(MbarrierOp::arrive_expect_tx, 4096).phase_ended);
  EXPECT_EQ(m.missing(), "0 of 1 arrivals and 4096 bytes are missing");
  EXPECT_FALSE(m.apply(MbarrierOp::complete_tx, 4080).phase_ended);
  EXPECT_TRUE(m.apply(MbarrierOp::complete_tx, 16).phase_ended);
}

TEST(Mbarrier, BytesMayComeBeforeTheyAreExpected) {
  Mbarrier m = fresh(1);
  EXPECT_FALSE(m.apply(MbarrierOp::complete_tx, 64).phase_ended);
  EXPECT_EQ(m.bytes, -64);
  EXPECT_TRUE(m.apply(MbarrierOp::arrive_expect_tx, 64).phase_ended);
}

TEST(Mbarrier, DroppedArrivalsAreNotExpectedAgain) {
  Mbarrier m = fresh(3);
  EXPECT_FALSE(m.apply(MbarrierOp::drop, 2).phase_ended);
  EXPECT_TRUE(m.apply(MbarrierOp::arrive, 1).phase_ended);
  EXPECT_TRUE(m.apply(MbarrierOp::arrive, 1).phase_ended);
  EXPECT_FALSE(m.apply(MbarrierOp::expect_tx, 8).phase_ended);
  EXPECT_FALSE(m.apply(MbarrierOp::drop_expect_tx, 8).phase_ended);
  EXPECT_TRUE(m.apply(MbarrierOp::complete_tx, 16).phase_ended);
  EXPECT_EQ(m.expected, 0u);
}

TEST(Mbarrier, CopiesAreAnArrivalMoreOrOneOfThoseExpected) {
  Mbarrier m = fresh(1);
  EXPECT_FALSE(m.apply(MbarrierOp::copies_arrive, 0).phase_ended);
  EXPECT_FALSE(m.apply(MbarrierOp::arrive, 1).phase_ended);
  EXPECT_TRUE(m.copies_arrived().phase_ended);
  EXPECT_FALSE(m.apply(MbarrierOp::copies_arrive_no_inc, 0).phase_ended);
  EXPECT_TRUE(m.copies_arrived().phase_ended);
}

TEST(Mbarrier, WhatIsWrongChangesNothing) {
  const auto refuses = [](Mbarrier m, MbarrierOp op, std::uint32_t number) {
    const std::uint64_t before = m.bits();
    const auto effect = m.apply(op, number);
    EXPECT_FALSE(effect.phase_ended);
    EXPECT_EQ(m.bits(), before);
    return effect.error;
  };
  EXPECT_NE(refuses(Mbarrier(0), MbarrierOp::arrive, 1).find("no mbarrier"), std::string::npos);
  EXPECT_NE(refuses(Mbarrier(0), MbarrierOp::init, 0).find("allowed: 1 to 1048575"),
            std::string::npos);
  EXPECT_NE(refuses(Mbarrier(0), MbarrierOp::init, 1u << 20).find("1048576 arrivals"),
            std::string::npos);
  EXPECT_NE(refuses(fresh(2), MbarrierOp::arrive, 3).find("misses 2 of 2"), std::string::npos);
  EXPECT_NE(refuses(fresh(2), MbarrierOp::arrive, 0).find("0 arrivals"), std::string::npos);
  EXPECT_NE(refuses(fresh(2), MbarrierOp::arrive_no_complete, 2).find(".noComplete"),
            std::string::npos);
  EXPECT_EQ(refuses(fresh(2), MbarrierOp::expect_tx, Mbarrier::kMost + 1).find("would miss"), 13u);
  EXPECT_NE(refuses(fresh(2), MbarrierOp::complete_tx, 1u << 20).find("-1048576 bytes"),
            std::string::npos);
  EXPECT_NE(refuses(fresh(Mbarrier::kMost), MbarrierOp::copies_arrive, 0).find("more than"),
            std::string::npos);
  // A transaction that is too large does not arrive either.
  EXPECT_NE(refuses(fresh(2), MbarrierOp::arrive_expect_tx, 1u << 20).find("would miss"),
            std::string::npos);
}

TEST(Mbarrier, EightBytesHoldAllOfIt) {
  std::mt19937 random(7);
  for (unsigned i = 0; i < 1000; ++i) {
    Mbarrier m = fresh(1 + random() % Mbarrier::kMost);
    m.pending = random() % (m.expected + 1);
    m.bytes = static_cast<std::int32_t>(random() % (2 * Mbarrier::kMost + 1)) -
              static_cast<std::int32_t>(Mbarrier::kMost);
    m.parity = (random() & 1) != 0;
    const Mbarrier again(m.bits());
    ASSERT_EQ(again.pending, m.pending);
    ASSERT_EQ(again.expected, m.expected);
    ASSERT_EQ(again.bytes, m.bytes);
    ASSERT_EQ(again.parity, m.parity);
    ASSERT_TRUE(again.valid);
  }
}

// The object is invalid after inval and before init, whatever memory holds then.
TEST(Mbarrier, InvalidatedIsAsNeverInitialised) {
  Mbarrier m = fresh(1);
  EXPECT_EQ(m.apply(MbarrierOp::inval, 0).error, "");
  EXPECT_EQ(m.bits(), 0u);
  EXPECT_NE(m.apply(MbarrierOp::arrive, 1).error, "");
}

}  // namespace
}  // namespace warpmem::program
