// SPDX-License-Identifier: Apache-2.0
// The Verilated mshr_set_assoc as a library; compiled on demand behind Verilator's output.
#include "Vmshr_set_assoc.h"
#include "cosim/wrappers/mshr_pins.hpp"

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  using namespace warpmem::cosim;
  return rtl_abi<Vmshr_set_assoc, MshrIn, MshrOut, drive_addresses<Vmshr_set_assoc>,
                 sample_file<Vmshr_set_assoc>>();
}
