// SPDX-License-Identifier: Apache-2.0
// The pin-level MSHR files under a clock, against their cores: outputs at every rising edge, and
// the vectors of more than 64 entries, of which a lockstep run sees the first 64 bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <systemc>

#include "support/pin_bench.hpp"
#include "units/dl_mshr/dl_mshr_module.hpp"
#include "units/dl_mshr_pipe/dl_mshr_pipe_module.hpp"
#include "units/mshr_set_assoc/mshr_set_assoc_module.hpp"
#include "units/tsma/tsma_module.hpp"

namespace warpmem::units {
namespace {

/// Binds what all files have, and keeps their signals.
template <class Module>
struct MshrPins {
  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    dut.clk(clk);
    dut.rst_n(rst_n);
    dut.req_valid_i(req_valid);
    dut.req_slot_i(req_slot);
    dut.req_sectors_i(req_sectors);
    dut.req_held_i(req_held);
    dut.req_ready_o(req_ready);
    dut.req_fetch_o(req_fetch);
    dut.rf_o(rf);
    dut.rf_cause_o(rf_cause);
    dut.ret_valid_i(ret_valid);
    dut.ret_sectors_i(ret_sectors);
    dut.ret_ready_o(ret_ready);
    dut.rsp_valid_o(rsp_valid);
    dut.rsp_ready_i(rsp_ready);
    dut.rsp_slot_o(rsp_slot);
    dut.rsp_last_o(rsp_last);
  }
  MshrIn random(Random& random, std::uint32_t names) {
    const bool fills = cycles++ / 500 % 2 == 0;
    MshrIn in;
    in.req_valid = random.chance(80);
    in.req_addr = random.below(names);
    in.req_slot = static_cast<std::uint32_t>(random.below(16));
    const std::uint64_t sectors = typename Module::Sectors(~0u).to_uint() + 1u;
    in.req_sectors = static_cast<std::uint8_t>(random.below(sectors));
    in.req_held = static_cast<std::uint8_t>(random.below(sectors) & random.below(sectors));
    in.ret_sectors =
        static_cast<std::uint8_t>(random.chance(70) ? sectors - 1 : random.below(sectors));
    in.ret_valid = random.chance(fills ? 10 : 90);
    in.ret_addr = random.below(names);
    in.rsp_ready = random.chance(70);
    return in;
  }
  void drive(const MshrIn& in) {
    req_valid = in.req_valid;
    req_slot = in.req_slot;
    req_sectors = in.req_sectors;
    req_held = in.req_held;
    ret_valid = in.ret_valid;
    ret_sectors = in.ret_sectors;
    rsp_ready = in.rsp_ready;
  }
  MshrOut sample() {
    MshrOut out;
    out.req_ready = req_ready.read();
    out.req_fetch = static_cast<std::uint8_t>(req_fetch.read().to_uint());
    out.rf = rf.read();
    out.rf_cause = static_cast<MshrFail>(rf_cause.read().to_uint());
    out.ret_ready = ret_ready.read();
    out.rsp_valid = rsp_valid.read();
    out.rsp_slot = rsp_slot.read().to_uint();
    out.rsp_last = rsp_last.read();
    drained += out.rsp_last && rsp_ready.read();
    return out;
  }
  /// Gives the first 64 bits and counts the entries.
  template <class Vector>
  static std::uint64_t first_bits(const Vector& vector, unsigned* entries) {
    std::uint64_t bits = 0;
    for (int e = 0; e < vector.length(); ++e) {
      if (!vector[e].to_bool()) continue;
      ++*entries;
      if (e < 64) bits |= std::uint64_t{1} << e;
    }
    return bits;
  }

