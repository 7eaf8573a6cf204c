// SPDX-License-Identifier: Apache-2.0
// Sectored lines at L2 (docs/mechanisms.md 1.9), with the cycles and the traffic that they make.
#include "unit/l2/l2_bench.hpp"

namespace warpmem::l2 {
namespace {

L2Bank::Params sectored(mha::Granularity granularity = mha::Granularity::line) {
  L2Bank::Params params = small();
  params.sector_bytes = 32;
  params.mshr.granularity = granularity;
  params.write_miss = WriteMiss::validate;
  return params;
}

TEST(L2Sectors, AMissFetchesItsSectorsAlone) {
  Bench b("b", sectored());
  b.fill(0, 256);
  b.script({load(32, 0, 32), load(32, 100, 32), load(0, 200, 64), load(0, 300, 128)});
  b.run();
  EXPECT_EQ(b.bank().stats().line_misses, 1u);
  EXPECT_EQ(b.bank().stats().sector_misses, 2u);
  EXPECT_EQ(b.bank().stats().hits, 1u);
  EXPECT_EQ(b.bank().stats().fetch_bytes, 32u + 32u + 64u);
}

TEST(L2Sectors, AFetchMayBringTheNeighbour) {
  L2Bank::Params params = sectored();
  params.fetch_bytes = 64;
  Bench b("b", params);
  b.fill(0, 256);
  b.script({load(96, 0, 32), load(64, 100, 32), load(0, 200, 32)});
  b.run();
  EXPECT_EQ(b.bank().stats().hits, 1u);
  EXPECT_EQ(b.bank().stats().fetch_bytes, 128u);
}

// The example of docs/mechanisms.md 1.9.
TEST(L2Sectors, TargetsOfALineWaitForAllItsFetches) {
  Bench line("line", sectored());
  Bench sector("sector", sectored(mha::Granularity::sector));
  for (Bench* b : {&line, &sector}) {
    b->fill(0, 256);
    b->memory->latency = 20;
    b->script({load(0, 0, 32), load(32, 1, 32)});
  }
  line.run();
  sector.run();
  EXPECT_EQ(line.bank().stats().primary_misses, 1u);
  EXPECT_EQ(line.bank().stats().secondary_misses, 1u);
  EXPECT_EQ(line.bank().stats().added_fetches, 1u);
  EXPECT_EQ(sector.bank().stats().primary_misses, 2u);
  EXPECT_EQ(line.latency(0), sector.latency(0) + 1);
  EXPECT_EQ(line.latency(1), sector.latency(1) + 1);
}

TEST(L2Sectors, OtherSectorsAreHitMeanwhile) {
  std::vector<std::unique_ptr<Bench>> benches;
  for (const mha::Kind kind : {mha::Kind::conventional, mha::Kind::dl, mha::Kind::tsma}) {
    L2Bank::Params params = sectored();
    params.mshr.kind = kind;
    benches.push_back(std::make_unique<Bench>(mha::name_of(kind), params));
    benches.back()->fill(0, 256);
    benches.back()->memory->latency = 50;
    benches.back()->script({load(0, 0, 32), load(64, 200, 32), load(0, 210, 32)});
  }
  for (auto& b : benches) {
    SCOPED_TRACE(b->bank().name());
    b->run();
    EXPECT_EQ(b->bank().stats().hits, 1u);
    EXPECT_EQ(b->latency(2), 7u) << "as any hit";
  }
}

// The example of docs/mechanisms.md 1.9: the fifth load of a sector finds four slots taken.
TEST(L2Sectors, AHitUnderADrainTakesTurnsWithTheTargets) {
  std::vector<std::unique_ptr<Bench>> benches;
  for (const bool under_drain : {false, true}) {
    L2Bank::Params params = sectored(mha::Granularity::sector);
    params.hit_cycles = 1;
    params.hit_under_drain = under_drain;
    benches.push_back(std::make_unique<Bench>(under_drain ? "under_drain" : "after", params));
    benches.back()->fill(0, 256);
    benches.back()->memory->latency = 20;
    benches.back()->script({load(0, 0, 32), load(0, 1, 32), load(0, 2, 32), load(0, 3, 32),
                            load(0, 4, 32), load(0, 5, 32)});
  }
  for (auto& b : benches) b->run();
  const auto answered = [&](std::size_t bench) {
    std::vector<Cycle> after_first;
    const Cycle start = benches[bench]->latency(0);
    for (std::size_t i = 0; i < 6; ++i)
      after_first.push_back(benches[bench]->latency(i) + i - start);
    return after_first;
  };
  EXPECT_EQ(answered(0), (std::vector<Cycle>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(answered(1), (std::vector<Cycle>{0, 2, 3, 4, Cycle(-1), 1}));
  EXPECT_EQ(benches[1]->latency(0), benches[0]->latency(0) + 1);
  EXPECT_EQ(benches[0]->bank().stats().hits, 2u);
  EXPECT_EQ(benches[1]->bank().stats().hits, 2u);
  EXPECT_EQ(benches[1]->bank().stats().hits_under_drain, 2u);
}

// A target that writes may have the bytes that the read is to see.
TEST(L2Sectors, NoReadHitsUnderADrainThatWrites) {
  L2Bank::Params params = sectored(mha::Granularity::sector);
  params.mshr.slots = 2;
  params.hit_under_drain = true;
  Bench b("b", params);
  b.fill(0, 256);
  b.memory->latency = 20;
  b.script({load(0, 0, 32), store(0, 7, 1, 32), load(0, 2, 32)});
  b.run();
  EXPECT_EQ(b.bank().stats().hits, 1u);
  EXPECT_EQ(b.bank().stats().hits_under_drain, 0u);
  EXPECT_EQ(b.debug_read(0, 128), b.reference(0, 128));
}

TEST(L2Sectors, AVictimSendsItsDirtySectors) {
  L2Bank::Params params = sectored();
  Bench b("b", params);
  b.fill(0, 4096);
  b.script({store(32, 7, 0, 32), load(64, 50, 32), load(kSet, 200), load(2 * kSet, 300)});
  b.run();
  EXPECT_EQ(b.bank().stats().writebacks, 1u);
  EXPECT_EQ(b.bank().stats().writeback_bytes, 32u);
  EXPECT_EQ(b.in_memory(0, 128), b.reference(0, 128));
}

// Sector 1 has a new byte that is not in memory.
// A line that is there lacks the second sector, so that the write places it as it would a line. It
// hits where a byte of the sector has been written.
TEST(L2Sectors, AWriteIntoAMissingSectorIsNoHit) {
  L2Bank::Params params = sectored();
  params.write_miss = WriteMiss::validate;
  Bench b("b", params);
  b.fill(0, 128);
  b.script({load(0, 0, 32), store(32, 1, 100, 8), store(48, 2, 200, 8), store(0, 3, 300, 8),
            store(24, 4, 400, 16), store(56, 5, 500, 16)});
  b.run();
  EXPECT_EQ(b.bank().stats().primary_misses, 1u);
  EXPECT_EQ(b.bank().stats().placements, 2u);  // of the second sector, then of the third
  EXPECT_EQ(b.bank().stats().hits, 3u);
  EXPECT_EQ(b.memory->reads(), 1u);
  EXPECT_EQ(b.debug_read(0, 128), b.reference(0, 128));
}

TEST(L2Sectors, ARequestWithAGapLeavesTheGapAlone) {
  Bench b("b", sectored());
  b.fill(0, 256);
  Scripted gap = load(0, 100, 96);
  gap.enables = 0xffff'ffff;
  b.script({store(32, 7, 0, 4), gap, load(32, 200, 32)});
  b.run();
}

TEST(L2Sectors, AReadOfNoByteBringsItsLine) {
  Bench b("b", sectored());
  b.fill(0, 256);
  Scripted none = load(0, 0, 64);
  none.enables = 0;
  b.script({none, load(32, 100, 32)});
  b.run();
  EXPECT_EQ(b.bank().stats().fetch_bytes, 64u);
  EXPECT_EQ(b.bank().stats().hits, 1u);
}

TEST(L2Sectors, ARequestOfTwoUnitsIsRefused) {
  Bench b("b", sectored(mha::Granularity::sector));
  b.fill(0, 256);
  Scripted wide = load(0, 0, 64);
  wide.check = false;
  b.script({wide});
  b.run();
  EXPECT_EQ(b.initiator->status[0], tlm::TLM_BURST_ERROR_RESPONSE);
}

}  // namespace
}  // namespace warpmem::l2
