// SPDX-License-Identifier: Apache-2.0
// Storage that grows to what was used at once.
#include <gtest/gtest.h>

#include <utility>

#include "base/numbered_pool.hpp"
#include "base/ring.hpp"

namespace warpmem {
namespace {

/// Counts how many there ever were.
struct Counted {
  static inline int made = 0;
  Counted() { ++made; }
  int value = 0;
};

TEST(Ring, AFifoThatWrapsAround) {
  Ring<int> ring(3);
  for (int i = 0; i < 10; ++i) {
    ring.push(2 * i);
    ring.push(2 * i + 1);
    EXPECT_EQ(ring.pop(), 2 * i);
    EXPECT_EQ(ring.pop(), 2 * i + 1);
    EXPECT_TRUE(ring.empty());
  }
  ring.push(0);
  for (int i = 1; i < 20; ++i) {  // never empty, so it goes round
    ring.push(i);
    EXPECT_EQ(ring.at(1), i);
    EXPECT_EQ(ring.pop(), i - 1);
  }
  ring.push(20);
  ring.push(21);
  EXPECT_TRUE(ring.full());
  EXPECT_EQ(ring.erase(1), 20);
  EXPECT_EQ(ring.pop(), 19);
  EXPECT_EQ(ring.pop(), 21);
}

TEST(Ring, GoesRoundInWhatItEverHeld) {
  Counted::made = 0;
  Ring<Counted> ring(1000);
  EXPECT_EQ(ring.capacity(), 1000u);
  for (int i = 0; i < 3; ++i) ring.push_slot().value = i;
  for (int i = 3; i < 5000; ++i) {  // never empty
    EXPECT_EQ(ring.front().value, i - 3);
    ring.drop();
    ring.push_slot().value = i;
  }
  EXPECT_EQ(Counted::made, 4);
}

// Slots 1 to 3 of four, and then slot 0: growth puts the oldest first.
TEST(Ring, GrowsWhereItGoesRound) {
  Ring<int> ring(6);
  for (int i = 0; i < 4; ++i) ring.push(i);
  EXPECT_EQ(ring.pop(), 0);
  for (int i = 4; i < 7; ++i) ring.push(i);
  EXPECT_TRUE(ring.full());
  for (int i = 1; i < 7; ++i) EXPECT_EQ(ring.pop(), i);
}

TEST(Ring, AnEmptyOneStartsOver) {
  Ring<Counted> ring(4);
  ring.push_slot().value = 7;
  ring.push_slot();
  ring.drop();
  ring.drop();
  EXPECT_EQ(ring.push_slot().value, 7) << "as its last user left it";
}

TEST(Ring, ACopyHoldsAsMuch) {
  Ring<int> ring(3);
  ring.push(1);
  ring.push(2);
  Ring<int> copy = ring;
  copy.push(3);
  EXPECT_TRUE(copy.full());
  EXPECT_EQ(copy.pop(), 1);
  EXPECT_EQ(ring.size(), 2u);
  ring = copy;
  EXPECT_EQ(ring.pop(), 2);
  EXPECT_EQ(ring.pop(), 3);
}

TEST(NumberedPool, TakesTheNumberThatWasGivenBackLast) {
  Counted::made = 0;
  NumberedPool<Counted> pool(3);
  EXPECT_EQ(pool.take(), 0u);
  EXPECT_EQ(pool.take(), 1u);
  pool[0].value = 5;
  pool[1].value = 6;
  pool.give_back(1);
  pool.give_back(0);
  EXPECT_EQ(pool.take(), 0u);
  EXPECT_EQ(pool[0].value, 5);
  EXPECT_EQ(pool.take(), 1u);
  EXPECT_FALSE(pool.exhausted());
  EXPECT_EQ(Counted::made, 2);
  EXPECT_EQ(pool.take(), 2u);
  EXPECT_TRUE(pool.exhausted());
  pool.give_back(2);
  EXPECT_FALSE(pool.exhausted());
}

}  // namespace
}  // namespace warpmem
