// SPDX-License-Identifier: Apache-2.0
// The DL-MSHR file, described once for all that reads its RTL.
#pragma once

#include "units/mshr_ports.hpp"

namespace warpmem::units {

struct DlMshrDescription : MshrDefaults {
  static constexpr const char* kName = "dl_mshr";
  static constexpr const char* kViewKind = "dl";
  static constexpr unsigned kPlace = 9;
  static constexpr unsigned kProofPlace = 2;
  // A set that is only ever a head has bits that never change.
  static constexpr std::size_t kCounted = 1;  // with sectors
  static constexpr const char* const kValidWith[][2] = {
      {"rsp_set_o", "rsp_valid_o"}, {"rsp_addr_o", "rsp_valid_o"}, {"rsp_slot_o", "rsp_valid_o"}};

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(kSetsField, size.entries);
    v(kSlotsOfSetField, size.slots);
    v(kReservedField, size.reserved);
    v(kAddrBitsField, size.addr_bits);
    v(kSlotBitsField, size.slot_bits);
    v(SizeField{"RELEASES", "RELEASES", nullptr, "drained chains that queue for their release", 0,
                4096},
      size.releases);
    v(kSectorsField, size.sectors);
    v(kStorageField, size.storage);
  }
  static constexpr Size kAttacked = Size{MshrKind::dl, 3, 1, 2, 1, 3, 1}.with_sectors(2);
  static constexpr Size kSizes[] = {{MshrKind::dl, 128, 1, 2, 64},
                                    Size{MshrKind::dl, 16, 1, 4, 0}.with_sectors(4),
                                    {MshrKind::dl, 13, 1, 1, 0},
                                    Size{MshrKind::dl, 5, 1, 8, 2}.with_sectors(8),
                                    {MshrKind::dl, 6, 1, 2, 6},
                                    {MshrKind::dl, 1, 1, 2, 0},
                                    {MshrKind::dl, 3, 1, 2, 1, 3, 1},
                                    kAttacked,
                                    {MshrKind::dl, 6, 1, 2, 2, 4, 4, 6},
                                    Size{MshrKind::dl, 6, 1, 2, 2, 4, 4, 6}.with_sectors(4),
                                    {MshrKind::dl, 7, 1, 1, 0, 5, 3, 2},
                                    Size{MshrKind::dl, 6, 1, 2, 2, 4, 4, 6}.with_storage(1),
                                    Size{MshrKind::dl, 6, 1, 2, 2, 4, 4}.with_storage(1),
                                    Size{MshrKind::dl, 6, 1, 2, 2, 4, 4, 6}.with_storage(2)};
  // One bit of a request is kept, which is enough to tell two of them apart.
  static constexpr UnitProof kProofs[] = {
      {"SETS=2 SLOTS=2 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1", true},
      {"SETS=3 SLOTS=2 RESERVED=1 ADDR_BITS=2 SLOT_BITS=1"},
      {"SETS=3 SLOTS=1 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1"},
      {"SETS=2 SLOTS=4 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1"},
      {"SETS=2 SLOTS=2 RESERVED=2 ADDR_BITS=2 SLOT_BITS=1"},
      {"SETS=3 SLOTS=1 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1 RELEASES=3"},
      {"SETS=2 SLOTS=2 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1 SECTORS=2"},
      {"SETS=2 SLOTS=2 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1 RELEASES=2 SECTORS=2"},
      {"SETS=2 SLOTS=2 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1 STORAGE=1"},
      {"SETS=2 SLOTS=2 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1 STORAGE=2"}};
};

}  // namespace warpmem::units
