// SPDX-License-Identifier: Apache-2.0
#include "base/progress_line.hpp"

#include <gtest/gtest.h>

namespace warpmem {
namespace {

TEST(ProgressLine, WhatIsTooLongLosesItsMiddle) {
  EXPECT_EQ(fitted("kernel", 6), "kernel");
  EXPECT_EQ(fitted("0123456789", 9), "012...789");
  EXPECT_EQ(fitted("0123456789", 8), "012...89");
  EXPECT_EQ(fitted("0123456789", 3), "012");
  EXPECT_EQ(fitted(std::string(200, 'x'), ProgressLine::kColumns).size(), ProgressLine::kColumns);
}

// Tests have no terminal: a line a minute.
TEST(ProgressLine, ElsewhereALineAMinute) {
  const ProgressLine::Clock::time_point start{};
  testing::internal::CaptureStderr();
  {
    ProgressLine line(true, start);
    EXPECT_FALSE(line.due(start + std::chrono::seconds(59)));
    EXPECT_TRUE(line.due(start + std::chrono::seconds(60)));
    line.show("half", start + std::chrono::seconds(60));
    EXPECT_FALSE(line.due(start + std::chrono::seconds(119)));
    EXPECT_TRUE(line.due(start + std::chrono::seconds(120)));
    line.show(std::string(100, 'y'), start + std::chrono::seconds(120));
  }
  const std::string shown = testing::internal::GetCapturedStderr();
  EXPECT_EQ(shown.substr(0, 14), "warpmem: half\n");
  EXPECT_EQ(shown.size(), 14u + 80u);  // with its line break
  EXPECT_EQ(shown.find('\r'), std::string::npos);
}

TEST(ProgressLine, ShowsNothingWhenOff) {
  const ProgressLine::Clock::time_point start{};
  testing::internal::CaptureStderr();
  ProgressLine line(false, start);
  EXPECT_FALSE(line.due(start + std::chrono::hours(1)));
  line.show("half", start);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace warpmem
