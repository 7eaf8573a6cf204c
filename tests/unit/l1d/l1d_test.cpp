// SPDX-License-Identifier: Apache-2.0
// Hits, misses, allocation, index and write policies, with their cycles.
#include "unit/l1d/l1d_bench.hpp"

namespace warpmem::l1d {
namespace {

// A hit sent in cycle s is accepted in s+1, answered in s+1+hit_cycles and seen one cycle later.
TEST(L1d, HitLatencyIsExact) {
  L1d::Params params = small();
  params.hit_cycles = 7;
  Bench b("b", params);
  b.fill(0, 128);
  b.script({load(0), load(0, 100), load(32, 101, 32), load(4, 102, 4)});
  b.run();
  EXPECT_EQ(b.latency(1), 9u);
  EXPECT_EQ(b.latency(2), 9u);  // pipelined: one a cycle
  EXPECT_EQ(b.latency(3), 9u);
  EXPECT_EQ(b.cache->stats().hits, 3u);
}

// Accepted in n, fetch at the memory in n+1+access_cycles, seen by L1D `latency`+1 later, answered
// in the next cycle and seen one cycle after that.
TEST(L1d, MissLatencyIsExactAndTargetsDrainOneACycle) {
  Bench b("b");
  b.fill(0, 128);
  b.memory->latency = 20;
  b.script({load(0), load(32, 0, 32), load(64, 0, 32)});
  b.run();
  EXPECT_EQ(b.latency(0), 1u + 1 + 1 + 20 + 1 + 1 + 1);
  EXPECT_EQ(b.initiator->responded[1], b.initiator->responded[0] + 1);
  EXPECT_EQ(b.initiator->responded[2], b.initiator->responded[0] + 2);
  EXPECT_EQ(b.cache->stats().primary_misses, 1u);
  EXPECT_EQ(b.cache->stats().secondary_misses, 2u);
  EXPECT_EQ(b.memory->reads(), 1u);
}

TEST(L1d, DlAddsItsSecondAccessCycle) {
  L1d::Params params = small();
  Bench conventional("conventional", params);
  params.mshr.kind = mha::Kind::dl;
  params.mshr.slots = 4;
  Bench dl("dl", params);
  conventional.script({load(0)});
  dl.script({load(0)});
  conventional.run();
  dl.run();
  EXPECT_EQ(dl.latency(0), conventional.latency(0) + 1);
}

TEST(L1d, LeastRecentlyUsedLineIsReplaced) {
  Bench b("b");
  const Addr set = 4 * kLine;  // addresses this far apart share a set
  b.script(
      {load(0), load(set, 100), load(0, 200), load(2 * set, 300), load(0, 400), load(set, 500)});
  b.run();
  EXPECT_EQ(b.cache->stats().hits, 2u);  // 200 and 400
  EXPECT_EQ(b.cache->stats().primary_misses, 4u);
  EXPECT_EQ(b.cache->stats().evictions, 2u);
}

TEST(L1d, XorIndexSpreadsWhatLinearPutsIntoOneSet) {
  L1d::Params params = small();
  Bench linear("linear", params);
  params.index = cache::IndexHash::xor5;
  Bench xored("xored", params);
  std::vector<Scripted> requests;
  for (unsigned round = 0; round < 2; ++round)
    for (unsigned i = 0; i < 4; ++i)
      requests.push_back(load(Addr(i) * 4 * kLine, requests.size() * 100));
  linear.script(requests);
  xored.script(requests);
  linear.run();
  xored.run();
  EXPECT_EQ(linear.cache->stats().hits, 0u);  // four lines in a set of two ways
  EXPECT_EQ(xored.cache->stats().hits, 4u);
}

TEST(L1d, ReservedLineIsASecondaryMissNotAHit) {
  Bench b("b");
  b.script({load(0), load(0)});
  b.run();
  EXPECT_EQ(b.cache->stats().hits, 0u);
  EXPECT_EQ(b.cache->stats().secondary_misses, 1u);
}

TEST(L1d, AllocationOnFillKeepsTheOldLineUntilTheFill) {
  L1d::Params params = small();
  Bench on_miss("on_miss", params);
  params.allocate = Allocate::on_fill;
  Bench on_fill("on_fill", params);
  const Addr set = 4 * kLine;
  // Two lines fill the set; a third one misses, and while it is under way the oldest is read.
  const std::vector<Scripted> requests = {load(0), load(set, 100), load(2 * set, 200),
                                          load(0, 201)};
  on_miss.script(requests);
  on_fill.script(requests);
  on_miss.run();
  on_fill.run();
  EXPECT_EQ(on_miss.cache->stats().hits, 0u);
  EXPECT_EQ(on_fill.cache->stats().hits, 1u);
}

TEST(L1d, StoreGoesThroughAndEvictsItsLine) {
  Bench b("b");
  b.fill(0, 256);
  b.memory->latency = 20;
  b.script({load(0), store(0, 5, 100, 32), load(0, 200), store(128, 6, 300)});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.write_accesses, 2u);
  EXPECT_EQ(s.write_evictions, 1u);
  EXPECT_EQ(s.write_misses, 1u);
  EXPECT_EQ(s.primary_misses, 2u);
  EXPECT_EQ(b.memory->writes(), 2u);
  EXPECT_EQ(b.memory->seen[1].bytes, 32u);  // its own length travels on
  // Accepted s+1, at the memory s+3, its answer at L1D s+4+20, answered s+25, seen s+26.
  EXPECT_EQ(b.latency(1), 26u);
}

// The sector that it writes goes; the others of the line stay.
TEST(L1d, StoreGoesThroughAndEvictsItsSector) {
  L1d::Params params = small();
  params.sector_bytes = 32;
  Bench b("b", params);
  b.fill(0, 128);
  b.script({load(0), store(0, 5, 100, 32), load(32, 200, 32), load(0, 300, 32)});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.write_evictions, 1u);
  EXPECT_EQ(s.hits, 1u);
  EXPECT_EQ(s.primary_misses, 2u);
  EXPECT_NE(stats_json(b.stats).find("that invalidated valid sectors of a line"),
            std::string::npos);
}

