// SPDX-License-Identifier: Apache-2.0
// Dynamic Allocation Unit of DL-MSHR (DL 4.5, Fig 8; docs/mechanisms.md 2.3): a state machine for
// each slot set, the selection of free sets, the counters of free sets, and the tail pointers.
// Three views agree in every cycle: the fast class (fast_dau.hpp), the synthesizable core
// (units/dau/) and the RTL (rtl/dau/, whose README has the rules and the states). Fields are named
// like the RTL's ports without _i and _o.
//
// The unit is used as hardware is: out = eval(in) is combinational, and commit(in) is the clock
// edge that ends the cycle. A cycle without inputs and without a release in progress may be left
// out: at most it takes sets from S4 to S2 and from S9 to S7, and these react alike to every input.
#pragma once

#include <cstdint>

namespace warpmem::mha {

inline constexpr std::uint32_t kMostDauSets = 4096;

struct DauSize {
  std::uint32_t sets = 16;     ///< slot sets, 1..kMostDauSets
  std::uint32_t slots = 2;     ///< slots of a set: 1, 2, 4 or 8
  std::uint32_t reserved = 0;  ///< sets 0..reserved-1 are heads only (optimisation 4), 0..sets
};

/// Inputs of one cycle.
struct DauIn {
  bool req_valid = false;      ///< a miss asks for a slot
  bool req_secondary = false;  ///< it merges into the chain of req_head; else it is a primary miss
  std::uint32_t req_head = 0;  ///< 0..2^ceil(log2 sets)-1; refused unless it is an active head
  bool ret_valid = false;      ///< the chain of ret_head may be released
  std::uint32_t ret_head = 0;  ///< the same range; ignored unless it is an active head

  bool operator==(const DauIn& o) const {
    return req_valid == o.req_valid && req_secondary == o.req_secondary && req_head == o.req_head &&
           ret_valid == o.ret_valid && ret_head == o.ret_head;
  }
};

/// Outputs of one cycle.
struct DauOut {
  /// Whether a request like the one on the inputs is accepted; ignores req_valid.
  bool req_ready = false;
  bool rf = false;            ///< reservation fail: req_valid and not req_ready
  std::uint32_t req_set = 0;  ///< set and slot that the request gets; 0 unless req_ready
  std::uint32_t req_slot = 0;
  bool req_link = false;  ///< req_set is newly linked behind the old tail
  /// No release is in progress, or its last set is freed in this cycle.
  bool ret_ready = false;
  bool release_busy = false;     ///< a release is in progress
  std::uint32_t n_free = 0;      ///< free sets: what a primary miss can take
  std::uint32_t n_linkable = 0;  ///< free ordinary sets: what a link can take

  bool operator==(const DauOut& o) const {
    return req_ready == o.req_ready && rf == o.rf && req_set == o.req_set &&
           req_slot == o.req_slot && req_link == o.req_link && ret_ready == o.ret_ready &&
           release_busy == o.release_busy && n_free == o.n_free && n_linkable == o.n_linkable;
  }
  bool operator!=(const DauOut& o) const { return !(*this == o); }
};

/// State codes of a set, equal in all views.
enum class DauState : std::uint8_t { s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10 };
inline constexpr unsigned kDauStates = 11;

constexpr bool is_active_head(DauState s) { return s >= DauState::s1 && s <= DauState::s4; }
constexpr bool is_attached(DauState s) { return s >= DauState::s6; }
constexpr bool is_releasing(DauState s) { return s == DauState::s5 || s == DauState::s10; }

/// Architectural state of all sets. Each field is an array with an element for each set.
struct DauSets {
  const DauState* state;
  const std::uint8_t* count;   ///< slots taken in S1 and S6, else 0
  const std::uint8_t* linked;  ///< L; keeps its value while the set is released
  /// P, the set linked behind; keeps its last value where it means nothing.
  const std::uint16_t* next;
  /// Tail of the chain (in a head), head of the chain (in an attached set).
  const std::uint16_t* peer;
};

class Dau {
 public:
  virtual ~Dau() = default;

  virtual DauOut eval(const DauIn& in) const = 0;
  virtual void commit(const DauIn& in) = 0;
  /// Frees every set and clears the pointers.
  virtual void reset() = 0;

  virtual const DauSize& size() const = 0;
  /// The arrays are valid until the next commit() or reset().
  virtual DauSets inspect() const = 0;
};

}  // namespace warpmem::mha
