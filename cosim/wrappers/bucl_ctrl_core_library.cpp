// SPDX-License-Identifier: Apache-2.0
// The synthesizable core of BUCL's control as a library; compiled on demand with the parameters.
#include "cosim/wrappers/core_unit.hpp"
#include "units/bucl_ctrl/bucl_ctrl_core.hpp"

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::core_abi<
      warpmem::units::BuclCtrlCore<WARPMEM_PERIOD, WARPMEM_HIT_LIMIT, WARPMEM_UIB_LIMIT,
                                   WARPMEM_TUCD, WARPMEM_LEAST, WARPMEM_MOST, WARPMEM_PROFILE>>();
}
