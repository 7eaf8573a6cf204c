// SPDX-License-Identifier: Apache-2.0
// Why a cache, or its miss handler, does not accept a request (docs/mechanisms.md 1.2).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace warpmem::cache {

enum class Stall : std::uint8_t {
  none,
  // Reservation fails (docs/mechanisms.md 1.2).
  entry_full,
  merge_full,
  assoc_full,       ///< every line of the set is reserved
  miss_queue_full,  ///< no room towards the next level
  mshr_set_full,
  set_locked,  ///< every line of a set shares its tag with an MSHR entry, which locks the cache
  // The causes below are no reservation fails.
  line_busy,  ///< the line's entry drains or is closed, or the line is being written back
  /// The handler needs more cycles for this request, which asks again in the next cycle.
  mshr_search,
  response_full,     ///< hits wait for the link to the requester
  outstanding_full,  ///< too many stores, atomics and bypassed loads are under way
  evict_full,        ///< the victim is dirty, and the evict buffer is full
  atomic_busy,       ///< an atomic hits, and the atomic unit works on others
  /// A request of this cycle has the only place that this one could take. It is not counted: the
  /// request has not been at the head for a cycle.
  next_cycle,
  count
};
inline constexpr std::size_t kStalls = static_cast<std::size_t>(Stall::count);

constexpr bool is_reservation_fail(Stall cause) {
  return cause >= Stall::entry_full && cause <= Stall::set_locked;
}

/// The cause's name in statistics: "reservation_fails.entry_full", "stalls.line_busy".
inline std::string name_of(Stall cause) {
  static constexpr std::array<const char*, kStalls> kNames = {
      "none",          "entry_full",       "merge_full",
      "assoc_full",    "miss_queue_full",  "mshr_set_full",
      "set_locked",    "line_busy",        "mshr_search",
      "response_full", "outstanding_full", "evict_full",
      "atomic_busy",   "next_cycle"};
  return std::string(is_reservation_fail(cause) ? "reservation_fails." : "stalls.") +
         kNames[static_cast<std::size_t>(cause)];
}

}  // namespace warpmem::cache
