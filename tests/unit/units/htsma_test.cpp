// SPDX-License-Identifier: Apache-2.0
// The hybrid's core in the cycles of rtl/htsma/README.md, and its pins under a clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <systemc>
#include <vector>

#include "support/pin_bench.hpp"
#include "units/htsma/htsma_module.hpp"

namespace warpmem::units {
namespace {

/// A row of the table is a cycle: the request, and what it gets.
struct Cycle {
  char block;  ///< ' ': there is none
  bool shared;
  unsigned shared_count;
  bool hit;
  bool ready;
  bool secondary;
  unsigned entry;
  HtsmaSteer steer;
  bool critical;
};

class HtsmaTable : public testing::Test {
 protected:
  static MshrIn request(const Cycle& c, std::uint32_t slot) {
    MshrIn in;
    in.req_valid = true;
    in.req_secondary = c.shared;
    in.req_addr = static_cast<std::uint64_t>(c.block);
    in.req_shared_count = static_cast<std::uint16_t>(c.shared_count);
    in.req_victim_valid = true;
    in.req_victim_hit = c.hit;
    in.req_slot = slot;
    return in;
  }
  void pass(const MshrIn& in) { core_.commit(in); }

  HtsmaCore<2, 2, 2, 2, 4, 8, 4> core_;
};

TEST_F(HtsmaTable, IsThatOfTheReadme) {
  core_.reset();
  using S = HtsmaSteer;
  const std::vector<Cycle> cycles = {
      {'A', false, 0, false, true, false, 0, S::array, false},
      {'B', false, 0, true, true, false, 2, S::small_hit_line, false},
      {'C', false, 0, false, true, false, 1, S::array_compared, true},
      {'B', false, 0, false, true, true, 2, S::array_compared, false},
      {'A', true, 0, false, true, true, 0, S::array_compared, false},
      {'D', false, 3, false, true, false, 3, S::small_last_way, false},
      {'E', false, 0, true, false, false, 0, S::array_overflow, true},
  };
  for (std::uint32_t i = 0; i < cycles.size(); ++i) {
    SCOPED_TRACE(i);
    const Cycle& c = cycles[i];
    MshrIn in = request(c, i);
    in.ret_valid = i == 6;
    in.ret_entry = 2;
    in.ret_addr = 'B';
    const MshrOut out = core_.eval(in);
    EXPECT_EQ(out.req_ready, c.ready);
    EXPECT_EQ(out.rf, !c.ready);
    EXPECT_EQ(out.rf_cause, c.ready ? MshrFail::none : MshrFail::entry_full);
    EXPECT_EQ(out.req_secondary, c.secondary);
    EXPECT_EQ(out.req_entry, c.entry);
    EXPECT_EQ(out.req_steer, static_cast<unsigned>(c.steer));
    EXPECT_EQ(out.req_critical, c.critical);
    EXPECT_TRUE(out.ret_ready);
    EXPECT_FALSE(out.rsp_valid);
    pass(in);
  }
  MshrIn back;
  back.ret_valid = true;  // of entry 0, which waits for the drain of B's
  back.rsp_ready = true;
  MshrOut out = core_.eval(back);
  EXPECT_EQ(out.used, 0b1111u);
  EXPECT_EQ(out.draining, 0b0100u);
  EXPECT_TRUE(out.rsp_valid && !out.rsp_last && !out.ret_ready);
  EXPECT_EQ(out.rsp_entry, 2u);
  EXPECT_EQ(out.rsp_addr, static_cast<std::uint64_t>('B'));
  EXPECT_EQ(out.rsp_slot, 1u);
  pass(back);
  out = core_.eval(back);
  EXPECT_TRUE(out.rsp_valid && out.rsp_last && out.ret_ready);
  EXPECT_EQ(out.rsp_slot, 3u);
  pass(back);
  out = core_.eval({});
  EXPECT_EQ(out.used, 0b1011u);
  EXPECT_EQ(out.draining, 0b0001u);
  EXPECT_TRUE(out.rsp_valid && !out.rsp_last);
  EXPECT_EQ(out.rsp_entry, 0u);
  EXPECT_EQ(out.rsp_addr, 0u);
  EXPECT_EQ(out.rsp_slot, 0u);
}

// A block that drains in the s-MSHR is no primary miss, though nothing else is in it: the empty
// flag is that of the entries in use.
TEST_F(HtsmaTable, BlockThatDrainsIsStillFound) {
  core_.reset();
  pass(request({'B', false, 0, true, true, false, 2, HtsmaSteer::small_hit_line, false}, 0));
  MshrIn back;
  back.ret_valid = true;
  back.ret_entry = 3;  // any number of the s-MSHR: the address finds the entry
  back.ret_addr = 'B';
  pass(back);
  MshrIn again =
      request({'B', false, 0, false, false, true, 0, HtsmaSteer::array_compared, false}, 1);
  again.rsp_ready = true;
  EXPECT_EQ(core_.eval(again).rf_cause, MshrFail::draining);
  pass(again);
  const MshrOut out = core_.eval(again);
  EXPECT_TRUE(out.req_ready && !out.req_secondary);
  EXPECT_EQ(out.req_steer, static_cast<unsigned>(HtsmaSteer::array));
}

// 66 entries of the array and 5 of the s-MSHR: the vectors have more than 64 bits.
struct HtsmaPins {
  using Module = HtsmaModule<66, 2, 5, 3, 6, 40, 4, 2>;
  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    dut.clk(clk);
    dut.rst_n(rst_n);
    dut.req_valid_i(req_valid);
    dut.req_secondary_i(req_secondary);
    dut.req_idx_i(req_idx);
    dut.req_addr_i(req_addr);
    dut.req_shared_count_i(shared_count);
    dut.req_victim_valid_i(victim_valid);
    dut.req_victim_hit_i(victim_hit);
    dut.req_slot_i(req_slot);
    dut.req_sectors_i(req_sectors);
    dut.req_held_i(req_held);
    dut.req_ready_o(req_ready);
    dut.req_fetch_o(req_fetch);
    dut.req_secondary_o(secondary);
    dut.req_entry_o(req_entry);
    dut.req_steer_o(steer);
    dut.req_critical_o(critical);
    dut.rf_o(rf);
    dut.rf_cause_o(rf_cause);
    dut.ret_valid_i(ret_valid);
    dut.ret_entry_i(ret_entry);
    dut.ret_addr_i(ret_addr);
    dut.ret_sectors_i(ret_sectors);
    dut.ret_ready_o(ret_ready);
    dut.rsp_valid_o(rsp_valid);
    dut.rsp_ready_i(rsp_ready);
    dut.rsp_entry_o(rsp_entry);
    dut.rsp_addr_o(rsp_addr);
    dut.rsp_slot_o(rsp_slot);
    dut.rsp_last_o(rsp_last);
    dut.used_o(used);
    dut.draining_o(draining);
  }
  // Addresses have bits beyond 32. A phase fills the file, the next one empties it.
  MshrIn random(Random& random) {
    const bool fills = cycles++ / 500 % 2 == 0;
    MshrIn in;
    in.req_valid = random.chance(80);
    in.req_secondary = random.chance(20);
    in.req_idx = static_cast<std::uint16_t>(random.below(128));
    in.req_addr = random.below(12) * 0x1000000001;
    in.req_shared_count = static_cast<std::uint16_t>(random.below(8));
    in.req_victim_valid = random.chance(95);
    in.req_victim_hit = random.chance(30);
    in.req_slot = static_cast<std::uint32_t>(random.below(16));
    in.req_sectors = static_cast<std::uint8_t>(random.below(4));
    in.req_held = static_cast<std::uint8_t>(random.below(4) & random.below(4));
    in.ret_sectors = static_cast<std::uint8_t>(random.chance(70) ? 3 : random.below(4));
    in.ret_valid = random.chance(fills ? 2 : 90);
    in.ret_entry = static_cast<std::uint16_t>(random.below(80));
    in.ret_addr = random.below(12) * 0x1000000001;
    in.rsp_ready = random.chance(70);
    return in;
  }
  void drive(const MshrIn& in) {
    req_valid = in.req_valid;
    req_secondary = in.req_secondary;
    req_idx = in.req_idx;
    req_addr = in.req_addr;
    shared_count = in.req_shared_count;
    victim_valid = in.req_victim_valid;
    victim_hit = in.req_victim_hit;
    req_slot = in.req_slot;
    req_sectors = in.req_sectors;
    req_held = in.req_held;
    ret_sectors = in.ret_sectors;
    ret_valid = in.ret_valid;
    ret_entry = in.ret_entry;
    ret_addr = in.ret_addr;
    rsp_ready = in.rsp_ready;
  }
  MshrOut sample() {
    MshrOut out;
    out.req_ready = req_ready.read();
    out.req_secondary = secondary.read();
    out.req_entry = req_entry.read().to_uint();
    out.req_fetch = static_cast<std::uint8_t>(req_fetch.read().to_uint());
    out.req_steer = static_cast<std::uint8_t>(steer.read().to_uint());
    out.req_critical = critical.read();
    out.rf = rf.read();
    out.rf_cause = static_cast<MshrFail>(rf_cause.read().to_uint());
    out.ret_ready = ret_ready.read();
    out.rsp_valid = rsp_valid.read();
    out.rsp_entry = rsp_entry.read().to_uint();
    out.rsp_addr = rsp_addr.read().to_uint64();
    out.rsp_slot = rsp_slot.read().to_uint();
    out.rsp_last = rsp_last.read();
    unsigned in_use = 0, drain = 0;
    for (int e = 0; e < 71; ++e) {
      const bool is_used = used.read()[e].to_bool(), drains = draining.read()[e].to_bool();
      in_use += is_used;
      drain += drains;
      if (e < 64) out.used |= std::uint64_t{is_used} << e;
      if (e < 64) out.draining |= std::uint64_t{drains} << e;
      small_drained += drains && e >= 66 && out.rsp_last && rsp_ready.read();
    }
    most_used = std::max(most_used, in_use);
    wrong_vectors += drain != out.rsp_valid;
    return out;
  }

