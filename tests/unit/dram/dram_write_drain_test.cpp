// SPDX-License-Identifier: Apache-2.0
// Write drain: when writes go, in what batches, what keeps its order, and what it is good for.
#include <gtest/gtest.h>

#include "base/random.hpp"
#include "unit/dram/dram_bench.hpp"

namespace warpmem::dram {
namespace {

Channel::Params draining(unsigned high = 4, unsigned low = 1) {
  Channel::Params params = DramBench::defaults();
  params.write_drain = true;
  params.write_queue = 8;
  params.write_high = high;
  params.write_low = low;
  return params;
}

std::string columns(const DramBench& b) {
  std::string text;
  for (const CommandRecord& r : b.log.records) {
    if (r.command == Command::read) text += 'r';
    if (r.command == Command::write) text += 'w';
  }
  return text;
}

TEST(WriteDrain, ReadsGoFirstUntilTheHighWatermark) {
  DramBench b("b", draining());
  for (unsigned i = 0; i < 3; ++i) b.initiator->script.push_back({0, at(0, 1, 128 * i), true});
  for (unsigned i = 3; i < 8; ++i) b.initiator->script.push_back({0, at(0, 1, 128 * i), false});
  b.run();
  EXPECT_EQ(columns(b), "rrrrrwww");
}

TEST(WriteDrain, ADrainEndsAtTheLowWatermark) {
  DramBench b("b", draining(4, 1));
  b.initiator->script.push_back({0, at(0, 1, 0), false});
  for (unsigned i = 1; i < 5; ++i) b.initiator->script.push_back({0, at(0, 1, 128 * i), true});
  for (unsigned i = 5; i < 9; ++i) b.initiator->script.push_back({0, at(0, 1, 128 * i), false});
  b.run();
  EXPECT_EQ(columns(b), "wwwrrrrrw");
  EXPECT_EQ(b.channel->stats().write_drains, 1u);
}

TEST(WriteDrain, AnOldWriteGoesBeforeReads) {
  Channel::Params params = draining();
  params.age_cap = 200;
  DramBench b("b", params);
  b.initiator->script.push_back({0, at(0, 1, 0), false});
  b.initiator->script.push_back({0, at(0, 1, 128), true});
  for (unsigned i = 0; i < 100; ++i)
    b.initiator->script.push_back({0, at(0, 1, 256 + 128 * (i % 8)), false});
  b.run();
  const auto writes = b.log.cycles(Command::write);
  ASSERT_EQ(writes.size(), 1u);
  EXPECT_GT(writes[0], 200u);
  EXPECT_LT(writes[0], 260u);
}

/// Returns the cycle of a read that comes while writes drain, and go on coming.
Cycle read_in_a_drain(Cycle age_cap) {
  Channel::Params params = draining(4, 0);
  params.age_cap = age_cap;
  DramBench b("b", params);
  for (unsigned i = 0; i < 4; ++i) b.initiator->script.push_back({0, at(0, 1, 128 * i), true});
  b.initiator->script.push_back({0, at(0, 1, 2048), false});
  for (unsigned i = 0; i < 200; ++i)
    b.initiator->script.push_back({0, at(0, 1, 128 * (i % 8)), true});
  b.run();
  const auto reads = b.log.cycles(Command::read);
  return reads.size() == 1 ? reads[0] : 0;
}

TEST(WriteDrain, AReadWaitsForADrain) { EXPECT_GT(read_in_a_drain(0), 400u); }

TEST(WriteDrain, AnOldReadGoesBeforeADrain) {
  const Cycle read = read_in_a_drain(200);
  EXPECT_GT(read, 200u);
  EXPECT_LT(read, 280u);
}

TEST(WriteDrain, RequestsToOneBlockKeepTheirOrder) {
  DramBench b("b", draining());
  Random random(5);
  MemoryImage expected;
  std::vector<std::vector<std::uint8_t>> want;
  for (unsigned i = 0; i < 6000; ++i) {
    const bool write = random.chance(40);
    b.initiator->script.push_back({0,
                                   at(static_cast<unsigned>(random.below(2)), 0,
                                      static_cast<unsigned>(random.below(6)) * 128),
                                   write});
    want.emplace_back(128);
    if (write) {
      const std::vector<std::uint8_t> bytes(128, static_cast<std::uint8_t>(i));
      expected.write(b.initiator->script.back().address, 128, bytes.data());
    }
    expected.read(b.initiator->script.back().address, 128, want.back().data());
  }
  b.initiator->prepare = [](std::size_t i, Transaction& t) {
    if (t.is_write()) t.data.fill(static_cast<std::uint8_t>(i));
  };
  b.run();
  for (std::size_t i = 0; i < want.size(); ++i)
    if (!b.initiator->script[i].write) {
      ASSERT_EQ(b.initiator->read_data[i], want[i]) << "request " << i;
    }
  EXPECT_GT(b.channel->stats().write_drains, 10u);
}

/// Returns how many times the bus changes its direction.
std::size_t turns(const DramBench& b) {
  const std::string sequence = columns(b);
  std::size_t n = 0;
  for (std::size_t i = 1; i < sequence.size(); ++i) n += sequence[i] != sequence[i - 1];
  return n;
}

// FR-FCFS alone makes batches of about 17 requests here; a drain of 104 writes is longer.
TEST(WriteDrain, TheBusTurnsSeldom) {
  Channel::Params params = DramBench::defaults();
  DramBench without("without", params);
  params.write_drain = true;
  params.write_queue = 128;
  params.write_high = 112;
  DramBench with("with", params);
  for (DramBench* b : {&without, &with}) {
    Random random(6);
    for (unsigned i = 0; i < 20'000; ++i) {
      const Addr address =
          at(static_cast<unsigned>(random.below(16)), static_cast<unsigned>(random.below(400)),
             static_cast<unsigned>(random.below(16)) * 128);
      b->initiator->script.push_back({0, address, random.chance(40)});
    }
  }
  without.run();
  with.run();
  EXPECT_LT(2 * turns(with), turns(without));
}

}  // namespace
}  // namespace warpmem::dram
