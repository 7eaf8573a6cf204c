// SPDX-License-Identifier: Apache-2.0
// Conventional MSHR file (docs/mechanisms.md 2.1), synthesizable core: one set of entries.
#pragma once

#include "units/mshr_conventional/mshr_conventional_unit.hpp"
#include "units/mshr_file_core.hpp"

namespace warpmem::units {

template <unsigned kEntries, unsigned kSlots, unsigned kAddrBits, unsigned kSlotBits,
          unsigned kSectors = 1>
using MshrConventionalCore = MshrFileCore<1, kEntries, kSlots, kAddrBits, kSlotBits, kSectors>;

}  // namespace warpmem::units
