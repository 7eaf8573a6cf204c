// SPDX-License-Identifier: Apache-2.0
// Runs of the whole MSHR files of rtl/ against mshr_models.hpp: every output, every cycle.
#pragma once

#include "cosim/lockstep.hpp"
#include "cosim/mshr_models.hpp"

namespace warpmem::cosim {

/// The stimulus is random requests, also of blocks that drain, and returns, also of no block. There
/// are no directed vectors; `recorded`, `waves` and `code_coverage` have no effect.
struct MshrLockstepOptions : LockstepOptions {
  MshrFileSize size;
};

/// A difference has the model's value as that of the class, and none of SystemC.
struct MshrLockstepResult : LockstepResult {
  using LockstepResult::LockstepResult;
  MshrFileCounts counts;
};

/// Runs the unit. Throws UserError when it cannot be built.
MshrLockstepResult run_mshr_lockstep(const MshrLockstepOptions& options);

/// Returns the parameters of the RTL with this size.
UnitParameters parameters_of(const MshrFileSize& size);

}  // namespace warpmem::cosim
