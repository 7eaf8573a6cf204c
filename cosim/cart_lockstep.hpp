// SPDX-License-Identifier: Apache-2.0
// Lockstep of a CART branch (lockstep_engine.hpp): its stimulus and its coverage.
#pragma once

#include "cosim/cart_library.hpp"
#include "cosim/lockstep.hpp"

namespace warpmem::cosim {

struct CartBranchLockstepOptions : LockstepOptions {
  CartBranchSize size;
};

/// Covers every way in which a request finds a leaf or none, every reason for which a leaf is
/// chosen, and what becomes of the request that is tried. Requests go and are refused as in L2: any
/// leaf that drains, mostly the chosen one. UserError when a unit cannot be built or a file not
/// written, and for a size that is not allowed.
UnitLockstepResult run_cart_branch_lockstep(const CartBranchLockstepOptions& options);

}  // namespace warpmem::cosim
