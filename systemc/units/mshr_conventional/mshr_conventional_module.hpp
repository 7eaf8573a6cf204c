// SPDX-License-Identifier: Apache-2.0
// Pin-level conventional MSHR file, with the ports of rtl/mshr_conventional.
#pragma once

#include "units/mshr_conventional/mshr_conventional_core.hpp"
#include "units/mshr_file_module.hpp"

namespace warpmem::units {

template <unsigned kEntries, unsigned kSlots, unsigned kAddrBits, unsigned kSlotBits,
          unsigned kSectors = 1>
using MshrConventionalModule = MshrFileModule<1, kEntries, kSlots, kAddrBits, kSlotBits, kSectors>;

}  // namespace warpmem::units
