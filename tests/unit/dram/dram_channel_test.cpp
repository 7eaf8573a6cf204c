// SPDX-License-Identifier: Apache-2.0
// The channel as a TLM target: data, errors, back-pressure, foreign initiators, and results that
// depend neither on skipping idle cycles nor on the order of construction.
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstring>
#include <map>

#include "base/random.hpp"
#include "files/stats_json.hpp"
#include "unit/dram/dram_bench.hpp"

namespace warpmem::dram {
namespace {

std::vector<Scripted> random_script(std::uint64_t seed, unsigned requests, unsigned lines) {
  Random random(seed);
  std::vector<Scripted> script;
  Cycle t = 0;
  for (unsigned i = 0; i < requests; ++i) {
    if (random.chance(3)) t += random.below(400);
    script.push_back({t, at(0, 0) + 128 * 37 * random.below(lines), random.chance(50)});
  }
  return script;
}

TEST(DramData, WritesWithByteEnablesAndReadsKeepTheirOrderOnALine) {
  DramBench b("b");
  b.initiator->script = random_script(5, 5000, 40);
  Random random(6);
  std::map<Addr, std::uint8_t> memory;
  std::vector<std::vector<std::uint8_t>> expected(b.initiator->script.size());
  b.initiator->prepare = [&](std::size_t i, Transaction& t) {
    const Addr address = t.get_address();
    if (t.is_read()) {
      for (unsigned k = 0; k < 128; ++k) expected[i].push_back(memory[address + k]);
      return;
    }
    const bool partial = random.chance(50);
    for (unsigned k = 0; k < 128; ++k) {
      t.data[k] = static_cast<unsigned char>(random.next());
      t.byte_enable[k] = random.chance(50) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
      if (!partial || t.byte_enable[k] != 0) memory[address + k] = t.data[k];
    }
    if (!partial) return;
    t.set_byte_enable_ptr(t.byte_enable.data());
    t.set_byte_enable_length(128);
  };
  b.run();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (b.initiator->script[i].write) continue;
    ASSERT_EQ(b.initiator->read_data[i], expected[i]) << "request " << i;
  }
}

TEST(DramData, NoDataIsTouchedWhenNoneIsCarriedAndTheTimingIsTheSame) {
  Channel::Params params = DramBench::defaults();
  DramBench with_data("a", params);
  params.carry_data = false;
  DramBench without("b", params);
  for (DramBench* b : {&with_data, &without}) {
    b->initiator->script = random_script(8, 2000, 200);
    b->initiator->prepare = [](std::size_t, Transaction& t) { t.data.fill(0xA5); };
  }
  with_data.run();
  without.run();
  EXPECT_EQ(with_data.initiator->responded, without.initiator->responded);
  std::uint8_t byte = 1;
  without.image.read(at(0, 0), 1, &byte);
  EXPECT_EQ(byte, 0);
}

TEST(DramChannel, AFullResponseQueueStopsColumnCommandsAndLosesNothing) {
  Channel::Params params = DramBench::defaults();
  params.response_queue = 4;
  DramBench b("b", params);
  for (unsigned i = 0; i < 200; ++i) b.initiator->script.push_back({0, 128 * Addr(i)});
  b.initiator->take_responses_from = 5000;
  b.run();
  unsigned early = 0;
  for (Cycle c : b.log.cycles(Command::read)) early += c < 5000;
  // Data that may be on their way are (tCL 12 + 4 bursts of 4 cycles) / 4 + 1 bursts. Their places
  // and the queue's are full then, two are in the initiator's port, and one waits for END_RESP.
  EXPECT_EQ(early, 8u + 4u + 2u + 1u);
  EXPECT_EQ(b.initiator->response_order.size(), 200u);
  EXPECT_EQ(b.channel->stats().responses, 200u);
}

TEST(DramChannel, AFullRequestQueueCountsBlockedCycles) {
  Channel::Params params = DramBench::defaults();
  params.queue = 1;
  DramBench b("b", params);
  b.initiator->script = {{0, at(0, 1)}, {0, at(0, 1, 128)}};
  b.run();
  // The second is visible in cycle 2 and accepted in 14, when the first one's READ makes room.
  EXPECT_EQ(b.channel->stats().blocked_cycles, 12u);
  EXPECT_EQ(b.log.cycles(Command::read), (std::vector<Cycle>{14, 30}));
}

void expect_same(DramBench& a, DramBench& b) {
  ASSERT_EQ(a.log.records.size(), b.log.records.size());
  for (std::size_t i = 0; i < a.log.records.size(); ++i) {
    ASSERT_EQ(a.log.records[i].cycle, b.log.records[i].cycle) << i;
    ASSERT_EQ(a.log.records[i].command, b.log.records[i].command) << i;
    ASSERT_EQ(a.log.records[i].bank, b.log.records[i].bank) << i;
  }
  EXPECT_EQ(a.initiator->responded, b.initiator->responded);
  EXPECT_EQ(stats_json(a.registry, true), stats_json(b.registry, true));
}

Channel::Params with_refresh() {
  Channel::Params params = DramBench::defaults();
  params.refresh = Refresh::all_bank;
  params.timing.t_refi = 1756;
  params.timing.t_faw = 24;
  params.age_cap = 900;
  params.response_queue = 1;
  params.queue = 12;
  return params;
}

TEST(DramChannel, TickingEveryCycleChangesNothing) {
  DramBench skipping("a", with_refresh());
  DramBench all("b", with_refresh(), true);
  for (DramBench* b : {&skipping, &all}) {
    b->initiator->script = random_script(21, 5000, 300);
    b->initiator->take_responses_from = 3000;
  }
  skipping.run();
  all.run();
  expect_same(skipping, all);
}

TEST(DramChannel, OrderOfConstructionChangesNothing) {
  DramBench a("a", with_refresh());
  DramBench b("b", with_refresh(), false, true);
  for (DramBench* bench : {&a, &b}) {
    bench->initiator->script = random_script(22, 5000, 300);
    bench->initiator->take_responses_from = 3000;
  }
  a.run();
  b.run();
  expect_same(a, b);
}

TEST(DramChannel, LawsHoldAfterARun) {
  DramBench b("b", with_refresh());
  b.initiator->script = random_script(23, 3000, 500);
  b.run();  // evaluates them
  const ChannelStats& s = b.channel->stats();
  EXPECT_EQ(s.reads + s.writes, 3000u);
  EXPECT_EQ(s.row_hits + s.row_misses + s.row_conflicts, 3000u);
  EXPECT_GT(s.row_conflicts, 0u);
  EXPECT_LE(s.data_cycles, s.pending.total());
}

// ---- foreign initiators ------------------------------------------------------------------------

/// This is a plain base-protocol initiator with explicit phases, no extension, and payloads of its
/// own.
struct PlainInitiator : sc_core::sc_module {
  SC_HAS_PROCESS(PlainInitiator);
  explicit PlainInitiator(sc_core::sc_module_name name) : sc_module(name), socket("socket") {
    socket.register_nb_transport_bw(this, &PlainInitiator::backward);
    SC_THREAD(work);
  }
  tlm_utils::simple_initiator_socket<PlainInitiator> socket;
  std::vector<tlm::tlm_response_status> status;
  std::vector<std::uint8_t> read_back = std::vector<std::uint8_t>(64);
  bool finished = false;

