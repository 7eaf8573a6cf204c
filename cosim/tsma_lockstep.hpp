// SPDX-License-Identifier: Apache-2.0
// Lockstep of TSMA's index generator and of the hybrid's steering (lockstep_engine.hpp): their
// stimulus and their coverage.
#pragma once

#include <cstdint>

#include "cosim/lockstep.hpp"

namespace warpmem::cosim {

struct IndexGenLockstepOptions : LockstepOptions {
  std::uint32_t entries = 48;  ///< number of entries, 1..4096
};

/// Runs the views and compares the vector of available entries as well as the outputs. It covers
/// the generator going full and empty, what take and release do alone and together, and inputs
/// without effect: a take while full, the release of an available entry or of none. Throws
/// UserError when a unit cannot be built or a file not written, and for a size that is not allowed.
UnitLockstepResult run_index_gen_lockstep(const IndexGenLockstepOptions& options);

struct SteerLockstepOptions : LockstepOptions {
  std::uint32_t ways = 8;  ///< number of ways, 1..4096
};

/// Runs the views. The directed vectors are all inputs that the pins can carry, for up to 64 ways,
/// and all flags at the ends of the share count for more. They cover every branch of KI's Listing
/// 5.1 with its causes. Throws like run_index_gen_lockstep.
UnitLockstepResult run_steer_lockstep(const SteerLockstepOptions& options);

}  // namespace warpmem::cosim
