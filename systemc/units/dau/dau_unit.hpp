// SPDX-License-Identifier: Apache-2.0
// The Dynamic Allocation Unit of DL-MSHR, described once for all its views.
#pragma once

#include <cstdint>

#include "units/bits_for.hpp"
#include "units/unit_fields.hpp"

namespace warpmem::units {

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

  using Size = DauSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("req_valid", &DauIn::req_valid, 1);
    v("req_secondary", &DauIn::req_secondary, 1);
    v("req_head", &DauIn::req_head, bits_for(size.sets));
    v("ret_valid", &DauIn::ret_valid, 1);
    v("ret_head", &DauIn::ret_head, bits_for(size.sets));
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

  using Size = DauSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("req_ready", &DauOut::req_ready, 1);
    v("rf", &DauOut::rf, 1);
    v("req_set", &DauOut::req_set, bits_for(size.sets));
    v("req_slot", &DauOut::req_slot, bits_for(size.slots));
    v("req_link", &DauOut::req_link, 1);
    v("ret_ready", &DauOut::ret_ready, 1);
    v("release_busy", &DauOut::release_busy, 1);
    v("n_free", &DauOut::n_free, bits_for(size.sets + 1));
    v("n_linkable", &DauOut::n_linkable, bits_for(size.sets + 1));
  }
};

/// State codes of a set, equal in all views.
enum class DauState : std::uint8_t { s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10 };
inline constexpr unsigned kDauStates = 11;
/// The states' names (DL Fig 8), and what a set is in each.
constexpr const char* dau_state_text(DauState state) {
  constexpr const char* kTexts[kDauStates] = {"S0_free",
                                              "S1_head",
                                              "S2_head_full",
                                              "S3_head_linked",
                                              "S4_head_no_room",
                                              "S5_head_released",
                                              "S6_attached",
                                              "S7_attached_full",
                                              "S8_attached_linked",
                                              "S9_attached_no_room",
                                              "S10_attached_released"};
  const auto number = static_cast<unsigned>(state);
  return number < kDauStates ? kTexts[number] : "no_state";
}

constexpr bool is_active_head(DauState s) { return s >= DauState::s1 && s <= DauState::s4; }
constexpr bool is_attached(DauState s) { return s >= DauState::s6; }

/// Architectural state of all sets. Each field is an array with an element for each set.
struct DauSets {
  const DauState* state;
  const std::uint8_t* count;   ///< slots taken in S1 and S6, else 0
  const std::uint8_t* linked;  ///< L; keeps its value while the set is released
  /// P, the set linked behind; keeps its last value where it means nothing.
  const std::uint16_t* next;
  /// Tail of the chain (in a head), head of the chain (in an attached set).
  const std::uint16_t* peer;

  template <class V>
  static void signals(V&& v, const DauSize& size) {
    for (unsigned i = 0; i < size.sets; ++i) {
      v("set", i, "state", 0, [i](const DauSets& s) { return dau_state_text(s.state[i]); });
      v("set", i, "count", bits_for(size.slots), [i](const DauSets& s) { return s.count[i]; });
      v("set", i, "next", bits_for(size.sets), [i](const DauSets& s) { return s.next[i]; });
      v("set", i, "peer", bits_for(size.sets), [i](const DauSets& s) { return s.peer[i]; });
    }
  }
};

struct DauDescription : UnitDefaults {
  using In = DauIn;
  using Out = DauOut;
  using Size = DauSize;
  using State = DauSets;

  static constexpr const char* kName = "dau";
  static constexpr const char* kViewKey = "mshr.dau";
  static constexpr const char* const kStatePins[] = {
      "head", "linked", "s_free", "s_full", "fail", "releasing", "count", "next", "peer"};
  static constexpr unsigned kPlace = 1;
  static constexpr unsigned kProofPlace = 1;
  // A set that is only ever a head has bits that never change.
  static constexpr std::size_t kCounted = 1;

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"SETS", "sets", "--sets", "slot sets", 1, kMostDauSets}, size.sets);
    v(SizeField{"SLOTS", "slots", "--slots", "slots of a set"}, size.slots);
    v(SizeField{"RESERVED", "reserved", "--reserved", "sets that are heads only"}, size.reserved);
  }
  // The first is L1D of configs/gu-dlmshr.yaml; {64, 2, 32} is its L2.
  static constexpr Size kSizes[] = {{128, 2, 64}, {16, 2, 0},   {1, 1, 0},    {1, 2, 1},
                                    {3, 8, 1},    {33, 4, 16},  {70, 1, 3},   {96, 4, 0},
                                    {64, 2, 32},  {128, 8, 64}, {128, 2, 128}};
  static constexpr Size kAttacked = {4, 2, 1};
  static constexpr UnitProof kProofs[] = {
      {"SETS=4 SLOTS=2 RESERVED=1", true},
      {"SETS=4 SLOTS=1 RESERVED=0"},
      {"SETS=3 SLOTS=4 RESERVED=0"},
      {"SETS=1 SLOTS=8 RESERVED=0", true},
      {"SETS=2 SLOTS=2 RESERVED=2", true},
      // S4 and S9 are 12 cycles from the reset; to know the first eight keeps 14 in reach.
      {"SETS=8 SLOTS=2 RESERVED=2", false, ProofMethod::bounded, 14, true, 6}};
};

}  // namespace warpmem::units
