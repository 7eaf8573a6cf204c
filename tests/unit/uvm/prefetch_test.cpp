// SPDX-License-Identifier: Apache-2.0
// Prefetchers: the worked examples of GU chapter 4, and random histories against a naive recount.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "fake_memory.hpp"
#include "uvm/prefetch/cap.hpp"
#include "uvm/prefetch/none.hpp"
#include "uvm/prefetch/random.hpp"
#include "uvm/prefetch/sequential.hpp"
#include "uvm/prefetch/tree.hpp"

namespace warpmem::uvm {
namespace {

std::vector<PageNumber> sorted(std::vector<PageNumber> pages) {
  std::sort(pages.begin(), pages.end());
  return pages;
}

TEST(NoPrefetcher, BringsThePageAlone) {
  FakeMemory memory(kMiB);
  NoPrefetcher none;
  memory.prefetcher = &none;
  const Allocation& a = memory.allocate(kBase, kMiB);
  EXPECT_THAT(memory.fault(a.first + 5), testing::ElementsAre(a.first + 5));
}

TEST(SequentialPrefetcher, BringsTheRestOfTheAlignedBlockFaultFirst) {
  FakeMemory memory(kMiB);
  SequentialPrefetcher sequential(memory, 12);
  memory.prefetcher = &sequential;
  const Allocation& a = memory.allocate(kBase, kMiB);
  memory.bring(a.first + 17);  // present already
  memory.fetch(a.first + 18);  // it is on its way already
  std::vector<PageNumber> expected = {a.first + 20, a.first + 16, a.first + 19};
  for (PageNumber p = a.first + 21; p < a.first + 32; ++p) expected.push_back(p);
  EXPECT_EQ(memory.fault(a.first + 20), expected);
}

TEST(SequentialPrefetcher, StaysWithinTheAllocation) {
  FakeMemory memory(kMiB);
  SequentialPrefetcher sequential(memory, 12);
  memory.prefetcher = &sequential;
  const Allocation& a = memory.allocate(kBase + 40 * kKiB, 10 * kKiB);  // pages 10..12 of a block
  memory.allocate(kBase + 52 * kKiB, 64 * kKiB);
  EXPECT_THAT(memory.fault(a.first + 1), testing::ElementsAre(a.first + 1, a.first, a.first + 2));
}

TEST(SequentialPrefetcher, LargePagesComeAlone) {
  FakeMemory memory(64 * kMiB, 21);
  SequentialPrefetcher sequential(memory, 21);
  memory.prefetcher = &sequential;
  const Allocation& a = memory.allocate(kBase, 8 * kMiB);
  EXPECT_THAT(memory.fault(a.first + 2), testing::ElementsAre(a.first + 2));
}

TEST(RandomPrefetcher, BringsOneMoreOfTheRegionWithEqualChance) {
  FakeMemory memory(64 * kMiB);
  RandomPrefetcher random(memory, 12, 7);
  memory.prefetcher = &random;
  const Allocation& a = memory.allocate(kBase, 4 * kMiB);
  for (PageNumber p = a.first + 512; p < a.first + 1020; ++p) memory.bring(p);
  std::map<PageNumber, int> counts;
  for (int i = 0; i < 3000; ++i) {
    const auto pages = memory.fault(a.first + 1021);
    ASSERT_EQ(pages.size(), 2u);
    EXPECT_EQ(pages[0], a.first + 1021);
    ++counts[pages[1]];
  }
  ASSERT_EQ(counts.size(), 3u);  // 1020, 1022, 1023
  for (const auto& [page, times] : counts) {
    EXPECT_NE(page, a.first + 1021);
    EXPECT_NEAR(times, 1000, 120);
  }
  for (const PageNumber p : {1020, 1022, 1023}) memory.bring(a.first + p);
  EXPECT_THAT(memory.fault(a.first + 1021), testing::ElementsAre(a.first + 1021));
}

TEST(RandomPrefetcher, SameSeedSamePages) {
  FakeMemory memory(64 * kMiB);
  const Allocation& a = memory.allocate(kBase, 4 * kMiB);
  RandomPrefetcher one(memory, 12, 3), two(memory, 12, 3);
  for (int i = 0; i < 50; ++i) {
    memory.prefetcher = &one;
    const auto pages = memory.fault(a.first + i);
    memory.prefetcher = &two;
    EXPECT_EQ(memory.fault(a.first + i), pages);
  }
}

// GU Fig 4.3 has a tree over 512 KiB with leaves 2 6 6 1 4 3 5 6 from left to right; faults 1 to 4
// bring their own leaf, the fifth makes the root 62.5 % full and brings the rest (6).
TEST(TreePrefetcher, Figure4_3) {
  FakeMemory memory(64 * kMiB);
  TreePrefetcher tree(memory, 12);
  memory.prefetcher = &tree;
  const Allocation& a = memory.allocate(kBase, 512 * kKiB);
  const auto leaf = [&](unsigned l) { return range(a.first + 16 * l, 16); };
  for (const unsigned l : {3u, 0u, 5u, 4u}) {
    const PageNumber page = a.first + 16 * l + 7;
    const auto pages = memory.fault(page);
    EXPECT_EQ(pages.front(), page);  // 4 KiB on demand and 60 KiB with it
    EXPECT_EQ(sorted(pages), leaf(l));
    for (const PageNumber p : pages) memory.bring(p);
  }
  auto expected = leaf(6);
  for (const unsigned l : {1u, 2u, 7u})
    for (const PageNumber p : leaf(l)) expected.push_back(p);
  EXPECT_EQ(sorted(memory.fault(a.first + 16 * 6)), sorted(expected));
}

TEST(TreePrefetcher, ExactlyHalfIsNotEnough) {
  FakeMemory memory(64 * kMiB);
  TreePrefetcher tree(memory, 12);
  memory.prefetcher = &tree;
  const Allocation& a = memory.allocate(kBase, 2 * kMiB);
  const auto fault = [&](unsigned l) {
    const auto pages = memory.fault(a.first + 16 * l);
    for (const PageNumber p : pages) memory.bring(p);
    return pages.size() / 16;
  };
  EXPECT_EQ(fault(0), 1u);    // 1 of 2
  EXPECT_EQ(fault(1), 1u);    // 2 of 4: half of the node above
  EXPECT_EQ(fault(2), 2u);    // 3 of 4: leaf 3 comes along; 4 of 8
  EXPECT_EQ(fault(4), 4u);    // 5 of 8; then 8 of 16
  EXPECT_EQ(fault(8), 8u);    // 9 of 16; then 16 of 32
  EXPECT_EQ(fault(16), 16u);  // 17 of 32: the whole tree
}

TEST(TreePrefetcher, AnIncompleteTreeCountsOnlyWhatThereIs) {
  FakeMemory memory(64 * kMiB);
  TreePrefetcher tree(memory, 12);
  memory.prefetcher = &tree;
  const Allocation& a = memory.allocate(kBase, 2 * kMiB + 168 * kKiB);  // the second has 42 pages
  EXPECT_EQ(sorted(memory.fault(a.first + 512)), range(a.first + 512, 16));
  for (const PageNumber p : range(a.first + 512, 16)) memory.bring(p);
  // With 32 of 42 pages the third leaf, of 10 pages, comes too.
  EXPECT_EQ(sorted(memory.fault(a.first + 530)), range(a.first + 528, 26));
}

// Returns the region that a naive reading of the rule gives: every node is counted anew from the
// pages themselves.
PageSpan naive_region(const FakeMemory& memory, const Allocation& a, PageNumber page) {
  const auto in = [&](PageNumber p) { return a.contains(p); };
  std::set<PageNumber> present;
  for (PageNumber p = a.first; p < a.first + a.pages; ++p)
    if (!memory.absent(p)) present.insert(p);
  PageNumber first = page / 16 * 16, last = first + 16;
  for (PageNumber p = first; p < last; ++p)
    if (in(p)) present.insert(p);
  PageSpan region{first, last};
  for (std::uint64_t size = 32; size <= 512; size *= 2) {
    first = page / size * size;
    last = first + size;
    std::uint64_t there = 0, all = 0;
    for (PageNumber p = first; p < last; ++p) {
      if (!in(p)) continue;
      ++all;
      there += present.count(p);
    }
    if (there * 2 <= all) continue;
    for (PageNumber p = first; p < last; ++p)
      if (in(p)) present.insert(p);
    region = {first, last};
  }
  return region;
}

TEST(TreePrefetcher, RandomHistoriesAgainstARecount) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    FakeMemory memory(64 * kMiB);
    TreePrefetcher tree(memory, 12);
    memory.prefetcher = &tree;
    for (unsigned i = 0; i < 3; ++i)  // not multiples of a leaf, the last one not aligned to a tree
      memory.allocate(kBase + i * 8 * kMiB + (i == 2 ? 36 * kKiB : 0),
                      kMiB + random.below(3 * kMiB));
    for (int step = 0; step < 400; ++step) {
      const Allocation& a = memory.allocations()[random.below(3)];
      const PageNumber page = a.first + random.below(a.pages);
      if (memory.resident(page)) {
        // Whatever leaves: a page, or all up to the end of its leaf.
        const PageNumber end = random.chance(50) ? page + 1 : (page / 16 + 1) * 16;
        for (PageNumber p = page; p < end; ++p)
          if (memory.resident(p)) memory.drop(p, false);
      } else if (memory.absent(page)) {
        const PageSpan region = naive_region(memory, a, page);
        std::vector<PageNumber> expected;
        for (PageNumber p = region.first; p < region.last; ++p)
          if (a.contains(p) && memory.absent(p)) expected.push_back(p);
        const auto pages = memory.fault(page);
        EXPECT_EQ(pages.front(), page);
        ASSERT_EQ(sorted(pages), expected);
        for (const PageNumber p : pages)
          if (random.chance(90)) memory.fetch(p);
      } else {
        memory.bring(page);
      }
    }
  }
}

