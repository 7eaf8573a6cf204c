// SPDX-License-Identifier: Apache-2.0
// Miss handlers with each view of their units and of their whole files: the same answers, the same
// statistics.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.hpp"
#include "cosim/unit_factories.hpp"
#include "files/stats_json.hpp"
#include "support/mha_bench.hpp"

namespace warpmem::cosim {
namespace {

using cache::Stall;
using mha::Match;
using mha::MhaBench;
using mha::MhaParams;

/// What a handler did, in words, and its statistics.
std::string run(const MhaParams& params, mha::FileEdges* edges = nullptr) {
  mha::UnitFactories units = unit_factories(default_places());
  units.file_edges = edges;
  MhaBench bench(params, units);
  StatRegistry registry;
  bench->register_stats(registry.group("l1d"));
  registry.begin_kernel("k");
  Random random(1);
  std::string log;
  std::vector<Addr> waiting;
  const auto drain = [&] {
    if (bench->target() == nullptr) return;
    log += 'd';
    bench->pop_target();
  };
  for (int i = 0; i < 20'000; ++i) {
    bench.cycle([&] {
      drain();
      if (!waiting.empty() && random.chance(i / 1000 % 2 == 0 ? 4 : 20)) {
        const std::size_t pick = random.below(waiting.size());
        bench->fill(waiting[pick]);
        waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(pick));
      }
      const Addr block = random.below(i / 3000 % 2 == 0 ? 100 : 8) * 128;
      const Match match = bench->find(block);
      if (match != Match::none && match != Match::pending) return;
      const Stall refusal = match == Match::none ? bench.allocate(block, bench.payload())
                                                 : bench->merge(block, bench.payload());
      if (match == Match::none && refusal == Stall::none) waiting.push_back(block);
      log += static_cast<char>('0' + static_cast<int>(refusal));
    });
  }
  for (const Addr block : waiting) bench.cycle([&] { bench->fill(block); });
  while (bench->busy()) bench.cycle(drain);
  registry.end_kernel();
  return log + stats_json(registry);
}

class DlMshrViews : public testing::TestWithParam<bool> {};

TEST_P(DlMshrViews, GiveTheSameRun) {
  MhaParams params;
  params.kind = mha::Kind::dl;
  params.entries = 8;
  params.slots = 4;
  params.tail_pointer = GetParam();
  const std::string fast = run(params);
  EXPECT_NE(fast.find('1'), std::string::npos);
  EXPECT_NE(fast.find('2'), std::string::npos);
  params.dau = View::core;
  EXPECT_TRUE(run(params) == fast) << "core differs";
  params.dau = View::systemc;
  EXPECT_TRUE(run(params) == fast) << "systemc differs";
  params.dau = View::rtl;
  EXPECT_TRUE(run(params) == fast) << "rtl differs";
}

INSTANTIATE_TEST_SUITE_P(TailPointer, DlMshrViews, testing::Bool());

class MshrFileViews : public testing::TestWithParam<mha::Kind> {};

// The file drains, refuses and frees in the handler's cycles; with entries of its own tags a block
// may come again in the cycle in which it leaves, which takes the file a second edge.
TEST_P(MshrFileViews, GiveTheSameRun) {
  MhaParams params;
  params.kind = GetParam();
  params.entries = 8;
  params.slots = 4;
  params.associativity = 2;
  const std::string fast = run(params);
  EXPECT_NE(fast.find('1'), std::string::npos);
  EXPECT_NE(fast.find('2'), std::string::npos);
  for (const View view : {View::core, View::systemc, View::rtl}) {
    mha::FileEdges edges;
    params.file = view;
    EXPECT_TRUE(run(params, &edges) == fast) << static_cast<int>(view);
    EXPECT_GT(edges.all, 15'000u);
    const bool own_tags =
        GetParam() == mha::Kind::conventional || GetParam() == mha::Kind::set_associative;
    EXPECT_EQ(edges.second > 0, own_tags) << edges.second;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, MshrFileViews,
                         testing::Values(mha::Kind::conventional, mha::Kind::set_associative,
                                         mha::Kind::dl));

}  // namespace
}  // namespace warpmem::cosim
