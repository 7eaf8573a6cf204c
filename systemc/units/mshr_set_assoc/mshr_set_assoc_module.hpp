// SPDX-License-Identifier: Apache-2.0
// Pin-level set-associative MSHR file, with the ports of rtl/mshr_set_assoc.
#pragma once

#include "units/mshr_file_module.hpp"
#include "units/mshr_set_assoc/mshr_set_assoc_core.hpp"

namespace warpmem::units {

template <unsigned kEntries, unsigned kWays, unsigned kSlots, unsigned kAddrBits,
          unsigned kSlotBits, unsigned kSectors = 1>
using MshrSetAssocModule =
    MshrFileModule<kEntries / kWays, kWays, kSlots, kAddrBits, kSlotBits, kSectors>;

}  // namespace warpmem::units