// This is an allocation of its own size in a memory that leaves `available`.
struct CapCase {
  std::uint64_t available, own, others;
  std::uint64_t granularity(bool oversubscribed = false, const CapParams& params = {}) const {
    FakeMemory memory(available);
    CapPrefetcher cap(memory, 12, params);
    const Allocation& a = memory.allocate(kBase, own);
    if (others != 0) memory.allocate(kBase + (Addr(1) << 32), others);
    memory.short_of_memory = oversubscribed;
    return cap.granularity(a);
  }
};

TEST(CapPrefetcher, RoundsDownToACandidate) {
  // The equation is G = 4 MiB * (own / (all * 1.1)).
  EXPECT_EQ((CapCase{462 * kKiB, 64 * kMiB, 0}.granularity()), 256 * kKiB);  // 420 KiB: GU 4.3.1.1
  EXPECT_EQ((CapCase{564 * kKiB, 64 * kMiB, 0}.granularity()), 512 * kKiB);  // 512.7 KiB
  EXPECT_EQ((CapCase{560 * kKiB, 64 * kMiB, 0}.granularity()), 256 * kKiB);  // 509.1 KiB
  EXPECT_EQ((CapCase{1 << 30, 20 * kMiB, 0}.granularity()), kMiB);           // the largest
  EXPECT_EQ((CapCase{32 * kKiB, 20 * kMiB, 0}.granularity()), 64 * kKiB);    // the smallest
}

