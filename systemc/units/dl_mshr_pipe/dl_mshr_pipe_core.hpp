// SPDX-License-Identifier: Apache-2.0
// Pipelined dynamically linked MSHR file (DL 4, 6.3), synthesizable core. Stage 1 compares, stage 2
// decides; rtl/dl_mshr_pipe/README.md has the rules and the timing.
#pragma once

#include <array>
#include <cstdint>

#include "units/dl_mshr_pipe/dl_mshr_pipe_unit.hpp"
#include "units/mshr_sectors_core.hpp"

namespace warpmem::units {

/// Of what is kept of a request the first 32 bits are here, whatever `kSlotBits` is. `kReleases`
/// drained chains can wait for their release. Whether comparators are gated shows in
/// their toggles alone, so `kGating` has no effect here. With `kStorage` 1 a slot that is to be
/// read waits while one is written; 0 and 2 differ in hardware alone (rtl/common/README.md).
template <unsigned kSets, unsigned kSlots, unsigned kReserved, unsigned kAddrBits,
          unsigned kSlotBits, unsigned kReleases, unsigned kGating, unsigned kSectors = 1,
          unsigned kStorage = 0>
class DlMshrPipeCore {
  static_assert(kSets >= 1 && kSets <= 4096, "dl_mshr_pipe: SETS must be 1 to 4096");
  static_assert(kSlots == 1 || kSlots == 2 || kSlots == 4 || kSlots == 8,
                "dl_mshr_pipe: SLOTS must be 1, 2, 4 or 8");
  static_assert(kReserved <= kSets, "dl_mshr_pipe: RESERVED must not exceed SETS");
  static_assert(kAddrBits >= 1 && kAddrBits <= 64, "dl_mshr_pipe: ADDR_BITS must be 1 to 64");
  static_assert(kSlotBits >= 1 && kSlotBits <= 1040, "dl_mshr_pipe: SLOT_BITS must be 1 to 1040");
  static_assert(kReleases >= 1 && kReleases <= kSets, "dl_mshr_pipe: RELEASES must be 1 to SETS");
  static_assert(kGating <= 1, "dl_mshr_pipe: GATING must be 0 or 1");
  static_assert(kStorage <= 2, "dl_mshr_pipe: STORAGE must be 0, 1 or 2");

 public:
  using In = MshrIn;
  using Out = MshrOut;

  DlMshrPipeCore() { reset(); }

  /// What was never written means nothing, so a reset leaves addresses, pointers and slots alone.
  void reset() {
    for (unsigned i = 0; i < kSets; ++i) {
      free_[i] = true;
      live_[i] = false;
    }
    n_free_ = kSets;
    n_linkable_ = kSets - kReserved;
    ask_ = {};
    back_ = {};
    drains_ = walks_ = freed_ = slot_waits_ = false;
    first_ = number_ = 0;
  }

  Out eval(const In& in) const {
    const Answer a = answer();
    const Step s = step(in);
    Out out;
    out.req_ready = a.alloc || a.take || a.link;
    out.req_secondary = ask_.found || ask_.drained;
    out.req_entry = out.req_ready ? a.set : 0;
    out.req_link = a.link;
    if (out.req_ready) out.req_fetch = a.fetch;
    out.rf = ask_.valid && !out.req_ready;
    if (out.rf) {
      out.rf_cause = ask_.drained || (ask_.found && ask_.returns) ? MshrFail::draining
                     : ask_.found                                 ? MshrFail::merge_full
                                                                  : MshrFail::entry_full;
    }
    out.ret_ready = s.ret_ready;
    out.err = back_.valid && !back_.found;
    out.rsp_valid = s.rsp_valid;
    out.rsp_entry = set_;
    out.rsp_addr = drain_addr_;
    out.rsp_slot = read_;
    out.rsp_last = s.rsp_valid && s.last;
    out.n_free = n_free_;
    out.n_linkable = n_linkable_;
    out.release_busy = freed_;
    return out;
  }

