// SPDX-License-Identifier: Apache-2.0
// Dynamic Allocation Unit of DL-MSHR (DL 4.5) as a synthesizable core: fixed sizes, no heap, loops
// with constant bounds, two calls as in hardware. Cycle-identical to rtl/dau (whose README has the
// rules) and to the class in mha/dl; fields are named like the RTL's ports.
#pragma once

#include <array>
#include <cstdint>

namespace warpmem::units {

/// SETS slot sets of SLOTS slots; sets 0 .. RESERVED-1 are never attached to another.
template <unsigned SETS, unsigned SLOTS, unsigned RESERVED>
class DauCore {
  static_assert(SETS >= 1 && SETS <= 65536, "SETS must be 1 to 65536");
  static_assert(SLOTS >= 1 && SLOTS <= 255, "SLOTS must be 1 to 255");
  static_assert(RESERVED <= SETS, "RESERVED must not exceed SETS");

 public:
  struct In {
    bool req_valid = false;
    bool req_secondary = false;
    std::uint32_t req_head = 0;
    bool ret_valid = false;
    std::uint32_t ret_head = 0;
  };

  struct Out {
    bool req_ready = false;
    bool rf = false;
    std::uint32_t req_set = 0;
    std::uint32_t req_slot = 0;
    bool req_link = false;
    bool ret_ready = false;
    bool release_busy = false;
    std::uint32_t n_free = 0;
    std::uint32_t n_linkable = 0;
  };

  /// Codes of DL Fig 8.
  enum State : std::uint8_t { S0, S1, S2, S3, S4, S5, S6, S7, S8, S9, S10 };

  /// Architectural state; reset is the default value.
  struct Sets {
    std::array<std::uint8_t, SETS> state{};
    std::array<std::uint8_t, SETS> count{};   ///< slots taken in S1 and S6; else 0
    std::array<std::uint8_t, SETS> linked{};  ///< L
    std::array<std::uint16_t, SETS> next{};   ///< P
    std::array<std::uint16_t, SETS> peer{};   ///< head: its tail; attached set: its head
  };

  Out eval(const In& in) const { return decide(in).out; }

  void commit(const In& in) {
    const Decision d = decide(in);
    const bool linkable = n_linkable_ != 0;
    const bool request = in.req_valid && d.out.req_ready;
    const bool takes_set = request && (!in.req_secondary || d.out.req_link);
    const bool takes_ordinary = takes_set && d.out.req_set >= RESERVED;

    Sets s = sets_;
    for (unsigned i = 0; i < SETS; ++i) {
      s.state[i] = step(i, in, d, linkable);
      if (s.state[i] == S0) s.linked[i] = 0;
      if (s.state[i] != S1 && s.state[i] != S6) s.count[i] = 0;
    }
    if (request) {
      const unsigned set = d.out.req_set;
      if (s.state[set] == S1 || s.state[set] == S6) ++s.count[set];
      if (takes_set) s.peer[set] = static_cast<std::uint16_t>(in.req_secondary ? in.req_head : set);
      if (d.out.req_link) {
        s.linked[d.tail] = 1;
        s.next[d.tail] = static_cast<std::uint16_t>(set);
        s.peer[in.req_head] = static_cast<std::uint16_t>(set);
      }
    }
    sets_ = s;

    const bool frees = d.freed != SETS;
    const bool frees_ordinary = frees && d.freed >= RESERVED;
    n_free_ = n_free_ + frees - takes_set;
    n_linkable_ = n_linkable_ + frees_ordinary - takes_ordinary;
  }

  void reset() {
    sets_ = Sets{};
    n_free_ = SETS;
    n_linkable_ = SETS - RESERVED;
  }

  const Sets& sets() const { return sets_; }

 private:
  struct Decision {
    Out out;
    bool ret = false;       // RET is accepted
    bool fail = false;      // a valid secondary finds its tail full and no set to link
    unsigned tail = 0;      // of the chain of a secondary that the unit looks at
    unsigned freed = SETS;  // the set that goes to S0, or SETS
  };

  bool live(std::uint32_t set) const {
    return set < SETS && sets_.state[set] >= S1 && sets_.state[set] <= S4;
  }

  /// A releasing set goes when none follows or the following one has gone (S_free_EXT).
  bool goes(unsigned i) const {
    const bool releasing = sets_.state[i] == S5 || sets_.state[i] == S10;
    return releasing && (!sets_.linked[i] || sets_.state[sets_.next[i]] == S0);
  }

  unsigned lowest_free(unsigned from) const {
    unsigned lowest = 0;
    for (unsigned i = SETS; i > 0; --i) {
      if (i > from && sets_.state[i - 1] == S0) lowest = i - 1;
    }
    return lowest;
  }

  Decision decide(const In& in) const {
    Decision d;
    bool head_stays = false;
    for (unsigned i = 0; i < SETS; ++i) {
      if (goes(i)) d.freed = i;
      if (sets_.state[i] == S5) {
        d.out.release_busy = true;
        head_stays = !goes(i);
      }
    }
    d.out.n_free = n_free_;
    d.out.n_linkable = n_linkable_;
    d.out.ret_ready = !head_stays;
    d.ret = in.ret_valid && d.out.ret_ready && live(in.ret_head);

    if (!in.req_secondary) {
      d.out.req_ready = n_free_ != 0;
      if (d.out.req_ready) d.out.req_set = lowest_free(0);
    } else if (live(in.req_head) && !(d.ret && in.ret_head == in.req_head)) {
      d.tail = sets_.peer[in.req_head];
      const bool full = sets_.state[d.tail] != S1 && sets_.state[d.tail] != S6;
      d.out.req_link = full && n_linkable_ != 0;
      d.out.req_ready = !full || d.out.req_link;
      d.fail = in.req_valid && !d.out.req_ready;
      if (d.out.req_link) d.out.req_set = lowest_free(RESERVED);
      if (!full) d.out.req_set = d.tail;
      if (!full) d.out.req_slot = sets_.count[d.tail];
    }
    d.out.rf = in.req_valid && !d.out.req_ready;
    return d;
  }

  /// State of set i after the clock edge.
  std::uint8_t step(unsigned i, const In& in, const Decision& d, bool linkable) const {
    const bool request = in.req_valid && d.out.req_ready;
    const bool gets = request && d.out.req_set == i;  // a slot of this set
    const bool links = request && d.out.req_link && d.tail == i;
    const bool fails = d.fail && d.tail == i;
    const bool fills = gets && sets_.count[i] + 1U == SLOTS;
    const std::uint8_t state = sets_.state[i];
    if (d.ret && state >= S1 && state <= S4 && in.ret_head == i) return S5;
    if (d.ret && state >= S6 && state <= S9 && in.ret_head == sets_.peer[i]) return S10;
    switch (state) {
      case S0:
        if (!gets) return S0;
        if (in.req_secondary) return fills ? S7 : S6;
        return fills ? S2 : S1;
      case S1:
        return fills ? S2 : S1;
      case S2:
        return links ? S3 : fails ? S4 : S2;
      case S4:
        return links ? S3 : linkable ? S2 : S4;
      case S6:
        return fills ? S7 : S6;
      case S7:
        return links ? S8 : fails ? S9 : S7;
      case S9:
        return links ? S8 : linkable ? S7 : S9;
      case S5:
      case S10:
        return d.freed == i ? S0 : state;
      default:
        return state;
    }
  }

  Sets sets_;
  std::uint32_t n_free_ = SETS;
  std::uint32_t n_linkable_ = SETS - RESERVED;
};

}  // namespace warpmem::units
