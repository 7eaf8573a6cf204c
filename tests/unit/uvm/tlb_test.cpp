// SPDX-License-Identifier: Apache-2.0
// Translation by hand: cycles of hits and misses, what a miss holds and what passes it, merging of
// walks, and withdrawal of translations.
#include "unit/uvm/uvm_bench.hpp"

namespace warpmem::uvm {
namespace {

using Cycles = std::vector<Cycle>;
constexpr Addr kOther = 0x1000'0000'0000;  // an address that is not managed

TEST(UvmTlb, MissesThenHits) {
  UvmBench b("b", {});
  b.sms[0]->script = {{0, kOther, false, 0}, {300, kOther + 8, false, 0}};
  b.run();
  // Sent in 0, looked up in 1, asked in 1, seen by the GMMU in 2, shared TLB in 2 + 10 = 12, walk
  // from the next start of walks in 13 to 113, answered in 114, taken in 115, sent on, seen in 116.
  EXPECT_EQ(b.memories[0]->seen, (Cycles{116, 302}));
  EXPECT_EQ(b.tlbs[0]->stats().hits, 1u);
  EXPECT_EQ(b.tlbs[0]->stats().misses, 1u);
}

TEST(UvmTlb, OtherPagesPassAMissAndItsOwnStayInOrder) {
  UvmBench b("b", {});
  b.sms[0]->script = {{0, kOther, false, 0},          {300, kOther + 4096, true, 7},
                      {301, kOther + 8, false, 0},    {302, kOther + 4096, false, 7},
                      {303, kOther + 4104, false, 0}, {304, kOther + 16, false, 0}};
  b.run();
  const auto& seen = b.memories[0]->addresses;
  EXPECT_EQ(seen, (std::vector<Addr>{kOther, kOther + 8, kOther + 16, kOther + 4096, kOther + 4096,
                                     kOther + 4104}));
  EXPECT_EQ(b.tlbs[0]->stats().misses, 2u);
  EXPECT_EQ(b.tlbs[0]->stats().merged, 2u);
  EXPECT_EQ(b.tlbs[0]->stats().held_peak, 3u);
}

TEST(UvmTlb, WalksToOnePageAreOne) {
  UvmBench::Setup setup;
  setup.sms = 4;
  UvmBench b("b", setup);
  for (auto& sm : b.sms) sm->script = {{0, kOther, false, 0}};
  b.sms[0]->script.push_back({1000, kOther + 4096, false, 0});
  b.sms[3]->script.push_back({2000, kOther + 4096, false, 0});
  b.run();
  EXPECT_EQ(b.gmmu->stats().walks, 2u);
  EXPECT_EQ(b.gmmu->stats().l2_merged, 3u);
  EXPECT_EQ(b.gmmu->stats().l2_hits, 1u);
}

TEST(UvmTlb, WalkersLimitTheWalks) {
  UvmBench::Setup setup;
  setup.params.walks = 2;
  UvmBench b("b", setup);
  for (unsigned i = 0; i < 6; ++i) b.sms[0]->script.push_back({0, kOther + 4096 * i, false, 0});
  b.run();
  const Cycles& at = b.memories[0]->seen;
  ASSERT_EQ(at.size(), 6u);
  EXPECT_LT(at[1] - at[0], 5u);
  EXPECT_GE(at[2] - at[0], 99u);
  EXPECT_GE(at[4] - at[2], 99u);
}

TEST(UvmTlb, AFullHoldingAreaStopsItsSmOnly) {
  UvmBench::Setup setup;
  setup.sms = 2;
  setup.params.tlb_held = 2;
  UvmBench b("b", setup);
  for (unsigned i = 0; i < 4; ++i) b.sms[0]->script.push_back({0, kManaged + 8 * i, false, 0});
  b.sms[1]->script = {{0, kOther, false, 0}, {200, kOther, false, 0}};
  b.run();
  EXPECT_LT(b.sms[1]->responded[1], 300u);
  EXPECT_GT(b.sms[0]->responded[0], 45'000u);
  EXPECT_GT(b.tlbs[0]->stats().full_cycles, 45'000u);
}

// There are two pages and one frame, so each use of the other page withdraws the translation.
TEST(UvmTlb, AWithdrawnTranslationIsNotUsed) {
  UvmBench::Setup setup;
  setup.sms = 2;
  setup.frames = 1;
  setup.params.prefetch = PrefetchKind::none;
  setup.params.evict = EvictKind::random;
  setup.params.fault_nanoseconds = 100;
  UvmBench b("b", setup);
  for (unsigned i = 0; i < 20; ++i) {
    b.sms[0]->script.push_back({i * 100, kManaged + i % 2 * 4096, true, i});
    b.sms[1]->script.push_back({i * 150, kManaged + (i + 1) % 2 * 4096 + 64, true, i});
  }
  b.run();
  EXPECT_EQ(b.word(kManaged), 18u);
  EXPECT_EQ(b.word(kManaged + 4096), 19u);
  EXPECT_EQ(b.word(kManaged + 64), 19u);
  EXPECT_GT(b.tlbs[0]->stats().shot_down, 1u);
  EXPECT_EQ(b.gmmu->pages().resident_peak, 1u);
}

// The page table says that the page is gone, but nobody has withdrawn the translation.
TEST(UvmTlb, AStaleTranslationIsFound) {
  UvmBench b("b", {});
  b.sms[0]->script = {{0, kManaged, false, 0}};
  b.run();
  PageEntry& entry = *b.table.find(b.table.page_of(kManaged));
  EXPECT_EQ(entry.state, PageState::resident);
  entry.state = PageState::absent;
  b.sms[0]->script.push_back({0, kManaged, false, 0});
  b.sms[0]->wake();
  sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_US));
  EXPECT_THROW(rethrow_tick_failure(), SimulationError);
}

}  // namespace
}  // namespace warpmem::uvm