  unsigned cycles = 0, most_used = 0, wrong_vectors = 0, small_drained = 0;
  sc_core::sc_signal<bool> req_valid, req_secondary, victim_valid, victim_hit, req_ready, secondary,
      critical, rf, ret_valid, ret_ready, rsp_valid, rsp_ready, rsp_last;
  sc_core::sc_signal<Module::Index> req_idx;
  sc_core::sc_signal<Module::Address> req_addr, ret_addr, rsp_addr;
  sc_core::sc_signal<Module::LineCount> shared_count;
  sc_core::sc_signal<Module::Slot> req_slot, rsp_slot;
  sc_core::sc_signal<Module::Sectors> req_sectors, req_held, req_fetch, ret_sectors;
  sc_core::sc_signal<Module::Entry> req_entry, ret_entry, rsp_entry;
  sc_core::sc_signal<Module::Branch> steer;
  sc_core::sc_signal<Module::Cause> rf_cause;
  sc_core::sc_signal<Module::EntryVector> used, draining;
  Module dut{"dut"};
};

TEST(HtsmaPins, AgreeWithTheCoreOfMoreThanSixtyFourEntries) {
  PinBench<HtsmaCore<66, 2, 5, 3, 6, 40, 4, 2>, HtsmaPins> bench("bench");
  sc_core::sc_start(20'000, sc_core::SC_NS);
  EXPECT_EQ(bench.different(), 0);
  EXPECT_GT(bench.compared(), 19'000);
  EXPECT_EQ(bench.pins().most_used, 71u);
  EXPECT_EQ(bench.pins().wrong_vectors, 0u);
  EXPECT_GT(bench.pins().small_drained, 100u);
}

}  // namespace
}  // namespace warpmem::units
