// SPDX-License-Identifier: Apache-2.0
// Every reason for which a request waits at the L2 bank: provoked, counted as requests and as
// cycles, and gone afterwards.
#include "unit/l2/l2_bench.hpp"

namespace warpmem::l2 {
namespace {

TEST(L2Stall, EntryFull) {
  Bench b("b");
  b.memory->latency = 50;
  b.script({load(0), load(kLine), load(2 * kLine), load(3 * kLine), load(kSet)});
  b.run();
  // The misses are sent in cycles 0 to 4. The first fill arrives in 1+1+1+50+1 = 54, its target
  // leaves and frees the entry in 55; the fifth was head from 5 on.
  EXPECT_EQ(b.stall(Stall::entry_full).requests, 1u);
  EXPECT_EQ(b.stall(Stall::entry_full).cycles, 50u);
}

L2Bank::Params going_past() {
  L2Bank::Params params = small();
  params.bypass = Bypass::any_rf;
  params.bypass_reads = 2;
  return params;
}

TEST(L2Stall, ARefusedReadGoesPastTheBank) {
  Bench b("b", going_past());
  b.fill(0, 8192);
  b.memory->latency = 50;
  b.script({load(0), load(kLine), load(2 * kLine), load(3 * kLine), load(kSet), load(kSet, 200)});
  b.run();
  EXPECT_EQ(b.bank().stats().bypasses, 1u);
  EXPECT_EQ(b.bank().stats().primary_misses, 5u);  // it filled nothing: its line is fetched later
  EXPECT_EQ(b.stall(Stall::entry_full).cycles, 0u);
  EXPECT_LE(b.latency(4), b.latency(0) + 2);
}

TEST(L2Stall, NobodyTouchesALineThatIsReadPastTheBank) {
  Bench b("b", going_past());
  b.fill(0, 8192);
  b.memory->latency = 50;
  b.script({load(0), load(kLine), load(2 * kLine), load(3 * kLine), load(kSet), store(kSet, 7),
            load(kSet)});
  b.run();
  EXPECT_EQ(b.bank().stats().bypasses, 1u);
  EXPECT_GT(b.stall(Stall::line_busy).cycles, 0u);
}

// Hits and fills that would keep the link busy for ever do not hold up the answer of a read that
// went past the bank.
TEST(L2Stall, AReadThatWentPastTheBankIsAnsweredInTurn) {
  Bench b("b", going_past());
  b.fill(0, 8192);
  b.memory->latency = 50;
  std::vector<Scripted> requests = {load(0), load(kLine), load(2 * kLine), load(3 * kLine),
                                    load(kSet)};
  for (unsigned i = 0; i < 200; ++i) requests.push_back(load((i % 4) * kLine));
  b.script(requests);
  b.initiator->busy_percent = 60;
  b.run();
  EXPECT_EQ(b.bank().stats().bypasses, 1u);
  std::size_t before = 0;
  for (const std::size_t i : b.initiator->order) {
    if (i == 4) break;
    ++before;
  }
  EXPECT_LT(before, 20u);
}

TEST(L2Stall, MergeFull) {
  Bench b("b");
  b.memory->latency = 50;
  b.script({load(0), store(0, 1), load(0), store(0, 2), load(0)});
  b.run();
  EXPECT_EQ(b.stall(Stall::merge_full).requests, 1u);
  EXPECT_EQ(b.stall(Stall::merge_full).cycles, 49u);  // 5 to 53, then its line drains
  EXPECT_EQ(b.stall(Stall::line_busy).cycles, 4u);
}

TEST(L2Stall, SetWithNoEligibleVictim) {
  Bench b("b");
  b.memory->latency = 50;
  b.script({load(0), load(kSet), load(2 * kSet)});
  b.run();
  EXPECT_EQ(b.stall(Stall::assoc_full).requests, 1u);
  EXPECT_EQ(b.stall(Stall::assoc_full).cycles, 52u);
}

TEST(L2Stall, MissQueueFull) {
  L2Bank::Params params = small();
  params.miss_queue = 1;
  params.mshr.entries = 16;
  Bench b("b", params);
  b.memory->asleep_until = 200;
  std::vector<Scripted> requests;
  for (unsigned i = 0; i < 8; ++i) requests.push_back(load(i * kLine));
  b.script(requests);
  b.run();
  EXPECT_GT(b.stall(Stall::miss_queue_full).requests, 0u);
  EXPECT_GT(b.stall(Stall::miss_queue_full).cycles, 180u);
}

TEST(L2Stall, EvictBufferFull) {
  L2Bank::Params params = small();
  params.evict_buffer = 1;
  Bench one("one", params);
  params.evict_buffer = 4;
  Bench four("four", params);
  for (Bench* b : {&one, &four}) {
    b->fill(0, 8192);
    b->memory->latency = 50;
    std::vector<Scripted> requests;
    for (unsigned i = 0; i < 8; ++i) requests.push_back(store(i * kLine, 1));
    for (unsigned i = 8; i < 12; ++i) requests.push_back(load(i * kLine, 1000));  // dirty victims
    b->script(requests);
  }
  one.run();
  four.run();
  EXPECT_EQ(one.bank().stats().writebacks, 4u);
  EXPECT_EQ(one.stall(Stall::evict_full).requests, 3u);
  EXPECT_GT(one.stall(Stall::evict_full).cycles, 150u);
  EXPECT_EQ(four.bank().stats().writebacks, 4u);
  EXPECT_EQ(four.stall(Stall::evict_full).requests, 0u);
}

TEST(L2Stall, AllocationOnFillWaitsForTheEvictBufferWithoutBlockingResponses) {
  L2Bank::Params params = small();
  params.allocate = Allocate::on_fill;
  params.evict_buffer = 1;
  params.response_queue = 1;
  params.mshr.entries = 16;
  Bench b("b", params);
  b.fill(0, 16384);
  b.memory->latency = 30;
  b.memory->busy_percent = 70;
  std::vector<Scripted> requests;
  for (unsigned i = 0; i < 64; ++i) requests.push_back(store(i % 32 * kLine, 1));
  b.script(requests);
  b.run();
  EXPECT_GT(b.bank().stats().fill_wait_cycles, 0u);
  EXPECT_EQ(b.debug_read(0, 8192), b.reference(0, 8192));
}

TEST(L2Stall, HitsWaitForTheLink) {
  Bench b("b");
  testing_support::check_hits_wait_for_the_link(b);
}

L2Bank::Params of_one_eviction() {
  L2Bank::Params params = small();
  params.evict_buffer = 1;
  return params;
}

TEST(L2Stall, SkippingIdleCyclesChangesNothing) {
  testing_support::check_skipping<Bench>(of_one_eviction(), 40);
}

TEST(L2Stall, SkippingIdleCyclesChangesNothingWithDl) {
  testing_support::check_skipping_with_dl<Bench>(of_one_eviction(), 40);
}

}  // namespace
}  // namespace warpmem::l2
