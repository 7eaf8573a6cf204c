// SPDX-License-Identifier: Apache-2.0
// Packets that go to several outputs of a crossbar.
#include <gtest/gtest.h>

#include "unit/noc/noc_bench.hpp"

namespace warpmem::noc {
namespace {

using Cycles = std::vector<Cycle>;

NocBench::Setup copying(unsigned inputs, unsigned outputs) {
  NocBench::Setup setup;
  setup.inputs = inputs;
  setup.outputs = outputs;
  setup.copies = true;
  return setup;
}

// As NocCrossbar.LatencyOfAWriteByHand: five flits, once through the input, to three outputs.
TEST(NocCopies, AllOutputsAreReachedAtOnce) {
  NocBench b("b", copying(1, 4));
  b.initiators[0]->script = {{0, 0, true, 0b1011}, {0, line(2, 4, 0), true}};
  b.run();
  for (const unsigned p : {0u, 1u, 3u}) EXPECT_EQ(b.targets[p]->seen, (Cycles{14})) << p;
  EXPECT_EQ(b.targets[2]->seen, (Cycles{19}));  // the input was taken for five cycles
  for (const unsigned p : {0u, 1u, 3u}) EXPECT_EQ(b.targets[p]->first_bytes[0], 0u);
  EXPECT_EQ(b.targets[2]->first_bytes[0], 1u);
  EXPECT_EQ(b.initiators[0]->order.size(), 2u);  // one response for all of the copies
  EXPECT_EQ(b.crossbar->request_stats().flits, 20u);
  EXPECT_EQ(b.crossbar->request_stats().packets_in, 4u);
}

// Output 1 takes another input's packet first, output 0 does not wait for it.
TEST(NocCopies, ACopyWaitsForItsOwnOutputOnly) {
  NocBench b("b", copying(2, 2));
  b.initiators[0]->script = {{0, line(1, 2, 0), true}};
  b.initiators[1]->script = {{2, 0, true, 0b11}, {2, 0, true}};
  b.run();
  EXPECT_EQ(b.targets[1]->seen, (Cycles{14, 19}));
  // The next packet of the input begins when the last copy has gone: 6 + 5 = 11.
  EXPECT_EQ(b.targets[0]->seen, (Cycles{16, 24}));
  // Nobody waits while being free: the second copy goes while the first one does.
  EXPECT_EQ(b.crossbar->request_stats().blocked_cycles, 0u);
}

// Two packets are before it at output 1, for which it waits from 8, when the other copy has gone,
// to 11. The second of the two waits from 2 to 6.
TEST(NocCopies, ACopyWaitsWhileItsInputSendsNothing) {
  NocBench b("b", copying(3, 2));
  b.initiators[2]->script = {{0, line(1, 2, 0), true}};
  b.initiators[0]->script = {{1, line(1, 2, 1), true}};
  b.initiators[1]->script = {{2, 0, true, 0b11}};
  b.run();
  EXPECT_EQ(b.targets[1]->seen, (Cycles{14, 19, 24}));
  EXPECT_EQ(b.targets[0]->seen, (Cycles{16}));
  EXPECT_EQ(b.crossbar->request_stats().blocked_cycles, 3u + 4);
}

TEST(NocCopies, RandomPacketsAllArriveWhateverIsSkipped) {
  NocBench::Setup setup = copying(3, 5), every = setup;
  every.tick_all = every.reversed = true;
  NocBench some("some", setup), all("all", every);
  unsigned copies = 0;
  Random random(7);
  for (unsigned i = 0; i < 3; ++i)
    for (Cycle at = 0; at < 600; at += 1 + random.below(20)) {
      const std::uint64_t ports = random.below(3) == 0 ? random.below(32) : 0;
      const Scripted packet{at, line(static_cast<unsigned>(random.below(5)), 5, 0), true, ports};
      some.initiators[i]->script.push_back(packet);
      all.initiators[i]->script.push_back(packet);
      copies += ports == 0 ? 1 : static_cast<unsigned>(__builtin_popcountll(ports));
    }
  some.run();
  all.run();
  std::size_t seen = 0;
  for (unsigned p = 0; p < 5; ++p) {
    EXPECT_EQ(some.targets[p]->seen, all.targets[p]->seen);
    seen += some.targets[p]->seen.size();
  }
  EXPECT_EQ(seen, copies);
}

}  // namespace
}  // namespace warpmem::noc
