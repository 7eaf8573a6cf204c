// SPDX-License-Identifier: Apache-2.0
// Loads go ahead of what does not need them, as the assembler for a chip orders a basic block: PTX
// has each load in front of its first use, and a warp that issues in order would wait at every one
// of them.
#pragma once

#include "program/ptx/cfg.hpp"
#include "program/ptx/lower.hpp"

namespace warpmem::program::ptx {

/// Results of loads that may wait for their first use, in 32-bit registers. Chosen: the assembler's
/// own limit is not published.
inline constexpr unsigned kMostWaitingWords = 16;
/// Instructions behind a first use among which loads are looked for.
inline constexpr unsigned kLoadWindow = 512;

/// Changes the order of the instructions within each basic block: in front of the first use of a
/// load's result come the following loads of the block that need no result of a load that waits,
/// with the arithmetic that they need. Loads stay in order with stores and atomics of the same
/// state space (a generic address may be any), and with barriers, fences, calls, volatile and
/// ordered accesses and reads of the clock; branches stay where they are.
void order_loads_early(LoweredFunction& function, const Cfg& cfg);

}  // namespace warpmem::program::ptx
