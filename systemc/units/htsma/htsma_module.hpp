// SPDX-License-Identifier: Apache-2.0
// Pin-level hybrid of TSMA and s-MSHR: the core with the ports of rtl/htsma/htsma.sv.
#pragma once

#include <systemc>

#include "units/bits_for.hpp"
#include "units/clocked_module.hpp"
#include "units/htsma/htsma_core.hpp"

namespace warpmem::units {

template <unsigned kEntries, unsigned kSlots, unsigned kSmallEntries, unsigned kSmallSlots,
          unsigned kWays, unsigned kAddrBits, unsigned kSlotBits, unsigned kSectors = 1>
class HtsmaModule : public ClockedModule<HtsmaModule<kEntries, kSlots, kSmallEntries, kSmallSlots,
                                                     kWays, kAddrBits, kSlotBits, kSectors>,
                                         HtsmaCore<kEntries, kSlots, kSmallEntries, kSmallSlots,
                                                   kWays, kAddrBits, kSlotBits, kSectors>> {
  using Core = HtsmaCore<kEntries, kSlots, kSmallEntries, kSmallSlots, kWays, kAddrBits, kSlotBits,
                         kSectors>;
  using Base = ClockedModule<HtsmaModule, Core>;
  friend Base;
  using Base::core_;

 public:
  using Address = sc_dt::sc_uint<static_cast<int>(kAddrBits)>;
  using Slot = sc_dt::sc_uint<static_cast<int>(kSlotBits)>;
  using Index = sc_dt::sc_uint<bits_for(kEntries)>;
  using Entry = sc_dt::sc_uint<bits_for(Core::kTotal)>;
  using LineCount = sc_dt::sc_uint<bits_for(kWays + 1)>;
  using Sectors = sc_dt::sc_uint<static_cast<int>(kSectors)>;
  using Cause = sc_dt::sc_uint<2>;
  using Branch = sc_dt::sc_uint<3>;
  using EntryVector = sc_dt::sc_bv<static_cast<int>(Core::kTotal)>;

  sc_core::sc_in<bool> req_valid_i{"req_valid_i"};
  sc_core::sc_in<bool> req_secondary_i{"req_secondary_i"};
  sc_core::sc_in<Index> req_idx_i{"req_idx_i"};
  sc_core::sc_in<Address> req_addr_i{"req_addr_i"};
  sc_core::sc_in<LineCount> req_shared_count_i{"req_shared_count_i"};
  sc_core::sc_in<bool> req_victim_valid_i{"req_victim_valid_i"};
  sc_core::sc_in<bool> req_victim_hit_i{"req_victim_hit_i"};
  sc_core::sc_in<Slot> req_slot_i{"req_slot_i"};
  sc_core::sc_in<Sectors> req_sectors_i{"req_sectors_i"};
  sc_core::sc_in<Sectors> req_held_i{"req_held_i"};
  sc_core::sc_out<bool> req_ready_o{"req_ready_o"};
  sc_core::sc_out<bool> req_secondary_o{"req_secondary_o"};
  sc_core::sc_out<Entry> req_entry_o{"req_entry_o"};
  sc_core::sc_out<Sectors> req_fetch_o{"req_fetch_o"};
  sc_core::sc_out<Branch> req_steer_o{"req_steer_o"};
  sc_core::sc_out<bool> req_critical_o{"req_critical_o"};
  sc_core::sc_out<bool> rf_o{"rf_o"};
  sc_core::sc_out<Cause> rf_cause_o{"rf_cause_o"};

  sc_core::sc_in<bool> ret_valid_i{"ret_valid_i"};
  sc_core::sc_in<Entry> ret_entry_i{"ret_entry_i"};
  sc_core::sc_in<Address> ret_addr_i{"ret_addr_i"};
  sc_core::sc_in<Sectors> ret_sectors_i{"ret_sectors_i"};
  sc_core::sc_out<bool> ret_ready_o{"ret_ready_o"};

  sc_core::sc_out<bool> rsp_valid_o{"rsp_valid_o"};
  sc_core::sc_in<bool> rsp_ready_i{"rsp_ready_i"};
  sc_core::sc_out<Entry> rsp_entry_o{"rsp_entry_o"};
  sc_core::sc_out<Address> rsp_addr_o{"rsp_addr_o"};
  sc_core::sc_out<Slot> rsp_slot_o{"rsp_slot_o"};
  sc_core::sc_out<bool> rsp_last_o{"rsp_last_o"};

  sc_core::sc_out<EntryVector> used_o{"used_o"};
  sc_core::sc_out<EntryVector> draining_o{"draining_o"};

  SC_HAS_PROCESS(HtsmaModule);
  explicit HtsmaModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(drive_answers);
    this->sensitive << core_ << req_valid_i << req_secondary_i << req_idx_i << req_addr_i
                    << req_shared_count_i << req_victim_valid_i << req_victim_hit_i << req_sectors_i
                    << ret_valid_i << ret_entry_i << ret_addr_i << ret_sectors_i << rsp_ready_i;
    SC_METHOD(drive_state);
    this->sensitive << core_;
  }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.req_valid = req_valid_i.read();
    in.req_secondary = req_secondary_i.read();
    in.req_idx = static_cast<std::uint16_t>(req_idx_i.read().to_uint());
    in.req_addr = req_addr_i.read().to_uint64();
    in.req_shared_count = static_cast<std::uint16_t>(req_shared_count_i.read().to_uint());
    in.req_victim_valid = req_victim_valid_i.read();
    in.req_victim_hit = req_victim_hit_i.read();
    in.req_slot = req_slot_i.read().to_uint();
    in.req_sectors = static_cast<std::uint8_t>(req_sectors_i.read().to_uint());
    in.req_held = static_cast<std::uint8_t>(req_held_i.read().to_uint());
    in.ret_valid = ret_valid_i.read();
    in.ret_entry = static_cast<std::uint16_t>(ret_entry_i.read().to_uint());
    in.ret_addr = ret_addr_i.read().to_uint64();
    in.ret_sectors = static_cast<std::uint8_t>(ret_sectors_i.read().to_uint());
    in.rsp_ready = rsp_ready_i.read();
    return in;
  }

  void drive_answers() {
    const typename Core::Out out = core_.read().eval(inputs());
    req_ready_o.write(out.req_ready);
    req_secondary_o.write(out.req_secondary);
    req_entry_o.write(Entry(out.req_entry));
    req_steer_o.write(Branch(static_cast<unsigned>(out.req_steer)));
    req_critical_o.write(out.req_critical);
    req_fetch_o.write(Sectors(out.req_fetch));
    rf_o.write(out.rf);
    rf_cause_o.write(Cause(static_cast<unsigned>(out.rf_cause)));
    ret_ready_o.write(out.ret_ready);
    rsp_valid_o.write(out.rsp_valid);
    rsp_entry_o.write(Entry(out.rsp_entry));
    rsp_addr_o.write(Address(out.rsp_addr));
    rsp_slot_o.write(Slot(out.rsp_slot));
    rsp_last_o.write(out.rsp_last);
  }

  void drive_state() {
    const Core& core = core_.read();
    EntryVector used, draining;
    for (unsigned e = 0; e < Core::kTotal; ++e) {
      used[static_cast<int>(e)] = core.used(e);
      draining[static_cast<int>(e)] = core.draining(e);
    }
    used_o.write(used);
    draining_o.write(draining);
  }
};

}  // namespace warpmem::units
