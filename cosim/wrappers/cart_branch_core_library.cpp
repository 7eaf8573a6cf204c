// SPDX-License-Identifier: Apache-2.0
// The synthesizable core of a CART branch as a library; compiled on demand with the parameters.
#include "cosim/wrappers/core_unit.hpp"
#include "units/cart_branch/cart_branch_core.hpp"

extern "C" __attribute__((visibility("default"))) const void* warpmem_unit() {
  return warpmem::cosim::core_abi<
      warpmem::units::CartBranchCore<WARPMEM_ROWS, WARPMEM_COLUMNS, WARPMEM_DEPTH>>();
}
