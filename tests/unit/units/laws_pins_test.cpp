// SPDX-License-Identifier: Apache-2.0
// The pin-level units of LAWS under a clock, against their cores: outputs at every rising edge.
#include <gtest/gtest.h>

#include <algorithm>
#include <systemc>

#include "support/pin_bench.hpp"
#include "units/laws_score/laws_score_module.hpp"
#include "units/throttle_unit/throttle_unit_module.hpp"

namespace warpmem::units {
namespace {

template <unsigned kScoreBits, unsigned kMissBits, unsigned kMissLimit>
struct ScorePins {
  using Module = LawsScoreModule<kScoreBits, kMissBits, kMissLimit>;

  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    dut.clk(clk);
    dut.rst_n(rst_n);
    dut.clear_i(clear);
    dut.l1d_hit_i(l1d_hit);
    dut.l1d_intra_i(l1d_intra);
    dut.mshr_valid_i(mshr_valid);
    dut.mshr_hit_i(mshr_hit);
    dut.mshr_intra_i(mshr_intra);
    dut.fair_o(fair);
    dut.score_o(score);
    dut.miss_count_o(miss_count);
  }
  LawsScoreIn random(Random& random) {
    if (cycles++ % 80'000 == 0) intra_percent = intra_percent == 95 ? 5 : 95;  // end to end
    LawsScoreIn in;
    in.clear = random.below(100'000) == 0;
    in.l1d_hit = random.chance(70);
    in.l1d_intra = random.chance(intra_percent);
    in.mshr_valid = random.chance(60);
    in.mshr_hit = random.chance(85);
    in.mshr_intra = random.chance(intra_percent);
    return in;
  }
  void drive(const LawsScoreIn& in) {
    clear = in.clear;
    l1d_hit = in.l1d_hit;
    l1d_intra = in.l1d_intra;
    mshr_valid = in.mshr_valid;
    mshr_hit = in.mshr_hit;
    mshr_intra = in.mshr_intra;
  }
  LawsScoreOut sample() {
    LawsScoreOut out;
    out.fair = fair.read();
    out.score = score.read().to_int();
    out.miss_count = static_cast<std::uint16_t>(miss_count.read().to_uint());
    least = std::min(least, out.score);
    most = std::max(most, out.score);
    return out;
  }

  unsigned cycles = 0, intra_percent = 5;
  std::int32_t least = 0, most = 0;
  sc_core::sc_signal<bool> clear, l1d_hit, l1d_intra, mshr_valid, mshr_hit, mshr_intra, fair;
  sc_core::sc_signal<typename Module::Score> score;
  sc_core::sc_signal<typename Module::MissCount> miss_count;
  Module dut{"dut"};
};

template <unsigned kScoreBits, unsigned kMissBits, unsigned kMissLimit>
void score_agrees() {
  using Core = LawsScoreCore<kScoreBits, kMissBits, kMissLimit>;
  PinBench<Core, ScorePins<kScoreBits, kMissBits, kMissLimit>> bench("bench");
  sc_core::sc_start(180'000, sc_core::SC_NS);
  EXPECT_EQ(bench.different(), 0);
  EXPECT_GT(bench.compared(), 179'000);
  EXPECT_EQ(bench.pins().least, Core::kMin);
  EXPECT_EQ(bench.pins().most, Core::kMax);
}

TEST(LawsScorePins, AgreeWithTheCore) { score_agrees<16, 5, 31>(); }
TEST(LawsScorePins, AgreeWithTheCoreOfASmallScore) { score_agrees<6, 3, 5>(); }

template <unsigned kWarps, unsigned kDivergence, unsigned kStable, unsigned kHold, bool kMemory>
struct ThrottlePins {
  using Module = ThrottleUnitModule<kWarps, kDivergence, kStable, kHold, kMemory>;

  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    dut.clk(clk);
    dut.rst_n(rst_n);
    dut.clear_i(clear);
    dut.fair_i(fair);
    dut.access_valid_i(access_valid);
    dut.access_intra_i(access_intra);
    dut.access_warp_i(access_warp);
    dut.end_warps_i(end_warps);
    dut.mshr_full_i(mshr_full);
    dut.load_count_i(load_count);
    dut.limited_o(limited);
    dut.limit_o(limit);
    dut.hit_count_o(hit_count);
    dut.min_count_o(min_count);
    dut.max_count_o(max_count);
    dut.by_divergence_o(by_divergence);
  }
  ThrottleIn random(Random& random) {
    if (cycles++ % 4'000 == 0) intra_percent = intra_percent == 60 ? 0 : 60;
    ThrottleIn in;
    in.clear = random.below(20'000) == 0;
    in.fair = random.chance(10);
    in.access_valid = random.chance(30);
    in.access_intra = random.chance(intra_percent);
    in.access_warp = static_cast<std::uint8_t>(random.below(kWarps));
    if (random.chance(2)) in.end_warps = (random.next() & random.next()) >> (64 - kWarps);
    in.mshr_full = random.chance(20);
    in.load_count = static_cast<std::uint8_t>(random.below(kWarps + 1));
    return in;
  }
  void drive(const ThrottleIn& in) {
    clear = in.clear;
    fair = in.fair;
    access_valid = in.access_valid;
    access_intra = in.access_intra;
    access_warp = in.access_warp;
    end_warps = in.end_warps;
    mshr_full = in.mshr_full;
    load_count = in.load_count;
  }
  ThrottleOut sample() {
    ThrottleOut out;
    out.limited = limited.read();
    out.limit = static_cast<std::uint8_t>(limit.read().to_uint());
    out.hit_count = static_cast<std::uint8_t>(hit_count.read().to_uint());
    out.min_count = static_cast<std::uint8_t>(min_count.read().to_uint());
    out.max_count = static_cast<std::uint8_t>(max_count.read().to_uint());
    out.by_divergence = by_divergence.read();
    limits += out.limited && !out.by_divergence;
    divergent += out.by_divergence;
    return out;
  }

  unsigned cycles = 0, intra_percent = 60;
  unsigned limits = 0, divergent = 0;
  sc_core::sc_signal<bool> clear, fair, access_valid, access_intra, mshr_full, limited;
  sc_core::sc_signal<bool> by_divergence;
  sc_core::sc_signal<typename Module::WarpIndex> access_warp;
  sc_core::sc_signal<typename Module::WarpVector> end_warps;
  sc_core::sc_signal<typename Module::WarpCount> load_count, limit, hit_count, min_count, max_count;
  Module dut{"dut"};
};

template <unsigned kWarps, unsigned kDivergence, unsigned kStable, unsigned kHold, bool kMemory>
void throttle_agrees() {
  PinBench<ThrottleUnitCore<kWarps, kDivergence, kStable, kHold, kMemory>,
           ThrottlePins<kWarps, kDivergence, kStable, kHold, kMemory>>
      bench("bench");
  sc_core::sc_start(60'000, sc_core::SC_NS);
  EXPECT_EQ(bench.different(), 0);
  EXPECT_GT(bench.compared(), 59'000);
  EXPECT_GT(bench.pins().limits, 1000u);
  EXPECT_EQ(bench.pins().divergent != 0, kMemory);
}

TEST(ThrottlePins, AgreeWithTheCore) { throttle_agrees<32, 8, 8, 50, true>(); }
TEST(ThrottlePins, AgreeWithTheCoreOfTwelveWarps) { throttle_agrees<12, 5, 3, 7, false>(); }
TEST(ThrottlePins, AgreeWithTheCoreOfSixtyFourWarps) { throttle_agrees<64, 8, 1, 1, true>(); }

}  // namespace
}  // namespace warpmem::units
