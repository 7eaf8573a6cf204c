// SPDX-License-Identifier: Apache-2.0
// State machine of one slot set (DL Fig 8; the table is in rtl/dau/README.md).
#pragma once

#include <cstdint>

namespace warpmem::units {

template <unsigned kSlots>
class DauSet {
 public:
  struct In {
    bool req_h = false;     // the set becomes a head; the primary miss takes slot 0
    bool req_a = false;     // the set is attached; a secondary miss takes slot 0
    bool req = false;       // a secondary miss comes, and this set is the chain's tail
    bool avail = false;     // a set can be linked
    bool ret = false;       // the chain is released
    bool free_ext = false;  // the following set has been freed (S_free_EXT)
  };
  enum State : std::uint8_t { S0, S1, S2, S3, S4, S5, S6, S7, S8, S9, S10 };

  void reset() {
    state_ = S0;
    count_ = 0;
    linked_ = false;
  }

  State state() const { return state_; }
  std::uint8_t count() const { return count_; }
  bool linked() const { return linked_; }
  bool head() const { return state_ >= S1 && state_ <= S5; }
  bool active() const { return state_ >= S1 && state_ <= S4; }
  bool attached() const { return state_ >= S6; }
  bool s_free() const { return state_ == S0; }
  bool s_full() const { return (state_ >= S2 && state_ <= S4) || (state_ >= S7 && state_ <= S9); }
  bool fail() const { return state_ == S4 || state_ == S9; }
  bool releasing() const { return state_ == S5 || state_ == S10; }
  bool freeing(const In& in) const { return releasing() && (!linked_ || in.free_ext); }

  /// Returns whether nothing happens to the set in this cycle.
  bool stays(const In& in) const {
    return !(in.req_h || in.req_a || in.req || in.ret) && !releasing() && !fail();
  }

  void commit(const In& in) {
    switch (state_) {
      case S0:
        if (in.req_h) take(kSlots > 1 ? S1 : S2);
        if (in.req_a) take(kSlots > 1 ? S6 : S7);
        break;
      case S1:
        fill(in, S2, S5);
        break;
      case S2:
      case S4:
        link(in, S2, S3, S4, S5);
        break;
      case S3:
        if (in.ret) state_ = S5;
        break;
      case S6:
        fill(in, S7, S10);
        break;
      case S7:
      case S9:
        link(in, S7, S8, S9, S10);
        break;
      case S8:
        if (in.ret) state_ = S10;
        break;
      case S5:
      case S10:
        if (freeing(in)) reset();
        break;
    }
  }

  template <class V>
  static constexpr void registers(V&& v) {
    v("state", &DauSet::state_);
    v("count", &DauSet::count_);
    v("linked", &DauSet::linked_);
  }

 private:
  void take(State taken) {
    state_ = taken;
    count_ = kSlots > 1 ? 1 : 0;
  }
  // In S1 and S6 a slot is free.
  void fill(const In& in, State full, State release) {
    if (in.ret) {
      state_ = release;
      count_ = 0;
    } else if (in.req) {
      ++count_;
      if (count_ == kSlots) {
        state_ = full;
        count_ = 0;
      }
    }
  }
  // In S2 and S4, and in S7 and S9, the set is full and nothing is linked.
  void link(const In& in, State full, State linked, State fail, State release) {
    if (in.ret) {
      state_ = release;
    } else if (in.req) {
      state_ = in.avail ? linked : fail;
      linked_ = in.avail;
    } else if (in.avail) {
      state_ = full;
    }
  }

  State state_ = S0;
  std::uint8_t count_ = 0;  // slots taken in S1 and S6, else 0
  bool linked_ = false;     // L; keeps its value while the set is released
};

}  // namespace warpmem::units
