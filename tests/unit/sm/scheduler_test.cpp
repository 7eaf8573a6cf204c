// SPDX-License-Identifier: Apache-2.0
#include "sm/scheduler/scheduler.hpp"

#include <gtest/gtest.h>

#include "sm/completion_wheel.hpp"
#include "sm/scoreboard.hpp"

namespace warpmem::sm {
namespace {

unsigned step(Scheduler& s, WarpMask ready) {
  const unsigned slot = s.pick(ready);
  s.issued(slot);
  return slot;
}

TEST(RoundRobin, NextReadyAfterTheLastIssued) {
  const auto rr = make_scheduler(Policy::rr, 64);
  EXPECT_EQ(step(*rr, 0b1011), 0u);
  EXPECT_EQ(step(*rr, 0b1011), 1u);
  EXPECT_EQ(step(*rr, 0b1011), 3u);
  EXPECT_EQ(step(*rr, 0b1011), 0u);
  EXPECT_EQ(step(*rr, WarpMask(1) << 63), 63u);
  EXPECT_EQ(step(*rr, WarpMask(1) << 63 | 1), 0u);
}

TEST(Gto, StaysGreedyThenTakesTheOldest) {
  const auto gto = make_scheduler(Policy::gto, 64);
  for (unsigned slot : {4u, 5u, 0u, 1u}) gto->started(slot);  // the CTA in slots 4, 5 came first
  EXPECT_EQ(step(*gto, 0b110011), 4u);
  EXPECT_EQ(step(*gto, 0b110011), 4u);
  EXPECT_EQ(step(*gto, 0b100011), 5u);  // 4 cannot issue: the oldest that can
  EXPECT_EQ(step(*gto, 0b110011), 5u);  // greedy on 5 though 4 is older
  EXPECT_EQ(step(*gto, 0b010011), 4u);
  gto->finished(4);
  EXPECT_EQ(step(*gto, 0b000011), 0u);
  gto->started(4);  // a new, younger warp in the same slot
  EXPECT_EQ(step(*gto, 0b010010), 1u);
  EXPECT_EQ(step(*gto, 0b010000), 4u);
}

program::InstInfo inst(std::initializer_list<unsigned> sources,
                       std::initializer_list<unsigned> destinations) {
  program::InstInfo i;
  for (unsigned r : sources) i.source[i.sources++] = static_cast<std::uint16_t>(r);
  for (unsigned r : destinations) i.destination[i.destinations++] = static_cast<std::uint16_t>(r);
  return i;
}

TEST(Scoreboard, BlocksReadAfterWriteAndWriteAfterWrite) {
  Scoreboard scoreboard(4);
  scoreboard.resize(200);
  const program::InstInfo load = inst({1}, {130});
  scoreboard.reserve(2, load, true);
  EXPECT_FALSE(scoreboard.clear(2, inst({130}, {5})));
  EXPECT_FALSE(scoreboard.clear(2, inst({1}, {130})));
  EXPECT_TRUE(scoreboard.clear(2, inst({1}, {131})));
  EXPECT_TRUE(scoreboard.clear(1, inst({130}, {5})));  // another warp
  EXPECT_TRUE(scoreboard.waits_for_memory(2, inst({130}, {5})));
  scoreboard.release(2, load);
  EXPECT_TRUE(scoreboard.clear(2, inst({130}, {130})));
}

TEST(CompletionWheel, DeliversAtTheCycleAndKnowsTheNext) {
  CompletionWheel wheel;
  const program::InstInfo a = inst({}, {1});
  EXPECT_EQ(wheel.next(0), kNever);
  wheel.add(1030, 3, &a);
  wheel.add(1030, 4, &a);
  wheel.add(1500, 5, &a);
  EXPECT_EQ(wheel.next(700), 1030u);
  std::vector<unsigned> done;
  const auto collect = [&](unsigned warp, const program::InstInfo&) { done.push_back(warp); };
  wheel.retire(1029, collect);
  EXPECT_TRUE(done.empty());
  wheel.retire(1030, collect);
  EXPECT_EQ(done.size(), 2u);
  EXPECT_EQ(wheel.next(1030), 1500u);
  wheel.retire(1500, collect);
  EXPECT_TRUE(wheel.empty());
}

}  // namespace
}  // namespace warpmem::sm
