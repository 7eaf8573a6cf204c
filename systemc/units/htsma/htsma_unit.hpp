// SPDX-License-Identifier: Apache-2.0
// The hybrid of TSMA and s-MSHR, described once for all that reads its RTL.
#pragma once

#include "units/mshr_ports.hpp"

namespace warpmem::units {

constexpr MshrSize htsma_size(std::uint32_t entries, std::uint32_t slots,
                              std::uint32_t small_entries, std::uint32_t small_slots,
                              std::uint32_t ways, std::uint32_t addr_bits = 25,
                              std::uint32_t slot_bits = 16) {
  MshrSize size;
  size.kind = MshrKind::htsma;
  size.entries = entries;
  size.slots = slots;
  size.small_entries = small_entries;
  size.small_slots = small_slots;
  size.line_ways = ways;
  size.addr_bits = addr_bits;
  size.slot_bits = slot_bits;
  return size;
}

struct HtsmaDescription : MshrDefaults {
  static constexpr const char* kName = "htsma";
  static constexpr const char* kViewKind = "htsma";
  static constexpr unsigned kPlace = 13;
  static constexpr unsigned kProofPlace = 13;
  static constexpr std::size_t kCounted = 1;  // with sectors
  static constexpr const char* const kValidWith[][2] = {
      {"rsp_entry_o", "rsp_valid_o"}, {"rsp_addr_o", "rsp_valid_o"}, {"rsp_slot_o", "rsp_valid_o"}};

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"ENTRIES", "ENTRIES", nullptr, "entries of the array", 1, 4096}, size.entries);
    v(SizeField{"SLOTS", "SLOTS", nullptr, "slots of one", 1, 64}, size.slots);
    v(SizeField{"SMALL_ENTRIES", "SMALL_ENTRIES", nullptr, "entries of the s-MSHR", 1, 256},
      size.small_entries);
    v(SizeField{"SMALL_SLOTS", "SMALL_SLOTS", nullptr, "slots of one", 1, 64}, size.small_slots);
    v(SizeField{"WAYS", "WAYS", nullptr, "lines of a cache set", 1, 4096}, size.line_ways);
    v(kAddrBitsField, size.addr_bits);
    v(kSlotBitsField, size.slot_bits);
    v(kSectorsField, size.sectors);
  }
  // L1D and L2 of configs/kim-tsma-200.yaml stand first and last.
  static constexpr Size kSizes[] = {htsma_size(48, 8, 4, 8, 8),
                                    htsma_size(48, 8, 4, 8, 8).with_sectors(4),
                                    htsma_size(5, 3, 3, 2, 6, 7).with_sectors(8),
                                    htsma_size(1, 1, 1, 1, 1),
                                    htsma_size(3, 2, 8, 4, 4, 9, 5),
                                    htsma_size(4, 2, 2, 2, 4, 4, 2),
                                    htsma_size(96, 8, 8, 8, 8)};
  static constexpr Size kAttacked = htsma_size(3, 2, 2, 2, 4, 3, 2).with_sectors(2);
  static constexpr UnitProof kProofs[] = {
      {"ENTRIES=2 SLOTS=2 SMALL_ENTRIES=1 SMALL_SLOTS=2 WAYS=2 ADDR_BITS=1 SLOT_BITS=1", true},
      {"ENTRIES=2 SLOTS=2 SMALL_ENTRIES=2 SMALL_SLOTS=2 WAYS=2 ADDR_BITS=2 SLOT_BITS=1"},
      {"ENTRIES=3 SLOTS=1 SMALL_ENTRIES=2 SMALL_SLOTS=3 WAYS=3 ADDR_BITS=2 SLOT_BITS=1"},
      {"ENTRIES=1 SLOTS=2 SMALL_ENTRIES=1 SMALL_SLOTS=1 WAYS=1 ADDR_BITS=2 SLOT_BITS=2"},
      {"ENTRIES=2 SLOTS=2 SMALL_ENTRIES=1 SMALL_SLOTS=2 WAYS=2 ADDR_BITS=1 SLOT_BITS=1 SECTORS=2"}};
};

}  // namespace warpmem::units
