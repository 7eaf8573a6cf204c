// SPDX-License-Identifier: Apache-2.0
// One direction of the crossbar by hand-computed cycles, and the table of origins against a map.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <vector>

#include "base/random.hpp"
#include "noc/origin_table.hpp"
#include "noc/switch.hpp"

namespace warpmem::noc {
namespace {

struct Bench {
  Bench(unsigned inputs, unsigned outputs, unsigned latency, unsigned room)
      : core({inputs, outputs, latency, room}), payloads(256), flits(256) {}
  /// The packet at the head of `input` is of `count` flits and for `output`.
  void set_head(unsigned input, unsigned output, unsigned count, Cycle now) {
    flits[input] = count;
    core.want(input, output, now);
  }
  /// Returns the input numbers granted in `now`, in order of outputs.
  std::vector<unsigned> arbitrate(Cycle now, unsigned budget = 64) {
    std::vector<unsigned> granted;
    core.arbitrate(now, budget, [&](unsigned input, unsigned) {
      granted.push_back(input);
      return Switch::Packet{&payloads[input], now, flits[input]};
    });
    return granted;
  }
  Switch core;
  std::vector<Payload> payloads;
  std::vector<unsigned> flits;  ///< by input
};

using Inputs = std::vector<unsigned>;

TEST(NocSwitch, APacketLeavesAfterLatencyAndItsFlits) {
  Bench b(2, 2, 8, 2);
  b.set_head(0, 1, 5, 100);
  EXPECT_EQ(b.arbitrate(100), (Inputs{0}));
  EXPECT_EQ(b.core.departing(1, 111), nullptr);
  EXPECT_EQ(b.core.next_work(100), 112u);  // 100 + 8 + 5 - 1
  EXPECT_EQ(b.core.departing(1, 112), &b.payloads[0]);
  b.core.depart(1, 112);
  EXPECT_EQ(b.core.stats().latency.sum(), 12u);
  EXPECT_EQ(b.core.stats().stalled_cycles, 0u);
  EXPECT_TRUE(b.core.idle());
}

TEST(NocSwitch, InputAndOutputAreBusyForTheFlits) {
  Bench b(3, 2, 4, 4);
  b.set_head(0, 0, 3, 10);
  b.set_head(1, 0, 1, 10);
  EXPECT_EQ(b.arbitrate(10), (Inputs{0}));
  b.set_head(0, 1, 1, 11);                 // the same input, another output
  EXPECT_EQ(b.arbitrate(12), (Inputs{}));  // input 0 and output 0 busy in 10..12
  EXPECT_EQ(b.arbitrate(13), (Inputs{1, 0}));
  EXPECT_EQ(b.core.stats().flits, 5u);
  EXPECT_EQ(b.core.stats().busy_cycles, 5u);
  EXPECT_EQ(b.core.stats().blocked_cycles, 3u);  // input 1 in 10..12; input 0 was sending itself
}

TEST(NocSwitch, RoundRobinServesEveryInputInTurn) {
  Bench b(4, 1, 1, 64);
  Inputs order;
  for (Cycle now = 0; now < 8; ++now) {
    for (unsigned i = 0; i < 4; ++i)
      if (!b.core.waiting_inputs().test(i)) b.set_head(i, 0, 1, now);
    for (unsigned i : b.arbitrate(now)) order.push_back(i);
  }
  EXPECT_EQ(order, (Inputs{0, 1, 2, 3, 0, 1, 2, 3}));
}

TEST(NocSwitch, AFullPipelineStopsGrants) {
  Bench b(1, 1, 2, 1);
  for (Cycle now = 0; now < 10; ++now) {
    if (b.core.waiting_inputs().none()) b.set_head(0, 0, 1, now);
    b.arbitrate(now);
  }
  EXPECT_EQ(b.core.stats().packets_in, 3u);  // latency 2 + room 1
  EXPECT_EQ(b.core.next_work(10), kNever);   // only a departure helps
  b.core.depart(0, 10);                      // ready in 2, so it stalled for 8 cycles
  EXPECT_EQ(b.core.stats().stalled_cycles, 8u);
  EXPECT_EQ(b.arbitrate(10).size(), 1u);
  b.core.depart(0, 11);  // ready in 3, but the output served the first until 10
  EXPECT_EQ(b.core.stats().stalled_cycles, 8u);
}

// A snapshot counts what has been waited so far, and the counts at the end are the same.
TEST(NocSwitch, WaitingIsCountedBeforeItEnds) {
  Bench b(2, 1, 2, 1);
  b.set_head(0, 0, 8, 10);
  b.set_head(1, 0, 1, 10);
  EXPECT_EQ(b.arbitrate(10), (Inputs{0}));  // the output is busy in 10..17
  b.core.settle(14);
  b.core.settle(14);
  EXPECT_EQ(b.core.stats().blocked_cycles, 4u);
  b.core.settle(16);
  EXPECT_EQ(b.core.stats().blocked_cycles, 6u);
  EXPECT_EQ(b.arbitrate(18), (Inputs{1}));
  b.core.settle(18);
  EXPECT_EQ(b.core.stats().blocked_cycles, 8u);

  b.core.settle(25);  // the first packet has been ready since 19
  EXPECT_EQ(b.core.stats().stalled_cycles, 6u);
  b.core.depart(0, 27);
  b.core.settle(27);
  EXPECT_EQ(b.core.stats().stalled_cycles, 8u);
  b.core.settle(30);  // the second has been ready since 20, and could go from 28 on
  EXPECT_EQ(b.core.stats().stalled_cycles, 10u);
  b.core.depart(0, 30);
  EXPECT_EQ(b.core.stats().stalled_cycles, 10u);
  EXPECT_EQ(b.core.stats().blocked_cycles, 8u);
}

TEST(NocSwitch, TheBudgetBoundsGrants) {
  Bench b(4, 4, 1, 1);
  for (unsigned i = 0; i < 4; ++i) b.set_head(i, i, 1, 0);
  EXPECT_EQ(b.arbitrate(0, 3), (Inputs{0, 1, 2}));
  EXPECT_EQ(b.arbitrate(1, 0), (Inputs{}));
  EXPECT_EQ(b.arbitrate(1, 3), (Inputs{3}));
}

// What one cycle's budget leaves out comes first in the next.
TEST(NocSwitch, ASmallBudgetGoesRoundTheOutputs) {
  Bench b(4, 4, 1, 64);
  Inputs order;
  for (Cycle now = 0; now < 8; ++now) {
    for (unsigned i = 0; i < 4; ++i)
      if (i != 2 && !b.core.waiting_inputs().test(i)) b.set_head(i, i, 1, now);
    if (now == 3) {
      EXPECT_EQ(b.arbitrate(now, 0), (Inputs{}));
    }
    for (unsigned i : b.arbitrate(now, 1)) order.push_back(i);
  }
  EXPECT_EQ(order, (Inputs{0, 1, 3, 0, 1, 3, 0, 1}));
}

TEST(NocSwitch, SixtyFourPorts) {
  Bench b(64, 64, 1, 1);
  for (unsigned i = 0; i < 64; ++i) b.set_head(i, 63, 1, 0);
  Inputs order;
  for (Cycle now = 0; now < 64; ++now) {
    if (b.core.departing(63, now) != nullptr) b.core.depart(63, now);
    for (unsigned i : b.arbitrate(now)) order.push_back(i);
  }
  ASSERT_EQ(order.size(), 64u);
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(order[i], i);
}

TEST(NocOriginTable, MatchesAMapUnderRandomOperations) {
  OriginTable table(50);
  std::map<const Payload*, unsigned> reference;
  std::deque<Payload> payloads(200);
  Random random(3);
  for (int step = 0; step < 100'000; ++step) {
    const Payload& p = payloads[random.below(payloads.size())];
    const auto found = reference.find(&p);
    ASSERT_EQ(table.find(p), found == reference.end() ? ~0u : found->second);
    ASSERT_EQ(table.size(), reference.size());
    ASSERT_EQ(table.full(), reference.size() == 50);
    if (found != reference.end()) {
      table.erase(p);
      reference.erase(found);
    } else if (!table.full()) {
      const unsigned input = static_cast<unsigned>(random.below(64));
      table.insert(p, input);
      reference[&p] = input;
    }
  }
  for (const auto& [p, input] : reference) EXPECT_EQ(table.find(*p), input);
}

}  // namespace
}  // namespace warpmem::noc
