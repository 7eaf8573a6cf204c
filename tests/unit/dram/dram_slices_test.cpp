// SPDX-License-Identifier: Apache-2.0
// A channel behind several L2 slices: who goes first, by cycles; that each slice gets its own
// answers; and back-pressure of one link and of the queue.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "files/stats_json.hpp"
#include "unit/dram/dram_bench.hpp"

namespace warpmem::dram {
namespace {

AddressMapParams sliced_map(unsigned slices) {
  AddressMapParams params = plain_map();
  params.slices = slices;
  return params;
}

class SlicedBench {
 public:
  SlicedBench(const std::string& name, unsigned slices,
              const Channel::Params& params = DramBench::defaults(), bool tick_all = false,
              bool reversed = false)
      : map(sliced_map(slices)) {
    resolution_once();
    domain = std::make_unique<ClockDomain>((name + "_clock").c_str(), params.clock_hz, tick_all);
    initiators.resize(slices);
    if (!reversed) make_channel(name, params);
    for (unsigned n = 0; n < slices; ++n) {
      const unsigned s = reversed ? slices - 1 - n : n;
      initiators[s] = std::make_unique<ScriptedInitiator>(
          (name + "_initiator" + std::to_string(s)).c_str(), *domain);
    }
    if (reversed) make_channel(name, params);
    for (unsigned s = 0; s < slices; ++s) {
      protocol.push_back(
          std::make_unique<ProtocolChecker>((name + "_protocol" + std::to_string(s)).c_str()));
      initiators[s]->out.socket.bind(protocol[s]->target);
      protocol[s]->initiator.bind(channel->in(s).socket);
    }
    channel->observe(log);
    channel->register_stats(registry, 0);
    registry.begin_kernel("run");
  }
  void run(Cycle limit = 1'000'000) {
    const sc_core::sc_time step = sc_core::sc_time::from_value(domain->time_of(100));
    for (Cycle c = 0; c < limit && !done(); c += 100) sc_core::sc_start(step);
    rethrow_tick_failure();
    ASSERT_TRUE(done()) << channel->describe();
    sc_core::sc_start(sc_core::sc_time::from_value(domain->time_of(10)));
    EXPECT_TRUE(channel->idle()) << channel->describe();
    for (const auto& checker : protocol) EXPECT_EQ(checker->outstanding(), 0u);
    registry.end_kernel();  // throws when a law does not hold
  }
  bool done() const {
    return std::all_of(initiators.begin(), initiators.end(),
                       [](const auto& i) { return i->done(); });
  }
  /// Column commands, as {cycle of arrival, address}.
  std::vector<std::pair<Cycle, Addr>> served() const {
    std::vector<std::pair<Cycle, Addr>> found;
    for (const CommandRecord& r : log.records)
      if (r.command == Command::read || r.command == Command::write)
        found.push_back({r.arrival, r.address});
    return found;
  }

  AddressMap map;
  MemoryImage image;
  CommandLog log;
  StatRegistry registry;
  std::unique_ptr<ClockDomain> domain;
  std::unique_ptr<Channel> channel;
  std::vector<std::unique_ptr<ProtocolChecker>> protocol;
  std::vector<std::unique_ptr<ScriptedInitiator>> initiators;