TEST(L1d, StoreGoesThroughAndUpdatesItsLine) {
  L1d::Params params = small();
  params.write = Write::through_update;
  Bench b("b", params);
  b.fill(0, 256);
  Scripted part = store(0, 5, 100, 32);
  part.enables = 0xf;
  b.script({load(0), part, load(0, 101), store(128, 6, 300)});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.write_accesses, 2u);
  EXPECT_EQ(s.write_updates, 1u);
  EXPECT_EQ(s.write_evictions, 0u);
  EXPECT_EQ(s.write_misses, 1u);  // and takes no line
  EXPECT_EQ(s.hits, 1u);
  EXPECT_EQ(b.initiator->first_byte[2], 5);
  EXPECT_EQ(b.memory->writes(), 2u);
}

TEST(L1d, StoreClosesAnOutstandingMiss) {
  Bench b("b");
  b.fill(0, 128);
  b.memory->latency = 40;
  b.script({load(0), store(0, 5, 10), load(0, 12)});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.closed_entries, 1u);
  EXPECT_EQ(s.secondary_misses, 0u);
  EXPECT_EQ(s.primary_misses, 2u);  // the later load fetches again and sees the store
  EXPECT_EQ(s.dropped_fills, 1u);
  EXPECT_EQ(b.stall(Stall::line_busy).requests, 1u);
  EXPECT_GT(b.stall(Stall::line_busy).cycles, 20u);
}

// A load that arrives while its line's targets drain merges no more: it waits, then hits.
TEST(L1d, LateRequestWaitsForADrainingEntry) {
  L1d::Params params = small();
  params.mshr.slots = 8;
  Bench b("b", params);
  std::vector<Scripted> requests(8, load(0));
  requests.push_back(load(0, 17));  // filled in cycle 14, drains in 15 to 22
  b.script(requests);
  b.run();
  EXPECT_EQ(b.cache->stats().primary_misses, 1u);
  EXPECT_EQ(b.cache->stats().secondary_misses, 7u);
  EXPECT_EQ(b.cache->stats().hits, 1u);
  EXPECT_EQ(b.stall(Stall::line_busy).requests, 1u);
  EXPECT_EQ(b.stall(Stall::line_busy).cycles, 4u);  // 18 to 21
  EXPECT_EQ(b.memory->reads(), 1u);
}

