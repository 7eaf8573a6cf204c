// SPDX-License-Identifier: Apache-2.0
// Runs a grid without a machine: the warps of a CTA in turns, CTA after CTA, or cluster after
// cluster; one that waits for what a later one does goes on beside it.
#pragma once

#include <cstdint>

#include "program/program.hpp"

namespace warpmem::program {

struct FunctionalResult {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< lanes that executed, summed
};

/// What ends a run that does not end by itself; both count warp instructions.
struct FunctionalLimits {
  std::uint64_t instructions = ~std::uint64_t(0);
  /// Without a store, a barrier that opens or the end of a warp. Kernels that only compute for so
  /// long are not known.
  std::uint64_t without_progress = std::uint64_t(1) << 30;
};

/// Executes CTAs [first, first + count) of the grid, counted cluster after cluster; both are to be
/// whole clusters. A barrier opens when every warp of the CTA waits or has exited. The clock that
/// the program sees counts warp instructions. Throws UserError at a limit and for whatever the
/// program does wrong (warps that wait at different barriers, too).
FunctionalResult run_functional(Grid& grid, std::uint64_t first = 0,
                                std::uint64_t count = ~std::uint64_t(0),
                                const FunctionalLimits& limits = {});

}  // namespace warpmem::program