  struct Manager : tlm::tlm_mm_interface {
    void free(tlm::tlm_generic_payload*) override { ++freed; }
    int freed = 0;
  } manager;

 private:
  tlm::tlm_sync_enum backward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase == tlm::BEGIN_RESP) {
      response = &payload;
      arrived.notify(sc_core::SC_ZERO_TIME);
    }
    return tlm::TLM_ACCEPTED;
  }
  void access(Payload& payload, tlm::tlm_command command, Addr address, std::uint8_t* data,
              unsigned bytes) {
    payload.set_mm(&manager);
    payload.acquire();
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(data);
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay(3, sc_core::SC_NS);
    response = nullptr;
    socket->nb_transport_fw(payload, phase, delay);
    while (response != &payload) wait(arrived);
    wait(20, sc_core::SC_NS);  // END_RESP comes late
    phase = tlm::END_RESP;
    delay = sc_core::SC_ZERO_TIME;
    socket->nb_transport_fw(payload, phase, delay);
    status.push_back(payload.get_response_status());
    payload.release();
  }
  void work() {
    std::vector<std::uint8_t> data(128);
    for (unsigned i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(i);
    Payload write, read, odd, crossing, ignore, streaming, longest;
    access(write, tlm::TLM_WRITE_COMMAND, 0x1000, data.data(), 64);
    access(read, tlm::TLM_READ_COMMAND, 0x1000, read_back.data(), 64);
    access(odd, tlm::TLM_READ_COMMAND, 0x1003, data.data(), 5);
    access(crossing, tlm::TLM_READ_COMMAND, 0x1040, data.data(), 128);
    access(ignore, tlm::TLM_IGNORE_COMMAND, 0x1000, data.data(), 4);
    std::uint8_t enable[2] = {TLM_BYTE_DISABLED, TLM_BYTE_ENABLED};
    streaming.set_byte_enable_ptr(enable);
    streaming.set_byte_enable_length(2);
    std::fill(data.begin(), data.end(), std::uint8_t(0xEE));
    access(streaming, tlm::TLM_READ_COMMAND, 0x1000, data.data(), 4);
    EXPECT_EQ(data[0], 0xEE);
    EXPECT_EQ(data[1], 1);
    EXPECT_EQ(data[2], 0xEE);
    EXPECT_EQ(data[3], 3);
    finished = true;
  }
  sc_core::sc_event arrived;
  Payload* response = nullptr;
};

