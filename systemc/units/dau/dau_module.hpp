// SPDX-License-Identifier: Apache-2.0
// The DAU at pin level: the synthesizable core behind ports that are named like the RTL's, one
// clock, synchronous active-low reset. Outputs follow the inputs in the same cycle.
#pragma once

#include <systemc>

#include "units/dau/dau_core.hpp"

namespace warpmem::units {

/// Bits of a number below `values`; at least 1.
constexpr unsigned index_bits(unsigned values) {
  unsigned bits = 1;
  while ((1U << bits) < values) ++bits;
  return bits;
}

template <unsigned SETS, unsigned SLOTS, unsigned RESERVED>
class DauModule : public sc_core::sc_module {
 public:
  static constexpr unsigned kSetBits = index_bits(SETS);
  static constexpr unsigned kSlotBits = index_bits(SLOTS);
  static constexpr unsigned kCountBits = index_bits(SETS + 1);
  using Set = sc_dt::sc_uint<kSetBits>;
  using Slot = sc_dt::sc_uint<kSlotBits>;
  using Count = sc_dt::sc_uint<kCountBits>;
  using Core = DauCore<SETS, SLOTS, RESERVED>;

  sc_core::sc_in<bool> clk{"clk"};
  sc_core::sc_in<bool> rst_n{"rst_n"};

  sc_core::sc_in<bool> req_valid_i{"req_valid_i"};
  sc_core::sc_in<bool> req_secondary_i{"req_secondary_i"};
  sc_core::sc_in<Set> req_head_i{"req_head_i"};
  sc_core::sc_out<bool> req_ready_o{"req_ready_o"};
  sc_core::sc_out<bool> rf_o{"rf_o"};
  sc_core::sc_out<Set> req_set_o{"req_set_o"};
  sc_core::sc_out<Slot> req_slot_o{"req_slot_o"};
  sc_core::sc_out<bool> req_link_o{"req_link_o"};

  sc_core::sc_in<bool> ret_valid_i{"ret_valid_i"};
  sc_core::sc_in<Set> ret_head_i{"ret_head_i"};
  sc_core::sc_out<bool> ret_ready_o{"ret_ready_o"};
  sc_core::sc_out<bool> release_busy_o{"release_busy_o"};

  sc_core::sc_out<Count> n_free_o{"n_free_o"};
  sc_core::sc_out<Count> n_linkable_o{"n_linkable_o"};

  SC_CTOR(DauModule) {
    SC_METHOD(edge);
    sensitive << clk.pos();
    dont_initialize();
    SC_METHOD(outputs);
    sensitive << changed_ << req_valid_i << req_secondary_i << req_head_i << ret_valid_i
              << ret_head_i;
  }

  /// Registers, for comparison with other views.
  const typename Core::Sets& sets() const { return core_.sets(); }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.req_valid = req_valid_i.read();
    in.req_secondary = req_secondary_i.read();
    in.req_head = req_head_i.read().to_uint();
    in.ret_valid = ret_valid_i.read();
    in.ret_head = ret_head_i.read().to_uint();
    return in;
  }

  void edge() {
    if (rst_n.read()) {
      core_.commit(inputs());
    } else {
      core_.reset();
    }
    changed_.write(!changed_.read());
  }

  void outputs() {
    const typename Core::Out out = core_.eval(inputs());
    req_ready_o.write(out.req_ready);
    rf_o.write(out.rf);
    req_set_o.write(out.req_set);
    req_slot_o.write(out.req_slot);
    req_link_o.write(out.req_link);
    ret_ready_o.write(out.ret_ready);
    release_busy_o.write(out.release_busy);
    n_free_o.write(out.n_free);
    n_linkable_o.write(out.n_linkable);
  }

  Core core_;
  sc_core::sc_signal<bool> changed_{"changed"};  // toggles when the core's registers were clocked
};

}  // namespace warpmem::units
