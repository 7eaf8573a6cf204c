// SPDX-License-Identifier: Apache-2.0
// The crossbar with its sockets: cycles, fairness, back-pressure both ways, order, and results that
// depend neither on skipping idle cycles nor on the order of construction.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "files/stats_json.hpp"
#include "unit/noc/noc_bench.hpp"

namespace warpmem::noc {
namespace {

using Cycles = std::vector<Cycle>;

TEST(NocCrossbar, LatencyOfAReadByHand) {
  NocBench b("b", {});
  b.targets[0]->latency = 10;
  b.initiators[0]->script = {{0, 0}};
  b.run();
  // It is sent in 0, visible and granted in 1, takes one flit and 8 cycles: it is sent on in 9,
  // seen in 10. The answer comes in 20 and is visible and granted in 21; 136 B are 5 flits,
  // delivered in 21 + 8 + 4 = 33 and seen in 34.
  EXPECT_EQ(b.targets[0]->seen, (Cycles{10}));
  EXPECT_EQ(b.initiators[0]->responded, (Cycles{34}));
  EXPECT_EQ(b.crossbar->request_stats().flits, 1u);
  EXPECT_EQ(b.crossbar->response_stats().flits, 5u);
  EXPECT_EQ(b.crossbar->request_stats().latency.sum(), 8u);
  EXPECT_EQ(b.crossbar->response_stats().latency.sum(), 12u);
}

TEST(NocCrossbar, LatencyOfAWriteByHand) {
  NocBench b("b", {});
  b.initiators[0]->script = {{0, 0, true}};
  b.run();
  EXPECT_EQ(b.targets[0]->seen, (Cycles{14}));          // 5 flits there
  EXPECT_EQ(b.initiators[0]->responded, (Cycles{25}));  // 15, 16 granted, + 8 = 24, seen in 25
  EXPECT_EQ(b.crossbar->request_stats().flits, 5u);
  EXPECT_EQ(b.crossbar->response_stats().flits, 1u);
}

// An atomic carries its segment both ways, one whose old values nobody reads only there.
TEST(NocCrossbar, AtomicsReturnWhatIsRead) {
  NocBench b("b", {});
  b.initiators[0]->script = {{0, 0, true, 0, true, false}, {100, 0, true, 0, true, true}};
  b.run();
  EXPECT_EQ(b.targets[0]->seen, (Cycles{14, 114}));
  EXPECT_EQ(b.initiators[0]->responded, (Cycles{29, 125}));
  EXPECT_EQ(b.crossbar->request_stats().flits, 5u + 5);
  EXPECT_EQ(b.crossbar->response_stats().flits, 5u + 1);
}

// As LatencyOfAReadByHand; with flits of 64 B the 136 B back are three, with 32 B there five.
TEST(NocCrossbar, FlitsOfResponsesHaveAWidthOfTheirOwn) {
  NocBench::Setup setup;
  setup.params.response_flit_bytes = 64;
  NocBench b("b", setup);
  b.targets[0]->latency = 10;
  b.initiators[0]->script = {{0, 0}, {100, 0, true}};
  b.run();
  EXPECT_EQ(b.targets[0]->seen, (Cycles{10, 114}));
  EXPECT_EQ(b.initiators[0]->responded[0], 32u);  // granted in 21, delivered in 21 + 8 + 2
  EXPECT_EQ(b.crossbar->request_stats().flits, 1u + 5);
  EXPECT_EQ(b.crossbar->response_stats().flits, 3u + 1);
}

// Two SMs at one port read from two slices. Both heads are there in cycle 1; the second stands at
// the port from 2 on, and its answer waits for the five flits of the first one's.
//
//   cycle  1       2       10      11      12          17          25     30
//   SM 0   granted         seen    answer  5 flits                 seen
//   SM 1           granted         seen    (13: waits) 5 flits            seen
TEST(NocCrossbar, AClusterSharesAPortEachWay) {
  NocBench::Setup setup;
  setup.inputs = setup.outputs = 2;
  setup.params.cluster = 2;
  NocBench b("b", setup);
  for (unsigned i = 0; i < 2; ++i) b.initiators[i]->script = {{0, line(i, 2, 0)}};
  b.run();
  EXPECT_EQ(b.targets[0]->seen, (Cycles{10}));
  EXPECT_EQ(b.targets[1]->seen, (Cycles{11}));
  EXPECT_EQ(b.initiators[0]->responded, (Cycles{25}));
  EXPECT_EQ(b.initiators[1]->responded, (Cycles{30}));
}

// Three SMs in clusters of two: SMs 0 and 1 send a store of five flits in turn, each ten cycles,
// SM 2, the rest, every five.
TEST(NocCrossbar, SmsOfAClusterTakeTurns) {
  NocBench::Setup setup;
  setup.inputs = setup.outputs = 3;
  setup.params.cluster = 2;
  NocBench b("b", setup);
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned k = 0; k < 40; ++k) b.initiators[i]->script.push_back({0, line(i, 3, k), true});
  b.run();
  for (unsigned i = 0; i < 3; ++i) {
    const Cycle first = i == 1 ? 19 : 14;
    for (unsigned k = 0; k < 40; ++k)
      ASSERT_EQ(b.targets[i]->seen[k], first + (i < 2 ? 10 : 5) * k) << i << ", store " << k;
  }
}

// A head that its output does not take keeps the port, and the other SM of the cluster waits.
TEST(NocCrossbar, AHeadBlocksItsCluster) {
  NocBench::Setup setup;
  setup.inputs = setup.outputs = 2;
  setup.params.cluster = 2;
  setup.params.latency = setup.params.output_queue = 1;
  NocBench b("b", setup);
  b.targets[0]->start = 500;
  for (unsigned k = 0; k < 8; ++k) b.initiators[0]->script.push_back({0, line(0, 2, k)});
  for (unsigned k = 0; k < 8; ++k) b.initiators[1]->script.push_back({0, line(1, 2, k)});
  b.run();
  EXPECT_LT(b.targets[1]->seen.front(), 50u);
  EXPECT_GT(b.targets[1]->seen.back(), 500u);
}

// The far slice is 20 cycles further, each way. SM 0's read of it is granted in 1, SM 1's, which
// has it near, in 6 and passes it.
TEST(NocCrossbar, TheFarHalfIsFurtherAway) {
  NocBench::Setup setup;
  setup.inputs = setup.outputs = 2;
  setup.params.far_latency = 20;
  NocBench b("b", setup);
  b.initiators[0]->script = {{0, line(1, 2, 0)}, {100, line(0, 2, 0)}};
  b.initiators[1]->script = {{5, line(1, 2, 1)}};
  b.run();
  EXPECT_EQ(b.targets[1]->addresses, (std::vector<Addr>{line(1, 2, 1), line(1, 2, 0)}));
  EXPECT_EQ(b.targets[1]->seen, (Cycles{15, 30}));
  EXPECT_EQ(b.targets[0]->seen, (Cycles{110}));
  EXPECT_EQ(b.initiators[1]->responded, (Cycles{30}));       // 17 + 8 + 4, seen one later
  EXPECT_EQ(b.initiators[0]->responded, (Cycles{65, 125}));  // 32 + 8 + 4 + 20; 112 + 8 + 4
  EXPECT_EQ(b.crossbar->request_stats().far_packets, 1u);
  EXPECT_EQ(b.crossbar->response_stats().far_packets, 1u);
}

// Ports beyond a machine word: every pair of 130 SMs and 70 slices is connected.
TEST(NocCrossbar, ManyPorts) {
  NocBench::Setup setup;
  setup.inputs = 130;
  setup.outputs = 70;
  NocBench b("b", setup);
  for (unsigned i = 0; i < 130; ++i)
    for (unsigned p = 0; p < 70; ++p)
      b.initiators[i]->script.push_back({0, line((p + i) % 70, 70, 0), i % 3 == 0});
  b.run();
  for (unsigned p = 0; p < 70; ++p) EXPECT_EQ(b.targets[p]->seen.size(), 130u) << p;
}

TEST(NocCrossbar, AnInputSendsAPacketEveryFlitsCycles) {
  NocBench::Setup setup;
  setup.outputs = 4;
  NocBench b("b", setup);
  for (unsigned i = 0; i < 4; ++i) b.initiators[0]->script.push_back({0, line(i, 4, 0), true});
  b.run();
  for (unsigned p = 0; p < 4; ++p) EXPECT_EQ(b.targets[p]->seen, (Cycles{14 + 5 * Cycle(p)}));
}

TEST(NocCrossbar, AnOutputTakesTurnsBetweenInputs) {
  NocBench::Setup setup;
  setup.inputs = 3;
  NocBench b("b", setup);
  for (unsigned i = 0; i < 3; ++i)
    for (unsigned k = 0; k < 50; ++k) b.initiators[i]->script.push_back({0, line(i, 1, k), true});
  b.run();
  // Requests of the three inputs arrive in strict rotation, one every 5 flits.
  const Target& t = *b.targets[0];
  ASSERT_EQ(t.seen.size(), 150u);
  for (std::size_t k = 1; k < 150; ++k) EXPECT_EQ(t.seen[k] - t.seen[k - 1], 5u);
  EXPECT_LE(b.initiators[2]->responded.back() - b.initiators[0]->responded.back(), 10u);
}

TEST(NocCrossbar, AStalledTargetHoldsItsSendersAndLosesNothing) {
  NocBench::Setup setup;
  setup.inputs = 2;
  setup.outputs = 2;
  NocBench b("b", setup);
  b.targets[0]->start = 2000;
  for (unsigned k = 0; k < 100; ++k) {
    b.initiators[0]->script.push_back({0, line(0, 2, k)});
    b.initiators[1]->script.push_back({0, line(1, 2, k)});
  }
  b.run();
  EXPECT_LT(b.initiators[1]->responded.back(), 1000u);  // the other output does not care
  // Until then the link, the target's queue, the pipeline and the input queue hold what fits.
  unsigned early = 0;
  for (Cycle c : b.initiators[0]->sent) early += c < 2000;
  EXPECT_EQ(early, 1u + 8 + (8 + 2) + 1 + 2);
  EXPECT_EQ(b.targets[0]->seen.size(), 100u);
  EXPECT_GT(b.crossbar->request_stats().stalled_cycles, 1900u);
}

// As before with five flits a packet: two wait at the output, and behind them there is room for
// another one while the latency of eight cycles is not full of flits.
TEST(NocCrossbar, LongPacketsTakeRoomByTheirFlits) {
  const auto with_room = [](unsigned room) {
    NocBench::Setup setup;
    setup.params.output_queue = room;
    auto b = std::make_unique<NocBench>(("b" + std::to_string(room)).c_str(), setup);
    b->targets[0]->start = 2000;
    for (unsigned k = 0; k < 100; ++k) b->initiators[0]->script.push_back({0, line(0, 1, k), true});
    return b;
  };
  std::map<unsigned, std::unique_ptr<NocBench>> benches;  // modules come before a simulation
  for (const unsigned room : {1u, 2u, 20u}) benches[room] = with_room(room);
  for (const auto& [room, b] : benches) {
    b->run();
    unsigned early = 0;
    for (Cycle c : b->initiators[0]->sent) early += c < 2000;
    EXPECT_EQ(early, 1u + 8 + (2 + room) + 1 + 2) << room;
    // With room for one, too, the output is busy all the time afterwards.
    const Cycles& seen = b->targets[0]->seen;
    for (std::size_t k = 60; k < 100; ++k) EXPECT_EQ(seen[k] - seen[k - 1], 5u) << room;
  }
}

TEST(NocCrossbar, AHeadBlocksWhatIsBehindIt) {
  NocBench::Setup setup;
  setup.outputs = 2;
  setup.params.latency = 1;
  setup.params.output_queue = 1;
  NocBench b("b", setup);
  b.targets[0]->start = 500;
  for (unsigned k = 0; k < 8; ++k) b.initiators[0]->script.push_back({0, line(0, 2, k)});
  b.initiators[0]->script.push_back({0, line(1, 2, 0)});
  b.run();
  EXPECT_GT(b.targets[1]->seen.front(), 500u);
}

TEST(NocCrossbar, AStalledInitiatorHoldsItsResponsesAndLosesNothing) {
  NocBench::Setup setup;
  setup.inputs = 2;
  NocBench b("b", setup);
  b.initiators[0]->take_responses_from = 2000;
  for (unsigned k = 0; k < 60; ++k) {
    b.initiators[0]->script.push_back({0, line(0, 1, k)});
    b.initiators[1]->script.push_back({0, line(0, 1, 100 + k)});
  }
  b.run();
  EXPECT_EQ(b.crossbar->response_stats().packets_out, 120u);
  EXPECT_GT(b.crossbar->response_stats().stalled_cycles, 1500u);
}

TEST(NocCrossbar, TheLimitOfRequestsInFlightHolds) {
  NocBench::Setup setup;
  setup.inputs = 4;
  setup.params.in_flight = 3;
  NocBench b("b", setup);
  b.targets[0]->latency = 1000;
  for (unsigned i = 0; i < 4; ++i) b.initiators[i]->script.push_back({0, line(0, 1, i)});
  b.run();
  EXPECT_LT(b.targets[0]->seen[2], 20u);
  EXPECT_GT(b.targets[0]->seen[3], 1000u);
}

using WildSetup = NocBench::Setup (*)(bool tick_all, bool reversed);

/// Random traffic over clocks that are no multiples of each other, with stalls on both sides.
NocBench::Setup wild(bool tick_all, bool reversed) {
  NocBench::Setup setup;
  setup.inputs = 5;
  setup.outputs = 3;
  setup.params.latency = 6;
  setup.params.request_queue = 3;
  setup.params.response_queue = 2;
  setup.params.in_flight = 64;
  setup.tick_all = tick_all;
  setup.reversed = reversed;
  setup.initiator_hz = 1'137'000'000;
  setup.target_hz = 924'000'000;
  return setup;
}

/// The same with clusters (the last of one SM), halves and two widths.
NocBench::Setup wild_chip(bool tick_all, bool reversed) {
  NocBench::Setup setup = wild(tick_all, reversed);
  setup.params.cluster = 2;
  setup.params.far_latency = 11;
  setup.params.response_flit_bytes = 96;
  return setup;
}

/// The same with virtual queues.
NocBench::Setup wild_queues(bool tick_all, bool reversed) {
  NocBench::Setup setup = wild_chip(tick_all, reversed);
  setup.params.input_queues = InputQueues::virtual_output;
  setup.params.iterations = 2;
  setup.params.in_flight = 12;
  return setup;
}

void fill_wild(NocBench& b, std::uint64_t seed) {
  Random random(seed);
  for (auto& initiator : b.initiators) {
    Cycle t = 0;
    for (unsigned k = 0; k < 1500; ++k) {
      if (random.chance(5)) t += random.below(200);
      initiator->script.push_back(
          {t, line(static_cast<unsigned>(random.below(3)), 3, k), random.chance(40)});
    }
  }
  b.initiators[1]->take_responses_from = 700;
  b.targets[0]->latency = 40;
  b.targets[1]->start = 900;
  b.targets[2]->latency = 7;
}

void expect_same(NocBench& a, NocBench& b) {
  for (unsigned i = 0; i < a.initiators.size(); ++i) {
    EXPECT_EQ(a.initiators[i]->responded, b.initiators[i]->responded) << i;
    EXPECT_EQ(a.initiators[i]->sent, b.initiators[i]->sent) << i;
  }
  for (unsigned p = 0; p < a.targets.size(); ++p) {
    EXPECT_EQ(a.targets[p]->seen, b.targets[p]->seen) << p;
    EXPECT_EQ(a.targets[p]->addresses, b.targets[p]->addresses) << p;
  }
  EXPECT_EQ(stats_json(a.registry, true), stats_json(b.registry, true));
}

TEST(NocCrossbar, TickingEveryCycleChangesNothing) {
  NocBench a("a", wild(false, false));
  NocBench b("b", wild(true, false));
  NocBench c("c", wild_chip(false, false));
  NocBench d("d", wild_chip(true, false));
  NocBench e("e", wild_queues(false, false));
  NocBench f("f", wild_queues(true, false));
  for (NocBench* bench : {&a, &b, &c, &d, &e, &f}) fill_wild(*bench, 9);
  for (NocBench* bench : {&a, &b, &c, &d, &e, &f}) bench->run();
  expect_same(a, b);
  expect_same(c, d);
  expect_same(e, f);
}

TEST(NocCrossbar, OrderOfConstructionChangesNothing) {
  std::vector<std::unique_ptr<NocBench>> benches;
  for (const WildSetup wild_setup : {wild, wild_chip, wild_queues})
    for (const bool reversed : {false, true}) {
      NocBench::Setup setup = wild_setup(false, reversed);
      setup.initiator_hz = setup.target_hz = setup.params.clock_hz;  // all edges coincide
      benches.push_back(
          std::make_unique<NocBench>("bench" + std::to_string(benches.size()), setup));
      fill_wild(*benches.back(), 10);
    }
  for (const auto& bench : benches) bench->run();
  for (std::size_t i = 0; i < benches.size(); i += 2) expect_same(*benches[i], *benches[i + 1]);
}

class NocOrder : public testing::TestWithParam<WildSetup> {};

TEST_P(NocOrder, KeepsTheOrderOfEachPairAndThePayload) {
  NocBench b("b", GetParam()(false, false));
  fill_wild(b, 12);
  b.run();
  // Targets answer in order, so the responses to each (input, output) pair come in script order.
  for (const auto& initiator : b.initiators) {
    std::vector<std::size_t> last(3, 0);
    for (std::size_t index : initiator->order) {
      const unsigned p = b.map.partition(initiator->script[index].address).value;
      EXPECT_GE(index, last[p]);
      last[p] = index;
    }
  }
  for (unsigned p = 0; p < 3; ++p)
    for (Addr address : b.targets[p]->addresses) EXPECT_EQ(b.map.partition(address).value, p);
}

INSTANTIATE_TEST_SUITE_P(Chips, NocOrder, testing::Values(wild, wild_chip, wild_queues));

TEST(NocCrossbar, DebugAccessGoesOnInPiecesOfAPartition) {
  NocBench::Setup setup;
  setup.outputs = 3;
  NocBench b("b", setup);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  std::vector<unsigned char> data(600);
  Payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(128);
  payload.set_data_ptr(data.data());
  payload.set_data_length(600);
  payload.set_streaming_width(600);
  EXPECT_EQ(b.initiators[0]->out.socket->transport_dbg(payload), 600u);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_OK_RESPONSE);
  using Accesses = std::vector<std::pair<Addr, unsigned>>;
  EXPECT_EQ(b.targets[0]->debug_accesses, (Accesses{{128, 128}}));
  EXPECT_EQ(b.targets[1]->debug_accesses, (Accesses{{256, 256}}));
  EXPECT_EQ(b.targets[2]->debug_accesses, (Accesses{{512, 216}}));
}

}  // namespace
}  // namespace warpmem::noc
