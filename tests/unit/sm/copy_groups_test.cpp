// SPDX-License-Identifier: Apache-2.0
#include "sm/copy_groups.hpp"

#include <gtest/gtest.h>

namespace warpmem::sm {
namespace {

using program::AsyncCopy;
using program::InstInfo;

InstInfo of(AsyncCopy kind, unsigned groups = 0) {
  InstInfo i;
  i.async = kind;
  i.async_groups = static_cast<std::uint8_t>(groups);
  return i;
}
const InstInfo kCopy = of(AsyncCopy::copy), kClose = of(AsyncCopy::close);

TEST(CopyGroups, WaitCountsClosedGroupsOnly) {
  CopyGroups g;
  const auto open = g.issue(kCopy, true);
  EXPECT_TRUE(g.allows(of(AsyncCopy::wait)));
  g.issue(kClose, true);
  EXPECT_FALSE(g.allows(of(AsyncCopy::wait)));
  EXPECT_TRUE(g.allows(of(AsyncCopy::wait, 1)));
  g.arrived(open);
  EXPECT_TRUE(g.allows(of(AsyncCopy::wait)));
}

TEST(CopyGroups, WaitForAllCountsTheOpenGroupToo) {
  CopyGroups g;
  EXPECT_TRUE(g.allows(of(AsyncCopy::wait_all)));
  const auto closed = g.issue(kCopy, true);
  g.issue(kClose, true);
  const auto open = g.issue(kCopy, true);
  EXPECT_FALSE(g.allows(of(AsyncCopy::wait_all)));
  g.arrived(closed);
  EXPECT_FALSE(g.allows(of(AsyncCopy::wait_all)));
  g.arrived(open);
  EXPECT_TRUE(g.allows(of(AsyncCopy::wait_all)));
}

TEST(CopyGroups, YoungerGroupDoesNotCompleteBeforeOlder) {
  CopyGroups g;
  const auto first = g.issue(kCopy, true);
  g.issue(kClose, true);
  const auto second = g.issue(kCopy, true);
  g.issue(kClose, true);
  g.arrived(second);
  EXPECT_FALSE(g.allows(of(AsyncCopy::wait, 1)));
  g.arrived(first);
  EXPECT_TRUE(g.allows(of(AsyncCopy::wait)));
}

TEST(CopyGroups, EmptyGroupAndPredicatedOffCopyAreComplete) {
  CopyGroups g;
  g.issue(kCopy, false);
  g.issue(kClose, true);
  EXPECT_TRUE(g.allows(of(AsyncCopy::wait)));
}

TEST(CopyGroups, ClosingWaitsWhileAllGroupsAreTaken) {
  CopyGroups g;
  for (unsigned i = 0; i + 1 < CopyGroups::kGroups; ++i) {
    g.issue(kCopy, true);
    ASSERT_TRUE(g.allows(kClose));
    g.issue(kClose, true);
  }
  g.issue(kCopy, true);
  EXPECT_FALSE(g.allows(kClose));
  EXPECT_TRUE(g.allows(kCopy));
  g.arrived(0);
  EXPECT_TRUE(g.allows(kClose));
}

}  // namespace
}  // namespace warpmem::sm
