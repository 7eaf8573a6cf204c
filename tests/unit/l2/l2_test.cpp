// SPDX-License-Identifier: Apache-2.0
// Hits, misses, write-back, order of targets, atomics and untimed access of the L2 bank.
#include "unit/l2/l2_bench.hpp"

namespace warpmem::l2 {
namespace {

TEST(L2Bank, HitAndMissLatenciesAreExact) {
  Bench b("b");
  b.memory->latency = 20;
  b.script({load(0), load(0, 100), store(32, 1, 200, 32), load(64, 201, 4)});
  b.run();
  // Accepted s+1, at the memory s+3, its answer at the bank s+24, answered s+25, seen s+26.
  EXPECT_EQ(b.latency(0), 26u);
  // It is accepted in s+1, answered in s+1+hit_cycles, and seen one cycle later.
  EXPECT_EQ(b.latency(1), 7u);
  EXPECT_EQ(b.latency(2), 7u);
  EXPECT_EQ(b.latency(3), 7u);
  EXPECT_EQ(b.bank().stats().hits, 3u);
}

TEST(L2Bank, EveryWriteMissFetchesItsLine) {
  Bench b("b");
  b.fill(0, 256);
  Scripted part = store(0, 9);
  part.enables = 0xf0;
  b.script({part, store(128, 1), load(0), load(128)});
  b.run();
  EXPECT_EQ(b.memory->reads(), 2u);
  EXPECT_EQ(b.memory->writes(), 0u);  // write-back: nothing has been evicted
  EXPECT_EQ(b.bank().stats().primary_misses, 2u);
  EXPECT_EQ(b.bank().stats().writes, 2u);
}

// W1, R1, W2 and R2 are in one entry: each read sees the writes before it and none after.
TEST(L2Bank, WritesAndReadsOfOneEntryKeepTheirOrder) {
  Bench b("b");
  b.fill(0, 128);
  b.memory->latency = 60;
  b.script({store(0, 1), load(0), store(0, 2), load(0)});
  b.run();
  EXPECT_EQ(b.bank().stats().primary_misses, 1u);
  EXPECT_EQ(b.bank().stats().secondary_misses, 3u);
  EXPECT_EQ(b.initiator->first_byte[1], 1);
  EXPECT_EQ(b.initiator->first_byte[3], 2);
  EXPECT_EQ(b.initiator->order, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(L2Bank, DirtyVictimIsWrittenBackAndRefetched) {
  Bench b("b");
  b.fill(0, 4096);
  b.memory->late = true;
  b.script({store(0, 7), load(kSet, 100), load(2 * kSet, 200), load(0, 201)});
  b.run();
  EXPECT_EQ(b.bank().stats().writebacks, 1u);
  EXPECT_EQ(b.bank().stats().evictions, 2u);
  // The line may not be fetched before DRAM has it.
  EXPECT_EQ(b.stall(Stall::line_busy).requests, 1u);
  EXPECT_EQ(b.initiator->first_byte[3], 7);
}

TEST(L2Bank, LateRequestWaitsForADrainingEntry) {
  Bench b("b");
  b.script({load(0), load(0), load(0), load(0), load(0, 15)});  // drains in 15 to 18
  b.run();
  EXPECT_EQ(b.bank().stats().secondary_misses, 3u);
  EXPECT_EQ(b.bank().stats().hits, 1u);
  EXPECT_EQ(b.stall(Stall::line_busy).requests, 1u);
  EXPECT_EQ(b.stall(Stall::line_busy).cycles, 2u);  // 16 and 17; the last target leaves in 18
}

TEST(L2Bank, IndexUsesThePartitionLocalAddress) {
  AddressMapParams params;
  params.partitions = 8;
  const AddressMap map(params);
  Bench b("b", small(), false, map);
  // Chunks of 256 B go round the partitions: these eight lines of partition 0 are local lines 0..7.
  std::vector<Scripted> requests;
  for (unsigned round = 0; round < 2; ++round)
    for (unsigned i = 0; i < 8; ++i)
      requests.push_back(load(map.global(PartitionId(0), i * kLine), round * 1000 + i * 50));
  b.script(requests);
  b.run();
  EXPECT_EQ(b.bank().stats().hits, 8u);  // all sets are used
}

TEST(L2Bank, XorIndexSpreadsWhatLinearPutsIntoOneSet) {
  L2Bank::Params params = small();
  Bench linear("linear", params);
  params.index = cache::IndexHash::xor5;
  Bench xored("xored", params);
  std::vector<Scripted> requests;
  for (unsigned i = 0; i < 8; ++i) requests.push_back(load(i % 4 * kSet, i * 100));
  linear.script(requests);
  xored.script(requests);
  linear.run();
  xored.run();
  EXPECT_EQ(linear.bank().stats().hits, 0u);
  EXPECT_EQ(xored.bank().stats().hits, 4u);
}

TEST(L2Bank, AtomicsTakeEffectInTheirOwnOrder) {
  Bench b("b");
  b.fill(0, 256);
  b.memory->latency = 60;
  std::vector<Scripted> requests = {
      atomic(0, 1, 1),      atomic(0, 3, 3),      atomic(0, 2, 2),     // while the line is missing
      atomic(0, 5, 5, 300), atomic(0, 4, 4, 310), atomic(128, 9, 6)};  // and when it is there
  requests[2].check = requests[4].check = false;                       // overtaken
  requests.push_back(store(0, 8, 400, 32));  // a store and an atomic: as they arrive
  requests.push_back(load(0, 500));
  std::sort(requests.begin(), requests.end(),
            [](const Scripted& x, const Scripted& y) { return x.at < y.at; });
  b.script(requests);
  b.run();
  EXPECT_EQ(b.bank().stats().atomics, 6u);
  EXPECT_EQ(b.debug_read(0, 256), b.reference(0, 256));
}

Scripted operations(unsigned groups, unsigned chain, Scripted s) {
  s.groups = static_cast<std::uint8_t>(groups);
  s.chain = static_cast<std::uint8_t>(chain);
  return s;
}

// An atomic of one operation takes the time of a hit; each further operation on its worst word, a
// cycle more.
TEST(L2Bank, OperationsOnAWordGoOneAfterTheOther) {
  Bench b("b");
  b.script({load(0), atomic(0, 1, 1, 100), operations(4, 4, atomic(0, 2, 2, 200)),
            operations(32, 1, atomic(0, 3, 3, 300))});
  b.run();
  EXPECT_EQ(b.latency(1), 7u);
  EXPECT_EQ(b.latency(2), 10u);
  EXPECT_EQ(b.latency(3), 7u);  // 32 words of a line at once
  EXPECT_EQ(b.bank().atomic_unit().stats().operations, 37u);
  EXPECT_EQ(b.bank().atomic_unit().stats().busy_cycles, 6u);
}

// 8 operations of which 2 are on one word: 4 steps of 2 words, 3 cycles each.
TEST(L2Bank, TheAtomicUnitHasAThroughput) {
  L2Bank::Params params = small();
  params.atomic.words = 2;
  params.atomic.interval = 3;
  Bench b("b", params);
  b.script(
      {load(0), operations(8, 2, atomic(0, 1, 1, 100)), operations(8, 6, atomic(0, 2, 2, 200))});
  b.run();
  EXPECT_EQ(b.latency(1), 7u + 11);
  EXPECT_EQ(b.latency(2), 7u + 17);  // the worst word alone needs 6 steps
}

// The second atomic is accepted when the unit is free, four cycles after the first, and holds up a
// read behind it unless the front end lets that pass. Hits leave in order.
TEST(L2Bank, AtomicsThatHitWaitForTheUnit) {
  L2Bank::Params params = small();
  Bench fifo("fifo", params);
  params.frontend.kind = FrontendKind::nonblocking;
  Bench nonblocking("nonblocking", params);
  for (Bench* b : {&fifo, &nonblocking}) {
    b->script({load(0), load(128), operations(4, 4, atomic(0, 1, 1, 100)),
               operations(4, 4, atomic(0, 2, 2, 101)), load(128, 102)});
  }
  for (Bench* b : {&fifo, &nonblocking}) {
    b->run();
    EXPECT_EQ(b->initiator->responded[3], b->initiator->responded[2] + 4);
    EXPECT_EQ(b->stall(Stall::atomic_busy).requests, 1u);
  }
  EXPECT_EQ(fifo.latency(2), 10u);
  EXPECT_EQ(fifo.stall(Stall::atomic_busy).cycles, 3u);
  EXPECT_EQ(fifo.initiator->responded[4], fifo.initiator->responded[3] + 1);
  // It leaves behind the first atomic, which had been accepted before it.
  EXPECT_EQ(nonblocking.initiator->responded[4], nonblocking.initiator->responded[2] + 1);
}

// Targets of a fill: the second atomic begins when the first has been answered.
TEST(L2Bank, AtomicsThatMissedTakeTheirTimeAmongTheTargets) {
  Bench one("one");
  Bench four("four");
  for (Bench* b : {&one, &four}) {
    const unsigned n = b == &one ? 1 : 4;
    b->memory->latency = 20;
    b->script({operations(n, n, atomic(0, 1, 1)), operations(n, n, atomic(0, 2, 2)), load(0)});
  }
  one.run();
  four.run();
  EXPECT_EQ(one.latency(0), 26u);
  EXPECT_EQ(four.latency(0), 26u + 3);
  EXPECT_EQ(one.initiator->responded[1], one.initiator->responded[0] + 1);
  EXPECT_EQ(four.initiator->responded[1], four.initiator->responded[0] + 4);
  EXPECT_EQ(four.initiator->responded[2], four.initiator->responded[1] + 1);
}

TEST(L2Bank, ANewLaunchCountsAtomicsFromOne) {
  Bench b("b");
  b.script({atomic(0, 1, 50), atomic(0, 2, 1, 500)});
  b.step(300);
  b.bank().begin_launch();
  b.run();
  EXPECT_EQ(b.debug_read(0, 1)[0], 2);
}

TEST(L2Bank, DebugAccessSeesTheNewestBytes) {
  Bench b("b");
  b.fill(0, 1024);
  Scripted part = store(128, 0x55);
  part.enables = 0xff;
  b.script({part, load(0)});
  b.run();
  EXPECT_EQ(b.debug_read(64, 256), b.reference(64, 256));  // across lines, cached or not
  EXPECT_NE(b.in_memory(128, 128), b.reference(128, 128));
  // A write drops the line; what was dirty beside it survives.
  b.debug_write(130, {1, 2, 3});
  const std::uint8_t written[] = {1, 2, 3};
  b.initiator->reference.write(130, 3, written);
  EXPECT_EQ(b.debug_read(0, 1024), b.reference(0, 1024));
  EXPECT_EQ(b.in_memory(0, 1024), b.reference(0, 1024));
}

TEST(L2Bank, FlushEmptiesTheBank) {
  Bench b("b");
  b.fill(0, 1024);
  b.script({store(0, 1), store(256, 2), load(512), load(0, 1000)});
  b.step(500);
  b.bank().flush();
  EXPECT_EQ(b.in_memory(0, 1024), b.reference(0, 1024));
  b.run();
  EXPECT_EQ(b.bank().stats().hits, 0u);
}

TEST(L2Bank, HostWritesDropLinesButNotTheirNeighboursBytes) {
  Bench b("b");
  b.fill(0, 1024);
  b.script({store(0, 1), store(128, 2), store(512, 3), load(512, 1000), load(0, 1000)});
  b.step(500);
  b.bank().invalidate(64, 96);  // bytes 64..159: half of line 0, a quarter of line 1
  std::vector<std::uint8_t> host(96, 0xaa);
  b.memory->image.write(64, 96, host.data());
  b.initiator->reference.write(64, 96, host.data());
  b.run();
  EXPECT_EQ(b.bank().stats().hits, 1u);  // line 512 stayed
  EXPECT_EQ(b.debug_read(0, 1024), b.reference(0, 1024));
}

// The set's least recently used line makes room, and what is dirty in it goes to DRAM.
TEST(L2Bank, TakesLinesThatTheHostHasWritten) {
  Bench b("b");
  b.fill(0, 3 * kSet);
  b.script({store(0, 7), load(kSet, 100), load(2 * kSet, 2000), load(kSet, 2100), load(0, 2200)});
  b.step(1000);
  b.bank().take_from_host(2 * kSet);
  EXPECT_EQ(b.in_memory(0, kLine), b.reference(0, kLine));
  b.run();
  EXPECT_EQ(b.latency(2), 7u);
  EXPECT_EQ(b.bank().stats().hits, 2u);
  EXPECT_EQ(b.bank().stats().primary_misses, 3u);
}

TEST(L2Bank, BlockingTransportReadsAndWrites) {
  Bench b("b");
  b.fill(0, 512);
  b.script({store(0, 1)});
  b.run();
  for (const Addr address : {Addr(0), Addr(256)}) {  // present, and absent
    std::array<std::uint8_t, 4> bytes{9, 8, 7, 6};
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    payload.set_address(address);
    payload.set_data_ptr(bytes.data());
    payload.set_data_length(4);
    payload.set_streaming_width(4);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    b.initiator->out.socket->b_transport(payload, delay);
    EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
    EXPECT_GT(delay, sc_core::SC_ZERO_TIME);
    b.initiator->reference.write(address, 4, bytes.data());
    std::array<std::uint8_t, 4> back{};
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload.set_data_ptr(back.data());
    b.initiator->out.socket->b_transport(payload, delay);
    EXPECT_EQ(back, bytes);
  }
  EXPECT_EQ(b.debug_read(0, 512), b.reference(0, 512));
}

TEST(L2Bank, ErrorsReachTheRequester) {
  L2Bank::Params params = small();
  Bench on_miss("on_miss", params);
  params.allocate = Allocate::on_fill;
  Bench on_fill("on_fill", params);
  for (Bench* b : {&on_miss, &on_fill}) {
    b->memory->fails_from = 0;
    b->script({load(0), store(0, 1), load(64, 0, 128), load(0, 200)});
  }
  on_miss.run();
  on_fill.run();
  for (Bench* b : {&on_miss, &on_fill}) {
    EXPECT_EQ(b->initiator->status[0], tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b->initiator->status[1], tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b->initiator->status[2], tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(b->initiator->status[3], tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(b->bank().stats().failed_fills, 2u);
    EXPECT_EQ(b->bank().stats().rejected, 1u);
  }
}

TEST(L2Bank, StampsTellTheWay) {
  Bench b("b");
  b.script({load(0), load(0), load(0, 100)});
  b.run();
  const Access& primary = b.initiator->access[0];
  const Access& secondary = b.initiator->access[1];
  const Access& hit = b.initiator->access[2];
  EXPECT_LE(primary.at(Stage::l2_queue), primary.at(Stage::l2_accept));
  EXPECT_LT(primary.at(Stage::l2_accept), primary.at(Stage::dram_queue));
  EXPECT_LT(primary.at(Stage::dram_queue), primary.at(Stage::noc_response));
  EXPECT_EQ(secondary.at(Stage::dram_queue), 0u);
  EXPECT_NE(secondary.at(Stage::noc_response), 0u);
  EXPECT_LT(hit.at(Stage::l2_accept), hit.at(Stage::noc_response));
}

}  // namespace
}  // namespace warpmem::l2
