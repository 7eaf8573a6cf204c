// SPDX-License-Identifier: Apache-2.0
// The Verilated mshr_conventional as a library; compiled on demand behind Verilator's output.
#include "Vmshr_conventional.h"
#include "cosim/wrappers/mshr_pins.hpp"

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  using namespace warpmem::cosim;
  return rtl_abi<Vmshr_conventional, MshrIn, MshrOut, drive_addresses<Vmshr_conventional>,
                 sample_file<Vmshr_conventional>>();
}
