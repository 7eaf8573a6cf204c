// SPDX-License-Identifier: Apache-2.0
// What the whole MSHR files share: sizes, and ports of which each file has most.
#pragma once

#include <cstdint>

#include "units/bits_for.hpp"
#include "units/unit_fields.hpp"

namespace warpmem::units {

/// A size of the kind `any` has all ports.
enum class MshrKind : std::uint8_t { any, conventional, set_assoc, tsma, dl, htsma, dl_pipe };

struct MshrSize {
  MshrKind kind = MshrKind::any;
  std::uint32_t entries = 1;   ///< dl: slot sets; htsma: of the array
  std::uint32_t ways = 1;      ///< set_assoc: entries of a set
  std::uint32_t slots = 1;     ///< slots of an entry or slot set
  std::uint32_t reserved = 0;  ///< dl: sets that are heads only
  std::uint32_t addr_bits = 25;
  std::uint32_t slot_bits = 16;
  std::uint32_t releases = 0;       ///< dl: drained chains that can wait for their release
  std::uint32_t small_entries = 0;  ///< htsma: entries of the s-MSHR, behind the array's, and
  std::uint32_t small_slots = 0;    ///< slots of one
  std::uint32_t line_ways = 0;      ///< htsma: lines of a cache set
  bool gating = true;               ///< dl_pipe: comparators see nothing unless they are of a head
  std::uint32_t sectors = 1;        ///< of a line, that are fetched apart
  std::uint32_t storage = 0;        ///< dl: of slots; 0 two ports, 1 one port, 2 split cycle

  constexpr bool may_be(MshrKind k) const { return kind == MshrKind::any || kind == k; }
  constexpr bool tagless() const { return kind == MshrKind::tsma; }
  constexpr bool dl() const { return kind == MshrKind::dl || piped(); }
  /// A request and a return are answered in the cycle after theirs.
  constexpr bool piped() const { return kind == MshrKind::dl_pipe; }
  constexpr bool hybrid() const { return kind == MshrKind::htsma; }
  constexpr std::uint32_t sets() const { return kind == MshrKind::set_assoc ? entries / ways : 1; }
  /// Bits of the pins that name sectors.
  constexpr std::uint32_t sector_mask() const { return (1u << sectors) - 1; }
  constexpr MshrSize with_sectors(std::uint32_t number) const {
    MshrSize size = *this;
    size.sectors = number;
    return size;
  }
  constexpr MshrSize with_storage(std::uint32_t kind_of_storage) const {
    MshrSize size = *this;
    size.storage = kind_of_storage;
    return size;
  }
  /// A slot that is to be read waits while one is written.
  constexpr bool one_port() const { return storage == 1; }
  constexpr std::uint32_t all_entries() const { return entries + small_entries; }
  constexpr std::uint32_t all_slots() const {
    return entries * slots + small_entries * small_slots;
  }
  /// Entries that a block may be in.
  constexpr std::uint32_t set_entries() const {
    return kind == MshrKind::set_assoc ? ways : entries;
  }
  /// Bits of the pins that name a block: its address, in a tsma its entry.
  constexpr unsigned name_bits() const {
    return tagless() ? static_cast<unsigned>(bits_for(entries)) : addr_bits;
  }
};

/// Addresses have up to 64 bits, what is kept of a request up to 32. In a pipelined file outputs of
/// a request are those of the request of the cycle before. Where lines have one sector the pins of
/// sectors mean nothing: inputs do not matter, and req_fetch is 0.
struct MshrIn {
  bool req_valid = false;
  bool req_secondary = false;  ///< tsma: merges into entry req_addr; htsma: into req_idx
  std::uint64_t req_addr = 0;
  std::uint32_t req_slot = 0;
  std::uint8_t req_sectors = 0;  ///< that the line lacks
  std::uint8_t req_held = 0;     ///< others, whose bytes the cache keeps beside the entry
  bool ret_valid = false;
  std::uint64_t ret_addr = 0;    ///< tsma: an entry
  std::uint8_t ret_sectors = 0;  ///< that have come
  // Only htsma has these.
  std::uint16_t req_idx = 0;           ///< entry of the array that the line found names
  std::uint16_t req_shared_count = 0;  ///< lines of the set whose tags are shared
  bool req_victim_valid = false;       ///< there is a line to be replaced
  bool req_victim_hit = false;         ///< it has been hit since it came
  std::uint16_t ret_entry = 0;         ///< from `entries` on: one of the s-MSHR, by its address
  bool rsp_ready = false;

  using Size = MshrSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("req_valid", &MshrIn::req_valid, 1);
    const bool hybrid = size.may_be(MshrKind::htsma);
    if (hybrid || size.tagless()) v("req_secondary", &MshrIn::req_secondary, 1);
    if (hybrid) {
      v("req_idx", &MshrIn::req_idx, static_cast<unsigned>(bits_for(size.entries)));
      v("req_shared_count", &MshrIn::req_shared_count,
        static_cast<unsigned>(bits_for(size.line_ways + 1)));
      v("req_victim_valid", &MshrIn::req_victim_valid, 1);
      v("req_victim_hit", &MshrIn::req_victim_hit, 1);
    }
    v("req_addr", &MshrIn::req_addr, size.name_bits(), size.tagless() ? "req_idx" : nullptr);
    v("req_slot", &MshrIn::req_slot, size.slot_bits);
    v("req_sectors", &MshrIn::req_sectors, size.sectors);
    v("req_held", &MshrIn::req_held, size.sectors);
    v("ret_valid", &MshrIn::ret_valid, 1);
    if (hybrid)
      v("ret_entry", &MshrIn::ret_entry, static_cast<unsigned>(bits_for(size.all_entries())));
    v("ret_addr", &MshrIn::ret_addr, size.name_bits(), size.tagless() ? "ret_idx" : nullptr);
    v("ret_sectors", &MshrIn::ret_sectors, size.sectors);
    v("rsp_ready", &MshrIn::rsp_ready, 1);
  }
};

