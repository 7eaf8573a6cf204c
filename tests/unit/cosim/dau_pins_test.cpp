// SPDX-License-Identifier: Apache-2.0
// The pin-level DAU under a clock, against the class: outputs and state at every rising edge.
#include <gtest/gtest.h>

#include <string>
#include <systemc>
#include <vector>

#include "cache/mha/dl/fast_dau.hpp"
#include "units/dau/dau_bench_stimulus.hpp"
#include "units/dau/dau_module.hpp"

namespace warpmem::cosim {
namespace {

using mha::DauIn;
using mha::DauOut;
using mha::DauSets;
using mha::DauState;

/// Drives inputs at the falling edge, looks at the outputs at the rising one.
template <unsigned kSets, unsigned kSlots, unsigned kReserved>
class Bench : public sc_core::sc_module {
 public:
  using Dut = units::DauModule<kSets, kSlots, kReserved>;

  SC_HAS_PROCESS(Bench);
  Bench(sc_core::sc_module_name name, std::uint64_t seed)
      : sc_module(name),
        reference_({kSets, kSlots, kReserved}),
        directed_(dau_directed_vectors(reference_.size())),
        random_(reference_.size(), seed) {
    dut_.clk(clock_);
    dut_.rst_n(rst_n_);
    dut_.req_valid_i(req_valid_);
    dut_.req_secondary_i(req_secondary_);
    dut_.req_head_i(req_head_);
    dut_.req_ready_o(req_ready_);
    dut_.rf_o(rf_);
    dut_.req_set_o(req_set_);
    dut_.req_slot_o(req_slot_);
    dut_.req_link_o(req_link_);
    dut_.ret_valid_i(ret_valid_);
    dut_.ret_head_i(ret_head_);
    dut_.ret_ready_o(ret_ready_);
    dut_.release_busy_o(release_busy_);
    dut_.n_free_o(n_free_);
    dut_.n_linkable_o(n_linkable_);
    dut_.head_o(head_);
    dut_.linked_o(linked_);
    dut_.s_free_o(s_free_);
    dut_.s_full_o(s_full_);
    dut_.fail_o(fail_);
    dut_.releasing_o(releasing_);
    dut_.count_o(count_);
    dut_.next_o(next_);
    dut_.peer_o(peer_);
    SC_METHOD(drive);
    sensitive << clock_.negedge_event();
    dont_initialize();
    SC_METHOD(look);
    sensitive << clock_.posedge_event();
    dont_initialize();
  }

  std::uint64_t compared() const { return compared_; }
  std::uint64_t refused() const { return refused_; }
  /// Returns the first difference; empty when there is none.
  const std::string& difference() const { return difference_; }

 private:
  static constexpr std::uint64_t kResetCycles = 3;

  void drive() {
    rst_n_ = edges_ >= kResetCycles;
    in_ = DauIn{};
    if (edges_ >= kResetCycles) {
      in_ = compared_ < directed_.size() ? directed_[compared_]
                                         : random_.next(reference_.inspect().state);
    }
    req_valid_ = in_.req_valid;
    req_secondary_ = in_.req_secondary;
    req_head_ = in_.req_head;
    ret_valid_ = in_.ret_valid;
    ret_head_ = in_.ret_head;
  }

  void look() {
    ++edges_;
    if (!rst_n_.read()) return;
    const DauOut out = reference_.eval(in_);
    same("req_ready", out.req_ready, req_ready_.read());
    same("rf", out.rf, rf_.read());
    same("req_set", out.req_set, req_set_.read().to_uint());
    same("req_slot", out.req_slot, req_slot_.read().to_uint());
    same("req_link", out.req_link, req_link_.read());
    same("ret_ready", out.ret_ready, ret_ready_.read());
    same("release_busy", out.release_busy, release_busy_.read());
    same("n_free", out.n_free, n_free_.read().to_uint());
    same("n_linkable", out.n_linkable, n_linkable_.read().to_uint());
    compare_state(reference_.inspect());
    refused_ += out.rf;
    reference_.commit(in_);
    ++compared_;
    if (!difference_.empty()) sc_core::sc_stop();
  }

