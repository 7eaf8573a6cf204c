// SPDX-License-Identifier: Apache-2.0
#include "base/line_set.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/random.hpp"

namespace warpmem {
namespace {

TEST(LineSet, NewOnceOnEitherSideOfAPage) {
  LineSet lines;
  for (const std::uint64_t line : {0ull, 4095ull, 4096ull, 1ull << 40}) {
    EXPECT_TRUE(lines.insert(line)) << line;
    EXPECT_FALSE(lines.insert(line)) << line;
  }
}

TEST(LineSet, LikeAnOrderedSet) {
  LineSet lines;
  std::set<std::uint64_t> reference;
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t line = random.below(30000);
    EXPECT_EQ(lines.insert(line), reference.insert(line).second);
  }
}

}  // namespace
}  // namespace warpmem
