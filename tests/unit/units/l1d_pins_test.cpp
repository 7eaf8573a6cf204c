// SPDX-License-Identifier: Apache-2.0
// The pin-level units of L1D under a clock, against their cores: outputs at every rising edge.
#include <gtest/gtest.h>

#include <systemc>

#include "support/pin_bench.hpp"
#include "units/bucl_ctrl/bucl_ctrl_module.hpp"
#include "units/mrpb_drain/mrpb_drain_module.hpp"

namespace warpmem::units {
namespace {

template <unsigned kQueues, unsigned kEntries, unsigned kPolicy>
struct MrpbDrainPins {
  using Module = MrpbDrainModule<kQueues, kEntries, kPolicy, 1>;

  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    dut.clk(clk);
    dut.rst_n(rst_n);
    dut.ready_i(ready);
    dut.take_i(take);
    dut.head_valid_i(head_valid);
    dut.head_stored_i(head_stored);
    dut.head_queue_i(head_queue);
    dut.enter_i(enter);
    dut.drain_valid_o(drain_valid);
    dut.drain_forced_o(drain_forced);
    dut.drain_queue_o(drain_queue);
    dut.head_full_o(head_full);
    dut.head_empty_o(head_empty);
    dut.held_o(held);
  }
  // A request enters only where there is room: a second core follows.
  MrpbDrainIn random(Random& random) {
    const bool fills = cycles++ / 500 % 2 == 0;
    MrpbDrainIn in;
    in.ready = random.next() & (~std::uint64_t(0) >> (64 - kQueues));
    in.take = random.chance(fills ? 30 : 90);
    in.head_valid = random.chance(fills ? 95 : 40);
    in.head_stored = random.chance(95);
    in.head_queue = static_cast<std::uint8_t>(random.below(kQueues));
    in.enter = in.head_valid && in.head_stored && !follows.eval(in).head_full;
    times_forced += follows.eval(in).drain_forced;
    follows.commit(in);
    return in;
  }
  void drive(const MrpbDrainIn& in) {
    ready = in.ready;
    take = in.take;
    head_valid = in.head_valid;
    head_stored = in.head_stored;
    head_queue = in.head_queue;
    enter = in.enter;
  }
  MrpbDrainOut sample() {
    MrpbDrainOut out;
    out.drain_valid = drain_valid.read();
    out.drain_forced = drain_forced.read();
    out.drain_queue = static_cast<std::uint8_t>(drain_queue.read().to_uint());
    out.head_full = head_full.read();
    out.head_empty = head_empty.read();
    out.held = held.read().to_uint64();
    return out;
  }

  unsigned cycles = 0, times_forced = 0;
  MrpbDrainCore<kQueues, kEntries, kPolicy, 1> follows;
  sc_core::sc_signal<bool> take, head_valid, head_stored, enter;
  sc_core::sc_signal<bool> drain_valid, drain_forced, head_full, head_empty;
  sc_core::sc_signal<typename Module::QueueMask> ready, held;
  sc_core::sc_signal<typename Module::QueueIndex> head_queue, drain_queue;
  Module dut{"dut"};
};

template <unsigned kQueues, unsigned kEntries, unsigned kPolicy>
void mrpb_drain_agrees() {
  PinBench<MrpbDrainCore<kQueues, kEntries, kPolicy, 1>, MrpbDrainPins<kQueues, kEntries, kPolicy>>
      bench("bench");
  sc_core::sc_start(20'000, sc_core::SC_NS);
  EXPECT_EQ(bench.different(), 0);
  EXPECT_GT(bench.compared(), 19'000);
  EXPECT_GT(bench.pins().times_forced, 100u);
}

TEST(MrpbDrainPins, AgreeWithTheCore) { mrpb_drain_agrees<48, 8, 0>(); }
TEST(MrpbDrainPins, AgreeWithTheCoreGreedyLongest) { mrpb_drain_agrees<5, 3, 5>(); }

template <unsigned kProfile>
struct BuclCtrlPins {
  using Module = BuclCtrlModule<100, 800, 700, 5, 2, 25, kProfile>;

  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    dut.clk(clk);
    dut.rst_n(rst_n);
    dut.clear_i(clear);
    dut.access_valid_i(access_valid);
    dut.access_hit_i(access_hit);
    dut.choose_valid_i(choose_valid);
    dut.choose_row_i(choose_row);
    dut.load_degree_i(load_degree);
    dut.load_row_i(load_row);
    dut.uib_i(uib);
    dut.tucd_o(tucd);
    dut.load_bypass_o(load_bypass);
    dut.low_o(low);
    dut.refused_bypass_o(refused_bypass);
    dut.period_end_o(period_end);
  }
  BuclCtrlIn random(Random& random) {
    const bool high = cycles++ / 2000 % 2 == 0;
    BuclCtrlIn in;
    in.clear = random.below(5000) == 0;
    in.access_valid = random.chance(30);
    in.access_hit = random.chance(high ? 90 : 60);
    in.choose_valid = random.below(1000) == 0;
    in.choose_row = static_cast<std::uint8_t>(random.below(kBuclProfileRows));
    in.load_degree = static_cast<std::uint8_t>(random.below(64));
    in.load_row = static_cast<std::uint8_t>(random.below(kBuclProfileRows));
    in.uib = static_cast<std::uint16_t>(random.below(kBuclScale + 1));
    return in;
  }
  void drive(const BuclCtrlIn& in) {
    clear = in.clear;
    access_valid = in.access_valid;
    access_hit = in.access_hit;
    choose_valid = in.choose_valid;
    choose_row = in.choose_row;
    load_degree = in.load_degree;
    load_row = in.load_row;
    uib = in.uib;
  }
  BuclCtrlOut sample() {
    BuclCtrlOut out;
    out.tucd = static_cast<std::uint8_t>(tucd.read().to_uint());
    out.load_bypass = load_bypass.read();
    out.low = low.read();
    out.refused_bypass = refused_bypass.read();
    out.period_end = period_end.read();
    times_low += out.low;
    return out;
  }

  unsigned cycles = 0, times_low = 0;
  sc_core::sc_signal<bool> clear, access_valid, access_hit, choose_valid;
  sc_core::sc_signal<bool> load_bypass, low, refused_bypass, period_end;
  sc_core::sc_signal<typename Module::Row> choose_row, load_row;
  sc_core::sc_signal<typename Module::Degree> load_degree, tucd;
  sc_core::sc_signal<typename Module::Share> uib;
  Module dut{"dut"};
};

template <unsigned kProfile>
void bucl_ctrl_agrees() {
  PinBench<BuclCtrlCore<100, 800, 700, 5, 2, 25, kProfile>, BuclCtrlPins<kProfile>> bench("bench");
  sc_core::sc_start(20'000, sc_core::SC_NS);
  EXPECT_EQ(bench.different(), 0);
  EXPECT_GT(bench.compared(), 19'000);
  EXPECT_GT(bench.pins().times_low, 1000u);
  EXPECT_LT(bench.pins().times_low, 19'000u);
}

TEST(BuclCtrlPins, AgreeWithTheCore) { bucl_ctrl_agrees<0>(); }
TEST(BuclCtrlPins, AgreeWithTheCoreThatProfiles) { bucl_ctrl_agrees<1>(); }

}  // namespace
}  // namespace warpmem::units
