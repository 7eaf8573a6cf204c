// SPDX-License-Identifier: Apache-2.0
// Storage that is allocated once, and made when it is first used.
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

TEST(Ring, MakesASlotWhenItIsFirstUsed) {
  Counted::made = 0;
  Ring<Counted> ring(1000);
  EXPECT_EQ(ring.capacity(), 1000u);
  ring.push_slot().value = 7;
  ring.push_slot().value = 8;
  ring.drop();
  ring.drop();
  EXPECT_EQ(ring.push_slot().value, 7) << "as its last user left it";
  EXPECT_EQ(Counted::made, 2);
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