  void commit(const In& in) {
    const Answer a = answer();
    const Step s = step(in);
    const SetIndex next_set = next_[set_];
    const SetIndex first_head = number_ == 0 ? head_ : queue_[first_];
    const SetIndex first_tail = number_ == 0 ? last_set_ : tails_[first_];
    const SetIndex walk_peer = peer_[walk_set_];
    const SetIndex left = head_, left_tail = last_set_;
    // The drain and the reads of slots. A request beside its return is its chain's last one.
    store(a);
    come(a);
    if (s.drains) {
      drain_addr_ = back_.addr;
      last_set_ = peer_[back_.head];
      last_slot_ = static_cast<std::uint8_t>((count_[back_.head] + kSlots - 1u) % kSlots);
      head_ = set_ = back_.head;
      place_ = 0;
      live_[back_.head] = false;
    } else if (s.moves) {
      if (place_ == kSlots - 1u) set_ = next_set;
      place_ = static_cast<std::uint8_t>((place_ + 1u) % kSlots);
    }
    const bool reads = s.drains || s.moves || slot_waits_;
    slot_waits_ = kStorage == 1 && reads && (a.alloc || a.take || a.link);
    if (reads && !slot_waits_) read_ = slot_[set_ * kSlots + place_];
    drains_ = s.drains || (drains_ && !s.leaves);

    // The release: the walk finds the sets of a chain from its tail on, a set a cycle, and frees
    // each in the cycle after.
    if (freed_) free_set(freed_set_);
    freed_ = walks_;
    freed_set_ = walk_set_;
    if (s.leaves && !(s.ready && number_ == 0)) {
      queue_[(first_ + number_) % kReleases] = left;
      tails_[(first_ + number_) % kReleases] = left_tail;
      ++number_;
    }
    if (s.get) {
      first_ = static_cast<SetIndex>((first_ + 1u) % kReleases);
      --number_;
    }
    if (!s.ready) {
      walk_set_ = walk_peer;
    } else {
      walks_ = s.get || s.leaves;
      walk_head_ = first_head;
      walk_set_ = first_tail;
    }

    shift(in, s);
  }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("addr", &DlMshrPipeCore::addr_);
    v("next", &DlMshrPipeCore::next_);
    v("peer", &DlMshrPipeCore::peer_);
    v("count", &DlMshrPipeCore::count_);
    v("is_free", &DlMshrPipeCore::free_);
    v("live", &DlMshrPipeCore::live_);
    v("slot", &DlMshrPipeCore::slot_);
    v("sectors", &DlMshrPipeCore::sectors_);
    v("n_free", &DlMshrPipeCore::n_free_);
    v("n_linkable", &DlMshrPipeCore::n_linkable_);
    v("ask", &DlMshrPipeCore::ask_);
    v("back", &DlMshrPipeCore::back_);
    v("drains", &DlMshrPipeCore::drains_);
    v("drain_addr", &DlMshrPipeCore::drain_addr_);
    v("head", &DlMshrPipeCore::head_);
    v("set", &DlMshrPipeCore::set_);
    v("place", &DlMshrPipeCore::place_);
    v("last_set", &DlMshrPipeCore::last_set_);
    v("last_slot", &DlMshrPipeCore::last_slot_);
    v("read", &DlMshrPipeCore::read_);
    v("slot_waits", &DlMshrPipeCore::slot_waits_);
    v("queue", &DlMshrPipeCore::queue_);
    v("tails", &DlMshrPipeCore::tails_);
    v("first", &DlMshrPipeCore::first_);
    v("number", &DlMshrPipeCore::number_);
    v("walks", &DlMshrPipeCore::walks_);
    v("walk_head", &DlMshrPipeCore::walk_head_);
    v("walk_set", &DlMshrPipeCore::walk_set_);
    v("freed", &DlMshrPipeCore::freed_);
    v("freed_set", &DlMshrPipeCore::freed_set_);
  }

 private:
  using SetIndex = std::uint16_t;
  using Sectors = MshrSectorsCore<kSets, kSectors>;
  using Mask = typename Sectors::Mask;

  /// This is what stage 1 leaves of a request, or of a return.
  struct Stage {
    bool valid = false;
    bool found = false;    // a chain that waits for its data has the address: that of
    SetIndex head = 0;     // this head
    bool drained = false;  // request: the chain of the address drains, or
    bool returns = false;  // its data wait in stage 2
    std::uint64_t addr = 0;
    std::uint32_t slot = 0;
    Mask sectors = 0;  // request: that the line lacks; return: that have come
    Mask held = 0;     // request: that the cache keeps

    template <class V>
    static constexpr void registers(V&& v) {
      v("valid", &Stage::valid);
      v("found", &Stage::found);
      v("head", &Stage::head);
      v("drained", &Stage::drained);
      v("returns", &Stage::returns);
      v("addr", &Stage::addr);
      v("slot", &Stage::slot);
      v("sectors", &Stage::sectors);
      v("held", &Stage::held);
    }
  };
  /// This is what stage 2 decides about its request.
  struct Answer {
    bool alloc = false, take = false, link = false;
    Mask fetch = 0;
    SetIndex set = 0;
    SetIndex tail = 0;
  };
  /// This is what else happens at the edge.
  struct Step {
    bool last = false, rsp_valid = false, leaves = false, moves = false;
    bool drains = false, ret_ready = false;
    bool ready = false;  // the walk of the release can begin at another chain
    bool get = false;    // and does so at one that waits
  };

  static unsigned lowest_from(const std::array<bool, kSets>& sets, unsigned first) {
    for (unsigned i = first; i < kSets; ++i)
      if (sets[i]) return i;
    return 0;
  }

  Answer answer() const {
    Answer a;
    const bool merges = ask_.found && !ask_.returns;
    const bool full = count_[ask_.head] == 0;
    a.alloc = ask_.valid && !ask_.found && !ask_.drained && n_free_ != 0;
    a.take = merges && !full;
    a.link = merges && full && n_linkable_ != 0;
    a.tail = ask_.found ? peer_[ask_.head] : 0;
    if (a.take) a.set = a.tail;
    if (a.alloc) a.set = static_cast<SetIndex>(lowest_from(free_, 0));
    if (a.link) a.set = static_cast<SetIndex>(lowest_from(free_, kReserved));
    a.fetch = sectors_.fetch(!ask_.found, ask_.head, ask_.sectors);
    return a;
  }

