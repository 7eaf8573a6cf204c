// SPDX-License-Identifier: Apache-2.0
// Pin-level DAU: the core with the ports of rtl/dau/dau.sv. The ports count_o, next_o and peer_o
// are bit planes: bit b of set i stands at b * kSets + i.
#pragma once

#include <systemc>

#include "units/bits_for.hpp"
#include "units/clocked_module.hpp"
#include "units/dau/dau_core.hpp"

namespace warpmem::units {

template <unsigned kSets, unsigned kSlots, unsigned kReserved>
class DauModule
    : public ClockedModule<DauModule<kSets, kSlots, kReserved>, DauCore<kSets, kSlots, kReserved>> {
  using Core = DauCore<kSets, kSlots, kReserved>;
  using Base = ClockedModule<DauModule, Core>;
  friend Base;
  using Base::core_;
  using Base::edge_;

 public:
  static constexpr int kSetBits = bits_for(kSets);
  static constexpr int kSlotBits = bits_for(kSlots);
  static constexpr int kCountBits = bits_for(kSets + 1);

  using SetIndex = sc_dt::sc_uint<kSetBits>;
  using SlotIndex = sc_dt::sc_uint<kSlotBits>;
  using SetCount = sc_dt::sc_uint<kCountBits>;
  using SetVector = sc_dt::sc_biguint<kSets>;
  using PointerVector = sc_dt::sc_biguint<kSets * kSetBits>;
  using SlotVector = sc_dt::sc_biguint<kSets * kSlotBits>;

  sc_core::sc_in<bool> req_valid_i{"req_valid_i"};
  sc_core::sc_in<bool> req_secondary_i{"req_secondary_i"};
  sc_core::sc_in<SetIndex> req_head_i{"req_head_i"};
  sc_core::sc_out<bool> req_ready_o{"req_ready_o"};
  sc_core::sc_out<bool> rf_o{"rf_o"};
  sc_core::sc_out<SetIndex> req_set_o{"req_set_o"};
  sc_core::sc_out<SlotIndex> req_slot_o{"req_slot_o"};
  sc_core::sc_out<bool> req_link_o{"req_link_o"};

  sc_core::sc_in<bool> ret_valid_i{"ret_valid_i"};
  sc_core::sc_in<SetIndex> ret_head_i{"ret_head_i"};
  sc_core::sc_out<bool> ret_ready_o{"ret_ready_o"};
  sc_core::sc_out<bool> release_busy_o{"release_busy_o"};

  sc_core::sc_out<SetCount> n_free_o{"n_free_o"};
  sc_core::sc_out<SetCount> n_linkable_o{"n_linkable_o"};

  sc_core::sc_out<SetVector> head_o{"head_o"};
  sc_core::sc_out<SetVector> linked_o{"linked_o"};
  sc_core::sc_out<SetVector> s_free_o{"s_free_o"};
  sc_core::sc_out<SetVector> s_full_o{"s_full_o"};
  sc_core::sc_out<SetVector> fail_o{"fail_o"};
  sc_core::sc_out<SetVector> releasing_o{"releasing_o"};
  sc_core::sc_out<SlotVector> count_o{"count_o"};
  sc_core::sc_out<PointerVector> next_o{"next_o"};
  sc_core::sc_out<PointerVector> peer_o{"peer_o"};

  SC_HAS_PROCESS(DauModule);
  explicit DauModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(drive_requests);
    this->sensitive << edge_ << req_valid_i << req_secondary_i << req_head_i << ret_valid_i
                    << ret_head_i;
    SC_METHOD(drive_state);
    this->sensitive << edge_;
  }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.req_valid = req_valid_i.read();
    in.req_secondary = req_secondary_i.read();
    in.req_head = static_cast<std::uint16_t>(req_head_i.read().to_uint());
    in.ret_valid = ret_valid_i.read();
    in.ret_head = static_cast<std::uint16_t>(ret_head_i.read().to_uint());
    return in;
  }

  void drive_requests() {
    const typename Core::Out out = core_.eval(inputs());
    req_ready_o.write(out.req_ready);
    rf_o.write(out.rf);
    req_set_o.write(SetIndex(out.req_set));
    req_slot_o.write(SlotIndex(out.req_slot));
    req_link_o.write(out.req_link);
    ret_ready_o.write(out.ret_ready);
    release_busy_o.write(out.release_busy);
    n_free_o.write(SetCount(out.n_free));
    n_linkable_o.write(SetCount(out.n_linkable));
  }

  void drive_state() {
    SetVector head = 0, linked = 0, s_free = 0, s_full = 0, fail = 0, releasing = 0;
    SlotVector count = 0;
    PointerVector next = 0, peer = 0;
    for (unsigned i = 0; i < kSets; ++i) {
      const int bit = static_cast<int>(i);
      head[bit] = core_.head(i);
      linked[bit] = core_.linked(i);
      s_free[bit] = core_.s_free(i);
      s_full[bit] = core_.s_full(i);
      fail[bit] = core_.fail(i);
      releasing[bit] = core_.releasing(i);
      for (int b = 0; b < kSlotBits; ++b)
        count[b * static_cast<int>(kSets) + bit] = (core_.count(i) >> b) & 1;
      for (int b = 0; b < kSetBits; ++b) {
        next[b * static_cast<int>(kSets) + bit] = (core_.next(i) >> b) & 1;
        peer[b * static_cast<int>(kSets) + bit] = (core_.peer(i) >> b) & 1;
      }
    }
    head_o.write(head);
    linked_o.write(linked);
    s_free_o.write(s_free);
    s_full_o.write(s_full);
    fail_o.write(fail);
    releasing_o.write(releasing);
    count_o.write(count);
    next_o.write(next);
    peer_o.write(peer);
  }
};

}  // namespace warpmem::units
