// SPDX-License-Identifier: Apache-2.0
// Slots of an MSHR file whose entries have a fixed number of them, and the drain, synthesizable
// core: the same structure as rtl/common/mshr_slots.sv, which has the timing. What was never
// written means nothing, so a reset leaves the memories alone.
#pragma once

#include <array>
#include <cstdint>

namespace warpmem::units {

template <unsigned kEntries, unsigned kSlots>
class MshrSlotsCore {
  static_assert(kSlots >= 1 && kSlots <= 64, "SLOTS must be 1 to 64");

 public:
  using EntryIndex = std::uint16_t;

  struct In {
    bool put_valid = false;  ///< a request is stored: in the first slot of a free entry, or in the
    bool put_first = false;  ///< next one of an entry in use
    EntryIndex put_entry = 0;
    std::uint32_t put_slot = 0;
    bool ret_valid = false;  ///< the data of an entry in use have returned
    EntryIndex ret_entry = 0;
    bool rsp_ready = false;
  };

  void reset() {
    drains_ = false;
    entry_ = 0;
    next_ = 0;
  }

  /// Whether an entry in use has no slot left.
  bool full(EntryIndex entry) const { return newest_[entry] == kSlots - 1; }
  bool rsp_valid() const { return drains_; }
  EntryIndex rsp_entry() const { return entry_; }
  std::uint32_t rsp_slot() const { return slot_[entry_ * kSlots + next_]; }
  bool rsp_last() const { return drains_ && next_ == newest_[entry_]; }
  /// Whether the last request of the entry that drains leaves in this cycle.
  bool leaves(bool rsp_ready) const { return rsp_last() && rsp_ready; }
  bool ret_ready(bool rsp_ready) const { return !drains_ || leaves(rsp_ready); }
  bool draining(unsigned entry) const { return drains_ && entry_ == entry; }

  void commit(const In& in) {
    const bool ready = ret_ready(in.rsp_ready);
    if (in.put_valid) {
      const auto slot = static_cast<std::uint8_t>(in.put_first ? 0 : newest_[in.put_entry] + 1u);
      newest_[in.put_entry] = slot;
      slot_[in.put_entry * kSlots + slot] = in.put_slot;
    }
    if (ready) {
      drains_ = in.ret_valid;
      entry_ = in.ret_entry;
      next_ = 0;
    } else if (in.rsp_ready) {
      ++next_;
    }
  }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("slot", &MshrSlotsCore::slot_);
    v("newest", &MshrSlotsCore::newest_);
    v("drains", &MshrSlotsCore::drains_);
    v("entry", &MshrSlotsCore::entry_);
    v("next", &MshrSlotsCore::next_);
  }

 private:
  std::array<std::uint32_t, kEntries * kSlots> slot_{};
  std::array<std::uint8_t, kEntries> newest_{};  // the slot taken last
  bool drains_ = false;
  EntryIndex entry_ = 0;   // that drains, and
  std::uint8_t next_ = 0;  // its slot that leaves next
};

}  // namespace warpmem::units
