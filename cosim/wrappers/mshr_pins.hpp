// SPDX-License-Identifier: Apache-2.0
// The pins that all MSHR files have.
#pragma once

#include "cosim/wrappers/mshr_ports.hpp"
#include "cosim/wrappers/rtl_unit.hpp"

namespace warpmem::cosim {

inline std::uint64_t first_64(std::uint64_t pins) { return pins; }
template <std::size_t kWords>
std::uint64_t first_64(const VlWide<kWords>& pins) {
  return pins.data()[0] | std::uint64_t{pins.data()[1]} << 32;
}

template <class Top>
void drive_mshr(Top& top, const MshrIn& in) {
  top.req_valid_i = in.req_valid;
  top.req_slot_i = in.req_slot;
  top.ret_valid_i = in.ret_valid;
  top.rsp_ready_i = in.rsp_ready;
}

template <class Top>
void drive_addresses(Top& top, const MshrIn& in) {
  drive_mshr(top, in);
  top.req_addr_i = in.req_addr;
  top.ret_addr_i = in.ret_addr;
}

template <class Top>
void sample_mshr(const Top& top, MshrOut& out) {
  out.req_ready = top.req_ready_o;
  out.rf = top.rf_o;
  out.rf_cause = static_cast<MshrFail>(top.rf_cause_o);
  out.ret_ready = top.ret_ready_o;
  out.rsp_valid = top.rsp_valid_o;
  out.rsp_slot = top.rsp_slot_o;
  out.rsp_last = top.rsp_last_o;
}

template <class Top>
void sample_entries(const Top& top, MshrOut& out) {
  out.used = first_64(top.used_o);
  out.draining = first_64(top.draining_o);
}

template <class Top>
void sample_file(const Top& top, MshrOut& out) {
  sample_mshr(top, out);
  sample_entries(top, out);
  out.req_secondary = top.req_secondary_o;
  out.req_entry = top.req_entry_o;
  out.rsp_entry = top.rsp_entry_o;
  out.rsp_addr = top.rsp_addr_o;
}

}  // namespace warpmem::cosim