  Step step(const In& in) const {
    Step s;
    s.ready = !walks_ || walk_set_ == walk_head_;
    s.get = s.ready && number_ != 0;
    s.last = set_ == last_set_ && place_ == last_slot_;
    s.rsp_valid = drains_ && (!s.last || number_ != kReleases || s.ready) && !slot_waits_;
    s.leaves = s.rsp_valid && s.last && in.rsp_ready;
    s.moves = s.rsp_valid && !s.last && in.rsp_ready;
    const bool whole = back_.found && whole_with(answer());
    s.drains = whole && (!drains_ || s.leaves);
    s.ret_ready = !whole || !drains_ || s.leaves;
    return s;
  }

  /// Whether all sectors of a chain are here with the return in stage 2. A request that came beside
  /// it may fetch more, for which the chain then waits.
  bool whole_with(const Answer& a) const {
    const bool beside = ask_.found && !ask_.returns && ask_.addr == back_.addr;
    return sectors_.last(back_.head, back_.sectors) &&
           !(beside && (a.take || a.link) && a.fetch != 0);
  }

  /// Notes what stage 2 asks for, and what has come.
  void come(const Answer& a) {
    typename Sectors::In in;
    in.put_valid = a.alloc || a.take || a.link;
    in.put_first = a.alloc;
    in.put_entry = a.alloc ? a.set : ask_.head;
    in.put_sectors = ask_.sectors;
    in.put_held = ask_.held;
    in.ret_valid = back_.found;
    in.ret_entry = back_.head;
    in.ret_sectors = back_.sectors;
    sectors_.commit(in);
  }

  void free_set(SetIndex set) {
    free_[set] = true;
    ++n_free_;
    if (set >= kReserved) ++n_linkable_;
  }

  void store(const Answer& a) {
    if (!a.alloc && !a.take && !a.link) return;
    const SetIndex head = a.alloc ? a.set : ask_.head;
    slot_[a.set * kSlots + (a.take ? count_[head] : 0u)] = ask_.slot;
    count_[head] = static_cast<std::uint8_t>((a.take ? count_[head] + 1u : 1u) % kSlots);
    if (a.take) return;
    peer_[a.set] = a.alloc ? a.set : a.tail;
    if (a.link) next_[a.tail] = a.set;
    peer_[head] = a.set;
    free_[a.set] = false;
    --n_free_;
    if (a.set >= kReserved) --n_linkable_;
    if (a.alloc) {
      addr_[head] = ask_.addr;
      live_[head] = true;
    }
  }

  /// Moves what stands in stage 1 to stage 2, which must find what is there after this edge.
  void shift(const In& in, const Step& s) {
    ask_ = {};
    if (in.req_valid) {
      ask_.valid = true;
      ask_.addr = in.req_addr;
      ask_.slot = in.req_slot;
      ask_.sectors = in.req_sectors;
      ask_.held = in.req_held;
      ask_.returns = !s.ret_ready && back_.addr == in.req_addr;
      ask_.drained = drains_ && drain_addr_ == in.req_addr;
      find(&ask_);
    }
    if (!s.ret_ready) return;
    back_ = {};
    if (!in.ret_valid) return;
    back_.valid = true;
    back_.addr = in.ret_addr;
    back_.sectors = in.ret_sectors;
    find(&back_);
  }
  void find(Stage* stage) const {
    for (unsigned i = 0; i < kSets; ++i) {
      if (!live_[i] || addr_[i] != stage->addr) continue;
      stage->found = true;
      stage->head = static_cast<SetIndex>(i);
    }
  }

  // The sets. A head's peer is the tail of its chain, another set's is the set before it.
  std::array<std::uint64_t, kSets> addr_{};  // blocks of heads
  std::array<SetIndex, kSets> next_{}, peer_{};
  std::array<std::uint8_t, kSets> count_{};  // of heads: slots taken in the tail; 0: it is full
  std::array<bool, kSets> free_{}, live_{};
  std::array<std::uint32_t, kSets * kSlots> slot_{};
  Sectors sectors_;  // of heads
  std::uint16_t n_free_ = kSets, n_linkable_ = kSets - kReserved;

  Stage ask_, back_;

  bool drains_ = false;
  std::uint64_t drain_addr_ = 0;
  SetIndex head_ = 0;       // of the chain that drains
  SetIndex set_ = 0;        // of the request that leaves next, and
  std::uint8_t place_ = 0;  // its slot
  SetIndex last_set_ = 0;   // the same of its last request
  std::uint8_t last_slot_ = 0;
  std::uint32_t read_ = 0;   // what the slot memory shows, unless
  bool slot_waits_ = false;  // the read waits for the port

  std::array<SetIndex, kReleases> queue_{}, tails_{};  // heads and tails of chains that wait
  SetIndex first_ = 0, number_ = 0;
  bool walks_ = false;
  SetIndex walk_head_ = 0, walk_set_ = 0;
  bool freed_ = false;
  SetIndex freed_set_ = 0;
};

}  // namespace warpmem::units
