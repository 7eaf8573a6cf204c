// SPDX-License-Identifier: Apache-2.0
// A unified L1 (docs/mechanisms.md 1.11): which carve-out a kernel gets, and what it leaves of L1D.
#include "l1d/carveout.hpp"

#include <gmock/gmock.h>

#include "unit/l1d/l1d_bench.hpp"

namespace warpmem::l1d {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kKiB = 1024;

Carveout volta(const std::string& size = "auto") {
  Problems problems;
  const Carveout carveout = read_carveout(size, L1dParams().carveout_steps, problems);
  EXPECT_TRUE(problems.empty());
  return carveout;
}

TEST(Carveout, IsTheSmallestStepThatHoldsTheBlocksThatFit) {
  EXPECT_EQ(volta().of(0, 32), 0u);
  EXPECT_EQ(volta().of(1, 32), 8 * kKiB);
  EXPECT_EQ(volta().of(8 * kKiB, 4), 32 * kKiB);
  EXPECT_EQ(volta().of(8 * kKiB + 1, 4), 64 * kKiB);
  EXPECT_EQ(volta().of(48 * kKiB, 2), 96 * kKiB);
  EXPECT_EQ(volta().of(33 * kKiB, 2), 96 * kKiB);
}

TEST(Carveout, OfASizeIsRoundedUpAndHoldsABlock) {
  EXPECT_EQ(volta("20 KiB").of(0, 32), 32 * kKiB);
  EXPECT_EQ(volta("20KiB").of(4 * kKiB, 32), 32 * kKiB);
  EXPECT_EQ(volta("20 KiB").of(40 * kKiB, 1), 64 * kKiB);
  EXPECT_EQ(volta("0").of(0, 32), 0u);
  EXPECT_EQ(volta("96 KiB").of(8, 1), 96 * kKiB);
}

std::string error_of(const L1dParams& params) {
  Problems problems;
  params.validate(problems);
  return problems.empty() ? "" : problems.list().front();
}

/// 128 KiB in 64 sets of 16 ways.
L1dParams unified() {
  L1dParams params;
  params.unified = 128 * kKiB;
  params.ways = 16;
  params.write = Write::through_update;
  return params;
}

TEST(Carveout, WhatCannotBeIsOneMessageWithBothKeys) {
  EXPECT_EQ(error_of(unified()), "");
  L1dParams p = unified();
  p.write = Write::through_evict;
  EXPECT_THAT(error_of(p), HasSubstr("l1d.write: through_evict, as on Fermi, with l1d.unified"));
  p = unified();
  p.enable = false;
  EXPECT_EQ(error_of(p), "") << "shared memory still has its carve-out";
  p = unified();
  p.carveout = "most";
  EXPECT_THAT(error_of(p), HasSubstr("l1d.carveout: most is no size; allowed: auto, or a size"));
  p.carveout = "97 KiB";
  EXPECT_THAT(error_of(p), HasSubstr("l1d.carveout: 97 KiB of l1d.unified 128 KiB; allowed: auto, "
                                     "or at most the largest of l1d.carveout_steps, 96 KiB"));
  p = unified();
  p.carveout_steps = "0, 16 KiB, 8 KiB";
  EXPECT_THAT(error_of(p), HasSubstr("l1d.carveout_steps: 8 KiB after 16 KiB; allowed: ascending"));
  p.carveout_steps = "0, , 8 KiB";
  EXPECT_THAT(error_of(p), HasSubstr("l1d.carveout_steps: an empty value is no size"));
  p.carveout_steps = "0, 256 KiB";
  EXPECT_THAT(error_of(p), HasSubstr("l1d.carveout_steps: 256 KiB of l1d.unified 128 KiB leaves "
                                     "nothing for L1D; allowed: what leaves whole ways of 8 KiB"));
  p.carveout_steps = "0, 128 KiB";
  EXPECT_THAT(error_of(p), HasSubstr("leaves nothing for L1D"));
  p.carveout_steps = "0, 100 KiB";
  EXPECT_THAT(error_of(p), HasSubstr("100 KiB of l1d.unified 128 KiB leaves 28 KiB for L1D; "
                                     "allowed: what leaves whole ways of 8 KiB (l1d.unified / "
                                     "l1d.ways), at least one"));
  p = unified();
  p.ways = 3;
  EXPECT_THAT(error_of(p), HasSubstr("l1d.unified: 131072 bytes with l1d.ways 3 and l1d.line 128"));
}

/// 2 KiB in 4 sets of 4 ways, of which the carve-out leaves `ways`.
L1d::Params with_ways(unsigned ways, mha::Kind kind = mha::Kind::conventional) {
  L1d::Params params = small();
  params.unified = 2048;
  params.ways = 4;
  params.write = Write::through_update;
  params.carveout_steps = "0, 512, 1 KiB, 1536";
  params.carveout = std::to_string((4 - ways) * 512);
  params.mshr.kind = kind;
  return params;
}

// Four lines of one set, twice: they stay where there are four ways, and none does where LRU has
// three.
TEST(Carveout, LeavesSomeWaysOfEachSet) {
  Bench four("four", with_ways(4)), three("three", with_ways(3)), one("one", with_ways(1));
  std::vector<Scripted> script;
  for (Cycle at : {0, 400})
    for (Addr line = 0; line < 4; ++line) script.push_back(load(line * 512, at + 50 * line));
  script.push_back(load(3 * 512, 700));
  for (Bench* b : {&four, &three, &one}) {
    b->fill(0, 4096);
    b->script(script);
  }
  for (Bench* b : {&four, &three, &one}) b->run();
  EXPECT_EQ(four.cache->stats().hits, 5u);
  EXPECT_EQ(three.cache->stats().hits, 1u);
  EXPECT_EQ(three.cache->stats().evictions, 5u);
  EXPECT_EQ(one.cache->stats().hits, 1u);
  EXPECT_EQ(one.cache->stats().evictions, 7u);
  EXPECT_NE(stats_json(three.stats).find("\"l1d.size\": 1536"), std::string::npos);
  EXPECT_NE(stats_json(three.stats).find("\"l1d.carveout\": 512"), std::string::npos);
}

// Between launches L1D is empty: what local memory left dirty went with its block.
TEST(Carveout, ChangesBetweenLaunches) {
  Bench b("b", with_ways(4));
  b.fill(0, 4096);
  std::vector<Scripted> script{as_local(store(kLocalBase + kLine, 3, 0, 32))};
  for (Addr line = 0; line < 4; ++line) script.push_back(load(line * 512, 100 + 50 * line));
  for (Addr line = 0; line < 4; ++line) script.push_back(load(line * 512, 1000 + 50 * line));
  b.script(script);
  b.step(900);
  ASSERT_TRUE(b.cache->idle());
  b.cache->invalidate_all();
  b.cache->set_carveout(1024);
  b.run();
  EXPECT_EQ(b.cache->stats().hits, 0u);
  EXPECT_EQ(b.memory->writes(), 0u);
  EXPECT_EQ(b.cache->stats().evictions, 2u) << "both after the change";
}

// One way is left: TSMA locks the set with its first miss, HTSMA sends every miss to the s-MSHR.
TEST(Carveout, WaysTakenAwayCountAsShared) {
  Bench tsma("locking", with_ways(1, mha::Kind::tsma)),
      htsma("steering", with_ways(1, mha::Kind::htsma));
  for (Bench* b : {&tsma, &htsma}) {
    b->fill(0, 4096);
    b->memory->latency = 50;
    b->script({load(0, 0), load(512, 1)});
  }
  tsma.run();
  htsma.run();
  EXPECT_GT(tsma.stall(Stall::set_locked).cycles, 40u);
  EXPECT_EQ(htsma.stall(Stall::set_locked).cycles, 0u);
}

}  // namespace
}  // namespace warpmem::l1d
