// SPDX-License-Identifier: Apache-2.0
// TURE: sampling and lease (GU 4.3.2.1), coalescing table and recall (4.3.2.2), storage (4.5.5).
#include "uvm/evict/ture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "fake_memory.hpp"

namespace warpmem::uvm {
namespace {

class Ture : public testing::Test {
 protected:
  void start(const TureParams& params = {}) {
    evictor_ = std::make_unique<TureEvictor>(memory_, 12, params);
    memory_.evictor = evictor_.get();
  }
  void touch(PageNumber page, unsigned times = 1) {
    for (unsigned i = 0; i < times; ++i) memory_.touch(page);
  }
  // Gives every allocation a lease: `page` is used `uses` times in a window of its own.
  void give_lease(PageNumber page, unsigned uses) {
    memory_.now = (memory_.now / 6000 + 1) * 6000;
    touch(page, uses);
    memory_.now += 1000;
  }
  std::uint32_t lease(const Allocation& a) {
    return (evictor_->arrived(a, probe(a), memory_.now), evictor_->left(a, probe(a)),
            evictor_->sampler().lease(a));
  }
  // Returns a page that the tests keep absent.
  static PageNumber probe(const Allocation& a) { return a.first + a.pages - 1; }
  std::uint32_t remaining(const Allocation& a, PageNumber page) const {
    return evictor_->remaining(a, page);
  }

