// SPDX-License-Identifier: Apache-2.0
// l1d.write_miss: allocate. Stores put their bytes into lines of L1D, whose other bytes are fetched
// when they are read.
#include <gtest/gtest.h>

#include <vector>

#include "unit/l1d/l1d_bench.hpp"

namespace warpmem::l1d {
namespace {

L1d::Params allocating(unsigned sector = 32) {
  L1d::Params p = small();
  p.write = Write::through_update;
  p.write_miss = WriteMiss::allocate;
  p.sector_bytes = sector;
  return p;
}
Scripted first_word(Scripted s) {
  s.enables = 0xf;
  return s;
}

TEST(WriteAllocation, WhatAStoreHasWrittenIsHit) {
  Bench b("b", allocating());
  b.fill(0, 128);
  b.script({store(0, 5, 0, 32), wanting(1, load(0, 100, 32))});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.write_misses, 1u);
  EXPECT_EQ(s.write_allocations, 1u);
  EXPECT_EQ(s.hits, 1u);
  EXPECT_EQ(s.primary_misses, 0u);
  EXPECT_EQ(b.memory->writes(), 1u);  // it goes to L2 all the same
  EXPECT_EQ(b.memory->reads(), 0u);
  EXPECT_EQ(b.initiator->first_byte[1], 5);
}

TEST(WriteAllocation, MissingBytesAreFetchedWhenTheyAreRead) {
  Bench b("b", allocating());
  b.fill(0, 128);
  b.script({first_word(store(0, 5, 0, 32)), wanting(1, load(0, 100, 32)),
            wanting(1, load(0, 200, 32)), wanting(1, load(32, 300, 32))});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.write_allocations, 1u);
  EXPECT_EQ(s.sector_misses, 2u);  // the rest of the first sector, then the second
  EXPECT_EQ(s.hits, 1u);
  EXPECT_EQ(b.memory->reads(), 2u);
  EXPECT_EQ(b.initiator->first_byte[1], 5);
}

TEST(WriteAllocation, LinesWithoutSectorsHaveAMaskOfBytesToo) {
  Bench b("b", allocating(0));
  b.fill(0, 128);
  b.script({first_word(store(0, 5, 0, 32)), load(0, 100), load(0, 200)});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.write_allocations, 1u);
  EXPECT_EQ(s.sector_misses, 1u);
  EXPECT_EQ(s.hits, 1u);
  EXPECT_EQ(b.memory->reads(), 1u);
}

TEST(WriteAllocation, StoresToOneLineShareIt) {
  Bench b("b", allocating());
  b.fill(0, 128);
  b.script({store(0, 5, 0, 32), store(32, 6, 50, 32), first_word(store(0, 7, 100, 32)),
            wanting(3, load(0, 200, 64))});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.write_allocations, 2u);  // a line, and a further sector of it
  EXPECT_EQ(s.write_updates, 1u);
  EXPECT_EQ(s.evictions, 0u);
  EXPECT_EQ(s.hits, 1u);
  EXPECT_EQ(b.initiator->first_byte[3], 7);
}

// A miss is under way: the store goes to L2 behind it, and what comes back is older.
TEST(WriteAllocation, AnOutstandingMissIsClosedAsBefore) {
  Bench b("b", allocating());
  b.fill(0, 128);
  b.memory->latency = 40;
  b.script({wanting(1, load(0, 0, 32)), store(0, 5, 10, 32), wanting(1, load(0, 100, 32))});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.write_allocations, 0u);
  EXPECT_EQ(s.closed_entries, 1u);
  EXPECT_EQ(s.primary_misses, 2u);
}

// Two dirty lines of local memory fill the set.
TEST(WriteAllocation, AStoreWaitsForNoLine) {
  Bench b("b", allocating());
  b.fill(kLocalBase, 4 * kLine * 2);
  const Addr next_set = 4 * kLine;
  b.script({as_local(store(kLocalBase, 1, 0)), as_local(store(kLocalBase + next_set, 2, 50)),
            store(0, 5, 100, 32)});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.write_misses, 1u);
  EXPECT_EQ(s.write_allocations, 0u);
  EXPECT_EQ(s.writebacks, 0u);
}

TEST(WriteAllocation, LocalStoresTakeALineWithoutFetchingIt) {
  Bench b("b", allocating());
  b.fill(kLocalBase, 128);
  b.script({as_local(first_word(store(kLocalBase, 5, 0, 32))),
            as_local(wanting(1, load(kLocalBase, 100, 32)))});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.placements, 1u);
  EXPECT_EQ(s.primary_misses, 1u);  // the rest of the sector
  EXPECT_EQ(b.memory->reads(), 1u);
  EXPECT_EQ(b.initiator->first_byte[1], 5);
}

struct Heard : LocalityListener {
  std::vector<Locality> kinds;
  void l1d_accessed(const LocalityEvent& event, Cycle) override { kinds.push_back(event.kind); }
};
Scripted by_warp(std::uint16_t warp, Scripted s) {
  s.warp = warp;
  return s;
}
// Whether a hit is intra or inter tells whose the line is.
TEST(WriteAllocation, TheLineBelongsToTheStoringWarp) {
  L1dParams params = allocating();
  params.observe_locality = true;
  Bench b("b", params);
  Heard heard;
  b.cache->set_listener(&heard);
  b.script({by_warp(3, store(0, 5, 0, 32)), by_warp(3, wanting(1, load(0, 100, 32))),
            by_warp(4, wanting(1, load(0, 200, 32))),
            by_warp(5, as_local(store(kLocalBase, 6, 300, 32))),
            by_warp(5, as_local(wanting(1, load(kLocalBase, 400, 32)))),
            by_warp(0, as_local(wanting(1, load(kLocalBase, 500, 32))))});
  b.run();
  EXPECT_EQ(heard.kinds, (std::vector<Locality>{Locality::intra, Locality::inter, Locality::intra,
                                                Locality::inter}));
}

TEST(WriteAllocation, APrefetchCacheKeepsNoStores) {
  L1d::Params params = allocating();
  params.keep = Keep::prefetches;
  Bench b("b", params);
  b.fill(0, 128);
  b.fill(kLocalBase, 128);
  b.script(
      {store(0, 5, 0, 32), wanting(1, load(0, 100, 32)), as_local(store(kLocalBase, 6, 200, 32))});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.write_allocations, 0u);
  EXPECT_EQ(s.hits, 0u);
  EXPECT_EQ(s.placements, 1u);  // lines of local memory are always kept
}

}  // namespace
}  // namespace warpmem::l1d