TEST(L1d, AtomicsAndBypassedLoadsGoToL2) {
  Bench b("b");
  b.fill(0, 128);
  b.script({load(0), atomic(0, 3, 1, 100), bypassed(load(0, 200)), bypassed(load(4, 300, 4)),
            load(0, 400)});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.atomics, 1u);
  EXPECT_EQ(s.bypasses, 2u);
  EXPECT_EQ(s.accesses, 4u);
  EXPECT_EQ(s.primary_misses, 2u);  // the atomic took the line
  EXPECT_EQ(b.memory->seen[1].kind, AccessKind::atomic);
  EXPECT_EQ(b.memory->seen[3].bytes, 4u);
}

TEST(L1d, BypassedLoadsAskForTheLeastSegment) {
  L1d::Params params = small();
  Bench segment("segment", params);
  params.bypass_fetch = BypassFetch::line;
  Bench line("line", params);
  for (Bench* b : {&segment, &line}) {
    b->fill(0, 1024);
    b->script({bypassed(wanting(0b0100, load(0))), bypassed(wanting(0b1100, load(128, 100))),
               bypassed(wanting(0b0110, load(256, 200))), wanting(0b0001, load(384, 300))});
  }
  segment.run();
  line.run();
  using Asked = std::vector<std::pair<Addr, unsigned>>;
  const auto asked = [](const Bench& b) {
    Asked result;
    for (const auto& seen : b.memory->seen) result.emplace_back(seen.address, seen.bytes);
    return result;
  };
  EXPECT_EQ(asked(segment), (Asked{{64, 32}, {192, 64}, {256, 128}, {384, 128}}));
  EXPECT_EQ(segment.cache->stats().bypass_bytes, 224u);
  EXPECT_EQ(asked(line), (Asked{{0, 128}, {128, 128}, {256, 128}, {384, 128}}));
  EXPECT_EQ(line.cache->stats().bypass_bytes, 384u);
}

// Header apart, a store of a word carries 32 B, one of 16 words in a half line 64 B, one whose
// lanes touch both halves the line; an atomic likewise.
TEST(L1d, StoresAndAtomicsCarryTheLeastSegment) {
  L1d::Params params = small();
  Bench segment("segment", params);
  params.store_packet = StorePacket::line;
  Bench line("line", params);
  for (Bench* b : {&segment, &line}) {
    b->fill(0, 1024);
    b->script({wanting(0b0100, store(0, 1)), wanting(0b1100, store(128, 2, 100)),
               wanting(0b0110, store(256, 3, 200)), wanting(0b0001, atomic(384, 4, 1, 300)),
               store(512, 5, 400), load(0, 1000), load(128, 1100), load(256, 1200), load(384, 1300),
               load(512, 1400)});  // the loads find every byte where it belongs
  }
  segment.run();
  line.run();
  using Sent = std::vector<std::pair<Addr, unsigned>>;
  const auto sent = [](const Bench& b) {
    Sent result;
    for (const auto& seen : b.memory->seen)
      if (seen.write) result.emplace_back(seen.address, seen.bytes);
    return result;
  };
  EXPECT_EQ(sent(segment), (Sent{{64, 32}, {192, 64}, {256, 128}, {384, 32}, {512, 128}}));
  EXPECT_EQ(segment.cache->stats().write_bytes, 384u);
  EXPECT_EQ(segment.cache->stats().write_packets, (std::array<std::uint64_t, 3>{2, 1, 2}));
  EXPECT_EQ(sent(line), (Sent{{0, 128}, {128, 128}, {256, 128}, {384, 128}, {512, 128}}));
  EXPECT_EQ(line.cache->stats().write_packets, (std::array<std::uint64_t, 3>{0, 0, 5}));
}

TEST(Segment, IsTheLeastThatHoldsTheSectors) {
  for (const unsigned bytes : {32u, 64u, 128u}) {
    for (unsigned sectors = 1; sectors < 1u << bytes / 32; ++sectors) {
      const Segment s = least_segment(static_cast<std::uint8_t>(sectors), bytes);
      Segment least{0, bytes};
      for (unsigned size = bytes; size >= 32; size /= 2)
        for (unsigned at = 0; at < bytes; at += size)
          if ((sectors & ~(((1u << size / 32) - 1) << at / 32)) == 0) least = {at, size};
      EXPECT_EQ(s.offset, least.offset) << sectors << " of " << bytes;
      EXPECT_EQ(s.bytes, least.bytes) << sectors << " of " << bytes;
    }
  }
  EXPECT_EQ(least_segment(0, 128).bytes, 128u);
}