/// This is why a request was refused (rf_cause).
enum class MshrFail : std::uint8_t { none, entry_full, merge_full, draining };

struct MshrOut {
  bool req_ready = false;
  bool req_secondary = false;   ///< all but tsma
  std::uint32_t req_entry = 0;  ///< dl: the set; htsma: from `entries` on, of the s-MSHR
  std::uint8_t req_fetch = 0;   ///< sectors that must be fetched for it
  bool req_link = false;        ///< dl only
  bool rf = false;
  MshrFail rf_cause = MshrFail::none;
  bool ret_ready = false;
  bool rsp_valid = false;
  std::uint32_t rsp_entry = 0;
  std::uint64_t rsp_addr = 0;  ///< all but tsma; of htsma's array 0
  std::uint32_t rsp_slot = 0;
  bool rsp_last = false;
  std::uint64_t used = 0;        ///< bit i: entry i, of the first 64; not dl
  std::uint64_t draining = 0;    ///< bit i: entry i drains, of the first 64; not dl
  std::uint32_t n_free = 0;      ///< dl only
  std::uint32_t n_linkable = 0;  ///< dl only
  bool release_busy = false;     ///< dl only
  std::uint8_t req_steer = 0;    ///< htsma only: branch of the listing (HtsmaSteer)
  bool req_critical = false;     ///< htsma only: the s-MSHR came first, then the array
  bool err = false;              ///< dl_pipe: no chain waits for the data of the cycle before

  using Size = MshrSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    const auto entry_bits = static_cast<unsigned>(bits_for(size.all_entries()));
    const auto count_bits = static_cast<unsigned>(bits_for(size.entries + 1));
    v("req_ready", &MshrOut::req_ready, 1, size.piped() ? "ans_ok" : nullptr);
    v("req_entry", &MshrOut::req_entry, entry_bits,
      size.tagless() ? "req_idx"
      : size.piped() ? "ans_set"
      : size.dl()    ? "req_set"
                     : nullptr);
    v("req_fetch", &MshrOut::req_fetch, size.sectors, size.piped() ? "ans_fetch" : nullptr);
    v("rf", &MshrOut::rf, 1);
    v("rf_cause", &MshrOut::rf_cause, 2);
    v("ret_ready", &MshrOut::ret_ready, 1);
    v("rsp_valid", &MshrOut::rsp_valid, 1);
    v("rsp_entry", &MshrOut::rsp_entry, entry_bits,
      size.tagless() ? "rsp_idx"
      : size.dl()    ? "rsp_set"
                     : nullptr);
    v("rsp_slot", &MshrOut::rsp_slot, size.slot_bits);
    v("rsp_last", &MshrOut::rsp_last, 1);
    if (!size.tagless()) {
      v("req_secondary", &MshrOut::req_secondary, 1, size.piped() ? "ans_secondary" : nullptr);
      v("rsp_addr", &MshrOut::rsp_addr, size.addr_bits);
    }
    if (!size.dl()) {
      v("used", &MshrOut::used, size.all_entries());
      v("draining", &MshrOut::draining, size.all_entries());
    }
    if (size.dl() || size.may_be(MshrKind::dl)) {
      v("req_link", &MshrOut::req_link, 1, size.piped() ? "ans_link" : nullptr);
      v("n_free", &MshrOut::n_free, count_bits);
      v("n_linkable", &MshrOut::n_linkable, count_bits);
      v("release_busy", &MshrOut::release_busy, 1);
    }
    if (size.may_be(MshrKind::htsma)) {
      v("req_steer", &MshrOut::req_steer, 3);
      v("req_critical", &MshrOut::req_critical, 1);
    }
    if (size.may_be(MshrKind::dl_pipe)) v("err", &MshrOut::err, 1);
  }
};

/// Parameters that several files have, with the limits of their RTL.
inline constexpr SizeField kAddrBitsField{"ADDR_BITS",          "ADDR_BITS", nullptr,
                                          "bits of an address", 1,           64};
inline constexpr SizeField kSlotBitsField{"SLOT_BITS",      "SLOT_BITS", nullptr,
                                          "bits of a slot", 1,           512};
inline constexpr SizeField kSectorsField{"SECTORS", "SECTORS", nullptr, "sectors of a line", 1, 8};
/// Parameters of both dl files.
inline constexpr SizeField kSetsField{"SETS", "SETS", nullptr, "slot sets", 1, 4096};
inline constexpr SizeField kSlotsOfSetField{"SLOTS", "SLOTS", nullptr, "slots of a set", 1, 8};
inline constexpr SizeField kReservedField{
    "RESERVED", "RESERVED", nullptr, "sets that are heads only", 0, 4096};
inline constexpr SizeField kStorageField{
    "STORAGE", "STORAGE", nullptr, "slots: 0 two ports, 1 one port, 2 split cycle", 0, 2};

/// This is what the descriptions of all MSHR files have in common.
struct MshrDefaults : UnitDefaults {
  using In = MshrIn;
  using Out = MshrOut;
  using Size = MshrSize;
  static constexpr const char* kGroup = "mshr";
  static constexpr const char* kViewKey = "mshr.file";
};

}  // namespace warpmem::units
