// SPDX-License-Identifier: Apache-2.0
// Pin-level drain selector of MRPB: the core with the ports of rtl/mrpb_drain/mrpb_drain.sv.
#pragma once

#include <systemc>

#include "units/bits_for.hpp"
#include "units/clocked_module.hpp"
#include "units/mrpb_drain/mrpb_drain_core.hpp"

namespace warpmem::units {

template <unsigned kQueues, unsigned kEntries, unsigned kPolicy, unsigned kFlush>
class MrpbDrainModule : public ClockedModule<MrpbDrainModule<kQueues, kEntries, kPolicy, kFlush>,
                                             MrpbDrainCore<kQueues, kEntries, kPolicy, kFlush>> {
  using Core = MrpbDrainCore<kQueues, kEntries, kPolicy, kFlush>;
  using Base = ClockedModule<MrpbDrainModule, Core>;
  friend Base;
  using Base::core_;

 public:
  using QueueMask = sc_dt::sc_uint<static_cast<int>(kQueues)>;
  using QueueIndex = sc_dt::sc_uint<bits_for(kQueues)>;

  sc_core::sc_in<QueueMask> ready_i{"ready_i"};
  sc_core::sc_in<bool> take_i{"take_i"};
  sc_core::sc_in<bool> head_valid_i{"head_valid_i"};
  sc_core::sc_in<bool> head_stored_i{"head_stored_i"};
  sc_core::sc_in<QueueIndex> head_queue_i{"head_queue_i"};
  sc_core::sc_in<bool> enter_i{"enter_i"};

  sc_core::sc_out<bool> drain_valid_o{"drain_valid_o"};
  sc_core::sc_out<bool> drain_forced_o{"drain_forced_o"};
  sc_core::sc_out<QueueIndex> drain_queue_o{"drain_queue_o"};
  sc_core::sc_out<bool> head_full_o{"head_full_o"};
  sc_core::sc_out<bool> head_empty_o{"head_empty_o"};
  sc_core::sc_out<QueueMask> held_o{"held_o"};

  SC_HAS_PROCESS(MrpbDrainModule);
  explicit MrpbDrainModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(select);
    this->sensitive << core_ << ready_i << take_i << head_valid_i << head_stored_i << head_queue_i;
  }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.ready = ready_i.read().to_uint64();
    in.take = take_i.read();
    in.head_valid = head_valid_i.read();
    in.head_stored = head_stored_i.read();
    in.head_queue = static_cast<std::uint8_t>(head_queue_i.read().to_uint());
    in.enter = enter_i.read();
    return in;
  }

  void select() {
    const typename Core::Out out = core_.read().eval(inputs());
    drain_valid_o.write(out.drain_valid);
    drain_forced_o.write(out.drain_forced);
    drain_queue_o.write(QueueIndex(out.drain_queue));
    head_full_o.write(out.head_full);
    head_empty_o.write(out.head_empty);
    held_o.write(QueueMask(out.held));
  }
};

}  // namespace warpmem::units
