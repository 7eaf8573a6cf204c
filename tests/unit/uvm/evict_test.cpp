// SPDX-License-Identifier: Apache-2.0
// Evictors that keep an LRU list or draw lots: examples, and random histories against a sorted
// list.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "base/random.hpp"
#include "fake_memory.hpp"
#include "uvm/block.hpp"
#include "uvm/evict/nvidia.hpp"
#include "uvm/evict/random.hpp"
#include "uvm/evict/sequential.hpp"
#include "uvm/evict/tree.hpp"

namespace warpmem::uvm {
namespace {

TEST(SequentialEvictor, TheBlockOfTheOldestPage) {
  FakeMemory memory(64 * kMiB);
  SequentialEvictor evictor(memory, 12);
  memory.evictor = &evictor;
  const Allocation& a = memory.allocate(kBase, kMiB);
  for (const PageNumber p : range(a.first, 48)) memory.bring(p);
  // All of block 0 but page 3, and all of blocks 1 and 2, are used: page 3 is the oldest.
  for (const PageNumber p : range(a.first + 16, 32)) memory.touch(p);
  for (const PageNumber p : range(a.first, 16))
    if (p != a.first + 3) memory.touch(p);
  EXPECT_EQ(memory.evict(1), range(a.first, 16));
  EXPECT_EQ(memory.evict(17), range(a.first + 16, 32));
  EXPECT_TRUE(memory.evict(1).empty());
}

TEST(SequentialEvictor, APageThatMustStayStays) {
  FakeMemory memory(64 * kMiB);
  SequentialEvictor evictor(memory, 12);
  memory.evictor = &evictor;
  const Allocation& a = memory.allocate(kBase, kMiB);
  for (const PageNumber p : range(a.first, 18)) memory.bring(p);
  memory.pinned = {a.first, a.first + 16};
  EXPECT_EQ(memory.evict(1), range(a.first + 1, 15));
  EXPECT_THAT(memory.evict(5), testing::ElementsAre(a.first + 17));
  EXPECT_TRUE(memory.evict(1).empty());
  memory.pinned.clear();
  EXPECT_THAT(memory.evict(1), testing::ElementsAre(a.first));
}

TEST(NvidiaEvictor, TheOldest2MiB) {
  FakeMemory memory(64 * kMiB);
  NvidiaEvictor evictor(memory, 12);
  memory.evictor = &evictor;
  const Allocation& a = memory.allocate(kBase, 4 * kMiB);
  for (const PageNumber p : range(a.first + 500, 24)) memory.bring(p);
  memory.touch(a.first + 501);  // all but one page of it are older than the other block
  EXPECT_EQ(memory.evict(1), range(a.first + 512, 12));
  EXPECT_EQ(memory.evict(1), range(a.first + 500, 12));
}

TEST(NvidiaEvictor, ABlockThatEndsWithItsAllocation) {
  FakeMemory memory(64 * kMiB);
  NvidiaEvictor evictor(memory, 12);
  memory.evictor = &evictor;
  const Allocation& a = memory.allocate(kBase, 40 * kKiB);
  const Allocation& b = memory.allocate(kBase + 40 * kKiB, 40 * kKiB);
  for (const PageNumber p : range(a.first, 20)) memory.bring(p);
  memory.touch(a.first);
  EXPECT_EQ(memory.evict(1), range(b.first, 10));
  EXPECT_EQ(memory.evict(1), range(a.first, 10));
}

// GU Fig 4.3 backwards, eight leaves: leaves that leave one by one take the rest along as soon as
// more than half of a node is empty.
TEST(TreeEvictor, MoreThanHalfEmpty) {
  FakeMemory memory(64 * kMiB);
  TreeEvictor evictor(memory, 12);
  memory.evictor = &evictor;
  const Allocation& a = memory.allocate(kBase, 512 * kKiB);
  for (const unsigned leaf : {3, 0, 5, 4, 6, 1, 2, 7})
    for (const PageNumber p : range(a.first + 16 * leaf, 16)) memory.bring(p);
  for (const unsigned leaf : {3, 0, 5, 4})
    EXPECT_EQ(memory.evict(1), range(a.first + 16 * leaf, 16));
  // Leaf 6 makes the right half 75 % and the root 62.5 % empty: everything else follows.
  std::vector<PageNumber> expected = range(a.first + 16, 32);
  for (const PageNumber p : range(a.first + 96, 32)) expected.push_back(p);
  EXPECT_EQ(memory.evict(1), expected);
}

TEST(TreeEvictor, WhatNeverCameCountsAsEmpty) {
  FakeMemory memory(64 * kMiB);
  TreeEvictor evictor(memory, 12);
  memory.evictor = &evictor;
  const Allocation& a = memory.allocate(kBase, 2 * kMiB);
  for (const PageNumber p : range(a.first, 32)) memory.bring(p);
  memory.touch(a.first + 16);
  EXPECT_EQ(memory.evict(1), range(a.first, 32));  // 2 of 32 leaves were there
}

TEST(RandomEvictor, EveryPageAsLikely) {
  std::map<PageNumber, int> counts;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    FakeMemory memory(64 * kMiB);
    RandomEvictor evictor(memory, seed);
    memory.evictor = &evictor;
    const Allocation& a = memory.allocate(kBase, kMiB);
    for (const PageNumber p : range(a.first, 4)) memory.bring(p);
    const auto victims = memory.evict(1);
    ASSERT_EQ(victims.size(), 1u);
    ++counts[victims[0] - a.first];
  }
  ASSERT_EQ(counts.size(), 4u);
  for (const auto& [page, times] : counts) EXPECT_NEAR(times, 750, 100) << page;
}

TEST(RandomEvictor, ACallInVainChangesNothing) {
  std::vector<PageNumber> chosen[2];
  for (int vain = 0; vain < 2; ++vain) {
    FakeMemory memory(64 * kMiB);
    RandomEvictor evictor(memory, 5);
    memory.evictor = &evictor;
    const Allocation& a = memory.allocate(kBase, kMiB);
    for (const PageNumber p : range(a.first, 200)) memory.bring(p);
    for (int i = 0; i < 20; ++i) {
      memory.pinned = memory.resident_pages;
      for (int j = 0; j < 3 * vain; ++j) EXPECT_TRUE(memory.evict(2).empty());
      memory.pinned.clear();
      for (const PageNumber p : memory.evict(3)) chosen[vain].push_back(p);
    }
  }
  EXPECT_EQ(chosen[0].size(), 60u);
  EXPECT_EQ(chosen[0], chosen[1]);
}

enum class Kind { random, sequential, nvidia, tree };

// This is the evictor's rule from a list of blocks that is sorted anew for every victim.
class NaiveLru {
 public:
  NaiveLru(const FakeMemory& memory, Kind kind) : memory_(memory), kind_(kind) {}
  std::set<PageNumber> used;  // resident pages
  void use(PageNumber page) {
    used.insert(page);
    last_use_[block_start(*memory_.allocation_of(page), page, size())] = ++clock_;
  }