TEST(CapPrefetcher, ShareOfTheAllocation) {
  // With 1 of 4 MiB requested and 2 MiB free it is 2 MiB / 4.4 = 465 KiB.
  EXPECT_EQ((CapCase{2 * kMiB, kMiB, 3 * kMiB}.granularity()), 256 * kKiB);
  EXPECT_EQ((CapCase{2 * kMiB, 3 * kMiB, kMiB}.granularity()), kMiB);  // 1396 KiB
}

TEST(CapPrefetcher, CappedByTheSizeOfTheAllocation) {
  EXPECT_EQ((CapCase{1 << 30, 220 * kKiB, 0}.granularity()), 128 * kKiB);  // GU 4.3.1.1
  EXPECT_EQ((CapCase{1 << 30, 256 * kKiB, 0}.granularity()), 256 * kKiB);
  EXPECT_EQ((CapCase{1 << 30, 10 * kKiB, 0}.granularity()), 64 * kKiB);
}

TEST(CapPrefetcher, FixedSizeWhileOversubscribed) {
  EXPECT_EQ((CapCase{4 * kKiB, 64 * kMiB, 0}.granularity(true)), 512 * kKiB);  // GU 4.3.1.2
  CapParams params;
  params.oversubscribed_bytes = 2 * kMiB;
  EXPECT_EQ((CapCase{4 * kKiB, 64 * kMiB, 0}.granularity(true, params)), 2 * kMiB);
}

TEST(CapPrefetcher, LooksOncePer64KiB) {
  FakeMemory memory(564 * kKiB);
  CapPrefetcher cap(memory, 12, {});
  memory.prefetcher = &cap;
  const Allocation& a = memory.allocate(kBase, 64 * kMiB);
  memory.short_of_memory = true;
  for (PageNumber p = a.first + 128; p < a.first + 144; ++p) memory.bring(p);  // block 8
  memory.bring(a.first + 160);                                                 // first of block 10
  memory.bring(a.first + 177);                                                 // second of block 11
  const auto pages = memory.fault(a.first + 200);                              // block 12
  EXPECT_EQ(pages.front(), a.first + 200);
  EXPECT_EQ(cap.stats().presence_checks, 8u);
  // Blocks 9 and 11 to 15 come; page 177 is there already.
  EXPECT_EQ(pages.size(), 16u + 15 + 4 * 16);
  EXPECT_EQ(std::set<PageNumber>(pages.begin(), pages.end()).size(), pages.size());
  for (const PageNumber p : pages) EXPECT_TRUE(memory.absent(p)) << p - a.first;
}

TEST(CapPrefetcher, AFaultBesideAPresentFirstPageComesAlone) {
  FakeMemory memory(64 * kKiB);
  CapPrefetcher cap(memory, 12, {});
  memory.prefetcher = &cap;
  const Allocation& a = memory.allocate(kBase, 64 * kMiB);
  memory.bring(a.first);
  EXPECT_THAT(memory.fault(a.first + 3), testing::ElementsAre(a.first + 3));
}

TEST(CapParams, SmallestAboveLargest) {
  CapParams params;
  params.min_bytes = kMiB;
  params.max_bytes = 512 * kKiB;
  Problems problems;
  params.validate(problems, "uvm.cap");
  EXPECT_THAT(problems.list(), testing::ElementsAre(testing::HasSubstr("uvm.cap.min")));
}

}  // namespace
}  // namespace warpmem::uvm
