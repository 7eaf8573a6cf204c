// SPDX-License-Identifier: Apache-2.0
// Dynamic Allocation Unit of DL-MSHR (DL 4.5, docs/mechanisms.md 2.3), synthesizable core.
// rtl/dau/README.md has the rules, the states and the timing. This is the same structure in C++: a
// state machine for each set, and the selection around them.
#pragma once

#include <array>
#include <cstdint>

#include "units/dau/dau_set.hpp"
#include "units/dau/dau_unit.hpp"

namespace warpmem::units {

/// There are `kSets` (1..4096) slot sets of `kSlots` (1, 2, 4, 8) slots; the first `kReserved`
/// (0..kSets) sets are heads only.
template <unsigned kSets, unsigned kSlots, unsigned kReserved>
class DauCore {
  static_assert(kSets >= 1 && kSets <= 4096, "dau: SETS must be 1 to 4096");
  static_assert(kSlots == 1 || kSlots == 2 || kSlots == 4 || kSlots == 8,
                "dau: SLOTS must be 1, 2, 4 or 8");
  static_assert(kReserved <= kSets, "dau: RESERVED must not exceed SETS");

 public:
  using SetIndex = std::uint16_t;
  using SetCount = std::uint16_t;

  using In = DauIn;
  using Out = DauOut;

  DauCore() { reset(); }

  void reset() {
    for (unsigned i = 0; i < kSets; ++i) {
      set_[i].reset();
      next_[i] = 0;
      peer_[i] = 0;
    }
    n_free_ = kSets;
    n_linkable_ = kSets - kReserved;
    freed_ = 0;
    freed_valid_ = false;
  }

  Out eval(const In& in) const {
    const Decision d = decide(in);
    Out out;
    out.req_ready = d.req_ready;
    out.rf = in.req_valid && !d.req_ready;
    if (d.req_ready) out.req_set = d.set;
    if (d.req_ready && in.req_secondary && !d.link) out.req_slot = set_[d.set].count();
    out.req_link = d.link;
    out.ret_ready = d.ret_ready;
    out.release_busy = d.release_busy;
    out.n_free = n_free_;
    out.n_linkable = n_linkable_;
    return out;
  }

  void commit(const In& in) {
    const Decision d = decide(in);
    const bool avail = n_linkable_ != 0;
    const bool fire = in.req_valid && d.req_ready;
    bool freed = false;
    SetIndex freed_set = 0;

    for (unsigned i = 0; i < kSets; ++i) {
      if (set_[i].s_free() && d.set != i) continue;  // nothing happens to a free set
      typename Set::In set_in;
      set_in.req_h = fire && !in.req_secondary && d.set == i;
      set_in.req_a = fire && d.link && d.set == i;
      set_in.req = in.req_valid && in.req_secondary && d.merges && d.tail == i;
      set_in.avail = avail;
      set_in.ret =
          d.ret_fire && (in.ret_head == i || (set_[i].attached() && peer_[i] == in.ret_head));
      set_in.free_ext = freed_valid_ && freed_ == next_[i];
      if (set_[i].stays(set_in)) continue;

      if (set_[i].freeing(set_in)) {
        freed = true;
        freed_set = static_cast<SetIndex>(i);
      }
      set_[i].commit(set_in);
      if (set_in.req_h) peer_[i] = static_cast<SetIndex>(i);
      if (set_in.req_a) peer_[i] = static_cast<SetIndex>(in.req_head);
      if (fire && d.link && d.tail == i) next_[i] = d.set;
    }
    if (fire && d.link) peer_[in.req_head] = d.set;

    const bool takes = fire && (!in.req_secondary || d.link);
    if (takes) {
      --n_free_;
      if (d.set >= kReserved) --n_linkable_;
    }
    if (freed) {
      ++n_free_;
      if (freed_set >= kReserved) ++n_linkable_;
    }
    freed_ = freed_set;
    freed_valid_ = freed;
  }

  // Registers and state bits of a set.
  std::uint8_t state(unsigned set) const { return set_[set].state(); }
  std::uint8_t count(unsigned set) const { return set_[set].count(); }
  bool linked(unsigned set) const { return set_[set].linked(); }
  bool head(unsigned set) const { return set < kReserved || set_[set].head(); }
  bool s_free(unsigned set) const { return set_[set].s_free(); }
  bool s_full(unsigned set) const { return set_[set].s_full(); }
  bool fail(unsigned set) const { return set_[set].fail(); }
  bool releasing(unsigned set) const { return set_[set].releasing(); }
  SetIndex next(unsigned set) const { return next_[set]; }
  SetIndex peer(unsigned set) const { return peer_[set]; }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("set", &DauCore::set_);
    v("next", &DauCore::next_);
    v("peer", &DauCore::peer_);
    v("n_free", &DauCore::n_free_);
    v("n_linkable", &DauCore::n_linkable_);
    v("freed", &DauCore::freed_);
    v("freed_valid", &DauCore::freed_valid_);
  }

 private:
  using Set = DauSet<kSlots>;

  struct Decision {
    bool req_ready = false;
    bool merges = false;  // a secondary request to a live chain
    bool link = false;
    SetIndex set = 0;  // set that the request gets
    SetIndex tail = 0;
    bool ret_ready = false;
    bool ret_fire = false;
    bool release_busy = false;
  };

  bool active(std::uint32_t set) const { return set < kSets && set_[set].active(); }

  SetIndex lowest_free(unsigned from) const {
    for (unsigned i = from; i < kSets; ++i)
      if (set_[i].s_free()) return static_cast<SetIndex>(i);
    return 0;
  }

  Decision decide(const In& in) const {
    Decision d;
    bool head_freed = false;
    for (unsigned i = 0; i < kSets; ++i) {
      if (!set_[i].releasing()) continue;
      d.release_busy = true;
      typename Set::In set_in;
      set_in.free_ext = freed_valid_ && freed_ == next_[i];
      if (set_[i].head() && set_[i].freeing(set_in)) head_freed = true;
    }
    d.ret_ready = !d.release_busy || head_freed;
    d.ret_fire = in.ret_valid && d.ret_ready && active(in.ret_head);

    if (!in.req_secondary) {
      d.req_ready = n_free_ != 0;
      d.set = lowest_free(0);
      return d;
    }
    d.merges = active(in.req_head) && !(d.ret_fire && in.ret_head == in.req_head);
    if (!d.merges) return d;
    d.tail = peer_[in.req_head];
    const bool tail_full = set_[d.tail].s_full();
    d.req_ready = !tail_full || n_linkable_ != 0;
    d.link = tail_full && d.req_ready;
    d.set = d.link ? lowest_free(kReserved) : d.tail;
    return d;
  }

  std::array<Set, kSets> set_;
  std::array<SetIndex, kSets> next_;
  std::array<SetIndex, kSets> peer_;
  SetCount n_free_;
  SetCount n_linkable_;
  SetIndex freed_;  // set freed in the last cycle, which gives S_free_EXT to the set before it
  bool freed_valid_;
};

}  // namespace warpmem::units
