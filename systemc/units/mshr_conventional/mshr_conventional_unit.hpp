// SPDX-License-Identifier: Apache-2.0
// The conventional MSHR file, described once for all that reads its RTL.
#pragma once

#include "units/mshr_ports.hpp"

namespace warpmem::units {

struct MshrConventionalDescription : MshrDefaults {
  static constexpr const char* kName = "mshr_conventional";
  static constexpr const char* kViewKind = "conventional";
  static constexpr unsigned kPlace = 11;
  static constexpr unsigned kProofPlace = 6;
  static constexpr std::size_t kCounted = 1;  // with sectors
  static constexpr const char* const kValidWith[][2] = {
      {"rsp_entry_o", "rsp_valid_o"}, {"rsp_addr_o", "rsp_valid_o"}, {"rsp_slot_o", "rsp_valid_o"}};

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"ENTRIES", "ENTRIES", nullptr, "entries", 1, 512}, size.entries);
    v(SizeField{"SLOTS", "SLOTS", nullptr, "slots of an entry", 1, 64}, size.slots);
    v(kAddrBitsField, size.addr_bits);
    v(kSlotBitsField, size.slot_bits);
    v(kSectorsField, size.sectors);
  }
  static constexpr Size kAttacked = Size{MshrKind::conventional, 4, 1, 2, 0, 4, 2}.with_sectors(2);
  static constexpr Size kSizes[] = {{MshrKind::conventional, 32, 1, 8},
                                    Size{MshrKind::conventional, 32, 1, 8}.with_sectors(4),
                                    {MshrKind::conventional, 1, 1, 1},
                                    {MshrKind::conventional, 1, 1, 4},
                                    Size{MshrKind::conventional, 5, 1, 3, 0, 7}.with_sectors(8),
                                    {MshrKind::conventional, 64, 1, 8, 0, 25, 32},
                                    {MshrKind::conventional, 4, 1, 2, 0, 4, 2},
                                    kAttacked};
  static constexpr UnitProof kProofs[] = {{"ENTRIES=2 SLOTS=2 ADDR_BITS=2 SLOT_BITS=1", true},
                                          {"ENTRIES=3 SLOTS=2 ADDR_BITS=2 SLOT_BITS=2"},
                                          {"ENTRIES=2 SLOTS=3 ADDR_BITS=3 SLOT_BITS=1"},
                                          {"ENTRIES=2 SLOTS=2 ADDR_BITS=2 SLOT_BITS=1 SECTORS=2"},
                                          {"ENTRIES=1 SLOTS=1 ADDR_BITS=2 SLOT_BITS=2"}};
};

}  // namespace warpmem::units
