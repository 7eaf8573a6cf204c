// SPDX-License-Identifier: Apache-2.0
#include "files/pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmem {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Pattern, MatchesTheWholeText) {
  const Pattern name("[a-z]+[0-9]");
  EXPECT_TRUE(name.matches("unit7"));
  EXPECT_FALSE(name.matches("unit7 "));
  EXPECT_FALSE(name.matches("a unit7"));
}

TEST(Pattern, FindsTheFirstMatchWithItsGroups) {
  const Pattern pair("([a-z]+)=([0-9]*)");
  EXPECT_THAT(pair.first_in("; ab=12 cd=3"), ElementsAre("ab=12", "ab", "12"));
  EXPECT_THAT(pair.first_in("ab="), ElementsAre("ab=", "ab", ""));
  EXPECT_THAT(pair.first_in("ab 12"), IsEmpty());
}

TEST(Pattern, ReplacesEachMatch) {
  EXPECT_EQ(Pattern("ld\\.(?=u32)").replaced("ld.u32 ld.f16 ld.u32", "ldg."),
            "ldg.u32 ld.f16 ldg.u32");
  EXPECT_EQ(Pattern("x").replaced("none", "y"), "none");
}

TEST(Pattern, RefusesWhatIsNoExpression) { EXPECT_ANY_THROW(Pattern("(")); }

}  // namespace
}  // namespace warpmem
