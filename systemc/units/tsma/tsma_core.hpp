// SPDX-License-Identifier: Apache-2.0
// Tag Shared MSHR Array (KI 5.1, Fig 5.2), synthesizable core: the index generator and the slots.
// rtl/tsma/README.md has the rules and the timing.
#pragma once

#include <cstdint>

#include "units/mshr_sectors_core.hpp"
#include "units/mshr_slots_core.hpp"
#include "units/tsma/tsma_unit.hpp"
#include "units/tsma_index_gen/tsma_index_gen_core.hpp"

namespace warpmem::units {

/// `kEntries` is 1..4096.
template <unsigned kEntries, unsigned kSlots, unsigned kSlotBits, unsigned kSectors = 1>
class TsmaCore {
  static_assert(kSlotBits >= 1 && kSlotBits <= 32, "tsma: SLOT_BITS must be 1 to 32");

 public:
  using In = MshrIn;
  using Out = MshrOut;

  void reset() {
    index_gen_.reset();
    slots_.reset();
  }

  Out eval(const In& in) const {
    const Decision d = decide(in);
    Out out;
    out.req_ready = d.ready;
    if (d.ready) {
      out.req_entry = d.entry;
      out.req_fetch = sectors_.fetch(!in.req_secondary, d.entry, in.req_sectors);
    }
    out.rf = in.req_valid && !d.ready;
    if (out.rf) {
      out.rf_cause = !in.req_secondary ? MshrFail::entry_full
                     : d.live          ? MshrFail::merge_full
                                       : MshrFail::draining;
    }
    out.ret_ready = slots_.ret_ready(in.rsp_ready);
    out.rsp_valid = slots_.rsp_valid();
    out.rsp_entry = slots_.rsp_entry();
    out.rsp_slot = slots_.rsp_slot();
    out.rsp_last = slots_.rsp_last();
    for (unsigned e = 0; e < kEntries && e < 64; ++e) {
      out.used |= std::uint64_t{used(e)} << e;
      out.draining |= std::uint64_t{draining(e)} << e;
    }
    return out;
  }

  void commit(const In& in) {
    const Decision d = decide(in);
    const bool fire = in.req_valid && d.ready;
    TsmaIndexGenIn gen_in;
    gen_in.take = fire && !in.req_secondary;
    gen_in.release = slots_.leaves(in.rsp_ready);
    gen_in.release_idx = slots_.rsp_entry();
    typename Slots::In slots_in;
    slots_in.put_valid = fire;
    slots_in.put_first = !in.req_secondary;
    slots_in.put_entry = d.entry;
    slots_in.put_slot = in.req_slot;
    slots_in.ret_valid = d.ret_fire;
    if (d.ret_fire) slots_in.ret_entry = static_cast<EntryIndex>(in.ret_addr);
    slots_in.rsp_ready = in.rsp_ready;
    typename Sectors::In sectors_in;
    sectors_in.put_valid = fire;
    sectors_in.put_first = !in.req_secondary;
    sectors_in.put_entry = d.entry;
    sectors_in.put_sectors = in.req_sectors;
    sectors_in.put_held = in.req_held;
    sectors_in.ret_valid = d.ret_here;
    if (d.ret_here) sectors_in.ret_entry = static_cast<EntryIndex>(in.ret_addr);
    sectors_in.ret_sectors = in.ret_sectors;
    index_gen_.commit(gen_in);
    slots_.commit(slots_in);
    sectors_.commit(sectors_in);
  }

  bool ret_ready(bool rsp_ready) const { return slots_.ret_ready(rsp_ready); }
  bool used(unsigned entry) const { return !index_gen_.available(entry); }
  bool draining(unsigned entry) const { return slots_.draining(entry); }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("index_gen", &TsmaCore::index_gen_);
    v("slots", &TsmaCore::slots_);
    v("sectors", &TsmaCore::sectors_);
  }

 private:
  using Slots = MshrSlotsCore<kEntries, kSlots>;
  using Sectors = MshrSectorsCore<kEntries, kSectors>;
  using EntryIndex = typename Slots::EntryIndex;

  struct Decision {
    bool live = false;  // the entry that a secondary miss names takes requests
    bool ready = false;
    EntryIndex entry = 0;
    bool ret_here = false;  // an entry's data have come,
    bool ret_fire = false;  // and with them all its sectors
  };

  /// The pins carry more numbers than there are entries.
  bool pending(std::uint64_t entry) const {
    return entry < kEntries && used(static_cast<unsigned>(entry)) &&
           !draining(static_cast<unsigned>(entry));
  }

  Decision decide(const In& in) const {
    Decision d;
    d.ret_here = in.ret_valid && slots_.ret_ready(in.rsp_ready) && pending(in.ret_addr);
    d.ret_fire = d.ret_here && sectors_.last(static_cast<EntryIndex>(in.ret_addr), in.ret_sectors);
    d.live = pending(in.req_addr) && !(d.ret_fire && in.ret_addr == in.req_addr);
    const TsmaIndexGenOut gen = index_gen_.eval();
    if (in.req_secondary) {
      d.entry = static_cast<EntryIndex>(in.req_addr);
      d.ready = d.live && !slots_.full(d.entry);
    } else {
      d.entry = gen.idx;
      d.ready = !gen.full;
    }
    return d;
  }

  TsmaIndexGenCore<kEntries> index_gen_;
  Slots slots_;
  Sectors sectors_;
};

}  // namespace warpmem::units
