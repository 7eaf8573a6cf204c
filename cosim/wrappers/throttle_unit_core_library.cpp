// SPDX-License-Identifier: Apache-2.0
// The synthesizable core of the throttling unit as a library; compiled on demand with the
// parameters.
#include "cosim/wrappers/core_unit.hpp"
#include "units/throttle_unit/throttle_core.hpp"

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::core_abi<warpmem::units::ThrottleCore<
      WARPMEM_WARPS, WARPMEM_DIVERGENCE, WARPMEM_STABLE, WARPMEM_HOLD, WARPMEM_MEMORY != 0>>();
}
