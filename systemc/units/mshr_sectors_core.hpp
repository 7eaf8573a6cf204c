// SPDX-License-Identifier: Apache-2.0
// Sectors of the entries of an MSHR file, synthesizable core: the same structure as
// rtl/common/mshr_sectors.sv, which has the timing. Of lines without sectors nothing is kept.
#pragma once

#include <array>
#include <cstdint>

namespace warpmem::units {

template <unsigned kEntries, unsigned kSectors>
class MshrSectorsCore {
  static_assert(kSectors >= 1 && kSectors <= 8, "SECTORS must be 1 to 8");

 public:
  using EntryIndex = std::uint16_t;
  using Mask = std::uint8_t;  // a bit for each sector

  struct In {
    bool put_valid = false;  ///< a request is stored: the first of a free entry, or one more of
    bool put_first = false;  ///< an entry in use
    EntryIndex put_entry = 0;
    Mask put_sectors = 0;    ///< that the line lacks
    Mask put_held = 0;       ///< whose bytes the cache keeps beside the entry
    bool ret_valid = false;  ///< sectors of an entry in use have come
    EntryIndex ret_entry = 0;
    Mask ret_sectors = 0;
  };

  /// Returns the sectors that a request must fetch, of those that its line lacks.
  Mask fetch(bool first, EntryIndex entry, Mask sectors) const {
    if (kSectors == 1) return 0;
    return static_cast<Mask>(sectors & ~(first ? 0u : asked_[entry]));
  }
  /// Whether nothing is left to come, of an entry in use, behind a return.
  bool last(EntryIndex entry, Mask sectors) const {
    return kSectors == 1 || (open_[entry] & ~unsigned{sectors}) == 0;
  }

  void commit(const In& in) {
    if (kSectors == 1) return;
    const Mask fetched = fetch(in.put_first, in.put_entry, in.put_sectors);
    if (in.ret_valid)
      open_[in.ret_entry] = static_cast<Mask>(open_[in.ret_entry] & ~in.ret_sectors);
    if (!in.put_valid) return;
    const unsigned asked = in.put_first ? 0u : asked_[in.put_entry];
    const unsigned open = in.put_first ? 0u : open_[in.put_entry];
    asked_[in.put_entry] = static_cast<Mask>(asked | in.put_sectors | in.put_held);
    open_[in.put_entry] = static_cast<Mask>(open | fetched);
  }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("asked", &MshrSectorsCore::asked_);
    v("open", &MshrSectorsCore::open_);
  }

 private:
  std::array<Mask, kEntries> asked_{};  // fetched, or kept beside the entry
  std::array<Mask, kEntries> open_{};   // fetched and not here
};

}  // namespace warpmem::units
