// SPDX-License-Identifier: Apache-2.0
// Bank conflicts of one shared-memory instruction. Lanes that want different 4 B words of one bank
// are served one after the other; lanes that want the same word share it (broadcast).
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"

namespace warpmem::sm {

/// Returns the passes that the instruction needs, at least 1. `banks` is a power of two up to 64.
/// Accesses wider than 4 B are served as their words (8 B by half warps, 16 B by quarter warps), as
/// the hardware does.
unsigned shared_passes(const Addr* offset, LaneMask lanes, unsigned bytes, unsigned banks);

/// Returns those of its passes that it needs without any conflict: one for each half or quarter
/// warp of a wide access that has lanes, at least 1.
unsigned shared_groups(LaneMask lanes, unsigned bytes);

}  // namespace warpmem::sm
