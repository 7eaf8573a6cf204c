// SPDX-License-Identifier: Apache-2.0
// DL-MSHR as the caches see it: the paper's worked example, the four options, statistics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "files/stats_json.hpp"
#include "support/mha_bench.hpp"

namespace warpmem::mha {
namespace {

using testing::HasSubstr;

MhaParams pool(std::uint32_t entries, std::uint32_t slots, double reserved = 0) {
  MhaParams p;
  p.kind = Kind::dl;
  p.entries = entries;
  p.slots = slots;
  p.reserved_fraction = reserved;
  return p;
}

/// Returns the statistics of one launch in which `body` runs.
template <class Body>
nlohmann::json stats_of(MhaBench& bench, Body&& body) {
  StatRegistry registry;
  bench->register_stats(registry.group("l1d"));
  registry.begin_kernel("k");
  body();
  registry.end_kernel();
  return nlohmann::json::parse(stats_json(registry))["total"];
}

// DL Fig 7 has 4 entries of 4 slots, or 8 sets of 2 slots.
TEST(DlMshr, WorkedExamplePrimaries) {
  MhaParams conventional;
  conventional.entries = conventional.slots = 4;
  MhaBench fixed(conventional);
  MhaBench dl(pool(4, 4));
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(fixed.allocate(i * kLine), Stall::none);
  EXPECT_EQ(fixed.allocate(4 * kLine), Stall::entry_full);
  for (unsigned i = 0; i < 8; ++i) EXPECT_EQ(dl.allocate(i * kLine), Stall::none);
  EXPECT_EQ(dl.allocate(8 * kLine), Stall::entry_full);
}

TEST(DlMshr, WorkedExampleSecondaries) {
  MhaParams conventional;
  conventional.entries = conventional.slots = 4;
  MhaBench fixed(conventional);
  MhaBench dl(pool(4, 4));
  fixed.allocate(0);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(fixed.merge(0), Stall::none);
  EXPECT_EQ(fixed.merge(0), Stall::merge_full);
  dl.allocate(0);
  for (unsigned i = 0; i < 15; ++i) EXPECT_EQ(dl.merge(0), Stall::none);
  EXPECT_EQ(dl.merge(0), Stall::merge_full);
  EXPECT_EQ(dl.fill_and_drain(0), 16u);
}

TEST(DlMshr, AccessTakesTwoCycles) {
  MhaBench dl(pool(4, 4));
  dl.allocate(0);
  EXPECT_EQ(dl.allocation().cycles, 2u);
  MhaBench conventional(MhaParams{});
  conventional.allocate(0);
  EXPECT_EQ(conventional.allocation().cycles, 1u);
}

TEST(DlMshr, TargetsOfAChainDrainInOrder) {
  MhaBench dl(pool(8, 8));
  std::vector<Payload*> order;
  for (unsigned i = 0; i < 7; ++i) {
    Payload& p = dl.payload();
    order.push_back(&p);
    dl.cycle([&] { return i == 0 ? dl.allocate(0, p) : dl->merge(0, p); });
    dl.allocate((10 + i) * kLine);  // sets of the chain do not follow each other
  }
  dl.cycle([&] { dl->fill(0); });
  for (Payload* p : order) {
    ASSERT_EQ(dl->target(), p);
    dl.cycle([&] { dl->pop_target(); });
  }
  EXPECT_EQ(dl->target(), nullptr);
  EXPECT_EQ(dl->find(0), Match::none);
}

// A set released in cycle n (the last target's) can be had in n + 2: n + 1 is spent in S5.
TEST(DlMshr, ReleaseOfASingleSet) {
  for (const unsigned cycles : {0u, 1u}) {
    MhaBench dl(pool(1, 2));
    dl.allocate(0);
    dl.cycle([&] { dl->fill(0); });
    dl.cycle([&] { dl->pop_target(); });
    EXPECT_EQ(dl->find(0), Match::none);
    dl.pass(cycles);
    EXPECT_EQ(dl.allocate(kLine), cycles == 0 ? Stall::entry_full : Stall::none);
  }
}

TEST(DlMshr, ReleaseOfAChainTakesACycleASet) {
  MhaBench dl(pool(3, 2));
  dl.allocate(0);
  for (int i = 0; i < 5; ++i) dl.merge(0);
  dl.fill_and_drain(0);
  for (const char* free : {"0/3 sets free", "1/3 sets free", "2/3 sets free"}) {
    EXPECT_THAT(dl->describe(), HasSubstr(free));
    EXPECT_TRUE(dl->busy());
    dl.pass(1);
  }
  EXPECT_THAT(dl->describe(), HasSubstr("3/3 sets free"));
  EXPECT_FALSE(dl->busy());
}

// While another block is outstanding the cache may sleep through the release of a chain: 3 sets
// take until n + 4 whether or not the cycles between are told.
TEST(DlMshr, CyclesLeftOutAreMadeUpFor) {
  for (const bool told : {true, false}) {
    for (const unsigned cycles : {1u, 2u, 3u, 4u, 9u}) {
      MhaBench dl(pool(4, 2));
      dl.allocate(kLine);
      dl.allocate(0);
      for (int i = 0; i < 5; ++i) dl.merge(0);
      dl.cycle([&] { dl->fill(0); });
      EXPECT_FALSE(dl->may_rest()) << "targets are to leave";
      while (dl->target() != nullptr) dl.cycle([&] { dl->pop_target(); });
      ASSERT_TRUE(dl->busy());
      EXPECT_TRUE(dl->may_rest());
      if (told)
        dl.pass(cycles);
      else
        dl.skip(cycles);
      dl.cycle([] {});
      EXPECT_THAT(dl->describe(),
                  HasSubstr(std::to_string(std::min(cycles + 1, 3u)) + "/4 sets free"))
          << told << cycles;
    }
  }
}

// The cache is idle when the last set is free, and whoever waits for that is to see the cycle.
TEST(DlMshr, TheLastReleaseIsNotPutOff) {
  MhaBench dl(pool(4, 2));
  dl.allocate(0);
  dl.fill_and_drain(0);
  EXPECT_TRUE(dl->busy());
  EXPECT_FALSE(dl->may_rest());
}

TEST(DlMshr, ReservedHalfCannotBeLinked) {
  MhaBench dl(pool(4, 4, 0.5));  // 8 sets, 4 reserved
  dl.allocate(0);
  for (unsigned i = 0; i < 9; ++i) EXPECT_EQ(dl.merge(0), Stall::none) << i;
  EXPECT_EQ(dl.merge(0), Stall::merge_full);  // 5 sets of 2
  for (unsigned i = 1; i <= 3; ++i) EXPECT_EQ(dl.allocate(i * kLine), Stall::none);
  EXPECT_EQ(dl.allocate(4 * kLine), Stall::entry_full);
}

// The cycle of the access finds the head, which is the tail of a chain of one set.
TEST(DlMshr, WithoutTailPointerAMergeTakesACyclePerSet) {
  MhaParams params = pool(4, 4);
  params.tail_pointer = false;
  MhaBench dl(params);
  dl.allocate(0);
  for (unsigned sets = 1, slot = 1; slot < 6; ++slot) {
    Payload& p = dl.payload();
    unsigned waited = 0;
    while (dl.cycle([&] { return dl->merge(0, p); }) == Stall::mshr_search) ++waited;
    EXPECT_EQ(waited, sets - 1);
    if (slot % 2 == 0) ++sets;  // this one was linked
  }
}

TEST(DlMshr, SearchEndsWithItsBlock) {
  MhaParams params = pool(4, 4);
  params.tail_pointer = false;
  MhaBench dl(params);
  Payload& p = dl.payload();
  const auto chain_of_two_sets = [&] {
    dl.allocate(0);
    for (int i = 0; i < 2; ++i) EXPECT_EQ(dl.merge(0), Stall::none);
  };
  chain_of_two_sets();
  EXPECT_EQ(dl.cycle([&] { return dl->merge(0, p); }), Stall::mshr_search);
  dl.fill_and_drain(0);
  dl.settle();
  chain_of_two_sets();
  EXPECT_EQ(dl.cycle([&] { return dl->merge(0, p); }), Stall::mshr_search);
  EXPECT_EQ(dl.cycle([&] { return dl->merge(0, p); }), Stall::none);
}

TEST(DlMshr, ComparatorsOfHeadsOnly) {
  for (const bool gating : {true, false}) {
    MhaParams params = pool(4, 4, 0.25);  // 8 sets, 2 reserved
    params.comparator_gating = gating;
    MhaBench dl(params);
    const auto stats = stats_of(dl, [&] {
      for (Addr block = 0; block < 4; ++block) dl.allocate(block * kLine);
      dl.merge(0);
      for (Addr block = 0; block < 4; ++block) dl.fill_and_drain(block * kLine);
      dl.settle();
      dl.allocate(0);  // nothing but the reserved sets is a head
      dl.fill_and_drain(0);
      dl.settle();
    });
    // Before each search H is set in 2 reserved sets, then in one ordinary head more each: 2 2 2 3
    // 4, at last 2.
    EXPECT_EQ(stats["stats"]["l1d.mshr.comparator_activations"], gating ? 15 : 6 * 8);
  }
}

TEST(DlMshr, Statistics) {
  MhaBench dl(pool(4, 4, 0.5));
  const auto stats = stats_of(dl, [&] {
    dl.allocate(0);
    for (int i = 0; i < 4; ++i) dl.merge(0);  // a chain of 3
    dl.allocate(kLine);
    dl.fill_and_drain(0);
    dl.fill_and_drain(kLine);
    dl.settle();
  });
  EXPECT_EQ(stats["stats"]["l1d.mshr.links"], 2);
  EXPECT_EQ(stats["stats"]["l1d.mshr.link_hops"], 2);  // merges 3 and 4, by the tail pointer
  EXPECT_EQ(stats["stats"]["l1d.mshr.reserved_heads"], 2);
  EXPECT_EQ(stats["stats"]["l1d.mshr.search_cycles"], 0);
  EXPECT_EQ(stats["stats"]["l1d.mshr.peak"], 6);
  const auto& histogram = stats["histograms"]["l1d.mshr.chain_length"];
  EXPECT_EQ(histogram["counts"][0], 1) << histogram;
  EXPECT_EQ(histogram["counts"][2], 1) << histogram;
}

TEST(DlMshr, LawFindsATargetThatIsLeft) {
  MhaBench dl(pool(4, 4));
  EXPECT_THROW(stats_of(dl, [&] { dl.allocate(0); }), SimulationError);
}

TEST(DlMshr, DescribesWhatIsInUse) {
  MhaBench dl(pool(4, 4));
  dl.allocate(5 * kLine);
  dl.allocate(6 * kLine);
  dl.cycle([&] { dl->close(5 * kLine); });
  dl.cycle([&] { dl->fill(6 * kLine); });
  EXPECT_THAT(dl->describe(), HasSubstr("2 blocks, 6/8 sets free"));
  EXPECT_THAT(dl->describe(), HasSubstr("set 0: block 0x280, chain of 1, 1 targets, closed"));
  EXPECT_THAT(dl->describe(), HasSubstr("set 1: block 0x300, chain of 1, 1 targets, 0 drained"));
}

TEST(DlMshr, OtherViewsComeFromTheFactories) {
  MhaParams params = pool(4, 4);
  params.dau = View::rtl;
  EXPECT_THROW(MhaBench{params}, UserError);
}

}  // namespace
}  // namespace warpmem::mha
