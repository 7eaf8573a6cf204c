// SPDX-License-Identifier: Apache-2.0
// Worked examples of the queues in front of the LSU and of the memory pipeline.
#include "sm/issue_queues.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace warpmem::sm {
namespace {

using Queues = IssueQueues<int>;

TEST(IssueQueues, WithoutStagesTheHeadIsAtTheLsuAndCountsAsWaiting) {
  Queues q(1, 2, 0);
  q.push_slot(0) = 7;
  q.push_slot(0) = 8;
  EXPECT_EQ(q.waiting(0), 2u);
  EXPECT_FALSE(q.move(1));
  ASSERT_NE(q.front(1), nullptr);
  EXPECT_EQ(*q.front(1), 7);
  EXPECT_EQ(q.waiting(0), 2u);
  q.drop();
  EXPECT_EQ(q.waiting(0), 1u);
  EXPECT_EQ(q.front(1), nullptr);  // the next one comes in the next cycle
  q.move(2);
  EXPECT_EQ(*q.front(2), 8);
}

TEST(IssueQueues, AnInstructionTakesACycleAStage) {
  Queues q(1, 2, 3);
  q.push_slot(0) = 7;  // issued in cycle 0
  q.push_slot(0) = 8;
  EXPECT_TRUE(q.move(1));
  EXPECT_EQ(q.waiting(0), 1u);
  EXPECT_TRUE(q.move(2));
  EXPECT_FALSE(q.move(3));
  EXPECT_EQ(q.front(3), nullptr);
  EXPECT_TRUE(q.moves());
  ASSERT_NE(q.front(4), nullptr);
  EXPECT_EQ(*q.front(4), 7);
  q.drop();
  EXPECT_EQ(q.front(4), nullptr);
  EXPECT_EQ(*q.front(5), 8);
}

TEST(IssueQueues, AStageIsLeftAndTakenInOneCycle) {
  Queues q(1, 4, 1);
  for (const int i : {0, 1, 2}) q.push_slot(0) = i;
  q.move(1);
  for (Cycle now = 2; now < 5; ++now) {
    ASSERT_NE(q.front(now), nullptr) << now;
    EXPECT_EQ(*q.front(now), static_cast<int>(now) - 2);
    q.drop();
    q.move(now);
  }
  EXPECT_TRUE(q.empty());
}

TEST(IssueQueues, ABlockedPipelineFillsUpAndHoldsItsQueue) {
  Queues q(1, 2, 3);
  unsigned taken = 0;
  for (Cycle now = 1; now < 20; ++now) {
    q.move(now);
    if (q.waiting(0) < 2) q.push_slot(0) = static_cast<int>(taken++);
  }
  EXPECT_EQ(taken, 5u);
  EXPECT_EQ(q.size(), q.capacity());
  q.drop();
  EXPECT_TRUE(q.move(20));
  EXPECT_EQ(q.waiting(0), 1u);
}

TEST(IssueQueues, QueuesTakeTurns) {
  Queues q(3, 4, 0);
  for (const int i : {0, 1}) q.push_slot(0) = i;
  for (const int i : {20, 21, 22}) q.push_slot(2) = i;
  std::vector<int> order;
  for (Cycle now = 1; !q.empty(); ++now) {
    q.move(now);
    order.push_back(*q.front(now));
    q.drop();
  }
  EXPECT_EQ(order, (std::vector<int>{0, 20, 1, 21, 22}));
}

// Queue 1 was first; queue 0 got two instructions after it.
std::vector<int> order_of(bool oldest_first, unsigned stages) {
  Queues q(2, 4, stages, oldest_first);
  q.push_slot(1) = 1;
  q.push_slot(0) = 2;
  q.push_slot(0) = 3;
  q.push_slot(1) = 4;
  std::vector<int> order;
  for (Cycle now = 1; !q.empty(); ++now) {
    if (stages == 0) q.move(now);
    if (const int* const at = q.front(now)) {
      order.push_back(*at);
      q.drop();
    }
    if (stages != 0) q.move(now);
  }
  return order;
}
TEST(IssueQueues, TakeTurnsOrGiveTheOldest) {
  for (const unsigned stages : {0u, 1u}) {
    EXPECT_EQ(order_of(false, stages), (std::vector<int>{2, 1, 3, 4}));
    EXPECT_EQ(order_of(true, stages), (std::vector<int>{1, 2, 3, 4}));
  }
}

}  // namespace
}  // namespace warpmem::sm
