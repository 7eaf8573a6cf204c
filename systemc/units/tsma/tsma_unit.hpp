// SPDX-License-Identifier: Apache-2.0
// The TSMA, described once for all that reads its RTL.
#pragma once

#include "units/mshr_ports.hpp"

namespace warpmem::units {

struct TsmaDescription : MshrDefaults {
  static constexpr const char* kName = "tsma";
  static constexpr const char* kViewKind = "tsma";
  static constexpr unsigned kPlace = 10;
  static constexpr unsigned kProofPlace = 4;
  static constexpr std::size_t kCounted = 1;  // with sectors
  static constexpr const char* const kValidWith[][2] = {{"rsp_idx_o", "rsp_valid_o"},
                                                        {"rsp_slot_o", "rsp_valid_o"}};

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"ENTRIES", "ENTRIES", nullptr, "entries", 1, 4096}, size.entries);
    v(SizeField{"SLOTS", "SLOTS", nullptr, "slots of an entry", 1, 64}, size.slots);
    v(kSlotBitsField, size.slot_bits);
    v(kSectorsField, size.sectors);
  }
  static constexpr Size kAttacked = Size{MshrKind::tsma, 4, 1, 2, 0, 4, 2}.with_sectors(2);
  static constexpr Size kSizes[] = {{MshrKind::tsma, 48, 1, 8},
                                    Size{MshrKind::tsma, 48, 1, 8}.with_sectors(4),
                                    Size{MshrKind::tsma, 5, 1, 3}.with_sectors(8),
                                    {MshrKind::tsma, 1, 1, 2},
                                    {MshrKind::tsma, 96, 1, 8, 0, 25, 32},
                                    {MshrKind::tsma, 4, 1, 2, 0, 4, 2},
                                    kAttacked};
  static constexpr UnitProof kProofs[] = {{"ENTRIES=3 SLOTS=2 SLOT_BITS=1", true},
                                          {"ENTRIES=4 SLOTS=3 SLOT_BITS=1"},
                                          {"ENTRIES=3 SLOTS=2 SLOT_BITS=1 SECTORS=2"},
                                          {"ENTRIES=2 SLOTS=2 SLOT_BITS=1 SECTORS=4"},
                                          {"ENTRIES=1 SLOTS=1 SLOT_BITS=2"}};
};

}  // namespace warpmem::units