  unsigned cycles = 0, drained = 0;
  sc_core::sc_signal<bool> req_valid, req_ready, rf, ret_valid, ret_ready, rsp_valid, rsp_ready,
      rsp_last;
  sc_core::sc_signal<typename Module::Slot> req_slot, rsp_slot;
  sc_core::sc_signal<typename Module::Sectors> req_sectors, req_held, req_fetch, ret_sectors;
  sc_core::sc_signal<typename Module::Cause> rf_cause;
  Module dut{"dut"};
};

struct TsmaPins : MshrPins<TsmaModule<70, 3, 4, 4>> {
  using Module = TsmaModule<70, 3, 4, 4>;
  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    MshrPins::bind(clk, rst_n);
    dut.req_secondary_i(req_secondary);
    dut.req_idx_i(req_idx);
    dut.ret_idx_i(ret_idx);
    dut.req_idx_o(req_entry);
    dut.rsp_idx_o(rsp_idx);
    dut.used_o(used);
    dut.draining_o(draining);
  }
  MshrIn random(Random& random) {
    MshrIn in = MshrPins::random(random, 128);
    in.req_secondary = random.chance(30);
    return in;
  }
  void drive(const MshrIn& in) {
    MshrPins::drive(in);
    req_secondary = in.req_secondary;
    req_idx = in.req_addr;
    ret_idx = in.ret_addr;
  }
  MshrOut sample() {
    MshrOut out = MshrPins::sample();
    out.req_entry = req_entry.read().to_uint();
    out.rsp_entry = rsp_idx.read().to_uint();
    unsigned count = 0, drains = 0;
    out.used = first_bits(used.read(), &count);
    out.draining = first_bits(draining.read(), &drains);
    most_used = std::max(most_used, count);
    wrong_vectors += drains != out.rsp_valid;
    return out;
  }

  unsigned most_used = 0, wrong_vectors = 0;
  sc_core::sc_signal<bool> req_secondary;
  sc_core::sc_signal<Module::Entry> req_idx, ret_idx, req_entry, rsp_idx;
  sc_core::sc_signal<Module::EntryVector> used, draining;
};

TEST(TsmaPins, AgreeWithTheCoreOfSeventyEntries) {
  PinBench<TsmaCore<70, 3, 4, 4>, TsmaPins> bench("bench");
  sc_core::sc_start(20'000, sc_core::SC_NS);
  EXPECT_EQ(bench.different(), 0);
  EXPECT_GT(bench.compared(), 19'000);
  EXPECT_EQ(bench.pins().most_used, 70u);
  EXPECT_EQ(bench.pins().wrong_vectors, 0u);
  EXPECT_GT(bench.pins().drained, 1000u);
}

/// A file with addresses of its own.
template <class Module>
struct AddressPins : MshrPins<Module> {
  using Base = MshrPins<Module>;
  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    Base::bind(clk, rst_n);
    this->dut.req_addr_i(req_addr);
    this->dut.ret_addr_i(ret_addr);
    this->dut.req_secondary_o(req_secondary);
    this->dut.rsp_addr_o(rsp_addr);
  }
  MshrIn random(Random& random) { return Base::random(random, 16); }
  void drive(const MshrIn& in) {
    Base::drive(in);
    req_addr = in.req_addr;
    ret_addr = in.ret_addr;
  }
  MshrOut sample() {
    MshrOut out = Base::sample();
    out.req_secondary = req_secondary.read();
    out.rsp_addr = rsp_addr.read().to_uint64();
    return out;
  }

  sc_core::sc_signal<bool> req_secondary;
  sc_core::sc_signal<typename Module::Address> req_addr, ret_addr, rsp_addr;
};

struct SetAssocPins : AddressPins<MshrSetAssocModule<8, 4, 2, 40, 4, 8>> {
  using Module = MshrSetAssocModule<8, 4, 2, 40, 4, 8>;
  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    AddressPins::bind(clk, rst_n);
    dut.req_entry_o(req_entry);
    dut.rsp_entry_o(rsp_entry);
    dut.used_o(used);
    dut.draining_o(draining);
  }
  // The address has bits beyond 32.
  MshrIn random(Random& random) {
    MshrIn in = AddressPins::random(random);
    in.req_addr |= in.req_addr << 36;
    in.ret_addr |= in.ret_addr << 36;
    return in;
  }
  MshrOut sample() {
    MshrOut out = AddressPins::sample();
    unsigned ignored = 0;
    out.req_entry = req_entry.read().to_uint();
    out.rsp_entry = rsp_entry.read().to_uint();
    out.used = first_bits(used.read(), &ignored);
    out.draining = first_bits(draining.read(), &ignored);
    return out;
  }

  sc_core::sc_signal<Module::Entry> req_entry, rsp_entry;
  sc_core::sc_signal<Module::EntryVector> used, draining;
};

