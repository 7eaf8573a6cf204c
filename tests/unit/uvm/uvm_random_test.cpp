// SPDX-License-Identifier: Apache-2.0
// Random requests of several SMs to more pages than there are frames, under every prefetcher and
// evictor: every load brings what was stored last, no page is lost or in two places, and nothing
// depends on skipping idle cycles.
#include <map>
#include <tuple>

#include "files/stats_json.hpp"
#include "unit/uvm/uvm_bench.hpp"

namespace warpmem::uvm {
namespace {

using Policies = std::tuple<PrefetchKind, EvictKind, FaultHandling>;

/// Each SM has words of its own, so that what a load brings is known. Visits pages in bursts.
std::map<Addr, std::uint64_t> fill_scripts(UvmBench& b, unsigned requests, std::uint64_t seed) {
  Random random(seed);
  std::map<Addr, std::uint64_t> memory;
  for (unsigned sm = 0; sm < b.s.sms; ++sm) {
    Addr page = 0;
    Cycle at = 0;
    for (unsigned i = 0; i < requests; ++i) {
      if (i == 0 || random.chance(20)) {
        const std::size_t a = random.below(b.bases.size());
        page = b.bases[a] + random.below(b.s.allocations[a] / 4096) * 4096;
        at += random.below(200);
      }
      const Addr address =
          page + random.below(4096 / (kWord * b.s.sms)) * (kWord * b.s.sms) + Addr(sm) * kWord;
      const bool write = random.chance(40);
      if (write) memory[address] = random.next();
      b.sms[sm]->script.push_back({at, address, write, memory[address]});
    }
  }
  return memory;
}

class UvmRandom : public testing::TestWithParam<Policies> {};

TEST_P(UvmRandom, EveryLoadBringsWhatWasStored) {
  UvmBench::Setup setup;
  std::tie(setup.params.prefetch, setup.params.evict, setup.params.handling) = GetParam();
  setup.params.tlb = {8, 4};
  setup.params.l2_tlb = {16, 4};
  setup.params.walks = 3;
  setup.params.tlb_misses = 4;
  setup.params.tlb_held = 16;
  setup.params.fault_mshrs = 6;
  setup.params.fault_buffer = 4;
  setup.params.batch = 3;
  setup.params.fault_nanoseconds = 2000;
  setup.sms = 3;
  setup.frames = 64;
  setup.allocations = {256 << 10, 76 << 10, 20 << 10};
  UvmBench b("b", setup);
  const auto memory = fill_scripts(b, 700, 11);
  b.run();
  for (const auto& [address, value] : memory)
    ASSERT_EQ(b.word(address), value) << std::hex << address;
  const Migrator::Stats& pages = b.gmmu->pages();
  EXPECT_LE(pages.resident_peak, 64u);
  EXPECT_GT(pages.pages_out_dirty, 0u);
  EXPECT_GT(b.gmmu->stats().thrashed, 0u);
}

std::string name_of(const testing::TestParamInfo<Policies>& info) {
  static const char* const kPrefetch[] = {"none", "random", "sequential", "tree", "cap"};
  static const char* const kEvict[] = {"random", "sequential", "nvidia", "tree", "ture"};
  return fmt::format("{}_{}_{}", kPrefetch[static_cast<int>(std::get<0>(info.param))],
                     kEvict[static_cast<int>(std::get<1>(info.param))],
                     std::get<2>(info.param) == FaultHandling::single ? "single" : "batch");
}

INSTANTIATE_TEST_SUITE_P(
    Policies, UvmRandom,
    testing::Combine(testing::Values(PrefetchKind::none, PrefetchKind::random,
                                     PrefetchKind::sequential, PrefetchKind::tree,
                                     PrefetchKind::cap),
                     testing::Values(EvictKind::random, EvictKind::sequential, EvictKind::nvidia,
                                     EvictKind::tree, EvictKind::ture),
                     testing::Values(FaultHandling::single, FaultHandling::batch)),
    name_of);

class UvmRandomTickAll : public testing::TestWithParam<unsigned> {};

// Two machines run in one process, which ticks them together, and the statistics must be the same.
// A small table of TURE is full in most cycles, and lets pages go of its own accord.
TEST_P(UvmRandomTickAll, IsTheSame) {
  UvmBench::Setup setup;
  setup.params.prefetch = PrefetchKind::tree;
  setup.params.evict = EvictKind::ture;
  setup.params.ture.table_entries = GetParam();
  setup.params.ture.sample_cycles = 100;
  setup.params.ture.period_cycles = 600;
  setup.params.tlb = {8, 4};
  setup.params.l2_tlb = {16, 4};
  setup.params.fault_nanoseconds = 500;
  setup.sms = 2;
  setup.frames = 40;
  setup.allocations = {128 << 10, 128 << 10};
  UvmBench skipping("skipping", setup);
  setup.tick_all = true;
  UvmBench ticking("ticking", setup);
  for (UvmBench* const b : {&skipping, &ticking}) fill_scripts(*b, 200, 5);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (UvmBench* const b : {&skipping, &ticking}) {
    b->registry.begin_kernel("test");
    b->gmmu->begin_launch(b->s.frames << 12);
  }
  sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_MS));
  rethrow_tick_failure();
  for (UvmBench* const b : {&skipping, &ticking}) {
    for (auto& sm : b->sms) EXPECT_TRUE(sm->done());
    b->registry.end_kernel();
  }
  EXPECT_EQ(stats_json(skipping.registry), stats_json(ticking.registry));
}

INSTANTIATE_TEST_SUITE_P(TableEntries, UvmRandomTickAll, testing::Values(1, 2, 4, 256));

}  // namespace
}  // namespace warpmem::uvm
