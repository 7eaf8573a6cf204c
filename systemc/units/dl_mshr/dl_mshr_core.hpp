// SPDX-License-Identifier: Apache-2.0
// Dynamically linked MSHR file (DL 4), synthesizable core: comparators, slots and drain around the
// Dynamic Allocation Unit. rtl/dl_mshr/README.md has the rules and the timing.
#pragma once

#include <array>
#include <cstdint>

#include "units/dau/dau_core.hpp"
#include "units/dl_mshr/dl_mshr_unit.hpp"
#include "units/mshr_sectors_core.hpp"

namespace warpmem::units {

/// The first three are those of DauCore; `kReleases` drained chains can wait for their release.
/// With `kStorage` 0 a slot is read in the cycle of its request, else at the edge before it, and
/// with 1 that waits while a slot is written (rtl/common/README.md).
template <unsigned kSets, unsigned kSlots, unsigned kReserved, unsigned kAddrBits,
          unsigned kSlotBits, unsigned kReleases, unsigned kSectors = 1, unsigned kStorage = 0>
class DlMshrCore {
  static_assert(kAddrBits >= 1 && kAddrBits <= 64, "dl_mshr: ADDR_BITS must be 1 to 64");
  static_assert(kSlotBits >= 1 && kSlotBits <= 32, "dl_mshr: SLOT_BITS must be 1 to 32");
  static_assert(kReleases <= kSets, "dl_mshr: RELEASES must not exceed SETS");
  static_assert(kStorage <= 2, "dl_mshr: STORAGE must be 0, 1 or 2");

 public:
  using In = MshrIn;
  using Out = MshrOut;

  /// What was never written means nothing, so a reset leaves the memories alone.
  void reset() {
    dau_.reset();
    drains_ = false;
    slot_waits_ = false;
    head_ = 0;
    set_ = 0;
    next_ = 0;
    first_ = 0;
    number_ = 0;
    for (unsigned i = 0; i < kSets; ++i) waiting_[i] = false;
  }

  Out eval(const In& in) const {
    const Decision d = decide(in);
    Out out;
    out.req_ready = d.dau.req_ready && !d.drained;
    out.req_secondary = d.hit;
    if (!d.drained) {
      out.req_entry = d.dau.req_set;
      out.req_link = d.dau.req_link;
    }
    if (out.req_ready) out.req_fetch = sectors_.fetch(!d.hit, d.dau_in.req_head, in.req_sectors);
    out.rf = in.req_valid && (d.drained || d.dau.rf);
    if (out.rf) {
      out.rf_cause = d.drained ? MshrFail::draining
                     : d.hit   ? MshrFail::merge_full
                               : MshrFail::entry_full;
    }
    out.ret_ready = d.ret_ready;
    out.rsp_valid = d.rsp_valid;
    out.rsp_entry = set_;
    out.rsp_addr = addr_[head_];
    out.rsp_slot = kStorage == 0 ? slot_[set_ * kSlots + next_] : read_;
    out.rsp_last = d.rsp_valid && d.last;
    out.n_free = d.dau.n_free;
    out.n_linkable = d.dau.n_linkable;
    out.release_busy = d.dau.release_busy;
    return out;
  }

  void commit(const In& in) {
    Decision d = decide(in);
    typename Sectors::In sectors_in;
    sectors_in.put_valid = d.dau_in.req_valid && d.dau.req_ready;
    sectors_in.put_first = !d.hit;
    sectors_in.put_entry = static_cast<SetIndex>(d.hit ? d.dau_in.req_head : d.dau.req_set);
    sectors_in.put_sectors = in.req_sectors;
    sectors_in.put_held = in.req_held;
    sectors_in.ret_valid = d.ret_here;
    sectors_in.ret_entry = d.ret_head;
    sectors_in.ret_sectors = in.ret_sectors;
    sectors_.commit(sectors_in);
    if (sectors_in.put_valid) {
      if (!d.hit) addr_[d.dau.req_set] = in.req_addr;
      slot_[d.dau.req_set * kSlots + d.dau.req_slot] = in.req_slot;
    }
    if (number_ != 0 && d.dau.ret_ready) {
      waiting_[queue_[first_]] = false;
      first_ = static_cast<SetIndex>(first_ + 1u == kReleases ? 0 : first_ + 1);
      --number_;
    } else if (d.leaves && number_ == 0 && d.dau.ret_ready) {
      d.leaves = false;  // the DAU takes it at once
    }
    if (kReleases != 0 && d.leaves) {
      queue_[(first_ + number_) % kPlaces] = head_;
      waiting_[head_] = true;
      ++number_;
    }
    const auto next_set = static_cast<SetIndex>(dau_.next(set_));
    const bool reads = d.ret_fire || (d.rsp_valid && !d.last && in.rsp_ready) || slot_waits_;
    if (d.ret_ready) {
      drains_ = d.ret_fire;
      head_ = d.ret_head;
      set_ = d.ret_head;
      next_ = 0;
    } else if (d.rsp_valid && in.rsp_ready) {
      if (next_ == kSlots - 1) {
        set_ = next_set;
        next_ = 0;
      } else {
        ++next_;
      }
    }
    slot_waits_ = kStorage == 1 && reads && sectors_in.put_valid;
    if (kStorage != 0 && reads && !slot_waits_) read_ = slot_[set_ * kSlots + next_];
    dau_.commit(d.dau_in);
  }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("dau", &DlMshrCore::dau_);
    v("addr", &DlMshrCore::addr_);
    v("slot", &DlMshrCore::slot_);
    v("sectors", &DlMshrCore::sectors_);
    v("drains", &DlMshrCore::drains_);
    v("head", &DlMshrCore::head_);
    v("set", &DlMshrCore::set_);
    v("next", &DlMshrCore::next_);
    v("queue", &DlMshrCore::queue_);
    v("first", &DlMshrCore::first_);
    v("number", &DlMshrCore::number_);
    v("waiting", &DlMshrCore::waiting_);
    v("read", &DlMshrCore::read_);
    v("slot_waits", &DlMshrCore::slot_waits_);
  }

