// SPDX-License-Identifier: Apache-2.0
// The parts of a request's time, from the issue of its instruction until its answer is at the
// registers, as its stamps tell them (docs/mechanisms.md 7).
#pragma once

#include <array>
#include <cstddef>

#include "base/transaction.hpp"

namespace warpmem::sm {

enum class Part : std::uint8_t {
  coalescer,  ///< issue until the request reaches the queue of L1D, or of the TLB before it
  tlb,        ///< time at the TLB that is none of the next three
  walk,       ///< from the miss at the TLB until the page is found, or found absent
  fault,      ///< while the page is absent, until the host has handled the fault
  transfer,   ///< from then until the page has arrived
  l1d_queue,  ///< waiting at L1D, reservation fails included
  /// From L1D's acceptance until the miss leaves, or until the fill of a merged miss.
  mshr_wait,
  crossbar,       ///< from L1D to L2
  l2_queue,       ///< waiting at L2
  l2_access,      ///< from L2's acceptance until it responds or asks DRAM, and from DRAM's answer
  dram_queue,     ///< waiting in the DRAM channel
  dram_service,   ///< from the first command to the last data beat
  response_path,  ///< from L2 to L1D
  writeback       ///< from L1D to the registers
};
inline constexpr std::size_t kParts = static_cast<std::size_t>(Part::writeback) + 1;

/// By Part.
inline constexpr std::array<const char*, kParts> kPartNames = {
    "coalescer",  "tlb",          "walk",          "fault",    "transfer",
    "l1d_queue",  "mshr_wait",    "crossbar",      "l2_queue", "l2_access",
    "dram_queue", "dram_service", "response_path", "writeback"};

/// The part that ends when `stage` is entered, and `previous` was the stage before it.
inline Part part_before(Stage stage, Stage previous, const Access& access) {
  constexpr auto kSeeBelow = static_cast<Part>(kParts);
  static constexpr std::array<Part, kStages> kEndsAt = {
      Part::coalescer,     // issue (starts the clock)
      Part::coalescer,     // tlb
      Part::tlb,           // walk
      Part::walk,          // fault
      Part::fault,         // transfer
      kSeeBelow,           // translated
      kSeeBelow,           // l1d_queue
      Part::l1d_queue,     // l1d_accept
      Part::mshr_wait,     // noc_request
      Part::crossbar,      // l2_queue
      Part::l2_queue,      // l2_accept
      Part::l2_access,     // dram_queue
      Part::dram_queue,    // dram_service
      Part::dram_service,  // dram_done
      Part::l2_access,     // noc_response
      kSeeBelow,           // l1d_fill
      Part::writeback,     // writeback
  };
  const Part part = kEndsAt[static_cast<std::size_t>(stage)];
  if (part != kSeeBelow) return part;
  switch (stage) {
    case Stage::l1d_fill:  // a merged miss visits nothing between L1D's acceptance and the fill
      return previous <= Stage::l1d_accept ? Part::mshr_wait : Part::response_path;
    case Stage::translated:
      return access.at(Stage::fault) != 0 ? Part::transfer : Part::walk;
    default:
      return access.at(Stage::tlb) != 0 ? Part::tlb : Part::coalescer;
  }
}

/// Calls visit(part, begin, end) for the parts, one after the other, of a request that was answered
/// at `t`. They fill its time; a part may come twice. `translated` tells that a TLB stands before
/// L1D: without one no request visits the stages of the translation.
template <class Visit>
void for_each_part(const Access& access, Femtoseconds t, bool translated, Visit&& visit) {
  constexpr auto kFirst = static_cast<std::size_t>(Stage::l1d_queue);
  Femtoseconds before = access.at(Stage::issue);
  Stage previous = Stage::issue;
  const auto pass = [&](std::size_t s) __attribute__((always_inline)) {
    const Femtoseconds at = access.stamp[s];
    // Not visited, or visited before the request joined another.
    if (at == 0 || at < before) return;
    visit(part_before(static_cast<Stage>(s), previous, access), before, at);
    before = at;
    previous = static_cast<Stage>(s);
  };
  if (translated)
    for (std::size_t s = 1; s < kFirst; ++s) pass(s);
#pragma GCC unroll 16  // for each stage its part is a constant then
  for (std::size_t s = kFirst; s + 1 < kStages; ++s) pass(s);
  visit(Part::writeback, before, t);
}

}  // namespace warpmem::sm
