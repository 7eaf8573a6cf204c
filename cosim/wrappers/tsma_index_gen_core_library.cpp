// SPDX-License-Identifier: Apache-2.0
// The synthesizable core of the index generator of TSMA as a library; compiled on demand.
#include "cosim/wrappers/core_unit.hpp"
#include "units/tsma_index_gen/tsma_index_gen_core.hpp"

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::core_abi<warpmem::units::TsmaIndexGenCore<WARPMEM_ENTRIES>>();
}
