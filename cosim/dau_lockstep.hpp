// SPDX-License-Identifier: Apache-2.0
// The DAU's lockstep: all outputs and the state of all sets (lockstep_engine.hpp), and the coverage
// of DL Fig 8.
#pragma once

#include <cstdint>
#include <string>

#include "cache/mha/dl/dau.hpp"
#include "cosim/dau_coverage.hpp"
#include "cosim/lockstep.hpp"

namespace warpmem::cosim {

struct DauLockstepOptions : LockstepOptions {
  mha::DauSize size = {128, 2, 64};  ///< L1D of configs/gu-dlmshr.yaml
};

struct DauLockstepResult : LockstepResult {
  DauLockstepResult(const mha::DauSize& size, std::uint64_t seed_)
      : LockstepResult(seed_), coverage(size) {}
  DauCoverage coverage;
  std::string describe() const { return LockstepResult::describe(coverage.table()); }
};

/// Runs the views. Throws UserError when a unit cannot be built or a file not written, and for a
/// size that is not allowed.
DauLockstepResult run_dau_lockstep(const DauLockstepOptions& options);

}  // namespace warpmem::cosim
