// SPDX-License-Identifier: Apache-2.0
// The synthesizable core of the steering of HTSMA as a library; compiled on demand.
#include "cosim/wrappers/core_unit.hpp"
#include "units/htsma_steer/htsma_steer_core.hpp"

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::core_abi<warpmem::units::HtsmaSteerCore<WARPMEM_WAYS>>();
}
