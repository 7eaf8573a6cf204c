// SPDX-License-Identifier: Apache-2.0
// The pin-level units of TSMA under a clock, against their cores: outputs at every rising edge.
#include <gtest/gtest.h>

#include <systemc>

#include "support/pin_bench.hpp"
#include "units/htsma_steer/htsma_steer_module.hpp"
#include "units/tsma_index_gen/tsma_index_gen_module.hpp"

namespace warpmem::units {
namespace {

template <unsigned kEntries>
struct IndexGenPins {
  using Module = TsmaIndexGenModule<kEntries>;

  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    dut.clk(clk);
    dut.rst_n(rst_n);
    dut.take_i(take);
    dut.release_i(release);
    dut.release_idx_i(release_idx);
    dut.idx_o(idx);
    dut.full_o(full);
    dut.available_o(available);
  }
  // There are phases in which the generator fills up and in which it empties. Of the numbers that
  // the pins carry some are no entry's.
  TsmaIndexGenIn random(Random& random) {
    const bool fills = cycles++ / (8 * kEntries) % 2 == 0;
    TsmaIndexGenIn in;
    in.take = random.chance(fills ? 90 : 20);
    in.release = random.chance(fills ? 20 : 90);
    in.release_idx = static_cast<std::uint16_t>(random.below(1u << bits_for(kEntries)));
    return in;
  }
  void drive(const TsmaIndexGenIn& in) {
    take = in.take;
    release = in.release;
    release_idx = in.release_idx;
  }
  // The vector agrees with the outputs that come from it: the lowest bit is idx.
  TsmaIndexGenOut sample() {
    TsmaIndexGenOut out;
    out.idx = static_cast<std::uint16_t>(idx.read().to_uint());
    out.full = full.read();
    unsigned lowest = 0;
    while (lowest < kEntries && !available.read()[static_cast<int>(lowest)].to_bool()) ++lowest;
    wrong_vectors += out.full ? lowest != kEntries : lowest != out.idx;
    times_full += out.full;
    return out;
  }

  unsigned cycles = 0, times_full = 0, wrong_vectors = 0;
  sc_core::sc_signal<bool> take, release, full;
  sc_core::sc_signal<typename Module::EntryIndex> release_idx, idx;
  sc_core::sc_signal<typename Module::EntryVector> available;
  Module dut{"dut"};
};

template <unsigned kEntries>
void index_gen_agrees() {
  PinBench<TsmaIndexGenCore<kEntries>, IndexGenPins<kEntries>> bench("bench");
  sc_core::sc_start(40'000, sc_core::SC_NS);
  EXPECT_EQ(bench.different(), 0);
  EXPECT_GT(bench.compared(), 39'000);
  EXPECT_EQ(bench.pins().wrong_vectors, 0u);
  EXPECT_GT(bench.pins().times_full, 1000u);
}

TEST(TsmaIndexGenPins, AgreeWithTheCore) { index_gen_agrees<48>(); }
TEST(TsmaIndexGenPins, AgreeWithTheCoreOfFiveEntries) { index_gen_agrees<5>(); }
TEST(TsmaIndexGenPins, AgreeWithTheCoreOfOneEntry) { index_gen_agrees<1>(); }

template <unsigned kWays>
struct SteerPins {
  using Module = HtsmaSteerModule<kWays>;

  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    dut.clk(clk);
    dut.rst_n(rst_n);
    dut.shared_count_i(shared_count);
    dut.victim_valid_i(victim_valid);
    dut.victim_hit_i(victim_hit);
    dut.small_empty_i(small_empty);
    dut.small_full_i(small_full);
    dut.small_match_i(small_match);
    dut.to_small_o(to_small);
    dut.to_array_o(to_array);
    dut.merges_o(merges);
    dut.compares_o(compares);
    dut.critical_o(critical);
    dut.steer_o(steer);
  }
  HtsmaSteerIn random(Random& random) {
    HtsmaSteerIn in;
    in.shared_count = static_cast<std::uint16_t>(random.below(kWays + 1));
    in.victim_valid = random.chance(80);
    in.victim_hit = random.chance(50);
    in.small_empty = random.chance(50);
    in.small_full = random.chance(50);
    in.small_match = random.chance(30);
    return in;
  }
  void drive(const HtsmaSteerIn& in) {
    shared_count = in.shared_count;
    victim_valid = in.victim_valid;
    victim_hit = in.victim_hit;
    small_empty = in.small_empty;
    small_full = in.small_full;
    small_match = in.small_match;
  }
  HtsmaSteerOut sample() {
    HtsmaSteerOut out;
    out.to_small = to_small.read();
    out.to_array = to_array.read();
    out.merges = merges.read();
    out.compares = compares.read();
    out.critical = critical.read();
    out.steer = static_cast<HtsmaSteer>(steer.read().to_uint());
    ++times[steer.read().to_uint()];
    return out;
  }

  unsigned times[8] = {};
  sc_core::sc_signal<bool> victim_valid, victim_hit, small_empty, small_full, small_match;
  sc_core::sc_signal<bool> to_small, to_array, merges, compares, critical;
  sc_core::sc_signal<typename Module::LineCount> shared_count;
  sc_core::sc_signal<typename Module::Branch> steer;
  Module dut{"dut"};
};

template <unsigned kWays>
void steer_agrees() {
  PinBench<HtsmaSteerCore<kWays>, SteerPins<kWays>> bench("bench");
  sc_core::sc_start(40'000, sc_core::SC_NS);
  EXPECT_EQ(bench.different(), 0);
  EXPECT_GT(bench.compared(), 39'000);
  for (unsigned branch = 0; branch < static_cast<unsigned>(HtsmaSteer::count); ++branch)
    EXPECT_GT(bench.pins().times[branch], 500u) << branch;
}

TEST(HtsmaSteerPins, AgreeWithTheCore) { steer_agrees<8>(); }
TEST(HtsmaSteerPins, AgreeWithTheCoreOfSixWays) { steer_agrees<6>(); }

}  // namespace
}  // namespace warpmem::units