 private:
  void make_channel(const std::string& name, const Channel::Params& params) {
    channel = std::make_unique<Channel>((name + "_channel").c_str(), *domain, params, map, image);
  }
};

using Served = std::vector<std::pair<Cycle, Addr>>;

// Both slices send a read in cycle 10; they become visible in cycle 11.
//
//   cycle    11    12    18   24   30   36..51     52..67     53    69
//   slice 0  taken ACT        RD        data                  seen
//   slice 1  waits taken ACT       (40: RD)        data             seen
TEST(DramSlices, OneRequestACycle) {
  SlicedBench b("b", 2);
  b.initiators[0]->script = {{10, at(0, 0)}};
  b.initiators[1]->script = {{10, at(1, 0)}};
  b.run();
  EXPECT_EQ(b.served(), (Served{{11, at(0, 0)}, {12, at(1, 0)}}));
  EXPECT_EQ(b.log.cycles(Command::activate), (std::vector<Cycle>{12, 18}));
  EXPECT_EQ(b.log.cycles(Command::read), (std::vector<Cycle>{24, 40}));
  EXPECT_EQ(b.initiators[0]->responded, (std::vector<Cycle>{53}));
  EXPECT_EQ(b.initiators[1]->responded, (std::vector<Cycle>{69}));
}

// Streams of four from each slice, to one row: strictly in turn, one a cycle.
TEST(DramSlices, TakeTurns) {
  SlicedBench b("b", 2);
  Served expected;
  for (unsigned i = 0; i < 4; ++i) {
    b.initiators[0]->script.push_back({10, at(0, 0, 128 * i)});
    b.initiators[1]->script.push_back({10, at(0, 0, 1024 + 128 * i)});
    expected.push_back({11 + 2 * i, at(0, 0, 128 * i)});
    expected.push_back({12 + 2 * i, at(0, 0, 1024 + 128 * i)});
  }
  b.run();
  EXPECT_EQ(b.served(), expected);
  const std::string stats = stats_json(b.registry);
  EXPECT_NE(stats.find("\"dram.slice_wait_cycles\": 7"), std::string::npos) << stats;
}

// A slice alone is not slowed down by the idle ones, and the turn stays where it was.
TEST(DramSlices, AnIdleSliceTakesNoTurn) {
  SlicedBench b("b", 4);
  for (unsigned i = 0; i < 4; ++i) b.initiators[2]->script.push_back({10, at(0, 0, 128 * i)});
  b.run();
  EXPECT_EQ(
      b.served(),
      (Served{{11, at(0, 0)}, {12, at(0, 0, 128)}, {13, at(0, 0, 256)}, {14, at(0, 0, 384)}}));
}

// With a queue of one, requests go as it empties, still in turn; the third of each link has END_REQ
// withheld.
TEST(DramSlices, AFullQueueHoldsBackBothLinks) {
  Channel::Params params = DramBench::defaults();
  params.queue = 1;
  SlicedBench b("b", 2, params);
  for (unsigned i = 0; i < 6; ++i) {
    b.initiators[0]->script.push_back({10, at(0, 0, 128 * i)});
    b.initiators[1]->script.push_back({10, at(0, 0, 1024 + 128 * i)});
  }
  b.run();
  const Served served = b.served();
  ASSERT_EQ(served.size(), 12u);
  for (unsigned i = 0; i < 12; ++i)
    EXPECT_EQ(served[i].second, at(0, 0, i % 2 * 1024 + i / 2 * 128)) << i;
}

// The queue of one is full in cycles 12 to 23 and 25 to 39. In cycles 11 and 24 one slice waits for
// the other's turn, and for nothing else.
TEST(DramSlices, AHeadWaitsForTheQueueOrForItsTurn) {
  Channel::Params params = DramBench::defaults();
  params.queue = 1;
  SlicedBench b("b", 2, params);
  b.initiators[0]->script = {{10, at(0, 0)}, {10, at(0, 0, 128)}};
  b.initiators[1]->script = {{10, at(0, 0, 1024)}};
  b.run();
  EXPECT_EQ(b.served(), (Served{{11, at(0, 0)}, {24, at(0, 0, 1024)}, {40, at(0, 0, 128)}}));
  const std::string stats = stats_json(b.registry);
  EXPECT_NE(stats.find("\"dram.slice_wait_cycles\": 2"), std::string::npos) << stats;
  EXPECT_EQ(b.channel->stats().blocked_cycles, 2u * 12 + 15);
}

// Slice 0 takes no answer for long. Its places fill up, the other one's answers go on until then.
TEST(DramSlices, ASliceThatTakesNoAnswersHoldsUpTheOtherOnlyWhenItsPlacesAreFull) {
  SlicedBench b("b", 2);
  b.initiators[0]->take_responses_from = 5000;
  b.initiators[0]->script = {{10, at(0, 0)}, {10, at(1, 0)}, {10, at(2, 0)}, {10, at(3, 0)}};
  for (unsigned i = 0; i < 8; ++i) b.initiators[1]->script.push_back({10, at(4, 0, 128 * i)});
  b.run();
  for (const Cycle seen : b.initiators[1]->responded) EXPECT_LT(seen, 1000u);
  for (const Cycle seen : b.initiators[0]->responded) EXPECT_GE(seen, 5000u);
}

std::vector<Scripted> random_script(std::uint64_t seed, unsigned slice) {
  Random random(seed);
  std::vector<Scripted> script;
  Cycle t = 0;
  for (unsigned i = 0; i < 1500; ++i) {
    if (random.chance(5)) t += random.below(300);
    const auto bank = static_cast<unsigned>(random.below(16));
    const auto row = static_cast<unsigned>(random.below(4));
    script.push_back({t, at(bank, row, 128 * slice), random.chance(40)});
  }
  return script;
}

// Neither skipping idle cycles nor the order of construction shows.
TEST(DramSlices, NothingDependsOnHowItIsSimulated) {
  Channel::Params params = DramBench::defaults();
  params.queue = 4;
  params.response_queue = 1;
  std::vector<std::unique_ptr<SlicedBench>> benches;
  for (unsigned v = 0; v < 4; ++v)
    benches.push_back(
        std::make_unique<SlicedBench>("v" + std::to_string(v), 3, params, v % 2 != 0, v / 2 != 0));
  for (auto& b : benches) {
    for (unsigned s = 0; s < 3; ++s) b->initiators[s]->script = random_script(s + 1, s);
    b->initiators[1]->take_responses_from = 3000;
  }
  for (auto& b : benches) b->run();
  for (auto& b : benches) {
    EXPECT_EQ(b->served(), benches[0]->served());
    EXPECT_EQ(stats_json(b->registry), stats_json(benches[0]->registry));
    for (unsigned s = 0; s < 3; ++s)
      EXPECT_EQ(b->initiators[s]->responded, benches[0]->initiators[s]->responded);
  }
}

}  // namespace
}  // namespace warpmem::dram
