// SPDX-License-Identifier: Apache-2.0
// The channels of configs/dram: random requests under every order of service, each command before
// the timing checker and each byte compared; the cycles that nanoseconds come to; and how close a
// stream gets to the bandwidth that the channel has on paper.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.hpp"
#include "memory/params.hpp"
#include "unit/dram/dram_bench.hpp"

namespace warpmem::memory {
namespace {

using dram::Channel;
using dram::DramBench;

/// One channel of a preset, with its address map.
struct Preset {
  explicit Preset(const std::string& name, std::vector<std::string> assignments = {}) {
    assignments.push_back("memory.partitions=1");
    const MemoryParams params =
        read_params(WARPMEM_SOURCE_DIR "/configs/dram/" + name + ".yaml", assignments);
    map = params.map;
    channel = params.dram;
    channel.check_timing = true;
  }
  AddressMapParams map;
  Channel::Params channel;
};

/// 4000 reads and writes of 32 to 128 B on few rows, with pauses long enough for refreshes.
void random_requests(DramBench& b, std::uint64_t seed) {
  Random random(seed);
  Cycle t = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    if (random.chance(5)) t += random.below(random.chance(10) ? 20'000 : 200);
    const unsigned sizes[] = {32, 64, 128, 128};
    const unsigned bytes = sizes[random.below(4)];
    const Addr address =
        (random.below(1 << 12) * 128 + random.below(128 / bytes) * bytes) + (random.below(3) << 20);
    b.initiator->script.push_back({t, address, random.chance(35), bytes});
  }
}

void run_with_bytes_checked(DramBench& b, std::uint64_t seed) {
  random_requests(b, seed);
  Random random(seed + 1);
  std::map<Addr, std::uint8_t> memory;
  std::vector<std::vector<std::uint8_t>> expected(b.initiator->script.size());
  b.initiator->prepare = [&](std::size_t i, Transaction& t) {
    for (unsigned k = 0; k < t.get_data_length(); ++k) {
      std::uint8_t& byte = memory[t.get_address() + k];
      if (t.is_write()) byte = t.data[k] = static_cast<unsigned char>(random.next());
      expected[i].push_back(byte);
    }
  };
  b.run(10'000'000);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (b.initiator->script[i].write) continue;
    ASSERT_EQ(b.initiator->read_data[i], expected[i]) << "request " << i;
  }
}

class DramPresets : public testing::TestWithParam<const char*> {
 protected:
  void run(std::vector<std::string> assignments, std::uint64_t seed) {
    const Preset preset(GetParam(), std::move(assignments));
    DramBench b("b", preset.channel, false, false, preset.map);
    run_with_bytes_checked(b, seed);
    EXPECT_EQ(b.channel->stats().refreshes > 0, preset.channel.refresh != dram::Refresh::none);
  }
};

TEST_P(DramPresets, RandomRequestsUnderFrFcfs) { run({}, 1); }
TEST_P(DramPresets, RandomRequestsUnderFcfs) { run({"dram.policy=fcfs"}, 2); }
TEST_P(DramPresets, RandomRequestsWithAShortAgeCap) { run({"dram.age_cap=100"}, 3); }
TEST_P(DramPresets, RandomRequestsWithWriteDrains) { run({"dram.write_drain=true"}, 4); }
TEST_P(DramPresets, RandomRequestsWithClosedPages) { run({"dram.page=closed"}, 5); }
TEST_P(DramPresets, RandomRequestsWithRefreshOfBanks) {
  run({"dram.refresh=per_bank", "dram.timing.tREFI=3900 ns", "memory.order=row_column_bank"}, 6);
}
TEST_P(DramPresets, RandomRequestsAtAnotherClock) { run({"dram.clock=1309 MHz"}, 7); }

/// Refresh takes its share; the rest must be within 6 % of what the data buses move.
TEST_P(DramPresets, AStreamComesCloseToThePeakBandwidth) {
  const Preset preset(GetParam());
  DramBench b("b", preset.channel, false, false, preset.map);
  for (unsigned i = 0; i < 20'000; ++i) b.initiator->script.push_back({0, 128 * Addr(i)});
  b.run();
  const auto& log = b.log.records;
  const auto cycles = static_cast<double>(log.back().cycle - log.front().cycle);
  const double per_cycle = 20'000.0 * 128 / cycles;
  const double peak = static_cast<double>(preset.channel.peak_bandwidth()) /
                      static_cast<double>(preset.channel.clock_hz);
  EXPECT_LE(per_cycle, peak * 1.001);
  const dram::Timing t = preset.channel.timing.in_cycles(preset.channel.clock_hz);
  const double refresh = preset.channel.refresh == dram::Refresh::all_bank
                             ? double(t.t_rfc + t.t_rp + t.t_rcd) / t.t_refi
                             : 0.0;
  EXPECT_GE(per_cycle, peak * (1 - refresh) * 0.94);
}

INSTANTIATE_TEST_SUITE_P(Configs, DramPresets,
                         testing::Values("gddr5", "gddr5-2700", "gddr5-345", "gddr5-gtx480",
                                         "gddr6", "hbm2", "hbm2e", "hbm3"),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

TEST(DramPreset, NanosecondsOfGddr5ComeToTheCyclesOfTheGtx480Set) {
  const Preset ns("gddr5"), cycles("gddr5-gtx480");
  const dram::Timing t = ns.channel.timing.in_cycles(ns.channel.clock_hz);
  const dram::Timing& u = cycles.channel.timing;
  const std::vector<unsigned> from_ns = {t.t_cl,  t.t_wl, t.t_rp,   t.t_rc,  t.t_ras, t.t_rcd,
                                         t.t_rrd, t.t_wr, t.t_cdlr, t.t_ccd, t.t_rtp, t.t_turn};
  const std::vector<unsigned> counts = {u.t_cl,  u.t_wl, u.t_rp,   u.t_rc,  u.t_ras, u.t_rcd,
                                        u.t_rrd, u.t_wr, u.t_cdlr, u.t_ccd, u.t_rtp, u.t_turn};
  EXPECT_EQ(from_ns, counts);
}

TEST(DramPreset, NanosecondsOfHbm2eComeToTheCyclesOfTheA100Set) {
  const Preset preset("hbm2e");
  const dram::Timing t = preset.channel.timing.in_cycles(preset.channel.clock_hz);
  const std::vector<unsigned> from_ns = {t.t_rrd, t.t_rcd, t.t_ras, t.t_rp,   t.t_rc,
                                         t.t_cl,  t.t_wl,  t.t_wr,  t.t_cdlr, t.t_rtp};
  EXPECT_EQ(from_ns, (std::vector<unsigned>{7, 22, 50, 22, 72, 22, 4, 19, 5, 7}));
}

TEST(DramPreset, TheDlMachinesActivatesAreSixCyclesApartNotEighteen) {
  EXPECT_EQ(Preset("gddr5-2700").channel.timing.t_rrd, 6u);
  EXPECT_EQ(Preset("gddr5-345").channel.timing.t_rrd, 18u);
  EXPECT_EQ(Preset("gddr5-2700").channel.peak_bandwidth(), 43'200'000'000u);
}

TEST(DramPreset, PeakBandwidths) {
  const auto gigabytes = [](const char* name, unsigned channels,
                            const std::vector<std::string>& assignments = {}) {
    const Preset preset(name, assignments);
    return std::lround(static_cast<double>(preset.channel.peak_bandwidth()) * channels / 1e9);
  };
  EXPECT_EQ(gigabytes("gddr5", 6), 177);
  EXPECT_EQ(gigabytes("gddr6", 16), 448);
  EXPECT_EQ(gigabytes("hbm2", 8), 256);
  EXPECT_EQ(gigabytes("hbm2e", 40), 1935);
  EXPECT_EQ(gigabytes("hbm2e", 40, {"dram.clock=1215 MHz"}), 1555);
  EXPECT_EQ(gigabytes("hbm3", 16), 819);
  EXPECT_EQ(gigabytes("hbm3", 80, {"dram.clock=1309 MHz"}), 3351);
}

}  // namespace
}  // namespace warpmem::memory