struct DlPins : AddressPins<DlMshrModule<6, 2, 2, 4, 4, 6, 2>> {
  using Module = DlMshrModule<6, 2, 2, 4, 4, 6, 2>;
  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    AddressPins::bind(clk, rst_n);
    dut.req_set_o(req_set);
    dut.req_link_o(req_link);
    dut.rsp_set_o(rsp_set);
    dut.n_free_o(n_free);
    dut.n_linkable_o(n_linkable);
    dut.release_busy_o(release_busy);
  }
  MshrOut sample() {
    MshrOut out = AddressPins::sample();
    out.req_entry = req_set.read().to_uint();
    out.req_link = req_link.read();
    out.rsp_entry = rsp_set.read().to_uint();
    out.n_free = n_free.read().to_uint();
    out.n_linkable = n_linkable.read().to_uint();
    out.release_busy = release_busy.read();
    return out;
  }

  sc_core::sc_signal<bool> req_link, release_busy;
  sc_core::sc_signal<Module::SetIndex> req_set, rsp_set;
  sc_core::sc_signal<Module::SetCount> n_free, n_linkable;
};

/// The pipelined file answers in the cycle after the request, on pins of other names.
struct DlPipePins : MshrPins<DlMshrPipeModule<13, 2, 2, 4, 4, 3, 1, 2>> {
  using Module = DlMshrPipeModule<13, 2, 2, 4, 4, 3, 1, 2>;
  template <class Clock, class Reset>
  void bind(Clock& clk, Reset& rst_n) {
    dut.clk(clk);
    dut.rst_n(rst_n);
    dut.req_valid_i(req_valid);
    dut.req_addr_i(req_addr);
    dut.req_slot_i(req_slot);
    dut.req_sectors_i(req_sectors);
    dut.req_held_i(req_held);
    dut.ans_ok_o(req_ready);
    dut.ans_fetch_o(req_fetch);
    dut.ans_secondary_o(ans_secondary);
    dut.ans_set_o(ans_set);
    dut.ans_link_o(ans_link);
    dut.rf_o(rf);
    dut.rf_cause_o(rf_cause);
    dut.ret_valid_i(ret_valid);
    dut.ret_addr_i(ret_addr);
    dut.ret_sectors_i(ret_sectors);
    dut.ret_ready_o(ret_ready);
    dut.err_o(err);
    dut.rsp_valid_o(rsp_valid);
    dut.rsp_ready_i(rsp_ready);
    dut.rsp_set_o(rsp_set);
    dut.rsp_addr_o(rsp_addr);
    dut.rsp_slot_o(rsp_slot);
    dut.rsp_last_o(rsp_last);
    dut.n_free_o(n_free);
    dut.n_linkable_o(n_linkable);
    dut.release_busy_o(release_busy);
  }
  MshrIn random(Random& random) { return MshrPins::random(random, 16); }
  void drive(const MshrIn& in) {
    MshrPins::drive(in);
    req_addr = in.req_addr;
    ret_addr = in.ret_addr;
  }
  MshrOut sample() {
    MshrOut out = MshrPins::sample();
    out.req_secondary = ans_secondary.read();
    out.req_entry = ans_set.read().to_uint();
    out.req_link = ans_link.read();
    out.err = err.read();
    out.rsp_entry = rsp_set.read().to_uint();
    out.rsp_addr = rsp_addr.read().to_uint64();
    out.n_free = n_free.read().to_uint();
    out.n_linkable = n_linkable.read().to_uint();
    out.release_busy = release_busy.read();
    return out;
  }

  sc_core::sc_signal<bool> ans_secondary, ans_link, err, release_busy;
  sc_core::sc_signal<Module::Address> req_addr, ret_addr, rsp_addr;
  sc_core::sc_signal<Module::SetIndex> ans_set, rsp_set;
  sc_core::sc_signal<Module::SetCount> n_free, n_linkable;
};

template <class Core, class Pins>
void pins_agree() {
  PinBench<Core, Pins> bench("bench");
  sc_core::sc_start(20'000, sc_core::SC_NS);
  EXPECT_EQ(bench.different(), 0);
  EXPECT_GT(bench.compared(), 19'000);
  EXPECT_GT(bench.pins().drained, 1000u);
}

TEST(MshrSetAssocPins, AgreeWithTheCore) {
  pins_agree<MshrSetAssocCore<8, 4, 2, 40, 4, 8>, SetAssocPins>();
}
TEST(DlMshrPins, AgreeWithTheCore) { pins_agree<DlMshrCore<6, 2, 2, 4, 4, 6, 2>, DlPins>(); }
TEST(DlMshrPipePins, AgreeWithTheCore) {
  pins_agree<DlMshrPipeCore<13, 2, 2, 4, 4, 3, 1, 2>, DlPipePins>();
}

}  // namespace
}  // namespace warpmem::units
