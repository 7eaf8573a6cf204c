// SPDX-License-Identifier: Apache-2.0
// Runs a grid without a machine: CTA after CTA, or cluster after cluster, each warp up to its next
// barrier in turn.
#pragma once

#include <cstdint>

#include "program/program.hpp"

namespace warpmem::program {

struct FunctionalResult {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< lanes that executed, summed
};

/// Executes CTAs [first, first + count) of the grid, counted cluster after cluster; both are to be
/// whole clusters. A barrier opens when every warp of the CTA
/// waits or has exited. `instruction_limit` stops a program that does not end. Throws UserError at
/// the limit and for whatever the program does wrong (warps that wait at different barriers, too).
FunctionalResult run_functional(Grid& grid, std::uint64_t first = 0,
                                std::uint64_t count = ~std::uint64_t(0),
                                std::uint64_t instruction_limit = ~std::uint64_t(0));

}  // namespace warpmem::program
