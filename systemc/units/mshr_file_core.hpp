// SPDX-License-Identifier: Apache-2.0
// MSHR file with addresses of its own, synthesizable core: the same structure as
// rtl/common/mshr_file.sv. One set is mshr_conventional, more are mshr_set_assoc, whose READMEs
// have the rules.
#pragma once

#include <array>
#include <cstdint>

#include "units/mshr_ports.hpp"
#include "units/mshr_sectors_core.hpp"
#include "units/mshr_slots_core.hpp"

namespace warpmem::units {

/// There are `kSets` (a power of two) sets of `kWays` entries, 1 to 512 in all.
template <unsigned kSets, unsigned kWays, unsigned kSlots, unsigned kAddrBits, unsigned kSlotBits,
          unsigned kSectors>
class MshrFileCore {
  static_assert(kSets >= 1 && (kSets & (kSets - 1)) == 0, "the sets must be a power of two");
  static_assert(kSets * kWays >= 1 && kSets * kWays <= 512, "ENTRIES must be 1 to 512");
  static_assert(kAddrBits >= 1 && kAddrBits <= 64, "ADDR_BITS must be 1 to 64");
  static_assert(kSlotBits >= 1 && kSlotBits <= 32, "SLOT_BITS must be 1 to 32");

 public:
  static constexpr unsigned kEntries = kSets * kWays;
  using In = MshrIn;
  using Out = MshrOut;

  MshrFileCore() { reset(); }

  void reset() {
    for (unsigned e = 0; e < kEntries; ++e) used_[e] = false;
    slots_.reset();
  }

  Out eval(const In& in) const {
    const Decision d = decide(in);
    Out out;
    out.req_ready = d.ready;
    out.req_secondary = d.hit;
    if (d.ready) {
      out.req_entry = d.entry;
      out.req_fetch = sectors_.fetch(!d.hit, d.entry, in.req_sectors);
    }
    out.rf = in.req_valid && !d.ready;
    if (out.rf) {
      out.rf_cause = !d.hit      ? MshrFail::entry_full
                     : d.drained ? MshrFail::draining
                                 : MshrFail::merge_full;
    }
    out.ret_ready = slots_.ret_ready(in.rsp_ready);
    out.rsp_valid = slots_.rsp_valid();
    out.rsp_entry = slots_.rsp_entry();
    out.rsp_addr = addr_[slots_.rsp_entry()];
    out.rsp_slot = slots_.rsp_slot();
    out.rsp_last = slots_.rsp_last();
    for (unsigned e = 0; e < kEntries && e < 64; ++e) {
      out.used |= std::uint64_t{used_[e]} << e;
      out.draining |= std::uint64_t{slots_.draining(e)} << e;
    }
    return out;
  }

  void commit(const In& in) {
    const Decision d = decide(in);
    const bool fire = in.req_valid && d.ready;
    typename Slots::In slots_in;
    slots_in.put_valid = fire;
    slots_in.put_first = !d.hit;
    slots_in.put_entry = d.entry;
    slots_in.put_slot = in.req_slot;
    slots_in.ret_valid = d.ret_fire;
    slots_in.ret_entry = d.ret_entry;
    slots_in.rsp_ready = in.rsp_ready;
    typename Sectors::In sectors_in;
    sectors_in.put_valid = fire;
    sectors_in.put_first = !d.hit;
    sectors_in.put_entry = d.entry;
    sectors_in.put_sectors = in.req_sectors;
    sectors_in.put_held = in.req_held;
    sectors_in.ret_valid = d.ret_here;
    sectors_in.ret_entry = d.ret_entry;
    sectors_in.ret_sectors = in.ret_sectors;
    if (slots_.leaves(in.rsp_ready)) used_[slots_.rsp_entry()] = false;
    if (fire && !d.hit) {
      used_[d.entry] = true;
      addr_[d.entry] = in.req_addr;
    }
    slots_.commit(slots_in);
    sectors_.commit(sectors_in);
  }

  bool ret_ready(bool rsp_ready) const { return slots_.ret_ready(rsp_ready); }
  bool used(unsigned entry) const { return used_[entry]; }
  bool draining(unsigned entry) const { return slots_.draining(entry); }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("addr", &MshrFileCore::addr_);
    v("used", &MshrFileCore::used_);
    v("slots", &MshrFileCore::slots_);
    v("sectors", &MshrFileCore::sectors_);
  }

 private:
  using Slots = MshrSlotsCore<kEntries, kSlots>;
  using Sectors = MshrSectorsCore<kEntries, kSectors>;
  using EntryIndex = typename Slots::EntryIndex;

  struct Decision {
    bool hit = false;
    bool drained = false;  // the block's entry drains, or begins to at this edge
    bool ready = false;
    EntryIndex entry = 0;   // that the request gets, or that it hits
    bool ret_here = false;  // an entry's data have come,
    bool ret_fire = false;  // and with them all its sectors
    EntryIndex ret_entry = 0;
  };

  static EntryIndex first_of(std::uint64_t addr) {
    return static_cast<EntryIndex>((addr & (kSets - 1)) * kWays);
  }

  Decision decide(const In& in) const {
    Decision d;
    const EntryIndex ret_base = first_of(in.ret_addr);
    for (unsigned w = 0; w < kWays; ++w) {
      const auto e = static_cast<EntryIndex>(ret_base + w);
      if (!used_[e] || slots_.draining(e) || addr_[e] != in.ret_addr) continue;
      d.ret_here = in.ret_valid && slots_.ret_ready(in.rsp_ready);
      d.ret_fire = d.ret_here && sectors_.last(e, in.ret_sectors);
      d.ret_entry = e;
    }
    const EntryIndex base = first_of(in.req_addr);
    bool room = false;
    for (unsigned w = kWays; w-- > 0;) {
      const auto e = static_cast<EntryIndex>(base + w);
      if (used_[e]) continue;
      room = true;
      d.entry = e;
    }
    for (unsigned w = 0; w < kWays; ++w) {
      const auto e = static_cast<EntryIndex>(base + w);
      if (!used_[e] || addr_[e] != in.req_addr) continue;
      d.hit = true;
      d.entry = e;
      d.drained = slots_.draining(e) || (d.ret_fire && in.ret_addr == in.req_addr);
    }
    d.ready = d.hit ? !d.drained && !slots_.full(d.entry) : room;
    return d;
  }

  std::array<std::uint64_t, kEntries> addr_{};
  std::array<bool, kEntries> used_{};
  Slots slots_;
  Sectors sectors_;
};

}  // namespace warpmem::units
