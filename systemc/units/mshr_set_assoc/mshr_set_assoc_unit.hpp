// SPDX-License-Identifier: Apache-2.0
// The set-associative MSHR file, described once for all that reads its RTL.
#pragma once

#include "units/mshr_ports.hpp"

namespace warpmem::units {

struct MshrSetAssocDescription : MshrDefaults {
  static constexpr const char* kName = "mshr_set_assoc";
  static constexpr const char* kViewKind = "set_associative";
  static constexpr unsigned kPlace = 12;
  static constexpr unsigned kProofPlace = 7;
  static constexpr std::size_t kCounted = 1;  // with sectors
  static constexpr const char* const kValidWith[][2] = {
      {"rsp_entry_o", "rsp_valid_o"}, {"rsp_addr_o", "rsp_valid_o"}, {"rsp_slot_o", "rsp_valid_o"}};

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"ENTRIES", "ENTRIES", nullptr, "entries", 1, 512}, size.entries);
    v(SizeField{"WAYS", "WAYS", nullptr, "entries of a set", 1, 512}, size.ways);
    v(SizeField{"SLOTS", "SLOTS", nullptr, "slots of an entry", 1, 64}, size.slots);
    v(kAddrBitsField, size.addr_bits);
    v(kSlotBitsField, size.slot_bits);
    v(kSectorsField, size.sectors);
  }
  static constexpr Size kAttacked = Size{MshrKind::set_assoc, 4, 2, 2, 0, 4, 2}.with_sectors(2);
  static constexpr Size kSizes[] = {{MshrKind::set_assoc, 32, 4, 8},
                                    Size{MshrKind::set_assoc, 32, 4, 8}.with_sectors(4),
                                    Size{MshrKind::set_assoc, 12, 3, 5}.with_sectors(8),
                                    {MshrKind::set_assoc, 8, 1, 1},
                                    {MshrKind::set_assoc, 6, 6, 2},
                                    {MshrKind::set_assoc, 4, 2, 2, 0, 4, 2},
                                    kAttacked};
  static constexpr UnitProof kProofs[] = {
      {"ENTRIES=4 SLOTS=2 ADDR_BITS=3 SLOT_BITS=1 WAYS=2", true},
      {"ENTRIES=4 SLOTS=2 ADDR_BITS=3 SLOT_BITS=1 WAYS=1"},
      {"ENTRIES=6 SLOTS=1 ADDR_BITS=3 SLOT_BITS=1 WAYS=3"},
      {"ENTRIES=4 SLOTS=2 ADDR_BITS=3 SLOT_BITS=1 WAYS=2 SECTORS=2"}};
};

}  // namespace warpmem::units
