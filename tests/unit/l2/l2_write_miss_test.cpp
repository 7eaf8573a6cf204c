// SPDX-License-Identifier: Apache-2.0
// What a write does that misses the L2 bank (l2.write_miss), with the traffic that it makes.
#include "unit/l2/l2_bench.hpp"

namespace warpmem::l2 {
namespace {

L2Bank::Params with(WriteMiss rule) {
  L2Bank::Params params = small();
  params.write_miss = rule;
  return params;
}

// Two loads that replace both lines of the set of address 0.
std::vector<Scripted> replacing(Cycle at) { return {load(kSet, at), load(2 * kSet, at + 100)}; }

TEST(L2WriteMiss, AWholeLineNeedsNoFetch) {
  Bench b("b", with(WriteMiss::fetch_partial));
  b.fill(0, 256);
  b.script({store(0, 1), store(kLine, 2, 100, 32), load(0, 300)});
  b.run();
  EXPECT_EQ(b.memory->reads(), 1u);  // of the line of which 32 B were written
  EXPECT_EQ(b.bank().stats().placements, 1u);
  EXPECT_EQ(b.bank().stats().primary_misses, 1u);
  EXPECT_EQ(b.bank().stats().hits, 1u);
  // It is accepted in s+1, answered hit_cycles later, as a hit is, and seen one cycle later.
  EXPECT_EQ(b.latency(0), 7u);
  EXPECT_EQ(b.initiator->first_byte[2], 1);
}

// Of two lines in a set the one that was written first is used again, by a write of a further
// sector that fetches nothing, so that the other one is replaced.
void expect_use(WriteMiss rule) {
  L2Bank::Params params = with(rule);
  params.sector_bytes = 32;
  Bench b("b", params);
  b.fill(0, 3 * kSet);
  b.script({store(0, 1, 0, 32), store(kSet, 2, 100, 32), store(32, 3, 200, 32),
            store(2 * kSet, 4, 300, 32), load(0, 400, 32), load(kSet, 500, 32)});
  b.run();
  EXPECT_EQ(b.memory->reads(), 1u);
  EXPECT_EQ(b.bank().stats().hits, 1u);
}

TEST(L2WriteMiss, AWriteWithoutAFetchUsesItsLine) { expect_use(WriteMiss::fetch_partial); }
TEST(L2WriteMiss, AWriteOfFurtherBytesUsesItsLine) { expect_use(WriteMiss::validate); }

TEST(L2WriteMiss, AWholeLineWithADisabledByteIsFetched) {
  Bench b("b", with(WriteMiss::fetch_partial));
  b.fill(0, 128);
  Scripted most = store(0, 1);
  most.enables = ~std::uint64_t(1);
  b.script({most});
  b.run();
  EXPECT_EQ(b.bank().stats().placements, 0u);
  EXPECT_EQ(b.memory->reads(), 1u);
}

TEST(L2WriteMiss, ReadsOfWrittenBytesHit) {
  Bench b("b", with(WriteMiss::validate));
  b.fill(0, 128);
  b.script({store(0, 1, 0, 32), load(0, 100, 32), load(28, 200, 4), store(64, 2, 300, 4)});
  b.run();
  EXPECT_EQ(b.memory->reads(), 0u);
  EXPECT_EQ(b.bank().stats().placements, 1u);
  EXPECT_EQ(b.bank().stats().hits, 3u);
  EXPECT_EQ(b.debug_read(0, 128), b.reference(0, 128));
}

TEST(L2WriteMiss, AReadOfAMissingByteFetchesTheLineUnderWhatIsWritten) {
  Bench b("b", with(WriteMiss::validate));
  b.fill(0, 4096);
  b.memory->latency = 20;
  std::vector<Scripted> requests = {store(32, 9, 0, 4), load(0, 100), load(0, 200)};
  for (const Scripted& s : replacing(300)) requests.push_back(s);
  b.script(requests);
  b.run();
  EXPECT_EQ(b.bank().stats().sector_misses, 1u);
  EXPECT_EQ(b.bank().stats().primary_misses, 3u);
  EXPECT_EQ(b.bank().stats().hits, 1u);
  EXPECT_EQ(b.latency(1), 26u);  // a miss like any other
  // What was written has not been in DRAM yet.
  EXPECT_EQ(b.bank().stats().writebacks, 1u);
  EXPECT_EQ(b.in_memory(0, 128), b.reference(0, 128));
}

TEST(L2WriteMiss, AVictimThatLacksBytesIsWrittenWithByteEnables) {
  Bench b("b", with(WriteMiss::validate));
  b.fill(0, 4096);
  std::vector<Scripted> requests = {store(32, 9, 0, 4), store(100, 8, 50, 1)};
  for (const Scripted& s : replacing(300)) requests.push_back(s);
  b.script(requests);
  b.run();
  EXPECT_EQ(b.memory->reads(), 2u);  // those that replaced it
  EXPECT_EQ(b.memory->writes(), 1u);
  EXPECT_EQ(b.in_memory(0, 128), b.reference(0, 128));
}

TEST(L2WriteMiss, AnAtomicNeedsTheBytesOfItsWord) {
  Bench there("there", with(WriteMiss::validate));
  Bench missing("missing", with(WriteMiss::validate));
  for (Bench* b : {&there, &missing}) b->fill(0, 128);
  // The atomic's words are those at 0 and at 64.
  there.script({store(0, 1, 0, 8), store(64, 1, 50, 4), atomic(0, 2, 1, 100)});
  missing.script({store(64, 1, 0, 8), atomic(0, 2, 1, 100)});
  there.run();
  missing.run();
  EXPECT_EQ(there.bank().stats().hits, 2u);
  EXPECT_EQ(there.memory->reads(), 0u);
  EXPECT_EQ(missing.bank().stats().sector_misses, 1u);
  EXPECT_EQ(missing.memory->reads(), 1u);
  for (Bench* b : {&there, &missing}) EXPECT_EQ(b->debug_read(0, 128), b->reference(0, 128));
}

// What has been written is captured at the miss, whether or not it holds the line.
TEST(L2WriteMiss, EveryHandlerFetchesUnderWhatIsWritten) {
  L2Bank::Params on_fill = with(WriteMiss::validate);
  on_fill.allocate = Allocate::on_fill;
  L2Bank::Params tsma = with(WriteMiss::validate);
  tsma.mshr.kind = mha::Kind::tsma;
  Bench one("one", on_fill), two("two", tsma);
  for (Bench* b : {&one, &two}) {
    b->fill(0, 4096);
    b->memory->latency = 20;
    b->script({store(32, 9, 0, 4), load(0, 100)});
  }
  for (Bench* b : {&one, &two}) {
    b->run();
    EXPECT_EQ(b->bank().stats().writebacks, 0u);
    EXPECT_EQ(b->bank().stats().sector_misses, 1u);
    EXPECT_EQ(b->memory->reads(), 1u);
    EXPECT_EQ(b->latency(1), 26u);
    EXPECT_EQ(b->debug_read(0, 128), b->reference(0, 128));
  }
}

TEST(L2WriteMiss, AWriteThatGoesThroughLeavesTheLineClean) {
  Bench b("b", with(WriteMiss::through_fetch));
  b.fill(0, 4096);
  std::vector<Scripted> requests = {store(0, 1, 0, 32)};
  for (const Scripted& s : replacing(300)) requests.push_back(s);
  b.script(requests);
  b.run();
  EXPECT_EQ(b.bank().stats().write_throughs, 1u);
  EXPECT_EQ(b.memory->writes(), 1u);
  EXPECT_EQ(b.memory->reads(), 3u);
  EXPECT_EQ(b.bank().stats().writebacks, 0u);
  EXPECT_EQ(b.in_memory(0, 128), b.reference(0, 128));
}

// DRAM takes the sectors that the write touches, not the line.
TEST(L2WriteMiss, AWriteThatGoesThroughTakesItsSectorsAlong) {
  Bench b("b", with(WriteMiss::through_fetch));
  b.fill(0, 4096);
  b.script({store(40, 1, 0, 16), store(kLine + 60, 2, 100, 8)});
  b.run();
  std::vector<std::pair<Addr, unsigned>> writes;
  for (const auto& request : b.memory->seen)
    if (request.write) writes.emplace_back(request.address, request.bytes);
  const std::vector<std::pair<Addr, unsigned>> expected = {{32, 32}, {kLine + 32, 64}};
  EXPECT_EQ(writes, expected);
  EXPECT_EQ(b.in_memory(0, 256), b.reference(0, 256));
}

TEST(L2WriteMiss, AHitIsWrittenBackAfterAll) {
  Bench b("b", with(WriteMiss::through_fetch));
  b.fill(0, 4096);
  std::vector<Scripted> requests = {store(0, 1, 0, 32), store(0, 2, 200, 32)};
  for (const Scripted& s : replacing(300)) requests.push_back(s);
  b.script(requests);
  b.run();
  EXPECT_EQ(b.bank().stats().write_throughs, 1u);
  EXPECT_EQ(b.bank().stats().writebacks, 1u);
  EXPECT_EQ(b.in_memory(0, 128), b.reference(0, 128));
}

TEST(L2WriteMiss, AWriteThatMergesMakesTheLineDirty) {
  Bench b("b", with(WriteMiss::through_fetch));
  b.fill(0, 4096);
  b.memory->latency = 100;
  std::vector<Scripted> requests = {store(0, 1, 0, 32), store(0, 2, 1, 32)};
  for (const Scripted& s : replacing(500)) requests.push_back(s);
  b.script(requests);
  b.run();
  EXPECT_EQ(b.bank().stats().secondary_misses, 1u);
  EXPECT_EQ(b.bank().stats().write_throughs, 1u);
  EXPECT_EQ(b.bank().stats().writebacks, 1u);
  EXPECT_EQ(b.in_memory(0, 128), b.reference(0, 128));
}

TEST(L2WriteMiss, AtomicsAreFetchedByEveryRule) {
  std::vector<std::unique_ptr<Bench>> benches;
  for (const WriteMiss rule : {WriteMiss::fetch, WriteMiss::fetch_partial, WriteMiss::validate,
                               WriteMiss::through_fetch}) {
    const std::string name = "b" + std::to_string(static_cast<int>(rule));
    benches.push_back(std::make_unique<Bench>(name, with(rule)));
    benches.back()->fill(0, 128);
    Scripted whole = atomic(0, 1, 1);
    whole.enables = ~std::uint64_t(0);
    benches.back()->script({whole});
  }
  for (const auto& b : benches) {
    b->run();
    EXPECT_EQ(b->memory->reads(), 1u);
    EXPECT_EQ(b->memory->writes(), 0u);
  }
}

TEST(L2WriteMiss, GoingThroughNeedsTwoPlaces) {
  L2Bank::Params params = with(WriteMiss::through_fetch);
  params.evict_buffer = 1;
  Problems problems;
  params.validate(problems);
  ASSERT_EQ(problems.list().size(), 1u);
}

}  // namespace
}  // namespace warpmem::l2
