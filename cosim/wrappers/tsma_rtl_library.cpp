// SPDX-License-Identifier: Apache-2.0
// The Verilated tsma as a library; compiled on demand behind Verilator's output.
#include "Vtsma.h"
#include "cosim/wrappers/mshr_pins.hpp"

namespace {

using namespace warpmem::cosim;

void drive(Vtsma& top, const MshrIn& in) {
  drive_mshr(top, in);
  top.req_secondary_i = in.req_secondary;
  top.req_idx_i = in.req_addr;
  top.ret_idx_i = in.ret_addr;
}

void sample(const Vtsma& top, MshrOut& out) {
  sample_mshr(top, out);
  sample_entries(top, out);
  out.req_entry = top.req_idx_o;
  out.rsp_entry = top.rsp_idx_o;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return rtl_abi<Vtsma, MshrIn, MshrOut, drive, sample>();
}