TEST(DramChannel, ServesAPlainInitiator) {
  resolution_once();
  ClockDomain clock("clock", 924'000'000);
  AddressMap map(plain_map());
  MemoryImage image;
  Channel channel("channel", clock, DramBench::defaults(), map, image);
  PlainInitiator initiator("initiator");
  ProtocolChecker protocol("protocol");
  initiator.socket.bind(protocol.target);
  protocol.initiator.bind(channel.in().socket);
  sc_core::sc_start(10, sc_core::SC_US);
  rethrow_tick_failure();
  ASSERT_TRUE(initiator.finished);
  EXPECT_TRUE(channel.idle()) << channel.describe();
  const std::vector<tlm::tlm_response_status> expected = {tlm::TLM_OK_RESPONSE,
                                                          tlm::TLM_OK_RESPONSE,
                                                          tlm::TLM_OK_RESPONSE,
                                                          tlm::TLM_BURST_ERROR_RESPONSE,
                                                          tlm::TLM_COMMAND_ERROR_RESPONSE,
                                                          tlm::TLM_OK_RESPONSE};
  EXPECT_EQ(initiator.status, expected);
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(initiator.read_back[i], i);
  EXPECT_EQ(initiator.manager.freed, 6);
  EXPECT_EQ(protocol.count(), 6u);
  EXPECT_EQ(protocol.outstanding(), 0u);
  EXPECT_EQ(channel.stats().rejected, 2u);
}

TEST(DramChannel, DebugAndBlockingTransport) {
  DramBench b("b");
  std::vector<std::uint8_t> data(1000, 0x5C);
  Payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(0x1F00);
  payload.set_data_ptr(data.data());
  payload.set_data_length(1000);
  payload.set_streaming_width(1000);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  EXPECT_EQ(b.initiator->out.socket->transport_dbg(payload), 1000u);
  std::uint8_t out[2] = {0, 0};
  b.image.read(0x1F00 + 998, 2, out);
  EXPECT_EQ(out[1], 0x5C);
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_data_length(128);
  payload.set_streaming_width(128);
  std::fill(data.begin(), data.end(), std::uint8_t(0));
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  b.initiator->out.socket->b_transport(payload, delay);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(data[127], 0x5C);
  EXPECT_EQ(delay.value(), b.domain->time_of(12 + 12 + 16));  // tRCD + tCL + beats
  payload.set_address(0x1F40);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  b.initiator->out.socket->b_transport(payload, delay);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
}

TEST(DramChannel, StampsAndDescription) {
  DramBench b("b");
  std::array<Femtoseconds, 3> stamps{};
  b.initiator->script = {{0, at(3, 1)}, {200, at(3, 2)}};
  Transaction* seen = nullptr;
  b.initiator->prepare = [&](std::size_t i, Transaction& t) {
    if (i == 0) seen = &t;
  };
  sc_core::sc_start(sc_core::sc_time::from_value(b.domain->time_of(10)));
  EXPECT_NE(b.channel->describe().find("bank 3 row 1"), std::string::npos);
  sc_core::sc_start(sc_core::sc_time::from_value(b.domain->time_of(90)));
  stamps = {seen->access.at(Stage::dram_queue), seen->access.at(Stage::dram_service),
            seen->access.at(Stage::dram_done)};
  EXPECT_EQ(stamps[0], b.domain->time_of(1));
  EXPECT_EQ(stamps[1], b.domain->time_of(2));
  EXPECT_EQ(stamps[2], b.domain->time_of(42));
  b.run();
}

}  // namespace
}  // namespace warpmem::dram