  void compare_state(const DauSets& sets) {
    for (unsigned i = 0; i < kSets; ++i) {
      const DauState s = sets.state[i];
      const bool reserved = i < kReserved;
      same("head", reserved || is_active_head(s) || s == DauState::s5, bit(head_, i));
      same("linked", sets.linked[i], bit(linked_, i));
      same("s_free", s == DauState::s0, bit(s_free_, i));
      const bool head_full = s >= DauState::s2 && s <= DauState::s4;
      const bool attached_full = s >= DauState::s7 && s <= DauState::s9;
      same("s_full", head_full || attached_full, bit(s_full_, i));
      same("fail", s == DauState::s4 || s == DauState::s9, bit(fail_, i));
      same("releasing", s == DauState::s5 || s == DauState::s10, bit(releasing_, i));
      same("count", sets.count[i], number(count_, i, Dut::kSlotBits));
      same("next", sets.next[i], number(next_, i, Dut::kSetBits));
      same("peer", sets.peer[i], number(peer_, i, Dut::kSetBits));
    }
  }

  template <class Signal>
  static unsigned bit(const Signal& signal, unsigned i) {
    return signal.read()[static_cast<int>(i)].to_bool() ? 1 : 0;
  }
  /// Returns the number of a set out of bit planes: bit b of set i stands at b * kSets + i.
  template <class Signal>
  static unsigned number(const Signal& signal, unsigned set, unsigned bits) {
    unsigned value = 0;
    for (unsigned b = 0; b < bits; ++b) value |= bit(signal, b * kSets + set) << b;
    return value;
  }

  void same(const char* what, std::uint32_t of_class, std::uint32_t of_pins) {
    if (of_class == of_pins || !difference_.empty()) return;
    difference_ = std::string(what) + " in cycle " + std::to_string(compared_) + ": class " +
                  std::to_string(of_class) + ", pins " + std::to_string(of_pins);
  }

  mha::FastDau reference_;
  std::vector<DauIn> directed_;
  DauRandomStimulus random_;
  DauIn in_;
  std::uint64_t edges_ = 0;
  std::uint64_t compared_ = 0;
  std::uint64_t refused_ = 0;
  std::string difference_;

  sc_core::sc_clock clock_{"clock", 1, sc_core::SC_NS};
  sc_core::sc_signal<bool> rst_n_{"rst_n"};
  sc_core::sc_signal<bool> req_valid_{"req_valid"}, req_secondary_{"req_secondary"};
  sc_core::sc_signal<bool> req_ready_{"req_ready"}, rf_{"rf"}, req_link_{"req_link"};
  sc_core::sc_signal<bool> ret_valid_{"ret_valid"}, ret_ready_{"ret_ready"};
  sc_core::sc_signal<bool> release_busy_{"release_busy"};
  sc_core::sc_signal<typename Dut::SetIndex> req_head_{"req_head"}, req_set_{"req_set"};
  sc_core::sc_signal<typename Dut::SetIndex> ret_head_{"ret_head"};
  sc_core::sc_signal<typename Dut::SlotIndex> req_slot_{"req_slot"};
  sc_core::sc_signal<typename Dut::SetCount> n_free_{"n_free"}, n_linkable_{"n_linkable"};
  sc_core::sc_signal<typename Dut::SetVector> head_{"head"}, linked_{"linked"};
  sc_core::sc_signal<typename Dut::SetVector> s_free_{"s_free"}, s_full_{"s_full"};
  sc_core::sc_signal<typename Dut::SetVector> fail_{"fail"}, releasing_{"releasing"};
  sc_core::sc_signal<typename Dut::SlotVector> count_{"count"};
  sc_core::sc_signal<typename Dut::PointerVector> next_{"next"}, peer_{"peer"};
  Dut dut_{"dut"};
};

template <unsigned kSets, unsigned kSlots, unsigned kReserved>
void agree_for(int cycles) {
  Bench<kSets, kSlots, kReserved> bench("bench", 7);
  sc_core::sc_start(cycles, sc_core::SC_NS);
  EXPECT_EQ(bench.difference(), "");
  EXPECT_GE(bench.compared() + 5, static_cast<std::uint64_t>(cycles));
  EXPECT_GT(bench.refused(), 100u);
}

TEST(DauPins, AgreeWithTheClassHalfReserved) { agree_for<16, 2, 8>(100'000); }
TEST(DauPins, AgreeWithTheClassFourSlots) { agree_for<5, 4, 0>(100'000); }
TEST(DauPins, AgreeWithTheClassOneSlot) { agree_for<8, 1, 3>(100'000); }

}  // namespace
}  // namespace warpmem::cosim
