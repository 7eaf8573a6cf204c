// SPDX-License-Identifier: Apache-2.0
// Lockstep of the two units of LAWS (lockstep_engine.hpp): their stimulus and their coverage.
#pragma once

#include "cosim/lockstep.hpp"
#include "sm/laws/laws_score.hpp"
#include "sm/laws/throttle_unit.hpp"

namespace warpmem::cosim {

struct LawsScoreLockstepOptions : LockstepOptions {
  sm::LawsScoreSize size;
};

/// Runs the views. It covers every combination of what L1D and MSHRs report in a cycle, both ends
/// of the score, the limit of Miss_CNT, and changes of the policy. Throws UserError when a unit
/// cannot be built or a file not written, and for a size that is not allowed. The ends of a score
/// of more than 18 bits are out of reach of the directed vectors, and not asked for.
UnitLockstepResult run_laws_score_lockstep(const LawsScoreLockstepOptions& options);

struct ThrottleLockstepOptions : LockstepOptions {
  ThrottleLockstepOptions() { size.hold = 20; }
  sm::ThrottleSize size;
};

/// Runs the views. It covers every branch of the decision, what triggers or prevents one, and the
/// changes of mode. Throws like run_laws_score_lockstep.
UnitLockstepResult run_throttle_lockstep(const ThrottleLockstepOptions& options);

}  // namespace warpmem::cosim
