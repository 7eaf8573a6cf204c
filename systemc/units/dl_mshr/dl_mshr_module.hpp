// SPDX-License-Identifier: Apache-2.0
// Pin-level DL-MSHR file: the core with the ports of rtl/dl_mshr/dl_mshr.sv.
#pragma once

#include <systemc>

#include "units/bits_for.hpp"
#include "units/clocked_module.hpp"
#include "units/dl_mshr/dl_mshr_core.hpp"

namespace warpmem::units {

template <unsigned kSets, unsigned kSlots, unsigned kReserved, unsigned kAddrBits,
          unsigned kSlotBits, unsigned kReleases, unsigned kSectors = 1, unsigned kStorage = 0>
class DlMshrModule : public ClockedModule<DlMshrModule<kSets, kSlots, kReserved, kAddrBits,
                                                       kSlotBits, kReleases, kSectors, kStorage>,
                                          DlMshrCore<kSets, kSlots, kReserved, kAddrBits, kSlotBits,
                                                     kReleases, kSectors, kStorage>> {
  using Core =
      DlMshrCore<kSets, kSlots, kReserved, kAddrBits, kSlotBits, kReleases, kSectors, kStorage>;
  using Base = ClockedModule<DlMshrModule, Core>;
  friend Base;
  using Base::core_;

 public:
  using Address = sc_dt::sc_uint<static_cast<int>(kAddrBits)>;
  using Slot = sc_dt::sc_uint<static_cast<int>(kSlotBits)>;
  using SetIndex = sc_dt::sc_uint<bits_for(kSets)>;
  using SetCount = sc_dt::sc_uint<bits_for(kSets + 1)>;
  using Sectors = sc_dt::sc_uint<static_cast<int>(kSectors)>;
  using Cause = sc_dt::sc_uint<2>;

  sc_core::sc_in<bool> req_valid_i{"req_valid_i"};
  sc_core::sc_in<Address> req_addr_i{"req_addr_i"};
  sc_core::sc_in<Slot> req_slot_i{"req_slot_i"};
  sc_core::sc_in<Sectors> req_sectors_i{"req_sectors_i"};
  sc_core::sc_in<Sectors> req_held_i{"req_held_i"};
  sc_core::sc_out<bool> req_ready_o{"req_ready_o"};
  sc_core::sc_out<bool> req_secondary_o{"req_secondary_o"};
  sc_core::sc_out<SetIndex> req_set_o{"req_set_o"};
  sc_core::sc_out<bool> req_link_o{"req_link_o"};
  sc_core::sc_out<Sectors> req_fetch_o{"req_fetch_o"};
  sc_core::sc_out<bool> rf_o{"rf_o"};
  sc_core::sc_out<Cause> rf_cause_o{"rf_cause_o"};

  sc_core::sc_in<bool> ret_valid_i{"ret_valid_i"};
  sc_core::sc_in<Address> ret_addr_i{"ret_addr_i"};
  sc_core::sc_in<Sectors> ret_sectors_i{"ret_sectors_i"};
  sc_core::sc_out<bool> ret_ready_o{"ret_ready_o"};

  sc_core::sc_out<bool> rsp_valid_o{"rsp_valid_o"};
  sc_core::sc_in<bool> rsp_ready_i{"rsp_ready_i"};
  sc_core::sc_out<SetIndex> rsp_set_o{"rsp_set_o"};
  sc_core::sc_out<Address> rsp_addr_o{"rsp_addr_o"};
  sc_core::sc_out<Slot> rsp_slot_o{"rsp_slot_o"};
  sc_core::sc_out<bool> rsp_last_o{"rsp_last_o"};

  sc_core::sc_out<SetCount> n_free_o{"n_free_o"};
  sc_core::sc_out<SetCount> n_linkable_o{"n_linkable_o"};
  sc_core::sc_out<bool> release_busy_o{"release_busy_o"};

  SC_HAS_PROCESS(DlMshrModule);
  explicit DlMshrModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(drive_answers);
    this->sensitive << core_ << req_valid_i << req_addr_i << req_sectors_i << ret_valid_i
                    << ret_addr_i << ret_sectors_i << rsp_ready_i;
  }

 private:
  typename Core::In inputs() const {
    typename Core::In in;
    in.req_valid = req_valid_i.read();
    in.req_addr = req_addr_i.read().to_uint64();
    in.req_slot = req_slot_i.read().to_uint();
    in.req_sectors = static_cast<std::uint8_t>(req_sectors_i.read().to_uint());
    in.req_held = static_cast<std::uint8_t>(req_held_i.read().to_uint());
    in.ret_valid = ret_valid_i.read();
    in.ret_addr = ret_addr_i.read().to_uint64();
    in.ret_sectors = static_cast<std::uint8_t>(ret_sectors_i.read().to_uint());
    in.rsp_ready = rsp_ready_i.read();
    return in;
  }

  void drive_answers() {
    const typename Core::Out out = core_.read().eval(inputs());
    req_ready_o.write(out.req_ready);
    req_secondary_o.write(out.req_secondary);
    req_set_o.write(SetIndex(out.req_entry));
    req_link_o.write(out.req_link);
    req_fetch_o.write(Sectors(out.req_fetch));
    rf_o.write(out.rf);
    rf_cause_o.write(Cause(static_cast<unsigned>(out.rf_cause)));
    ret_ready_o.write(out.ret_ready);
    rsp_valid_o.write(out.rsp_valid);
    rsp_set_o.write(SetIndex(out.rsp_entry));
    rsp_addr_o.write(Address(out.rsp_addr));
    rsp_slot_o.write(Slot(out.rsp_slot));
    rsp_last_o.write(out.rsp_last);
    n_free_o.write(SetCount(out.n_free));
    n_linkable_o.write(SetCount(out.n_linkable));
    release_busy_o.write(out.release_busy);
  }
};

}  // namespace warpmem::units
