// SPDX-License-Identifier: Apache-2.0
// The request coalescer (docs/mechanisms.md 1.10), cycle by cycle in front of a memory whose answer
// takes 10 cycles, and in front of a bank.
#include "unit/l2/coalescer_bench.hpp"

namespace warpmem::l2 {
namespace {

// Alone, a request sent in cycle 0 is answered in cycle 12.
TEST(Coalescer, ARequestTakesThreeCyclesMore) {
  CoalescerBench b("b");
  b.script({load(0, 0), store(128, 7, 100)});
  b.run();
  EXPECT_EQ(b.latency(0), 15u);
  EXPECT_EQ(b.latency(1), 15u);
  EXPECT_EQ(b.counts().opened, 1u);
  EXPECT_EQ(b.counts().passed, 1u);
}

TEST(Coalescer, ReadsOfALineShareARequestAndAreAnsweredInOrderOneACycle) {
  CoalescerBench b("b");
  b.script({load(0, 0), load(0, 1), load(32, 2, 32), load(96, 9, 4)});
  b.run();
  ASSERT_EQ(b.seen().size(), 1u);
  EXPECT_EQ(b.initiator->responded, (std::vector<Cycle>{15, 16, 17, 18}));
  EXPECT_EQ(b.initiator->order, (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(b.counts().joined_late, 3u);
  EXPECT_EQ(b.counts().merged, 3u);
  EXPECT_EQ(b.counts().merges_peak, 4u);
}

// Cycle 14 is the one in which the answer is there: a read that comes then opens an entry.
TEST(Coalescer, AnEntryIsOpenUntilItsAnswerComes) {
  CoalescerBench joins("joins"), misses("misses");
  joins.script({load(0, 0), load(0, 12)});
  misses.script({load(0, 0), load(0, 13)});
  joins.run();
  misses.run();
  EXPECT_EQ(joins.seen().size(), 1u);
  EXPECT_EQ(joins.initiator->responded[1], 16u);
  EXPECT_EQ(misses.seen().size(), 2u);
  EXPECT_EQ(misses.latency(1), 15u);
}

// The memory takes nothing until cycle 30: four requests are in its queue, one at its port.
std::vector<Scripted> behind_a_busy_slice(std::vector<Scripted> more) {
  std::vector<Scripted> script;
  for (unsigned i = 1; i <= 5; ++i) script.push_back(load(i * 1024));
  for (Scripted& s : more) script.push_back(s);
  return script;
}

TEST(Coalescer, ARequestThatWaitsGrowsToWhatItsReadsWant) {
  CoalescerBench b("b");
  b.memory->asleep_until = 30;
  b.script(behind_a_busy_slice({load(32, 0, 32), load(64, 0, 32)}));
  b.run();
  ASSERT_EQ(b.seen().size(), 6u);
  EXPECT_EQ(b.seen()[5].address, 32u);
  EXPECT_EQ(b.seen()[5].bytes, 64u);
  EXPECT_EQ(b.counts().joined_early, 1u);
  EXPECT_EQ(b.counts().sent_bytes, 5 * 128u + 64u);
  EXPECT_EQ(b.counts().read_bytes, 5 * 128u + 64u);
}

// The bank has sectors 0 and 3 of line 0. One entry of its MSHRs and five other lines hold up the
// reads that want both again.
TEST(Coalescer, ARequestWithAGapDoesNotWantTheGap) {
  L2Bank::Params params = coalesced();
  params.sector_bytes = 32;
  params.mshr.entries = 1;
  params.input_queue = 2;
  CoalescedBench b("b", params);
  b.fill(0, 1024);
  b.memory->latency = 40;
  std::vector<Scripted> script{load(0, 0, 32), load(96, 100, 32)};
  for (const Addr line : {128, 256, 384, 640, 768}) script.push_back(load(line, 200));
  script.push_back(load(0, 200, 32));
  script.push_back(load(96, 200, 32));
  b.script(script);
  b.run();
  EXPECT_EQ(b.counts().joined_early, 1u);
  EXPECT_EQ(b.counts().sent_bytes, 2 * 32u + 5 * 128u + 128u);
  EXPECT_EQ(b.bank_counts().hits, 1u);
}

TEST(Coalescer, AReadOfOtherBytesThanWereAskedForOpensAnEntry) {
  CoalescerBench b("b");
  b.script({load(0, 0, 32), load(32, 5, 32), load(0, 6, 32), load(32, 7, 32), load(0, 8, 64)});
  b.run();
  ASSERT_EQ(b.seen().size(), 3u);
  EXPECT_EQ(b.seen()[1].address, 32u);
  EXPECT_EQ(b.seen()[2].bytes, 64u);
  EXPECT_EQ(b.initiator->responded[0] + 1, b.initiator->responded[2]) << "they share an entry";
  EXPECT_EQ(b.counts().entries_peak, 3u);
}

TEST(Coalescer, MissesBySectorArePutTogetherBySector) {
  L2Bank::Params params = coalesced();
  params.sector_bytes = 32;
  params.mshr.granularity = mha::Granularity::sector;
  CoalescerBench b("b", params);
  b.memory->asleep_until = 30;
  b.script(behind_a_busy_slice({load(32, 0, 32), load(64, 0, 32), load(32, 0, 32)}));
  b.run();
  ASSERT_EQ(b.seen().size(), 5u + 2u);
  EXPECT_EQ(b.seen()[6].bytes, 32u);
}

// The bytes that loads return are compared with those at the time they were sent.
TEST(Coalescer, AWriteClosesTheEntriesOfItsLine) {
  CoalescerBench b("b");
  b.memory->late = true;
  b.script({load(0, 0), load(64, 1, 32), store(0, 9, 2, 32), load(0, 3), load(0, 4)});
  b.run();
  ASSERT_EQ(b.seen().size(), 3u);
  EXPECT_TRUE(b.seen()[1].write);
  EXPECT_EQ(b.counts().closed_by_writes, 1u);
  EXPECT_EQ(b.counts().merged, 2u);
  EXPECT_EQ(b.counts().passed, 1u);
}

TEST(Coalescer, AnAtomicClosesTheEntriesOfItsLine) {
  CoalescerBench b("b");
  b.memory->late = true;
  b.script({load(0, 0), atomic(0, 9, 1, 2), load(0, 3), store(128, 1, 4), load(0, 5)});
  b.run();
  EXPECT_EQ(b.seen().size(), 4u);
  EXPECT_EQ(b.counts().closed_by_writes, 1u);
  EXPECT_EQ(b.counts().merged, 1u) << "a write to another line closes nothing";
}

TEST(Coalescer, AnEntryTakesSoManyReadsAndNoMore) {
  CoalescerBench b("b", coalesced(8, 2));
  b.script({load(0, 0), load(0, 1), load(0, 2), load(0, 3), load(0, 4)});
  b.run();
  EXPECT_EQ(b.seen().size(), 3u);
  EXPECT_EQ(b.counts().full_entries, 2u);
  EXPECT_EQ(b.counts().merges_peak, 2u);
}

TEST(Coalescer, EntriesOfOneReadMergeNothing) {
  CoalescerBench b("b", coalesced(8, 1));
  b.script({load(0, 0), load(0, 1), load(0, 2)});
  b.run();
  EXPECT_EQ(b.seen().size(), 3u);
  EXPECT_EQ(b.counts().merged, 0u);
}

// The second read is there in cycle 2; the entry is free again in cycle 14.
TEST(Coalescer, AReadWaitsForAnEntryAndTheRestWaitsBehindIt) {
  CoalescerBench b("b", coalesced(1, 4));
  b.script({load(0, 0), load(128, 1), store(256, 3, 2)});
  b.run();
  EXPECT_EQ(b.counts().entry_wait_cycles, 12u);
  EXPECT_EQ(b.initiator->responded[1], 28u);
  EXPECT_EQ(b.initiator->responded[2], 29u);
}

TEST(Coalescer, RequestsWaitForRoomTowardsTheSlice) {
  L2Bank::Params params = coalesced(32, 4);
  params.input_queue = 1;
  CoalescerBench b("b", params);
  b.memory->asleep_until = 30;
  std::vector<Scripted> script;
  for (unsigned i = 0; i < 8; ++i) script.push_back(load(i * 128));
  b.script(script);
  b.run();
  EXPECT_GT(b.counts().send_wait_cycles, 15u);
  EXPECT_EQ(b.counts().entry_wait_cycles, 0u);
}

TEST(Coalescer, AnErrorGoesToEveryReadOfItsEntry) {
  CoalescerBench b("b");
  b.memory->fails_from = 0;
  std::vector<Scripted> script{load(0, 0), load(0, 1), store(0, 1, 2)};
  for (Scripted& s : script) s.check = false;
  b.script(script);
  b.run();
  for (const tlm::tlm_response_status status : b.initiator->status)
    EXPECT_EQ(status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(Coalescer, WhatTheSliceRefusesPasses) {
  CoalescedBench b("b", coalesced());
  Scripted across = load(64, 0, 128);
  across.check = false;
  b.script({across, across});
  b.run();
  EXPECT_EQ(b.counts().passed, 2u);
  EXPECT_EQ(b.initiator->status[1], tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(Coalescer, TheTimesOfAReadAreItsOwn) {
  CoalescedBench b("b", coalesced());
  b.fill(0, 1024);
  b.script({load(0, 0), load(0, 5)});
  b.run();
  const Access &first = b.initiator->access[0], &second = b.initiator->access[1];
  const auto ns = [](const Access& access, Stage stage) { return access.at(stage) / 1'000'000; };
  EXPECT_EQ(ns(first, Stage::l2_queue), 1u);
  EXPECT_EQ(ns(first, Stage::l2_accept), 3u);
  EXPECT_EQ(ns(second, Stage::l2_queue), 6u) << "after the entry was looked up in the bank";
  EXPECT_EQ(ns(second, Stage::l2_accept), 3u);
  EXPECT_EQ(ns(second, Stage::noc_response), ns(first, Stage::noc_response) + 1);
  EXPECT_EQ(ns(first, Stage::noc_response) + 1, b.initiator->responded[0]);
}

TEST(Coalescer, ALineThatManyReadIsLookedUpAndFetchedOnce) {
  CoalescedBench with("with", coalesced(8, 16));
  L2Bank::Params params = coalesced(8, 1);
  CoalescedBench without("without", params);
  for (CoalescedBench* b : {&with, &without}) {
    b->fill(0, 1024);
    b->memory->latency = 50;
    std::vector<Scripted> script;
    for (unsigned i = 0; i < 16; ++i) script.push_back(load(0, 0, 32));
    b->script(script);
  }
  with.run();
  without.run();
  EXPECT_EQ(with.bank_counts().accesses, 1u);
  EXPECT_EQ(with.memory->reads(), 1u);
  EXPECT_EQ(without.bank_counts().accesses, 16u);
  EXPECT_EQ(without.memory->reads(), 1u) << "the MSHRs merge fetches, not lookups";
}

TEST(Coalescer, AccessesWithoutTime) {
  CoalescedBench b("b", coalesced());
  b.fill(0, 1024);
  b.script({load(0, 0), load(0, 40)});
  b.step(5);
  b.debug_write(0, std::vector<std::uint8_t>(32, 0x5a));
  EXPECT_EQ(b.cache->coalescer.describe().find("open"), std::string::npos);
  EXPECT_EQ(b.counts().closed_by_writes, 0u) << "no statistic counts it";
  EXPECT_EQ(b.debug_read(0, 32), std::vector<std::uint8_t>(32, 0x5a));

  std::uint8_t bytes[32] = {};
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(512);
  payload.set_data_ptr(bytes);
  payload.set_data_length(32);
  payload.set_streaming_width(32);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  b.initiator->out.socket->b_transport(payload, delay);
  EXPECT_EQ(delay, sc_core::sc_time(3 + 5, sc_core::SC_NS)) << "coalescer and bank";
}

TEST(Coalescer, TheReportNamesEntriesAndWhatTheHeadWaitsFor) {
  CoalescerBench b("b", coalesced(1, 4));
  b.memory->asleep_until = 1000;
  b.script({load(0x80, 0), load(0x80, 1), load(0x100, 2)});
  b.step(20);
  const std::string text = b.cache->describe();
  EXPECT_NE(text.find("1/1 entries in use"), std::string::npos) << text;
  EXPECT_NE(text.find("entry 0: 0x80, 2/4 reads, sent, open"), std::string::npos) << text;
  EXPECT_NE(text.find("waits for an entry since cycle 3"), std::string::npos) << text;
  b.run(3000);
}

}  // namespace
}  // namespace warpmem::l2
