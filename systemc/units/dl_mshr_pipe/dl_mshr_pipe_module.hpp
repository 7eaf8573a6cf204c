// SPDX-License-Identifier: Apache-2.0
// Pin-level pipelined DL-MSHR file: the core with the ports of rtl/dl_mshr_pipe/dl_mshr_pipe.sv.
#pragma once

#include <algorithm>
#include <systemc>
#include <type_traits>

#include "units/bits_for.hpp"
#include "units/clocked_module.hpp"
#include "units/dl_mshr_pipe/dl_mshr_pipe_core.hpp"

namespace warpmem::units {

template <unsigned kSets, unsigned kSlots, unsigned kReserved, unsigned kAddrBits,
          unsigned kSlotBits, unsigned kReleases, unsigned kGating, unsigned kSectors = 1,
          unsigned kStorage = 0>
class DlMshrPipeModule
    : public ClockedModule<DlMshrPipeModule<kSets, kSlots, kReserved, kAddrBits, kSlotBits,
                                            kReleases, kGating, kSectors, kStorage>,
                           DlMshrPipeCore<kSets, kSlots, kReserved, kAddrBits, kSlotBits, kReleases,
                                          kGating, kSectors, kStorage>> {
  using Core = DlMshrPipeCore<kSets, kSlots, kReserved, kAddrBits, kSlotBits, kReleases, kGating,
                              kSectors, kStorage>;
  using Base = ClockedModule<DlMshrPipeModule, Core>;
  friend Base;
  using Base::core_;

 public:
  using Address = sc_dt::sc_uint<static_cast<int>(kAddrBits)>;
  using Slot = std::conditional_t<(kSlotBits > 64), sc_dt::sc_biguint<static_cast<int>(kSlotBits)>,
                                  sc_dt::sc_uint<static_cast<int>(std::min(kSlotBits, 64u))>>;
  using SetIndex = sc_dt::sc_uint<bits_for(kSets)>;
  using SetCount = sc_dt::sc_uint<bits_for(kSets + 1)>;
  using Sectors = sc_dt::sc_uint<static_cast<int>(kSectors)>;
  using Cause = sc_dt::sc_uint<2>;

  sc_core::sc_in<bool> req_valid_i{"req_valid_i"};
  sc_core::sc_in<Address> req_addr_i{"req_addr_i"};
  sc_core::sc_in<Slot> req_slot_i{"req_slot_i"};
  sc_core::sc_in<Sectors> req_sectors_i{"req_sectors_i"};
  sc_core::sc_in<Sectors> req_held_i{"req_held_i"};
  sc_core::sc_out<bool> ans_ok_o{"ans_ok_o"};
  sc_core::sc_out<bool> ans_secondary_o{"ans_secondary_o"};
  sc_core::sc_out<SetIndex> ans_set_o{"ans_set_o"};
  sc_core::sc_out<bool> ans_link_o{"ans_link_o"};
  sc_core::sc_out<Sectors> ans_fetch_o{"ans_fetch_o"};
  sc_core::sc_out<bool> rf_o{"rf_o"};
  sc_core::sc_out<Cause> rf_cause_o{"rf_cause_o"};

  sc_core::sc_in<bool> ret_valid_i{"ret_valid_i"};
  sc_core::sc_in<Address> ret_addr_i{"ret_addr_i"};
  sc_core::sc_in<Sectors> ret_sectors_i{"ret_sectors_i"};
  sc_core::sc_out<bool> ret_ready_o{"ret_ready_o"};
  sc_core::sc_out<bool> err_o{"err_o"};

  sc_core::sc_out<bool> rsp_valid_o{"rsp_valid_o"};
  sc_core::sc_in<bool> rsp_ready_i{"rsp_ready_i"};
  sc_core::sc_out<SetIndex> rsp_set_o{"rsp_set_o"};
  sc_core::sc_out<Address> rsp_addr_o{"rsp_addr_o"};
  sc_core::sc_out<Slot> rsp_slot_o{"rsp_slot_o"};
  sc_core::sc_out<bool> rsp_last_o{"rsp_last_o"};

  sc_core::sc_out<SetCount> n_free_o{"n_free_o"};
  sc_core::sc_out<SetCount> n_linkable_o{"n_linkable_o"};
  sc_core::sc_out<bool> release_busy_o{"release_busy_o"};

  SC_HAS_PROCESS(DlMshrPipeModule);
  explicit DlMshrPipeModule(sc_core::sc_module_name name) : Base(name) {
    SC_METHOD(drive_answers);
    this->sensitive << core_ << rsp_ready_i;
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
    typename Core::In in;  // no output depends on another input
    in.rsp_ready = rsp_ready_i.read();
    const typename Core::Out out = core_.read().eval(in);
    ans_ok_o.write(out.req_ready);
    ans_secondary_o.write(out.req_secondary);
    ans_set_o.write(SetIndex(out.req_entry));
    ans_link_o.write(out.req_link);
    ans_fetch_o.write(Sectors(out.req_fetch));
    rf_o.write(out.rf);
    rf_cause_o.write(Cause(static_cast<unsigned>(out.rf_cause)));
    ret_ready_o.write(out.ret_ready);
    err_o.write(out.err);
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
