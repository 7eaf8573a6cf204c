// SPDX-License-Identifier: Apache-2.0
// Set-associative MSHR file (docs/mechanisms.md 2.2), synthesizable core.
#pragma once

#include "units/mshr_file_core.hpp"
#include "units/mshr_set_assoc/mshr_set_assoc_unit.hpp"

namespace warpmem::units {

template <unsigned kEntries, unsigned kWays, unsigned kSlots, unsigned kAddrBits,
          unsigned kSlotBits, unsigned kSectors = 1>
using MshrSetAssocCore =
    MshrFileCore<kEntries / kWays, kWays, kSlots, kAddrBits, kSlotBits, kSectors>;

}  // namespace warpmem::units
