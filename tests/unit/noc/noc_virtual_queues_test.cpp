// SPDX-License-Identifier: Apache-2.0
// The crossbar with virtual output queues, beside what it does with FIFOs.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "unit/noc/noc_bench.hpp"

namespace warpmem::noc {
namespace {

using SeenAt = std::vector<Cycle>;

NocBench::Setup setup_of(InputQueues queues, unsigned inputs, unsigned outputs) {
  NocBench::Setup setup;
  setup.inputs = inputs;
  setup.outputs = outputs;
  setup.params.input_queues = queues;
  return setup;
}

// SM 0 stores to slice 0; SM 1 to slice 0 and, sent one later, to slice 1; five flits each.
//
//   cycle            1       2       6       7       11
//   fifo    SM 0     slice 0
//           SM 1                     slice 0         slice 1
//   virtual SM 0     slice 0
//           SM 1             slice 1         slice 0
//
// They are seen 8 + 5 cycles after their grants.
TEST(NocVirtualQueues, APacketPassesAnotherThatWaits) {
  NocBench a("a", setup_of(InputQueues::fifo, 2, 2));
  NocBench b("b", setup_of(InputQueues::virtual_output, 2, 2));
  for (NocBench* bench : {&a, &b}) {
    bench->initiators[0]->script = {{0, line(0, 2, 0), true}};
    bench->initiators[1]->script = {{0, line(0, 2, 1), true}, {0, line(1, 2, 0), true}};
  }
  a.run();
  b.run();
  EXPECT_EQ(a.targets[0]->seen, (SeenAt{14, 19}));
  EXPECT_EQ(a.targets[1]->seen, (SeenAt{24}));
  EXPECT_EQ(b.targets[0]->seen, (SeenAt{14, 20}));
  EXPECT_EQ(b.targets[1]->seen, (SeenAt{15}));
  // SM 1 in 1..5; in 1 alone, since from 2 to 6 it sends.
  EXPECT_EQ(a.crossbar->request_stats().blocked_cycles, 5u);
  EXPECT_EQ(b.crossbar->request_stats().blocked_cycles, 1u);
}

// As AHeadBlocksWhatIsBehindIt, whose last packet now passes those that slice 0 does not take.
TEST(NocVirtualQueues, AStalledOutputHoldsUpItsOwnPackets) {
  NocBench::Setup setup = setup_of(InputQueues::virtual_output, 1, 2);
  setup.params.latency = setup.params.output_queue = 1;
  NocBench b("b", setup);
  b.targets[0]->start = 500;
  for (unsigned k = 0; k < 8; ++k) b.initiators[0]->script.push_back({0, line(0, 2, k)});
  b.initiators[0]->script.push_back({0, line(1, 2, 0)});
  b.run();
  EXPECT_EQ(b.targets[1]->seen, (SeenAt{11}));  // sent in 8, granted in 9, on its way in 10
  EXPECT_GT(b.targets[0]->seen.front(), 499u);
}

// The queues of an input share its storage. When slice 0 takes nothing, the link, its queue of two
// and its pipeline of two hold five packets; of 13 the input holds eight, and the next one waits.
TEST(NocVirtualQueues, AStalledOutputMayFillTheStorage) {
  NocBench::Setup setup = setup_of(InputQueues::virtual_output, 1, 2);
  setup.params.latency = setup.params.output_queue = 1;
  NocBench b("b", setup);
  b.targets[0]->start = 500;
  for (unsigned k = 0; k < 13; ++k) b.initiators[0]->script.push_back({0, line(0, 2, k)});
  b.initiators[0]->script.push_back({0, line(1, 2, 0)});
  b.run();
  EXPECT_GT(b.targets[1]->seen.front(), 500u);
}

// Slice 0 answers both SMs, SM 0 takes nothing until 2000.
TEST(NocVirtualQueues, AResponsePassesOneThatWaits) {
  std::vector<std::unique_ptr<NocBench>> benches;
  for (const InputQueues queues : {InputQueues::fifo, InputQueues::virtual_output}) {
    NocBench::Setup setup = setup_of(queues, 2, 1);
    setup.params.output_queue = setup.params.latency = 1;
    benches.push_back(std::make_unique<NocBench>("b" + std::to_string(benches.size()), setup));
    NocBench& b = *benches.back();
    b.initiators[0]->take_responses_from = 2000;
    for (unsigned k = 0; k < 8; ++k) b.initiators[0]->script.push_back({0, line(0, 1, k)});
    for (unsigned k = 0; k < 8; ++k) b.initiators[1]->script.push_back({0, line(0, 1, 10 + k)});
  }
  for (const auto& bench : benches) bench->run();
  for (const auto& bench : benches) EXPECT_GE(bench->initiators[0]->responded.front(), 2000u);
  EXPECT_GT(benches[0]->initiators[1]->responded.back(), 2000u);
  EXPECT_LT(benches[1]->initiators[1]->responded.back(), 200u);
}

// SMs 0 and 1 share a port and store to slices 0 and 1 by turns, five flits each. A port sends to
// the slices by turns, so that each of the four has the same share of it.
TEST(NocVirtualQueues, SmsOfAClusterTakeTurnsAtEachOutput) {
  NocBench::Setup setup = setup_of(InputQueues::virtual_output, 2, 2);
  setup.params.cluster = 2;
  NocBench b("b", setup);
  for (unsigned i = 0; i < 2; ++i)
    for (unsigned k = 0; k < 40; ++k)
      b.initiators[i]->script.push_back({0, line(k % 2, 2, 2 * k + i), true});
  b.run();
  for (unsigned p = 0; p < 2; ++p) {
    const std::vector<Addr>& addresses = b.targets[p]->addresses;
    ASSERT_EQ(addresses.size(), 40u);
    // line(): an SM's lines have its number as the lowest bit.
    for (unsigned k = 1; k < 40; ++k)
      EXPECT_NE(addresses[k] / 128 % 2, addresses[k - 1] / 128 % 2) << p << ", " << k;
    for (unsigned k = 1; k < 40; ++k)
      EXPECT_EQ(b.targets[p]->seen[k], b.targets[p]->seen[k - 1] + 10) << p << ", " << k;
  }
}

// Four SMs with requests for every slice, three of them at a time under way: everyone has his turn.
TEST(NocVirtualQueues, TheLimitOfRequestsInFlightIsSharedByAll) {
  NocBench::Setup setup = setup_of(InputQueues::virtual_output, 4, 4);
  setup.params.in_flight = 3;
  NocBench b("b", setup);
  for (auto& target : b.targets) target->latency = 50;
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned k = 0; k < 60; ++k)
      b.initiators[i]->script.push_back({0, line((i + k) % 4, 4, k)});
  b.run();
  const Cycle first = b.initiators[0]->responded[29];
  for (const auto& initiator : b.initiators) {
    EXPECT_GT(initiator->responded[29], first * 9 / 10);
    EXPECT_LT(initiator->responded[29], first * 11 / 10);
  }
}

/// Returns the share of cycles 1000 to 5000 in which eight ports to as many slices move a flit
/// each, requests and responses of one flit to random slices.
double throughput(InputQueues queues, unsigned iterations) {
  constexpr Cycle kFrom = 1000, kTo = 5000;
  NocBench::Setup setup = setup_of(queues, 8, 8);
  setup.params.iterations = iterations;
  setup.params.request_queue = setup.params.response_queue = 256;
  setup.params.response_flit_bytes = 256;
  setup.params.output_queue = 64;
  NocBench b("b", setup);
  Random random(3);
  for (auto& initiator : b.initiators)
    for (unsigned k = 0; k < kTo + 1000; ++k)
      initiator->script.push_back({0, line(static_cast<unsigned>(random.below(8)), 8, k)});
  b.run();
  std::ptrdiff_t seen = 0;
  for (const auto& target : b.targets)
    seen += std::lower_bound(target->seen.begin(), target->seen.end(), kTo) -
            std::lower_bound(target->seen.begin(), target->seen.end(), kFrom);
  return static_cast<double>(seen) / (8.0 * (kTo - kFrom));
}

TEST(NocVirtualQueues, FifosLeavePortsIdle) {
  EXPECT_NEAR(throughput(InputQueues::fifo, 1), 0.618, 0.02);  // Karol et al., Table I
}
TEST(NocVirtualQueues, OneIterationKeepsPortsBusy) {
  EXPECT_GT(throughput(InputQueues::virtual_output, 1), 0.95);
}
TEST(NocVirtualQueues, FourIterationsKeepPortsBusy) {
  EXPECT_GT(throughput(InputQueues::virtual_output, 4), 0.95);
}

}  // namespace
}  // namespace warpmem::noc
