// SPDX-License-Identifier: Apache-2.0
#include "base/checked.hpp"

#include <gtest/gtest.h>

namespace warpmem {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t(0);

TEST(CheckedTest, SumsAndProductsThatFit) {
  EXPECT_EQ((Checked(3) * 5 + 2).value(), 17u);
  EXPECT_FALSE((Checked(3) * 5 + 2).overflow());
  EXPECT_FALSE((Checked(kMost) + 0).overflow());
  EXPECT_FALSE((Checked(1ull << 32) * ((1ull << 32) - 1)).overflow());
}

TEST(CheckedTest, OneBeyondTheLast) {
  EXPECT_TRUE((Checked(kMost) + 1).overflow());
  EXPECT_TRUE((Checked(1ull << 32) * (1ull << 32)).overflow());
}

TEST(CheckedTest, OverflowStays) {
  EXPECT_TRUE(((Checked(kMost) + 2) * 0).overflow());
  EXPECT_TRUE((Checked(1) + Checked(kMost) * 2).overflow());
  EXPECT_TRUE((Checked(kMost) + 2).rounded_up(4).overflow());
}

TEST(CheckedTest, RoundsUp) {
  EXPECT_EQ(Checked(0).rounded_up(512).value(), 0u);
  EXPECT_EQ(Checked(1).rounded_up(512).value(), 512u);
  EXPECT_EQ(Checked(512).rounded_up(512).value(), 512u);
  EXPECT_FALSE(Checked(kMost - 511).rounded_up(512).overflow());
  EXPECT_TRUE(Checked(kMost - 510).rounded_up(512).overflow());
}

TEST(CheckedTest, OverALimit) {
  EXPECT_FALSE(Checked(7).over(7));
  EXPECT_TRUE(Checked(8).over(7));
  EXPECT_TRUE((Checked(kMost) + 1).over(kMost));
}

}  // namespace
}  // namespace warpmem
