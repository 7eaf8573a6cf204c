// SPDX-License-Identifier: Apache-2.0
// Lockstep of the units of L1D's request path (lockstep_engine.hpp): their stimulus and coverage.
#pragma once

#include "cache/frontend/mrpb_drain.hpp"
#include "cosim/lockstep.hpp"
#include "l1d/bypass/bucl_ctrl.hpp"

namespace warpmem::cosim {

struct MrpbDrainLockstepOptions : LockstepOptions {
  cache::MrpbDrainSize size;  ///< entries 1..1024
};

/// Runs the views. It covers every reason for which a queue is chosen, what a waiting request needs
/// and gets, and queues that fill and empty. Throws UserError when a unit cannot be built or a file
/// not written, and for a size that is not allowed.
UnitLockstepResult run_mrpb_drain_lockstep(const MrpbDrainLockstepOptions& options);

struct BuclCtrlLockstepOptions : LockstepOptions {
  BuclCtrlLockstepOptions() { size.period = 50; }
  l1d::BuclCtrlSize size;  ///< limits of whole thousandths
};

/// Runs the views. It covers hit rates below, at and above the limit, periods without an access,
/// both bounds of the threshold, loads and refused requests on both sides of theirs, and profiling.
/// Throws like run_mrpb_drain_lockstep.
UnitLockstepResult run_bucl_ctrl_lockstep(const BuclCtrlLockstepOptions& options);

}  // namespace warpmem::cosim
