// SPDX-License-Identifier: Apache-2.0
// The pipelined DL-MSHR file, described once for all that reads its RTL.
#pragma once

#include <iterator>

#include "units/mshr_ports.hpp"

namespace warpmem::units {

struct DlMshrPipeDescription : MshrDefaults {
  static constexpr const char* kName = "dl_mshr_pipe";
  static constexpr const char* kViewKind = "dl";
  static constexpr const char* kViewFlag = "file_pipelined";
  static constexpr unsigned kPlace = 14;
  static constexpr unsigned kProofPlace = 14;
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
    v(SizeField{"SLOT_BITS", "SLOT_BITS", nullptr, "bits of a slot", 1, 1040}, size.slot_bits);
    v(SizeField{"RELEASES", "RELEASES", nullptr, "drained chains that queue for their release", 1,
                4096},
      size.releases);
    v(SizeField{"GATING", "GATING", nullptr, "comparators of heads alone see an address"},
      size.gating);
    v(kSectorsField, size.sectors);
    v(kStorageField, size.storage);
  }
  // One keeps a whole line of 128 B with a request. The last one has comparators without gates.
  static constexpr Size kAttacked = Size{MshrKind::dl_pipe, 3, 1, 2, 1, 3, 1, 1}.with_sectors(2);
  static constexpr Size kSizes[] = {
      {MshrKind::dl_pipe, 128, 1, 2, 64, 25, 16, 1},
      Size{MshrKind::dl_pipe, 16, 1, 4, 0, 25, 16, 2}.with_sectors(4),
      {MshrKind::dl_pipe, 13, 1, 1, 0, 25, 16, 2},
      Size{MshrKind::dl_pipe, 5, 1, 8, 2, 25, 1040, 1}.with_sectors(8),
      {MshrKind::dl_pipe, 6, 1, 2, 6, 25, 16, 1},
      {MshrKind::dl_pipe, 1, 1, 2, 0, 25, 16, 1},
      {MshrKind::dl_pipe, 3, 1, 2, 1, 3, 1, 1},
      kAttacked,
      Size{MshrKind::dl_pipe, 6, 1, 2, 2, 4, 4, 6}.with_sectors(4),
      {MshrKind::dl_pipe, 33, 1, 2, 16, 64, 32, 33},
      Size{MshrKind::dl_pipe, 6, 1, 2, 2, 4, 4, 2}.with_storage(1),
      Size{MshrKind::dl_pipe, 6, 1, 2, 2, 4, 4, 2}.with_storage(2),
      {MshrKind::dl_pipe, 9, 1, 1, 0, 5, 3, 2, 0, 0, 0, false}};
  // One bit of a request is kept, which is enough to tell two of them apart.
  static constexpr UnitProof kProofs[] = {
      {"SETS=1 SLOTS=2 RESERVED=0 ADDR_BITS=1 SLOT_BITS=1", true},
      {"SETS=2 SLOTS=2 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1"},
      {"SETS=3 SLOTS=2 RESERVED=1 ADDR_BITS=2 SLOT_BITS=1"},
      {"SETS=3 SLOTS=1 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1"},
      {"SETS=2 SLOTS=4 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1"},
      {"SETS=2 SLOTS=2 RESERVED=2 ADDR_BITS=2 SLOT_BITS=1"},
      {"SETS=3 SLOTS=1 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1 RELEASES=3"},
      {"SETS=2 SLOTS=2 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1 SECTORS=2"},
      {"SETS=2 SLOTS=2 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1 STORAGE=1"},
      {"SETS=2 SLOTS=2 RESERVED=0 ADDR_BITS=2 SLOT_BITS=1 STORAGE=2"}};
};
static_assert(!std::rbegin(DlMshrPipeDescription::kSizes)->gating);

}  // namespace warpmem::units
