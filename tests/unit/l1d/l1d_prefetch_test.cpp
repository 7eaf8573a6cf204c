// SPDX-License-Identifier: Apache-2.0
// Prefetches in L1D: merging both ways, priority, pressure, what becomes of them, data.
#include <tuple>

#include "files/stats_json.hpp"
#include "unit/l1d/l1d_bench.hpp"

namespace warpmem::l1d {
namespace {

constexpr std::uint32_t kPc = 0x40;

L1d::Params with(PrefetchKind kind, mha::Kind handler = mha::Kind::conventional) {
  L1d::Params p = small();
  p.prefetch.kind = kind;
  p.mshr.kind = handler;
  p.mshr.slots = 4;
  p.mshr.associativity = 2;
  return p;
}

Scripted at_pc(Scripted s, std::uint32_t pc = kPc, std::uint16_t warp = 0) {
  s.pc = pc;
  s.warp = warp;
  return s;
}

// Returns loads of consecutive lines by one instruction, `gap` cycles apart.
std::vector<Scripted> stream(unsigned lines, Cycle gap, Addr first = 0) {
  std::vector<Scripted> s;
  for (unsigned i = 0; i < lines; ++i)
    s.push_back(at_pc(load(first + Addr(i) * kLine, 1 + Cycle(i) * gap)));
  return s;
}

const PrefetchUnit& unit(const Bench& b) { return *b.cache->prefetch_unit(); }

TEST(L1dPrefetch, AStreamFindsItsLines) {
  Bench off("off");
  Bench on("on", with(PrefetchKind::pcst));
  for (Bench* b : {&off, &on}) {
    b->fill(0, 64 * kLine);
    b->memory->latency = 40;
    b->script(stream(20, 100));
  }
  off.run();
  on.run();
  EXPECT_GT(off.latency(10), 40u);
  EXPECT_LT(on.latency(10), 10u);
  // The second load, TRANSIENT, asks for the third line; the last one for a line that nobody wants.
  EXPECT_EQ(unit(on).issued(), 19u);
  EXPECT_EQ(unit(on).useful(), 18u);
  EXPECT_EQ(unit(on).late(), 0u);
  EXPECT_EQ(on.cache->stats().hits, 18u);
  EXPECT_EQ(on.cache->stats().primary_misses, 2u);
  EXPECT_EQ(on.memory->reads(), 21u);
  EXPECT_EQ(on.initiator->order.size(), 20u) << "the prefetches answered to nobody";
  on.cache->end_launch();
  EXPECT_EQ(unit(on).useless(), 1u);
}

TEST(L1dPrefetch, ADemandMissTakesOverALatePrefetch) {
  L1d::Params p = with(PrefetchKind::pcst);
  p.mshr.entries = 8;
  Bench b("b", p);
  b.fill(0, 64 * kLine);
  b.memory->latency = 60;
  auto s = stream(2, 5);
  s.push_back(at_pc(load(2 * kLine, 30)));
  s.push_back(at_pc(load(2 * kLine, 31), 0x80, 1));
  b.script(s);
  b.run();
  EXPECT_EQ(unit(b).late(), 1u) << "the second merger finds a demand miss";
  EXPECT_EQ(b.cache->stats().secondary_misses, 2u);
  EXPECT_EQ(b.memory->reads(), 4u) << "lines 0 to 3";
  EXPECT_LT(b.latency(2), 60u);
  EXPECT_EQ(b.initiator->access[2].at(Stage::noc_request), 0u) << "as of a merged miss";
}

// An entry has one slot, so the prefetch's slot is the demand's.
TEST(L1dPrefetch, TakingOverNeedsNoSlot) {
  std::vector<std::unique_ptr<Bench>> benches;
  for (const mha::Kind kind :
       {mha::Kind::conventional, mha::Kind::dl, mha::Kind::tsma, mha::Kind::htsma}) {
    L1d::Params p = with(PrefetchKind::pcst, kind);
    p.mshr.slots = kind == mha::Kind::dl ? 2 : 1;
    benches.push_back(std::make_unique<Bench>(mha::name_of(kind), p));
    Bench& b = *benches.back();
    b.fill(0, 64 * kLine);
    b.memory->latency = 60;
    auto s = stream(2, 5);
    s.push_back(at_pc(load(2 * kLine, 30)));
    b.script(s);
  }
  for (auto& b : benches) {
    SCOPED_TRACE(b->cache->name());
    b->run();
    EXPECT_EQ(unit(*b).late(), 1u);
    EXPECT_EQ(b->stall(Stall::merge_full).cycles, 0u);
  }
}

TEST(L1dPrefetch, LinesAndMissesThatAreThereAreNotFetchedAgain) {
  Bench present("present", with(PrefetchKind::pcst));
  Bench outstanding("outstanding", with(PrefetchKind::pcst));
  for (Bench* b : {&present, &outstanding}) {
    b->fill(0, 64 * kLine);
    b->memory->latency = 60;
  }
  present.script({at_pc(load(2 * kLine, 1), 0x80), at_pc(load(0, 200)), at_pc(load(kLine, 300))});
  outstanding.script(
      {at_pc(load(0, 1)), at_pc(load(2 * kLine, 100), 0x80), at_pc(load(kLine, 101))});
  present.run();
  outstanding.run();
  EXPECT_EQ(unit(present).dropped(PrefetchDrop::present), 1u);
  EXPECT_EQ(unit(present).issued(), 0u);
  EXPECT_EQ(unit(outstanding).dropped(PrefetchDrop::outstanding), 1u);
  EXPECT_EQ(unit(outstanding).issued(), 0u);
}

TEST(L1dPrefetch, EntriesAreSparedForDemand) {
  L1d::Params p = with(PrefetchKind::pcst);
  p.prefetch.degree = 8;
  p.prefetch.queue = 16;
  p.ways = 8;
  Bench b("b", p);
  b.fill(0, 64 * kLine);
  b.memory->latency = 200;
  b.script({at_pc(load(0, 1)), at_pc(load(kLine, 300)), at_pc(load(40 * kLine, 330), 0x80, 1)});
  b.run();
  // Of four entries the load holds one and one is spared, which leaves two prefetches of eight.
  EXPECT_EQ(unit(b).issued(), 2u);
  EXPECT_EQ(unit(b).dropped(PrefetchDrop::mshr_full), 6u);
  EXPECT_EQ(b.stall(Stall::entry_full).cycles, 0u);
  EXPECT_EQ(b.initiator->order, (std::vector<std::size_t>{0, 1, 2}));
}

TEST(L1dPrefetch, ASetFullOfReservedLinesDropsThem) {
  L1d::Params p = with(PrefetchKind::pcst);
  p.mshr.entries = 16;
  Bench b("b", p);  // 4 sets of 2 ways
  b.fill(0, 64 * kLine);
  b.memory->latency = 200;
  b.script({at_pc(load(0, 1)), at_pc(load(4 * kLine, 300)), at_pc(load(12 * kLine, 301), 0x80, 1)});
  b.run();
  EXPECT_EQ(unit(b).dropped(PrefetchDrop::no_line), 1u);
}

TEST(L1dPrefetch, TheMissQueueKeepsAPlaceForDemand) {
  L1d::Params p = with(PrefetchKind::pcst);
  p.miss_queue = 2;
  p.prefetch.degree = 4;
  p.mshr.entries = 16;
  Bench b("b", p);
  b.fill(0, 64 * kLine);
  b.memory->asleep_until = 400;
  b.script({at_pc(load(0, 1)), at_pc(load(kLine, 10)), at_pc(store(50 * kLine, 1, 11), 0x90, 1),
            at_pc(store(51 * kLine, 1, 12), 0x90, 1), at_pc(store(52 * kLine, 1, 13), 0x90, 1),
            at_pc(store(53 * kLine, 1, 14), 0x90, 1), at_pc(load(2 * kLine, 380))});
  b.run();
  EXPECT_GT(unit(b).dropped(PrefetchDrop::miss_queue_full), 0u);
}

TEST(L1dPrefetch, DemandGoesFirst) {
  L1d::Params p = with(PrefetchKind::pcst);
  p.prefetch.degree = 4;
  p.mshr.entries = 32;
  Bench b("b", p);
  b.fill(0, 64 * kLine);
  std::vector<Scripted> s = {at_pc(load(0, 1))};
  for (unsigned i = 0; i < 6; ++i) s.push_back(at_pc(load(kLine + i * 4, 100, 4)));
  b.script(s);
  b.run();
  // Back-to-back loads are taken one a cycle; no prefetch comes between them.
  for (std::size_t i = 2; i < b.memory->seen.size(); ++i)
    EXPECT_GE(b.memory->seen[i].cycle, b.initiator->sent[6]) << i;
}

TEST(L1dPrefetch, UnusedLinesAreUselessAndEarlyEvictedWhenMissed) {
  L1d::Params p = with(PrefetchKind::pcst);
  Bench b("b", p);  // 4 sets of 2 ways
  b.fill(0, 128 * kLine);
  b.script({at_pc(load(0, 1)), at_pc(load(kLine, 100)),  // prefetches line 2
            at_pc(load(6 * kLine, 200), 0x80, 1), at_pc(load(10 * kLine, 300), 0x84, 1),
            at_pc(load(14 * kLine, 400), 0x88, 1),  // line 2 leaves
            at_pc(load(2 * kLine, 500), 0x8c, 1)});
  b.run();
  EXPECT_EQ(unit(b).issued(), 1u);
  EXPECT_EQ(unit(b).useful(), 0u);
  EXPECT_EQ(unit(b).useless(), 1u);
  EXPECT_EQ(unit(b).early_evicted(), 1u);
}

TEST(L1dPrefetch, AStoreMakesAPrefetchUseless) {
  Bench b("b", with(PrefetchKind::pcst));
  b.fill(0, 64 * kLine);
  b.memory->latency = 50;
  b.script({at_pc(load(0, 1)), at_pc(load(kLine, 100)),
            at_pc(store(2 * kLine, 0x5a, 115), 0x80, 1),  // line 2 is outstanding
            at_pc(load(2 * kLine, 300)),
            at_pc(store(3 * kLine, 0x11, 500), 0x80, 1),  // line 3 has arrived
            at_pc(load(3 * kLine, 600), 0x84, 1)});
  b.run();
  EXPECT_EQ(unit(b).issued(), 2u);
  EXPECT_EQ(unit(b).useful(), 0u);
  EXPECT_EQ(unit(b).useless(), 2u);
  EXPECT_EQ(unit(b).early_evicted(), 0u);
}

TEST(L1dPrefetch, NothingOutsideMemoryIsAskedFor) {
  L1d::Params p = with(PrefetchKind::pcst);
  p.prefetch_range = {0, 4 * kLine};
  Bench b("b", p);
  b.fill(0, 64 * kLine);
  b.memory->fails_from = 4 * kLine;
  b.script(stream(4, 100));
  b.run();
  EXPECT_EQ(unit(b).dropped(PrefetchDrop::out_of_range), 1u);
  EXPECT_EQ(unit(b).useful(), 2u);
}

TEST(L1dPrefetch, LocalMemoryAtomicsAndBypassedLoadsCauseNone) {
  Bench b("b", with(PrefetchKind::pc_stride));
  b.fill(0, 64 * kLine);
  b.fill(kLocalBase, 64 * kLine);
  std::vector<Scripted> s;
  for (unsigned i = 0; i < 4; ++i) {
    s.push_back(at_pc(as_local(load(kLocalBase + i * kLine, 1 + 50 * i)), 0x10));
    s.push_back(at_pc(bypassed(load(8 * kLine + i * kLine, 1 + 50 * i)), 0x20));
    s.push_back(at_pc(atomic(16 * kLine + i * kLine, 1, i + 1, 1 + 50 * i), 0x30));
    s.push_back(at_pc(store(24 * kLine + i * kLine, 1, 1 + 50 * i), 0x40));
  }
  b.script(s);
  b.run();
  EXPECT_EQ(unit(b).issued(), 0u);
}

// This is KI 4.4.2: L1D as a prefetch cache.
TEST(L1dPrefetch, KeepingOnlyPrefetchesDemandLinesStayOut) {
  L1d::Params p = with(PrefetchKind::pcst);
  p.keep = Keep::prefetches;
  Bench b("b", p);
  b.fill(0, 64 * kLine);
  b.fill(kLocalBase, 4 * kLine);
  b.memory->latency = 20;
  b.script({at_pc(load(0, 1)), at_pc(load(0, 100), 0x80, 1), at_pc(load(0, 102), 0x88, 1),
            at_pc(load(8 * kLine, 200)),  // a stride: line 16 is prefetched
            at_pc(load(16 * kLine, 300)), at_pc(load(16 * kLine, 400), 0x84, 1),
            at_pc(as_local(load(kLocalBase, 500))), at_pc(as_local(load(kLocalBase, 600)))});
  b.run();
  EXPECT_EQ(b.cache->stats().hits, 3u) << "line 16 twice, local memory once";
  EXPECT_EQ(b.cache->stats().secondary_misses, 1u) << "misses merge all the same";
  EXPECT_EQ(unit(b).useful(), 1u);
}

TEST(L1dPrefetch, SharedTagsKeepEveryLine) {
  Problems problems;
  L1d::Params p = with(PrefetchKind::none, mha::Kind::htsma);
  p.keep = Keep::prefetches;
  p.validate(problems);
  ASSERT_EQ(problems.list().size(), 1u);
  EXPECT_NE(problems.list()[0].find("l1d.keep"), std::string::npos);
}

// The prefetcher hears of the ends of blocks; the third one that empties its tables stops it.
TEST(L1dPrefetch, ThrottlingStops) {
  L1d::Params p = with(PrefetchKind::stpe);
  p.size = 128 * 2;
  p.ways = 2;
  Bench b("b", p);  // one set: prefetched lines soon leave
  b.fill(0, 512 * kLine);
  std::vector<Scripted> s;
  for (unsigned i = 0; i < 40; ++i) {
    s.push_back(at_pc(load(Addr(i) * 2 * kLine, 1 + 200 * i), kPc));  // each other line
    for (unsigned k = 0; k < 3; ++k)                                  // evicts what was prefetched
      s.push_back(at_pc(load((300 + 4 * i + k) * kLine, 100 + 200 * i + 20 * k), 0x80 + 4 * k, 1));
  }
  b.script(s);
  std::vector<std::uint64_t> issued;
  for (unsigned i = 0; i < 5; ++i) {
    b.step(1500);
    issued.push_back(unit(b).issued());
    b.cache->cta_finished(3);
  }
  b.run();
  EXPECT_GT(issued[0], 0u);
  EXPECT_EQ(unit(b).issued(), issued[2]);
}

// ---- random traffic ----------------------------------------------------------------------------

std::vector<Scripted> random_strides(std::uint64_t seed, unsigned count, bool warps = true) {
  Random random(seed);
  std::vector<Scripted> requests;
  Cycle at = 0;
  Addr cursor[4] = {};
  std::uint32_t sequence = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (random.chance(5)) at += random.below(300);
    const unsigned w = random.below(4);
    cursor[w] = (cursor[w] + (random.chance(10) ? random.below(40) : 1 + w % 2)) % 40;
    const bool local = random.chance(15);
    const Addr address = (local ? kLocalBase : 0) + cursor[w] * kLine;
    Scripted s = load(address, at);
    if (random.chance(20)) {
      s = store(address, static_cast<std::uint8_t>(random.next() >> 9), at);
      s.enables = random.next();
    } else if (!local && random.chance(5)) {
      s = atomic(address, 3, ++sequence, at);
    } else if (!local && random.chance(5)) {
      s.bypass = true;
    }
    s.local = local;
    requests.push_back(at_pc(s, 0x100 + 8 * w, static_cast<std::uint16_t>(warps ? w : 0)));
  }
  return requests;
}

using PrefetchSetting = std::tuple<PrefetchKind, mha::Kind, Allocate>;

class L1dPrefetchRandom : public testing::TestWithParam<PrefetchSetting> {};

TEST_P(L1dPrefetchRandom, LoadsReturnWhatWasWritten) {
  const auto [kind, handler, allocate] = GetParam();
  L1d::Params params = with(kind, handler);
  params.allocate = allocate;
  params.miss_queue = 4;
  params.response_queue = 2;
  params.hit_cycles = 2;
  params.prefetch.degree = 2;
  params.prefetch_range = {0, 40 * kLine};
  std::vector<std::unique_ptr<Bench>> benches;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    L1d::Params p = params;
    if (seed == 3 && !p.mshr.shares_tags()) p.keep = Keep::prefetches;
    if (seed == 4) p.frontend.kind = FrontendKind::mrpb;
    if (seed >= 3) p.bypass = Bypass::any_rf;
    p.prefetch.spare_entries = seed % 2;
    for (const bool tick_all : {false, true}) {
      const std::string name = (tick_all ? "ticking" : "skipping") + std::to_string(seed);
      benches.push_back(std::make_unique<Bench>(name, p, tick_all));
      Bench& b = *benches.back();
      b.fill(0, 40 * kLine, seed);
      b.fill(kLocalBase, 40 * kLine, seed + 100);
      b.memory->latency = 5 + seed * 10;
      b.memory->extra_latency = seed % 2 == 0 ? 0 : 80;
      b.memory->busy_percent = seed % 3 == 0 ? 60 : 5;
      b.memory->seed = seed;
      b.initiator->busy_percent = seed % 3 == 1 ? 60 : 5;
      b.initiator->seed = seed;
      b.script(random_strides(seed, 2500, p.frontend.kind == FrontendKind::fifo));
    }
  }
  for (unsigned i = 0; i < 20; ++i) {  // blocks end now and then
    benches[0]->step(200);
    for (auto& b : benches) b->cache->cta_finished(i % 2);
  }
  std::uint64_t issued = 0;
  for (auto& b : benches) {
    SCOPED_TRACE(b->cache->name());
    b->run();
    issued += unit(*b).issued();
  }
  EXPECT_GT(issued, 0u);
  for (std::size_t i = 0; i < benches.size(); i += 2) {
    SCOPED_TRACE(benches[i]->cache->name());
    EXPECT_TRUE(stats_json(benches[i]->stats) == stats_json(benches[i + 1]->stats));
    EXPECT_TRUE(benches[i]->initiator->responded == benches[i + 1]->initiator->responded);
  }
}