 private:
  using SetIndex = std::uint16_t;
  using Sectors = MshrSectorsCore<kSets, kSectors>;

  struct Decision {
    bool hit = false;
    bool drained = false;  // the block's chain drains, or begins to at this edge
    bool last = false;
    bool rsp_valid = false;
    bool leaves = false;  // the chain's last request
    bool ret_ready = false;
    bool ret_here = false;  // a chain's data have come,
    bool ret_fire = false;  // and with them all its sectors
    SetIndex ret_head = 0;
    DauIn dau_in;
    DauOut dau;
  };

  /// The set is the head of a block's chain, until that has drained.
  bool live(unsigned set) const {
    return dau_.head(set) && !dau_.s_free(set) && !dau_.releasing(set) && !waiting_[set];
  }

  Decision decide(const In& in) const {
    Decision d;
    const unsigned newest = dau_.s_full(set_) ? kSlots - 1 : dau_.count(set_) - 1u;
    d.last = !dau_.linked(set_) && next_ == newest;
    // The last request waits until the DAU takes RET, or the chain finds room among those that
    // wait. Whether the DAU is ready depends on no input.
    const bool room = (kReleases != 0 && number_ != kReleases) || dau_.eval({}).ret_ready;
    d.rsp_valid = drains_ && (!d.last || room) && !slot_waits_;
    d.leaves = d.rsp_valid && d.last && in.rsp_ready;
    d.ret_ready = !drains_ || d.leaves;

    SetIndex req_head = 0;
    bool returned = false;
    for (unsigned i = 0; i < kSets; ++i) {
      if (!live(i)) continue;
      const bool drains = drains_ && head_ == i;
      if (addr_[i] == in.req_addr && !(kReleases != 0 && drains && d.leaves)) {
        d.hit = true;
        req_head = static_cast<SetIndex>(i);
      }
      if (addr_[i] == in.ret_addr && !drains) {
        returned = true;
        d.ret_head = static_cast<SetIndex>(i);
      }
    }
    d.ret_here = in.ret_valid && d.ret_ready && returned;
    d.ret_fire = d.ret_here && sectors_.last(d.ret_head, in.ret_sectors);
    d.drained =
        d.hit && ((drains_ && head_ == req_head) || (d.ret_fire && in.ret_addr == in.req_addr));

    d.dau_in.req_valid = in.req_valid && !d.drained;
    d.dau_in.req_secondary = d.hit;
    d.dau_in.req_head = req_head;
    d.dau_in.ret_valid = d.leaves || number_ != 0;
    d.dau_in.ret_head = number_ != 0 ? queue_[first_] : head_;
    d.dau = dau_.eval(d.dau_in);
    return d;
  }

  static constexpr unsigned kPlaces = kReleases != 0 ? kReleases : 1;

  DauCore<kSets, kSlots, kReserved> dau_;
  std::array<std::uint64_t, kSets> addr_{};  // blocks of heads
  std::array<std::uint32_t, kSets * kSlots> slot_{};
  Sectors sectors_;  // of heads
  bool drains_ = false;
  SetIndex head_ = 0;                      // of the chain that drains
  SetIndex set_ = 0;                       // of the request that leaves next, and
  std::uint8_t next_ = 0;                  // its slot
  std::array<SetIndex, kPlaces> queue_{};  // heads of drained chains that wait for their release
  SetIndex first_ = 0;                     // place of the oldest of them, and
  SetIndex number_ = 0;                    // how many there are
  std::array<bool, kSets> waiting_{};      // whether a set is one of them
  std::uint32_t read_ = 0;                 // what the slot memory shows, unless
  bool slot_waits_ = false;                // the read waits for the port
};

}  // namespace warpmem::units
