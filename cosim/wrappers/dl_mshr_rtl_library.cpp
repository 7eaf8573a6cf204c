// SPDX-License-Identifier: Apache-2.0
// The Verilated dl_mshr as a library; compiled on demand behind Verilator's output.
#include "Vdl_mshr.h"
#include "cosim/wrappers/mshr_pins.hpp"

namespace {

using namespace warpmem::cosim;

void sample(const Vdl_mshr& top, MshrOut& out) {
  sample_mshr(top, out);
  out.req_secondary = top.req_secondary_o;
  out.req_entry = top.req_set_o;
  out.req_link = top.req_link_o;
  out.rsp_entry = top.rsp_set_o;
  out.rsp_addr = top.rsp_addr_o;
  out.n_free = top.n_free_o;
  out.n_linkable = top.n_linkable_o;
  out.release_busy = top.release_busy_o;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return rtl_abi<Vdl_mshr, MshrIn, MshrOut, drive_addresses<Vdl_mshr>, sample>();
}