std::string name_of_prefetch_setting(const testing::TestParamInfo<PrefetchSetting>& info) {
  static const char* const kNames[] = {"none", "pc_stride", "pcst", "itpc", "stpe", "mt_hwp"};
  const auto [kind, handler, allocate] = info.param;
  return std::string(kNames[static_cast<std::size_t>(kind)]) + "_" + mha::name_of(handler) +
         (allocate == Allocate::on_miss ? "_on_miss" : "_on_fill");
}

INSTANTIATE_TEST_SUITE_P(
    Grid, L1dPrefetchRandom,
    testing::Combine(testing::Values(PrefetchKind::pc_stride, PrefetchKind::pcst,
                                     PrefetchKind::itpc, PrefetchKind::stpe, PrefetchKind::mt_hwp),
                     testing::Values(mha::Kind::conventional, mha::Kind::set_associative,
                                     mha::Kind::dl, mha::Kind::tsma, mha::Kind::htsma),
                     testing::Values(Allocate::on_miss, Allocate::on_fill)),
    name_of_prefetch_setting);

TEST(L1dPrefetch, CarryingNoBytesChangesNoTime) {
  L1d::Params params = with(PrefetchKind::mt_hwp);
  Bench carrying("a", params);
  params.carry_data = false;
  Bench without("b", params);
  for (Bench* b : {&carrying, &without}) {
    b->fill(0, 40 * kLine);
    b->fill(kLocalBase, 40 * kLine);
    b->script(random_strides(7, 3000));
  }
  carrying.run();
  without.run();
  EXPECT_TRUE(stats_json(carrying.stats) == stats_json(without.stats));
}

TEST(L1dPrefetch, NoneRegistersNothingAndChangesNothing) {
  Bench none("none");
  Bench other("other");
  other.cache->cta_finished(0);
  for (Bench* b : {&none, &other}) {
    b->fill(0, 64 * kLine);
    b->script(stream(10, 30));
  }
  none.run();
  other.run();
  EXPECT_EQ(none.cache->prefetch_unit(), nullptr);
  EXPECT_EQ(stats_json(none.stats).find("prefetch"), std::string::npos);
  EXPECT_EQ(stats_json(none.stats), stats_json(other.stats));
}

}  // namespace
}  // namespace warpmem::l1d
