// SPDX-License-Identifier: Apache-2.0
// The LAWS score and the throttling unit: class, synthesizable SystemC and RTL in lockstep.
#include <gtest/gtest.h>

#include <random>

#include "cosim/unit_library.hpp"
#include "sm/laws/laws_score.hpp"
#include "sm/laws/throttle_unit.hpp"

namespace warpmem::cosim {
namespace {

void compare_scores(const sm::LawsScoreSize& size, unsigned cycles) {
  sm::FastLawsScore fast(size);
  LibraryUnit<units::LawsScoreDescription> systemc(View::systemc, size, default_places());
  LibraryUnit<units::LawsScoreDescription> rtl(View::rtl, size, default_places());
  std::mt19937 random(size.miss_limit);
  for (unsigned i = 0; i < cycles; ++i) {
    const bool inter = i / 400 % 2 != 0;  // phases that drive the score to either end
    units::LawsScoreIn in;
    in.clear = random() % 30000 == 0;
    in.l1d_hit = random() % 3 == 0;
    in.l1d_intra = random() % 8 == 0 ? inter : !inter;
    in.mshr_valid = random() % 2 == 0;
    in.mshr_hit = random() % 2 == 0;
    in.mshr_intra = random() % 8 == 0 ? inter : !inter;
    const units::LawsScoreOut expected = fast.eval();
    ASSERT_EQ(systemc.eval(in), expected) << "cycle " << i;
    ASSERT_EQ(rtl.eval(in), expected) << "cycle " << i;
    fast.commit(in);
    systemc.commit(in);
    rtl.commit(in);
  }
  EXPECT_EQ(rtl.failure(), "");
}

TEST(LawsScoreViews, AgreeAtFullSize) { compare_scores({16, 31}, 1000000); }
TEST(LawsScoreViews, AgreeWithASmallScore) { compare_scores({6, 5}, 200000); }
TEST(LawsScoreViews, AgreeWithWeightsBeyondTheScore) { compare_scores({4, 100}, 200000); }

void compare_throttles(const sm::ThrottleSize& size, unsigned cycles) {
  sm::FastThrottleUnit fast(size);
  LibraryUnit<units::ThrottleUnitDescription> systemc(View::systemc, size, default_places());
  LibraryUnit<units::ThrottleUnitDescription> rtl(View::rtl, size, default_places());
  std::mt19937_64 random(size.warps);
  const std::uint64_t all =
      size.warps == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << size.warps) - 1;
  unsigned limited = 0, divergent = 0;
  for (unsigned i = 0; i < cycles; ++i) {
    const bool locality = i / 5000 % 2 != 0;
    units::ThrottleIn in;
    in.clear = random() % 50000 == 0;
    in.fair = i / 1700 % 7 == 0;
    in.access_valid = random() % 4 == 0;
    in.access_intra = locality && random() % 2 == 0;
    in.access_warp = static_cast<std::uint8_t>(random() % size.warps);
    if (random() % 40 == 0) in.end_warps = random() & random() & all;
    in.mshr_full = random() % 25 == 0;
    in.load_count = static_cast<std::uint8_t>(random() % (size.warps + 1));
    const units::ThrottleOut expected = fast.eval(in.fair);
    ASSERT_EQ(systemc.eval(in), expected) << "cycle " << i;
    ASSERT_EQ(rtl.eval(in), expected) << "cycle " << i;
    limited += expected.limited;
    divergent += expected.by_divergence;
    fast.commit(in);
    systemc.commit(in);
    rtl.commit(in);
  }
  EXPECT_EQ(rtl.failure(), "");
  EXPECT_GT(limited, cycles / 20);
  EXPECT_EQ(divergent != 0, size.by_divergence);
}

TEST(ThrottleViews, AgreeAtFullSize) { compare_throttles({32, 8, 8, 1000, true}, 1000000); }
TEST(ThrottleViews, AgreeWithAnOddNumberOfWarps) {
  compare_throttles({12, 5, 3, 40, true}, 300000);
}
TEST(ThrottleViews, AgreeWithSixtyFourWarps) { compare_throttles({64, 8, 8, 100, true}, 300000); }
TEST(ThrottleViews, AgreeWithTwoWarps) { compare_throttles({2, 1, 1, 1, true}, 100000); }
TEST(ThrottleViews, AgreeWithoutDivergence) { compare_throttles({32, 8, 8, 50, false}, 300000); }

}  // namespace
}  // namespace warpmem::cosim