TEST(L1d, DisabledSendsEverythingToL2) {
  L1d::Params params = small();
  params.enable = false;
  Bench b("b", params);
  b.fill(0, 256);
  b.fill(kLocalBase, 128);
  b.script({load(0), load(0), store(0, 1), load(0), as_local(load(kLocalBase)),
            as_local(store(kLocalBase, 9)), as_local(load(kLocalBase))});
  b.run();
  EXPECT_EQ(b.cache->stats().bypasses, 5u);
  EXPECT_EQ(b.cache->stats().write_accesses, 2u);
  EXPECT_EQ(b.memory->seen.size(), 7u);
}

TEST(L1d, LocalMemoryIsWrittenBack) {
  Bench b("b");
  b.fill(kLocalBase, 4096);
  const Addr set = 4 * kLine;
  Scripted part = as_local(store(kLocalBase, 9));
  part.enables = 0xff00ff;  // the rest of the line comes from memory
  b.script({part, as_local(load(kLocalBase)), as_local(store(kLocalBase, 4, 100, 32)),
            as_local(load(kLocalBase, 101)), as_local(load(kLocalBase + set, 200)),
            as_local(load(kLocalBase + 2 * set, 300)), as_local(load(kLocalBase, 400))});
  b.run();
  const L1d::Stats& s = b.cache->stats();
  EXPECT_EQ(s.write_accesses, 0u);
  EXPECT_EQ(s.writebacks, 1u);
  EXPECT_EQ(s.hits, 2u);
  EXPECT_EQ(s.secondary_misses, 1u);
  EXPECT_EQ(s.primary_misses, 4u);
  EXPECT_EQ(b.memory->writes(), 1u);
}

TEST(L1d, LaunchDropsEveryLine) {
  Bench b("b");
  b.fill(0, 128);
  b.fill(kLocalBase, 128);
  Scripted lost = as_local(store(kLocalBase, 9));
  lost.check = false;  // dropped with its CTA
  b.script({load(0), lost, load(0, 1000), as_local(load(kLocalBase, 1000))});
  b.step(500);
  b.cache->invalidate_all();
  b.run();
  EXPECT_EQ(b.cache->stats().hits, 0u);
  EXPECT_EQ(b.cache->stats().writebacks, 0u);
}

TEST(L1d, RequestsThatNoLineHoldsAreErrors) {
  Bench b("b");
  b.script({load(64), load(0)});
  b.run();
  EXPECT_EQ(b.initiator->status[0], tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(b.initiator->status[1], tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(b.cache->stats().rejected, 1u);
}

TEST(L1d, ErrorsFromBelowReachEveryTargetAndLeaveNoLine) {
  L1d::Params params = small();
  Bench on_miss("on_miss", params);
  params.allocate = Allocate::on_fill;
  Bench on_fill("on_fill", params);
  for (Bench* b : {&on_miss, &on_fill}) {
    b->memory->fails_from = 0;
    b->script({load(0), load(0), store(128, 1), bypassed(load(256)), load(0, 200)});
  }
  on_miss.run();
  on_fill.run();
  for (Bench* b : {&on_miss, &on_fill}) {
    for (const auto status : b->initiator->status)
      EXPECT_EQ(status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b->cache->stats().hits, 0u);
    EXPECT_EQ(b->cache->stats().dropped_fills, 2u);
  }
}

TEST(L1d, StampsTellTheWay) {
  Bench b("b");
  b.script({load(0), load(0), load(0, 100)});
  b.run();
  const Access& primary = b.initiator->access[0];
  const Access& secondary = b.initiator->access[1];
  const Access& hit = b.initiator->access[2];
  EXPECT_LT(primary.at(Stage::issue), primary.at(Stage::l1d_queue));
  EXPECT_LE(primary.at(Stage::l1d_queue), primary.at(Stage::l1d_accept));
  EXPECT_LT(primary.at(Stage::l1d_accept), primary.at(Stage::noc_request));
  EXPECT_LT(primary.at(Stage::noc_request), primary.at(Stage::l1d_fill));
  EXPECT_EQ(secondary.at(Stage::noc_request), 0u);
  EXPECT_EQ(secondary.at(Stage::l1d_fill), primary.at(Stage::l1d_fill));
  EXPECT_EQ(hit.at(Stage::l1d_fill), 0u);
  EXPECT_NE(hit.at(Stage::l1d_accept), 0u);
}

}  // namespace
}  // namespace warpmem::l1d