  std::vector<PageNumber> choose(std::uint64_t wanted) {
    std::vector<PageNumber> victims;
    const std::uint64_t size = this->size();
    while (victims.size() < wanted) {
      // These are the blocks with a resident page by their last use; the oldest one that has a page
      // free to leave goes.
      std::map<PageNumber, std::uint64_t> newest;
      for (const PageNumber page : used) {
        const PageNumber start = block_start(*memory_.allocation_of(page), page, size);
        newest[start] = last_use_.at(start);
      }
      std::vector<std::pair<std::uint64_t, PageNumber>> order;
      for (const auto& [start, time] : newest) order.emplace_back(time, start);
      std::sort(order.begin(), order.end());
      bool found = false;
      for (const auto& [time, start] : order) {
        const Allocation& a = *memory_.allocation_of(start);
        const PageSpan own = clip(a, start / size * size, size);
        for (PageNumber p = own.first; p < own.last; ++p) found |= free_to_leave(p);
        if (!found) continue;
        const PageSpan span = piece(a, start);
        for (PageNumber p = span.first; p < span.last; ++p) {
          if (!free_to_leave(p)) continue;
          victims.push_back(p);
          used.erase(p);
        }
        break;
      }
      if (!found) break;
    }
    return victims;
  }

 private:
  std::uint64_t size() const {
    return kind_ == Kind::sequential ? 1 : kind_ == Kind::nvidia ? 512 : 16;
  }
  static PageNumber block_start(const Allocation& a, PageNumber page, std::uint64_t size) {
    return std::max(page / size * size, a.first);
  }
  bool free_to_leave(PageNumber page) const {
    return used.count(page) != 0 && memory_.pinned.count(page) == 0;
  }
  PageSpan piece(const Allocation& a, PageNumber page) const {
    if (kind_ == Kind::sequential) return clip(a, page / 16 * 16, 16);
    if (kind_ == Kind::nvidia) return clip(a, page / 512 * 512, 512);
    PageSpan region = clip(a, page / 16 * 16, 16), emptied = region;
    for (std::uint64_t size = 32; size <= 512; size *= 2) {
      const PageSpan node = clip(a, page / size * size, size);
      std::uint64_t absent = 0;
      for (PageNumber p = node.first; p < node.last; ++p)
        absent += emptied.contains(p) || used.count(p) == 0;
      if (2 * absent <= node.pages()) continue;
      region = emptied = node;
    }
    return region;
  }

