// SPDX-License-Identifier: Apache-2.0
// Every reason for which the head of the L1D's queue waits: provoked, counted as requests and as
// cycles, and gone afterwards.
#include "unit/l1d/l1d_bench.hpp"

namespace warpmem::l1d {
namespace {

L1d::Params with_few_writes() {
  L1d::Params params = small();
  params.outstanding_writes = 3;
  return params;
}

constexpr Addr kSet = 4 * kLine;  // addresses this far apart share a set of small()

TEST(L1dStall, EntryFull) {
  Bench b("b");
  b.memory->latency = 50;
  // There are four entries; the fifth miss waits for the first to drain.
  b.script({load(0), load(kLine), load(2 * kLine), load(3 * kLine), load(kSet)});
  b.run();
  // The misses are sent in cycles 0 to 4. The first fill arrives in 1+1+1+50+1 = 54, its target
  // leaves and frees the entry in 55; the fifth was head from 5 on.
  EXPECT_EQ(b.stall(Stall::entry_full).requests, 1u);
  EXPECT_EQ(b.stall(Stall::entry_full).cycles, 50u);
  EXPECT_EQ(b.cache->stats().accesses, 5u);
}

TEST(L1dStall, MergeFullBlocksTheRequestsBehind) {
  Bench b("b");
  b.memory->latency = 50;
  b.script({load(0), load(0), load(0), load(0), load(kLine)});
  b.run();
  EXPECT_EQ(b.stall(Stall::merge_full).requests, 1u);
  // It is head from 4 on. Once the fill has come, in 54, the entry drains, and the cause changes.
  EXPECT_EQ(b.stall(Stall::merge_full).cycles, 50u);
  EXPECT_EQ(b.stall(Stall::line_busy).requests, 1u);
  EXPECT_EQ(b.stall(Stall::line_busy).cycles, 3u);
  // The last one could have been accepted at once, had it not been behind.
  EXPECT_GT(b.latency(4), 100u);
  EXPECT_EQ(b.cache->stats().hits, 1u);
}

TEST(L1dStall, SetWithNoEligibleVictim) {
  Bench b("b");
  b.memory->latency = 50;
  b.script({load(0), load(kSet), load(2 * kSet)});
  b.run();
  EXPECT_EQ(b.stall(Stall::assoc_full).requests, 1u);
  EXPECT_EQ(b.stall(Stall::assoc_full).cycles, 52u);  // 3 to 54
  EXPECT_EQ(b.cache->stats().evictions, 1u);
}

TEST(L1dStall, AllocationOnFillHasNoAssociativityFails) {
  L1d::Params params = small();
  params.allocate = Allocate::on_fill;
  Bench b("b", params);
  b.script({load(0), load(kSet), load(2 * kSet), load(3 * kSet)});
  b.run();
  EXPECT_EQ(b.stall(Stall::assoc_full).requests, 0u);
  EXPECT_EQ(b.cache->stats().evictions, 2u);
}

TEST(L1dStall, MissQueueFull) {
  L1d::Params params = small();
  params.miss_queue = 2;
  Bench b("b", params);
  b.memory->asleep_until = 200;
  // The memory's queue of 4 and its holding register take five, the miss queue two.
  std::vector<Scripted> requests;
  for (unsigned i = 0; i < 10; ++i) requests.push_back(store(i * kLine, 1));
  b.script(requests);
  b.run();
  EXPECT_EQ(b.stall(Stall::miss_queue_full).requests, 1u);  // the others find room at once
  EXPECT_GT(b.stall(Stall::miss_queue_full).cycles, 180u);
}

// In MR 3.4 loads that are refused go past the cache; writes, atomics and local memory never do.
L1d::Params bypassing() {
  L1d::Params params = small();
  params.bypass = Bypass::any_rf;
  params.outstanding_writes = 2;
  return params;
}

TEST(L1dStall, RefusedLoadsBypass) {
  Bench b("b", bypassing());
  b.memory->latency = 50;
  b.fill(0, 4096);
  b.script({load(0), load(kSet), load(2 * kSet)});
  b.run();
  EXPECT_EQ(b.cache->stats().bypasses, 1u);
  EXPECT_EQ(b.stall(Stall::assoc_full).requests, 0u);
}

TEST(L1dStall, RefusedWritesAtomicsAndLocalLoadsWait) {
  Bench b("b", bypassing());
  b.memory->latency = 50;
  b.fill(0, 4096);
  b.fill(kLocalBase, 4096);
  b.script({store(0, 1), store(kLine, 2), store(2 * kLine, 3), atomic(3 * kLine, 1, 1),
            as_local(load(kLocalBase)), as_local(load(kLocalBase + kSet)),
            as_local(load(kLocalBase + 2 * kSet))});
  b.run();
  EXPECT_EQ(b.cache->stats().bypasses, 0u);
  EXPECT_EQ(b.stall(Stall::outstanding_full).requests, 1u);
  EXPECT_EQ(b.stall(Stall::assoc_full).requests, 1u);
}

TEST(L1dStall, HitsWaitForTheLink) {
  Bench b("b");
  b.fill(0, 128);
  testing_support::check_hits_wait_for_the_link(b);
}

TEST(L1dStall, OutstandingWritesFull) {
  L1d::Params params = small();
  params.outstanding_writes = 2;
  Bench b("b", params);
  b.memory->latency = 50;
  b.script({store(0, 1), store(kLine, 2), store(2 * kLine, 3), bypassed(load(0))});
  b.run();
  EXPECT_EQ(b.stall(Stall::outstanding_full).requests, 1u);
  EXPECT_GT(b.stall(Stall::outstanding_full).cycles, 50u);
}

/// Returns whether requests that a queue of such a front end held are among L1D's statistics.
bool counts_held_requests(FrontendKind kind) {
  L1d::Params params = small();
  params.frontend.kind = kind;
  const Bench b("b", params);
  StatRegistry registry;
  b.cache->register_stats(registry, 0);
  registry.begin_kernel("k");
  registry.end_kernel();
  return registry.csv().find("l1d.frontend.held") != std::string::npos;
}
TEST(L1dStall, WithoutQueuesNothingIsCountedAsHeld) {
  EXPECT_FALSE(counts_held_requests(FrontendKind::fifo));
}
TEST(L1dStall, TheNonblockingFrontEndHasNoQueuesThatHold) {
  EXPECT_FALSE(counts_held_requests(FrontendKind::nonblocking));
}
TEST(L1dStall, WhatTheMrpbHoldsIsCounted) { EXPECT_TRUE(counts_held_requests(FrontendKind::mrpb)); }

TEST(L1dStall, SkippingIdleCyclesChangesNothing) {
  testing_support::check_skipping<Bench>(with_few_writes(), 25);
}

TEST(L1dStall, SkippingIdleCyclesChangesNothingWithDl) {
  testing_support::check_skipping_with_dl<Bench>(with_few_writes(), 25);
}

}  // namespace
}  // namespace warpmem::l1d