  FakeMemory memory_{256 * kMiB};
  std::unique_ptr<TureEvictor> evictor_;
};

constexpr std::uint32_t kNoLease = 1023;

TEST_F(Ture, Equation4_2) {
  start();
  const Allocation& a = memory_.allocate(kBase, kMiB);
  for (const PageNumber p : range(a.first, 64)) memory_.bring(p);
  // Entry 0 has 12 uses of 4 pages, entry 1 has 14 uses of 2 pages. F = (3 + 7) / 2.
  for (const PageNumber p : range(a.first, 4)) touch(p, 3);
  touch(a.first + 16, 13);
  touch(a.first + 31);
  EXPECT_EQ(evictor_->sampler().lease(a), 0u);
  memory_.now = 999;
  EXPECT_EQ(lease(a), 0u);  // the window is open
  memory_.now = 1000;
  EXPECT_EQ(lease(a), 5u);
  EXPECT_EQ(evictor_->sampler().stats().windows, 1u);
  EXPECT_EQ(evictor_->sampler().stats().entries, 2u);
  EXPECT_EQ(evictor_->sampler().stats().sampled, 26u);
}

TEST_F(Ture, OnlyTheFirst1000OfEvery6000Cycles) {
  start();
  const Allocation& a = memory_.allocate(kBase, kMiB);
  memory_.bring(a.first);
  for (const auto& [cycle, sampled] : std::vector<std::pair<Cycle, std::uint64_t>>{{999, 1},
                                                                                   {1000, 1},
                                                                                   {5999, 1},
                                                                                   {6000, 2},
                                                                                   {6999, 3},
                                                                                   {7000, 3},
                                                                                   {30500, 4},
                                                                                   {31000, 4}}) {
    memory_.now = cycle;
    touch(a.first);
    EXPECT_EQ(evictor_->sampler().stats().sampled, sampled) << cycle;
  }
  EXPECT_EQ(evictor_->sampler().stats().windows, 3u);
}

TEST_F(Ture, TheNewAverageIsWeighed) {
  start();
  const Allocation& a = memory_.allocate(kBase, kMiB);
  memory_.bring(a.first);
  give_lease(a.first, 8);
  EXPECT_EQ(lease(a), 8u);
  give_lease(a.first, 20);
  EXPECT_EQ(lease(a), 14u);  // (8 + 20) / 2
  give_lease(a.first, 5);
  EXPECT_EQ(lease(a), 10u);  // 9.5, rounded up
  memory_.now += 12000;      // windows without a use change nothing
  EXPECT_EQ(lease(a), 10u);

  TureParams params;
  params.weight = 25;
  start(params);
  FakeMemory memory(kMiB);
  LeaseSampler sampler(params);
  sampler.add(a);
  sampler.advance(0);
  for (int i = 0; i < 8; ++i) sampler.touch(a, a.first, 0);
  sampler.advance(6000);
  for (int i = 0; i < 16; ++i) sampler.touch(a, a.first, 6000);
  sampler.advance(7000);
  EXPECT_EQ(sampler.lease(a), 10u);  // 0.25 * 16 + 0.75 * 8
}

TEST_F(Ture, CounterAndLeaseAreTenBits) {
  start();
  const Allocation& a = memory_.allocate(kBase, kMiB);
  memory_.bring(a.first);
  give_lease(a.first, 3000);
  EXPECT_EQ(lease(a), 1022u);  // the counter stops at 1023, which as a lease means none
}

TEST_F(Ture, SixteenEntriesByShareOfTheAllocations) {
  start();
  const Allocation& big = memory_.allocate(kBase, 3 * kMiB);
  const Allocation& small = memory_.allocate(kBase + 4 * kMiB, kMiB);
  for (const Allocation* a : {&big, &small})
    for (const PageNumber p : range(a->first, a->pages - 1)) memory_.bring(p);
  for (unsigned block = 0; block < 15; ++block) {
    touch(big.first + 16 * block);
    touch(small.first + 16 * block);
  }
  EXPECT_EQ(evictor_->sampler().stats().sampled, 12u + 4);  // 3/4 and 1/4 of 16
  EXPECT_EQ(evictor_->sampler().stats().ignored, 3u + 11);
  EXPECT_EQ(evictor_->sampler().stats().entries, 16u);
  touch(big.first);  // an entry that there is counts on
  EXPECT_EQ(evictor_->sampler().stats().sampled, 17u);
}

TEST_F(Ture, ASmallAllocationHasOneEntryWhileThereIsAny) {
  start();
  const Allocation& big = memory_.allocate(kBase, 64 * kMiB);
  std::vector<const Allocation*> small;
  for (unsigned i = 0; i < 17; ++i)
    small.push_back(&memory_.allocate(kBase + (128 + 2 * i) * kMiB, 16 * kKiB));
  for (const Allocation* a : small) memory_.bring(a->first);
  memory_.bring(big.first);
  for (const Allocation* a : small) touch(a->first);
  touch(big.first);
  EXPECT_EQ(evictor_->sampler().stats().sampled, 16u);
  EXPECT_EQ(evictor_->sampler().stats().ignored, 2u);  // the 17th, and the large one
}

TEST_F(Ture, LeaseCountsDownAndExpires) {
  start();
  const Allocation& a = memory_.allocate(kBase, kMiB);
  memory_.bring(a.first);
  EXPECT_EQ(remaining(a, a.first), kNoLease);
  give_lease(a.first, 3);
  EXPECT_EQ(remaining(a, a.first), kNoLease);  // used, but none was known
  memory_.bring(a.first + 1);                  // gets the lease as it comes
  EXPECT_EQ(remaining(a, a.first + 1), 3u);
  touch(a.first);
  EXPECT_EQ(remaining(a, a.first), 2u);
  touch(a.first + 1, 2);
  EXPECT_EQ(remaining(a, a.first + 1), 1u);
  EXPECT_EQ(evictor_->table().used(), 0u);
  touch(a.first + 1);
  EXPECT_EQ(remaining(a, a.first + 1), 0u);
  EXPECT_EQ(evictor_->table().used(), 1u);
  EXPECT_EQ(evictor_->stats().expired, 1u);
  EXPECT_EQ(evictor_->stats().coalesced, 0u);
  touch(a.first, 2);
  EXPECT_EQ(evictor_->table().used(), 1u);  // it is the same block
  EXPECT_EQ(evictor_->stats().expired, 2u);
  EXPECT_EQ(evictor_->stats().coalesced, 1u);
}

TEST_F(Ture, RecallRevokesTheEntryAndGivesHalfALease) {
  start();
  const Allocation& a = memory_.allocate(kBase, kMiB);
  memory_.bring(a.first);
  give_lease(a.first, 7);
  for (const PageNumber p : range(a.first + 1, 31)) memory_.bring(p);
  for (const PageNumber p : {1, 2, 3, 20}) touch(a.first + p, 7);
  touch(a.first + 4, 2);
  EXPECT_EQ(evictor_->table().used(), 2u);
  touch(a.first + 2);
  EXPECT_EQ(evictor_->table().used(), 1u);
  EXPECT_EQ(evictor_->stats().recalls, 1u);
  EXPECT_EQ(evictor_->stats().recalled_pages, 3u);
  for (const PageNumber p : {1, 2, 3}) EXPECT_EQ(remaining(a, a.first + p), 3u) << p;  // 7 / 2
  EXPECT_EQ(remaining(a, a.first + 4), 5u);
  EXPECT_EQ(remaining(a, a.first + 20), 0u);  // another block
  touch(a.first + 2, 3);
  EXPECT_EQ(remaining(a, a.first + 2), 0u);
}

TEST_F(Ture, HalfOfOneIsOne) {
  start();
  const Allocation& a = memory_.allocate(kBase, kMiB);
  memory_.bring(a.first);
  give_lease(a.first, 1);
  touch(a.first);
  EXPECT_EQ(remaining(a, a.first), 0u);
  touch(a.first);
  EXPECT_EQ(remaining(a, a.first), 1u);
}

TEST_F(Ture, FullTableLetsTheExpiredPagesOfItsOldestEntryGo) {
  start();
  const Allocation& a = memory_.allocate(kBase, 32 * kMiB);
  memory_.bring(a.first);
  give_lease(a.first, 2);
  for (const PageNumber p : range(a.first + 1, 257 * 16)) memory_.bring(p);
  const auto expire = [&](unsigned block, unsigned page) { touch(a.first + 16 * block + page, 2); };
  for (unsigned block = 0; block < 255; ++block) expire(block, 5);
  EXPECT_FALSE(evictor_->has_expired());
  expire(0, 9);  // block 0 is updated: block 1 is the oldest
  expire(1, 6);  // and now block 2
  EXPECT_FALSE(evictor_->has_expired());
  expire(255, 5);
  EXPECT_TRUE(evictor_->has_expired());
  expire(256, 5);  // in the same cycle: its turn comes with its next use
  EXPECT_EQ(evictor_->stats().postponed, 1u);
  EXPECT_EQ(remaining(a, a.first + 256 * 16 + 5), 1u);
  EXPECT_THAT(memory_.evict_expired(), testing::ElementsAre(a.first + 2 * 16 + 5));
  EXPECT_FALSE(evictor_->has_expired());
  EXPECT_EQ(evictor_->table().used(), 255u);
  touch(a.first + 256 * 16 + 5);
  EXPECT_TRUE(evictor_->has_expired());
  EXPECT_THAT(memory_.evict_expired(), testing::ElementsAre(a.first + 3 * 16 + 5));
  EXPECT_EQ(evictor_->stats().full, 2u);
  EXPECT_EQ(evictor_->stats().full_pages, 2u);
  EXPECT_EQ(evictor_->stats().table_peak, 256u);
}

TEST_F(Ture, ThePeakOfALaunchBeginsWithTheTableAsItIs) {
  start();
  StatRegistry registry;
  evictor_->register_stats(registry.group("uvm"));
  registry.begin_kernel("first");
  const Allocation& a = memory_.allocate(kBase, kMiB);
  memory_.bring(a.first);
  give_lease(a.first, 1);
  touch(a.first);
  EXPECT_EQ(evictor_->table().used(), 1u);
  registry.end_kernel();
  registry.begin_kernel("second");
  evictor_->begin_launch();
  touch(a.first);  // a recall, which leaves the table empty
  EXPECT_EQ(evictor_->table().used(), 0u);
  EXPECT_EQ(evictor_->stats().table_peak, 1u);
  registry.end_kernel();
}

TEST_F(Ture, FullTableKeepsAPageThatMustStay) {
  TureParams params;
  params.table_entries = 2;
  start(params);
  const Allocation& a = memory_.allocate(kBase, kMiB);
  memory_.bring(a.first);
  give_lease(a.first, 1);
  for (const PageNumber p : range(a.first + 1, 63)) memory_.bring(p);
  touch(a.first + 1);
  touch(a.first + 2);
  touch(a.first + 16);
  memory_.pinned = {a.first + 1};
  EXPECT_TRUE(evictor_->has_expired());
  EXPECT_THAT(memory_.evict_expired(), testing::ElementsAre(a.first + 2));
  EXPECT_EQ(remaining(a, a.first + 1), 0u);
  touch(a.first + 1);  // used again: half a lease
  EXPECT_EQ(remaining(a, a.first + 1), 1u);
  EXPECT_EQ(evictor_->stats().recalls, 0u);
  EXPECT_EQ(evictor_->stats().recalled_pages, 1u);
}

TEST_F(Ture, FourBlocksWhenMemoryIsShort) {
  start();
  const Allocation& a = memory_.allocate(kBase, kMiB);
  memory_.bring(a.first);
  give_lease(a.first, 4);
  memory_.drop(a.first, false);
  for (const PageNumber p : range(a.first, 8 * 16)) memory_.bring(p);
  touch(a.first + 5 * 16, 4);  // expired, then used no more
  touch(a.first + 2 * 16, 4);
  touch(a.first);  // least recently used are then 1, 3, 4
  // The two of the table come in the order of their updates, then the others by use; each block is
  // whole.
  std::vector<PageNumber> expected;
  for (const unsigned block : {5, 2, 1, 3})
    for (const PageNumber p : range(a.first + 16 * block, 16)) expected.push_back(p);
  EXPECT_EQ(memory_.evict(1), expected);
  EXPECT_EQ(evictor_->stats().short_blocks, 2u);
  EXPECT_EQ(evictor_->stats().lru_blocks, 2u);
  EXPECT_EQ(evictor_->stats().short_pages, 64u);
  EXPECT_EQ(evictor_->stats().unexpired_pages, 62u);
  EXPECT_EQ(evictor_->table().used(), 0u);
  EXPECT_EQ(memory_.evict(1).size(), 64u);  // what is left
  EXPECT_TRUE(memory_.evict(1).empty());
}

TEST_F(Ture, AsManyTimesFourBlocksAsItTakes) {
  start();
  const Allocation& a = memory_.allocate(kBase, kMiB);
  for (const PageNumber p : range(a.first, 256)) memory_.bring(p);
  EXPECT_EQ(memory_.evict(64).size(), 64u);
  EXPECT_EQ(memory_.evict(65).size(), 128u);
  EXPECT_EQ(memory_.evict(100).size(), 64u);  // there are no more
}

TEST_F(Ture, AVainCallChangesNothing) {
  start();
  const Allocation& a = memory_.allocate(kBase, kMiB);
  memory_.bring(a.first);
  give_lease(a.first, 2);
  for (const PageNumber p : range(a.first + 1, 40)) memory_.bring(p);
  touch(a.first + 20, 2);
  memory_.pinned = memory_.resident_pages;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(memory_.evict(7).empty());
  EXPECT_EQ(evictor_->table().used(), 1u);
  EXPECT_EQ(remaining(a, a.first + 20), 0u);
  EXPECT_EQ(evictor_->stats().short_blocks + evictor_->stats().lru_blocks, 0u);
}

TEST(TureStorage, Section4_5_5) {
  const TureParams params;
  const TureStorage storage = ture_storage(params, 12);
  EXPECT_EQ(storage.sampling_bytes, 84u);
  EXPECT_EQ(storage.lease_bits_per_page, 10u);
  EXPECT_EQ(storage.table_bytes, 1056u);  // "about 1 KiB": 32 bits and a valid bit, 256 times
  // The 4 GiB that 16 bits of block address reach need 1.25 MiB.
  EXPECT_EQ(storage_text(params, 12, 1 << 20),
            "TURE: sampling buffer 84 B, lease 10 bits a page (1310720 B for 1048576 pages), "
            "coalescing table 1056 B");
}

TEST(TureStorage, FollowsTheConfiguration) {
  TureParams params;
  params.sample_entries = 32;
  params.counter_bits = 12;
  params.tag_bits = 8;
  params.lease_bits = 8;
  params.table_entries = 64;
  const TureStorage storage = ture_storage(params, 16);
  EXPECT_EQ(storage.sampling_bytes, 32u * (12 + 8 + 16) / 8);
  EXPECT_EQ(storage.lease_bits_per_page, 8u);
  EXPECT_EQ(storage.table_bytes, 64u * (16 + 1 + 1) / 8);  // a block has one page
}

TEST(TureParams, WindowLongerThanThePeriod) {
  TureParams params;
  params.sample_cycles = 7000;
  Problems problems;
  params.validate(problems, "uvm.ture");
  EXPECT_THAT(problems.list(), testing::ElementsAre(testing::HasSubstr("uvm.ture.sample_cycles")));
}

}  // namespace
}  // namespace warpmem::uvm
