// SPDX-License-Identifier: Apache-2.0
#include "sm/scheduler/scheduler.hpp"

#include <gtest/gtest.h>

#include "sm/completion_wheel.hpp"
#include "sm/scoreboard.hpp"
#include "sm/throttle/age_limit.hpp"
#include "sm/throttle/throttle.hpp"

namespace warpmem::sm {
namespace {

struct Blocked : WarpObserver {
  WarpMask waiting = 0;
  bool fair_policy = false;
  bool waits_long(unsigned slot) const override { return waiting >> slot & 1; }
  bool fair() const override { return fair_policy; }
};

std::unique_ptr<Scheduler> scheduler(Policy policy) {
  static const Blocked nobody;
  SmParams params;
  params.policy = policy;
  params.warps = 64;
  return make_scheduler(params, nobody);
}

unsigned step(Scheduler& s, WarpMask ready, bool load = false) {
  const unsigned slot = s.pick(ready);
  s.issued(slot, load);
  return slot;
}

TEST(RoundRobin, NextReadyAfterTheLastIssued) {
  const auto rr = scheduler(Policy::rr);
  EXPECT_EQ(step(*rr, 0b1011), 0u);
  EXPECT_EQ(step(*rr, 0b1011), 1u);
  EXPECT_EQ(step(*rr, 0b1011), 3u);
  EXPECT_EQ(step(*rr, 0b1011), 0u);
  EXPECT_EQ(step(*rr, WarpMask(1) << 63), 63u);
  EXPECT_EQ(step(*rr, WarpMask(1) << 63 | 1), 0u);
}

TEST(Gto, StaysGreedyThenTakesTheOldest) {
  const auto gto = scheduler(Policy::gto);
  for (unsigned slot : {4u, 5u, 0u, 1u}) gto->started(slot);  // the CTA in slots 4, 5 came first
  EXPECT_EQ(step(*gto, 0b110011), 4u);
  EXPECT_EQ(step(*gto, 0b110011, true), 4u);
  EXPECT_EQ(step(*gto, 0b100011), 5u);  // 4 cannot issue: the oldest that can
  EXPECT_EQ(step(*gto, 0b110011), 5u);  // greedy on 5 though 4 is older
  EXPECT_EQ(step(*gto, 0b010011), 4u);
  gto->finished(4);
  EXPECT_EQ(step(*gto, 0b000011), 0u);
  gto->started(4);  // a new, younger warp in the same slot
  EXPECT_EQ(step(*gto, 0b010010), 1u);
  EXPECT_EQ(step(*gto, 0b010000), 4u);
}

TEST(Gtrr, StaysGreedyThenTakesTheNext) {
  const auto gtrr = scheduler(Policy::gtrr);
  EXPECT_EQ(step(*gtrr, 0b1110), 1u);
  EXPECT_EQ(step(*gtrr, 0b1111, true), 1u);  // a load does not end the greed
  EXPECT_EQ(step(*gtrr, 0b1111), 1u);
  EXPECT_EQ(step(*gtrr, 0b1101), 2u);  // 1 cannot issue
  EXPECT_EQ(step(*gtrr, 0b1111), 2u);
  EXPECT_EQ(step(*gtrr, 0b0011), 0u);
  gtrr->finished(0);
  gtrr->started(0);
  EXPECT_EQ(step(*gtrr, 0b0011), 1u);  // the new warp in slot 0 is not the greedy one
}

TEST(Gtlr, ALoadEndsTheGreed) {
  const auto gtlr = scheduler(Policy::gtlr);
  EXPECT_EQ(step(*gtlr, 0b111), 0u);
  EXPECT_EQ(step(*gtlr, 0b111, true), 0u);
  EXPECT_EQ(step(*gtlr, 0b111), 1u);
  EXPECT_EQ(step(*gtlr, 0b111), 1u);
  EXPECT_EQ(step(*gtlr, 0b101), 2u);
  EXPECT_EQ(step(*gtlr, 0b100, true), 2u);
  EXPECT_EQ(step(*gtlr, 0b100, true), 2u);  // nobody else can
}

class TwoLevelTest : public ::testing::Test {
 protected:
  std::unique_ptr<Scheduler> make(GroupPolicy group, Policy warp) {
    SmParams params;
    params.policy = Policy::two_level;
    params.warps = 12;
    params.schedulers = 1;
    params.fetch_group = 4;
    params.group_policy = group;
    params.warp_policy = warp;
    return make_scheduler(params, blocked);
  }
  Blocked blocked;
  static constexpr WarpMask kAll = 0xfff;
};

TEST_F(TwoLevelTest, AGroupKeepsPriorityUntilAllOfItWaitForMemory) {
  const auto s = make(GroupPolicy::rr, Policy::rr);
  for (unsigned slot = 0; slot < 12; ++slot) s->started(slot);
  for (unsigned slot : {0u, 1u, 2u, 3u, 0u}) EXPECT_EQ(step(*s, kAll), slot);
  EXPECT_EQ(step(*s, 0xff0), 4u);  // a short stall: another group fills in
  EXPECT_EQ(step(*s, kAll), 1u);   // and the active one is back
  blocked.waiting = 0x00f;
  EXPECT_EQ(step(*s, 0xff0), 5u);  // now the next group is active
  blocked.waiting = 0;
  EXPECT_EQ(step(*s, kAll), 6u);
  blocked.waiting = 0x0f0;
  EXPECT_EQ(step(*s, 0xf0f), 8u);
}

TEST_F(TwoLevelTest, FinishedWarpsDoNotHoldTheGroup) {
  const auto s = make(GroupPolicy::rr, Policy::gto);
  for (unsigned slot = 0; slot < 12; ++slot) s->started(slot);
  EXPECT_EQ(step(*s, kAll), 0u);
  for (unsigned slot = 0; slot < 4; ++slot) s->finished(slot);
  EXPECT_EQ(step(*s, 0xff0), 4u);
  for (unsigned slot = 0; slot < 4; ++slot) s->started(slot);
  EXPECT_EQ(step(*s, kAll), 4u);
}

TEST_F(TwoLevelTest, TheGroupPolicyGtoTakesTheGroupOfTheOldestWarp) {
  const auto s = make(GroupPolicy::gto, Policy::gtlr);
  for (unsigned slot : {8u, 9u, 0u, 1u, 4u, 5u}) s->started(slot);
  blocked.waiting = 0x003;
  EXPECT_EQ(step(*s, 0x330, true), 8u);
  EXPECT_EQ(step(*s, 0x330), 9u);  // gtlr within the group
  blocked.waiting = 0x300;
  EXPECT_EQ(step(*s, 0x033), 0u);
}

TEST(StarvationGuard, AWarpPassedOverForAWholeWindowGoesFirst) {
  static const Blocked nobody;
  SmParams params;
  params.policy = Policy::gto;
  params.starvation_bound = 32;
  const auto gto = make_scheduler(params, nobody);
  for (unsigned slot : {0u, 1u, 2u}) gto->started(slot);
  // Two old warps that are never idle together. 2 could issue all the time.
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(step(*gto, i % 2 == 0 ? 0b101 : 0b110), i % 2);
  EXPECT_EQ(gto->rescued(), 0u);
  EXPECT_EQ(step(*gto, 0b101), 2u);
  EXPECT_EQ(step(*gto, 0b011), 0u);  // it cannot issue, and its turn of 32 / 16 slots ends
  EXPECT_EQ(step(*gto, 0b111), 0u);
  EXPECT_EQ(gto->rescued(), 1u);
}

TEST(StarvationGuard, AWarpThatIssuesNowAndThenChangesNothing) {
  static const Blocked nobody;
  SmParams params;
  params.policy = Policy::gto;
  params.starvation_bound = 32;
  const auto gto = make_scheduler(params, nobody);
  for (unsigned slot : {0u, 1u}) gto->started(slot);
  for (unsigned i = 0; i < 1000; ++i) {
    const unsigned phase = i % 30;  // warp 0 waits once in 30 slots
    EXPECT_EQ(step(*gto, phase == 0 ? 0b10 : phase == 1 ? 0b01 : 0b11), phase == 0 ? 1u : 0u);
  }
  EXPECT_EQ(gto->rescued(), 0u);
}

TEST(AgeLimit, TheOldestUnfinishedMayIssue) {
  SmParams params;
  params.policy = Policy::swl;
  params.warp_limit = 2;
  params.patience = 1000;
  const auto t = make_throttle(params, nullptr);
  for (unsigned slot : {4u, 5u, 0u, 1u}) t->started(slot, 10);
  EXPECT_EQ(t->allowed(), 0b110000u);
  t->finished(4, 20);
  EXPECT_EQ(t->allowed(), 0b100001u);
  t->at_barrier(0, true, 30);  // may wait for a younger warp
  EXPECT_EQ(t->allowed(), 0b100010u);
  t->at_barrier(0, false, 40);
  EXPECT_EQ(t->allowed(), 0b100001u);
  EXPECT_EQ(t->next_change(40, true), 1040u);
}

// A warp that comes while the SM sleeps is no guest of a turn that was over before.
TEST(AgeLimit, TurnsThatWereSleptThroughComeFirst) {
  const auto history = [](bool sleeps) {
    AgeLimit t(1, 1000);
    for (unsigned slot = 0; slot < 2; ++slot) t.started(slot, 0);
    t.begin_cycle(0);
    for (Cycle now = 1; now < 2500 && !sleeps; ++now) {
      t.catch_up(now);
      t.begin_cycle(now);
    }
    t.catch_up(2500);
    t.started(2, 2500);
    t.begin_cycle(2500);
    return t.allowed();
  };
  EXPECT_EQ(history(false), 0b011u);
  EXPECT_EQ(history(true), 0b011u);
}

TEST(AgeLimit, AWarpHeldBackForLongIsLetIn) {
  SmParams params;
  params.policy = Policy::swl;
  params.warp_limit = 1;
  params.patience = 1000;
  const auto t = make_throttle(params, nullptr);
  for (unsigned slot : {0u, 1u, 2u}) t->started(slot, 0);
  t->begin_cycle(999);
  EXPECT_EQ(t->allowed(), 0b001u);
  t->begin_cycle(1000);
  EXPECT_EQ(t->allowed(), 0b011u);
  t->begin_cycle(2000);
  EXPECT_EQ(t->allowed(), 0b101u);
  t->begin_cycle(3000);
  EXPECT_EQ(t->allowed(), 0b011u);
  t->finished(1, 3500);
  EXPECT_EQ(t->allowed(), 0b001u);
  t->finished(0, 3600);
  EXPECT_EQ(t->allowed(), 0b100u);
  EXPECT_EQ(t->next_change(100, true), kNever);
}

program::InstInfo inst(std::initializer_list<unsigned> sources,
                       std::initializer_list<unsigned> destinations) {
  program::InstInfo i;
  for (unsigned r : sources) i.sources.add(static_cast<std::uint16_t>(r));
  for (unsigned r : destinations) i.destinations.add(static_cast<std::uint16_t>(r));
  return i;
}

TEST(Scoreboard, BlocksReadAfterWriteAndWriteAfterWrite) {
  for (const unsigned high : {63u, 130u}) {  // of one word of bits, and of several
    Scoreboard scoreboard(4);
    scoreboard.resize(high + 1);
    const auto clear = [&](unsigned warp, const program::InstInfo& i) {
      const bool all = scoreboard.clear(warp, i);
      if (scoreboard.one_word()) {
        EXPECT_EQ(scoreboard.clear(warp, Scoreboard::low_registers(i)), all);
      }
      return all;
    };
    const program::InstInfo load = inst({1}, {high});
    scoreboard.reserve(2, load, true);
    EXPECT_FALSE(clear(2, inst({high}, {5})));
    EXPECT_FALSE(clear(2, inst({1}, {high})));
    EXPECT_TRUE(clear(2, inst({1}, {high - 1})));
    EXPECT_TRUE(clear(1, inst({high}, {5})));  // another warp
    EXPECT_TRUE(scoreboard.waits_for_memory(2, inst({high}, {5})));
    scoreboard.release(2, load);
    EXPECT_TRUE(clear(2, inst({high}, {high})));
  }
}

TEST(CompletionWheel, DeliversAtTheCycleAndKnowsTheNext) {
  CompletionWheel wheel(1023);
  const program::InstInfo a = inst({}, {1});
  EXPECT_EQ(wheel.next(0), kNever);
  wheel.add(700, 330, 3, &a);
  wheel.add(701, 329, 4, &a);
  wheel.add(700, 800, 5, &a);
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

TEST(CompletionWheel, HoldsTheLongestResultOfAnySm) {
  SmParams params;
  params.shared_latency = 511;
  params.shared_conflict = 16;  // the largest values that the keys may have
  params.constant_latency = 100;
  ASSERT_EQ(params.longest_result(), 511u + 128 * 16);
  CompletionWheel wheel(params.longest_result());
  const program::InstInfo a = inst({}, {1});
  wheel.add(5, params.longest_result(), 1, &a);
  EXPECT_EQ(wheel.next(5), 5u + params.longest_result());
  params.shared_conflict = 1;
  params.timing[0].latency = 700;
  EXPECT_EQ(params.longest_result(), 700u);
}

}  // namespace
}  // namespace warpmem::sm
