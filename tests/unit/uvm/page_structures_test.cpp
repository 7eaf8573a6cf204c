// SPDX-License-Identifier: Apache-2.0
// The small structures under translation, against plain containers.
#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"
#include "uvm/page_counts.hpp"
#include "uvm/page_table.hpp"
#include "uvm/translation_cache.hpp"

namespace warpmem::uvm {
namespace {

TEST(UvmPageCounts, AgreeWithAMap) {
  Random random(3);
  PageCounts counts;
  std::map<PageNumber, unsigned> expected;
  for (unsigned i = 0; i < 50'000; ++i) {
    // There are neighbours and pages that are far apart, more of them than the table first holds.
    const PageNumber page = random.below(400) + random.below(3) * 1'000'000'007;
    if (random.chance(52)) {
      const unsigned n = 1 + static_cast<unsigned>(random.below(3));
      counts.add(page, n);
      expected[page] += n;
    } else if (expected[page] != 0) {
      counts.remove(page);
      --expected[page];
    }
    ASSERT_EQ(counts.count(page), expected[page]);
  }
  for (auto& [page, n] : expected) {
    EXPECT_EQ(counts.count(page), n);
    for (; n != 0; --n) counts.remove(page);
  }
  EXPECT_TRUE(counts.empty());
}

TEST(UvmTranslationCache, ReplacesTheLeastRecentlyUsedOfASet) {
  TranslationCache<int> cache(4, 4);
  for (int i = 0; i < 4; ++i) cache.insert(i, i * 10);
  EXPECT_EQ(*cache.find(0), 0);
  cache.insert(9, 90);  // page 1 is the oldest now
  EXPECT_EQ(cache.find(1), nullptr);
  EXPECT_EQ(*cache.find(0), 0);
  EXPECT_EQ(*cache.find(9), 90);
  cache.insert(9, 91);
  EXPECT_EQ(*cache.find(9), 91);
  EXPECT_NE(cache.find(2), nullptr);
}

TEST(UvmTranslationCache, ForgetsARangeShortOrLong) {
  for (const std::uint64_t count : {3u, 1000u}) {
    TranslationCache<int> cache(64, 4);
    for (int i = 0; i < 40; ++i) cache.insert(100 + i, i);
    unsigned there = 0;
    for (int i = 0; i < 40; ++i) there += cache.find(100 + i) != nullptr;
    unsigned in_range = 0;
    for (PageNumber p = 105; p < 105 + count; ++p) in_range += cache.find(p) != nullptr;
    EXPECT_EQ(cache.forget(105, count), in_range);
    unsigned left = 0;
    for (int i = 0; i < 40; ++i) left += cache.find(100 + i) != nullptr;
    EXPECT_EQ(left, there - in_range);
    EXPECT_EQ(cache.find(106), nullptr);
  }
}

TEST(UvmPageTable, FindsThePagesOfLiveAllocations) {
  PageTable table(12);
  const ManagedRange& b = table.add(0x400000, 5000);
  const ManagedRange& a = table.add(0x200000, 4096);
  EXPECT_EQ(table.pages(), 3u);
  EXPECT_EQ(table.bytes(), 9096u);
  EXPECT_EQ(b.allocation.pages, 2u);
  EXPECT_EQ(a.allocation.index, 1u);
  EXPECT_EQ(a.ordinal, 0u);
  EXPECT_EQ(b.ordinal, 1u);
  EXPECT_EQ(table.find(0x401), &b.pages[1]);
  EXPECT_EQ(table.find(0x402), nullptr);
  EXPECT_EQ(table.find(0x1ff), nullptr);
  EXPECT_EQ(table.range_of(0x200), &a);
  table.remove(0x200000);
  EXPECT_EQ(table.find(0x200), nullptr);
  EXPECT_EQ(table.find(0x400)->state, PageState::absent);
  EXPECT_EQ(table.pages(), 2u);
}

}  // namespace
}  // namespace warpmem::uvm