  const FakeMemory& memory_;
  Kind kind_;
  std::uint64_t clock_ = 0;
  std::map<PageNumber, std::uint64_t> last_use_;  // keys are the first pages of blocks
};

class LruHistory : public testing::TestWithParam<Kind> {};

TEST_P(LruHistory, AgainstASortedList) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    FakeMemory memory(64 * kMiB);
    std::unique_ptr<Evictor> evictor;
    if (GetParam() == Kind::sequential) evictor = std::make_unique<SequentialEvictor>(memory, 12);
    if (GetParam() == Kind::nvidia) evictor = std::make_unique<NvidiaEvictor>(memory, 12);
    if (GetParam() == Kind::tree) evictor = std::make_unique<TreeEvictor>(memory, 12);
    memory.evictor = evictor.get();
    NaiveLru naive(memory, GetParam());
    for (unsigned i = 0; i < 3; ++i)
      memory.allocate(kBase + i * 8 * kMiB + (i == 1 ? 20 * kKiB : 0),
                      kMiB + random.below(3 * kMiB));
    for (int step = 0; step < 1500; ++step) {
      const Allocation& a = memory.allocations()[random.below(3)];
      const PageNumber page = a.first + random.below(a.pages);
      const PageNumber end = std::min(page + 1 + random.below(40), a.first + a.pages);
      switch (random.below(8)) {
        case 0:
        case 1:
        case 2:
          for (PageNumber p = page; p < end; ++p) {
            if (memory.resident(p)) continue;
            memory.bring(p);
            naive.use(p);
          }
          break;
        case 3:
        case 4:
          for (PageNumber p = page; p < end; ++p) {
            if (!memory.resident(p)) continue;
            memory.touch(p);
            naive.use(p);
          }
          break;
        case 5:
          if (memory.resident(page)) {
            memory.drop(page, false);
            naive.used.erase(page);
          }
          break;
        case 6:
          if (memory.resident(page)) memory.pinned.insert(page);
          if (random.chance(30)) memory.pinned.clear();
          break;
        case 7: {
          const std::uint64_t wanted = 1 + random.below(random.chance(20) ? 400 : 20);
          const auto expected = naive.choose(wanted);
          ASSERT_EQ(memory.evict(wanted), expected) << "step " << step;
          break;
        }
      }
      for (auto p = memory.pinned.begin(); p != memory.pinned.end();)
        p = memory.resident(*p) ? std::next(p) : memory.pinned.erase(p);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Evictors, LruHistory,
                         testing::Values(Kind::sequential, Kind::nvidia, Kind::tree));

TEST(RandomEvictor, RandomHistory) {
  Random random(9);
  FakeMemory memory(64 * kMiB);
  RandomEvictor evictor(memory, 1);
  memory.evictor = &evictor;
  for (unsigned i = 0; i < 2; ++i) memory.allocate(kBase + i * 8 * kMiB, 2 * kMiB);
  for (int step = 0; step < 20000; ++step) {
    const Allocation& a = memory.allocations()[random.below(2)];
    const PageNumber page = a.first + random.below(a.pages);
    if (!memory.resident(page)) {
      memory.bring(page);
    } else if (random.chance(30)) {
      memory.drop(page, false);
    } else if (random.chance(10)) {
      memory.pinned = {page};
      const std::uint64_t wanted = 1 + random.below(40), there = memory.resident_pages.size();
      EXPECT_EQ(memory.evict(wanted).size(), std::min(wanted, there - 1));  // drop() checks them
      EXPECT_TRUE(memory.resident(page));
      memory.pinned.clear();
    }
  }
}

}  // namespace
}  // namespace warpmem::uvm
