// SPDX-License-Identifier: Apache-2.0
// Dynamic Allocation Unit of the DL-MSHR (DL 4.5, Fig 8; SPEC 2.3): one FSM a slot set, free-set
// selection, counters of free sets, tail pointers. Three implementations agree cycle by cycle: the
// class in this folder, the synthesizable core in units/dau, the RTL in rtl/dau.
//
// Used as hardware is: out = eval(in) is combinational, commit(in) is the clock edge.
//
//   primary    takes the lowest free reserved set, else the lowest free ordinary set
//   secondary  takes the next slot of the tail of `req_head`'s chain; when the tail is full, links
//              the lowest free ordinary set; refused (and the tail remembers it, S4/S9) if none
//   RET        frees the chain of `ret_head`, one set a cycle from the tail; the next RET is
//              accepted in the cycle in which the head goes
//
// Request and RET may come in one cycle. A secondary to the head that RET frees in this cycle, or to
// a set that is no active head, is refused and changes nothing; RET of such a set is ignored.
#pragma once

#include <cstdint>

namespace warpmem::mha {

/// State codes, equal in all three views (DL Fig 8).
enum class DauState : std::uint8_t { s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10 };
inline constexpr unsigned kDauStates = 11;

/// Inputs of one cycle; fields are named like the RTL ports (stem_i).
struct DauIn {
  bool req_valid = false;
  bool req_secondary = false;   ///< 0: primary miss
  std::uint32_t req_head = 0;   ///< secondary: the set that matched
  bool ret_valid = false;
  std::uint32_t ret_head = 0;
};

/// Outputs of one cycle (stem_o). The req_ fields are 0 unless req_ready.
struct DauOut {
  bool req_ready = false;       ///< the request is accepted in this cycle
  bool rf = false;              ///< reservation fail: req_valid and not req_ready
  std::uint32_t req_set = 0;    ///< where the request is stored
  std::uint32_t req_slot = 0;
  bool req_link = false;        ///< req_set was linked behind the tail in this cycle
  bool ret_ready = false;       ///< a RET is accepted in this cycle
  std::uint32_t n_free = 0;     ///< free sets, for primary misses
  std::uint32_t n_linkable = 0; ///< free sets that may be attached

  bool operator==(const DauOut& o) const {
    return req_ready == o.req_ready && rf == o.rf && req_set == o.req_set &&
           req_slot == o.req_slot && req_link == o.req_link && ret_ready == o.ret_ready &&
           n_free == o.n_free && n_linkable == o.n_linkable;
  }
  bool operator!=(const DauOut& o) const { return !(*this == o); }
};

/// Architectural state of one set.
struct DauSet {
  DauState state = DauState::s0;
  std::uint32_t used = 0;   ///< slots taken
  std::uint32_t next = 0;   ///< P: the linked set, valid in S3 and S8
  std::uint32_t tail = 0;   ///< of its chain, valid in the states of an active head (S1-S4)
};

class Dau {
 public:
  virtual ~Dau() = default;
  virtual DauOut eval(const DauIn& in) const = 0;
  virtual void commit(const DauIn& in) = 0;
  virtual unsigned sets() const = 0;
  /// `next` and `tail` are 0 in the states in which they mean nothing.
  virtual DauSet inspect(unsigned set) const = 0;
};

}  // namespace warpmem::mha
