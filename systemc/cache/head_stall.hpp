// SPDX-License-Identifier: Apache-2.0
// Why the request at the head of a cache's queue is not accepted, and for how long
// (docs/mechanisms.md 1.7). For each cause it counts the requests that were ever refused and the
// cycles in which the head was refused. Cycles are added when the cause changes or the request is
// accepted, never one at a time, so a blocked cache may sleep.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "base/clock_domain.hpp"
#include "base/stats.hpp"
#include "cache/stall.hpp"

namespace warpmem::cache {

class HeadStall {
 public:
  struct Count {
    std::uint64_t requests = 0;  ///< requests ever refused for the cause
    std::uint64_t cycles = 0;    ///< cycles in which the head was refused for it
  };

  /// The head was refused in cycle `now`. `causes` has a bit for each cause for which it has been
  /// refused before, and gets the new one; it is 0 at first.
  void refused(Cycle now, Stall cause, std::uint32_t& causes) {
    blocked(now, cause);
    const std::uint32_t bit = std::uint32_t(1) << static_cast<unsigned>(cause);
    if ((causes & bit) == 0) ++counts_[static_cast<std::size_t>(cause)].requests;
    causes |= bit;
  }
  /// In cycle `now` requests wait that were refused before, and none of them is tried.
  void blocked(Cycle now, Stall cause) {
    if (cause == cause_) return;
    settle(now);
    cause_ = cause;
    since_ = now;
  }
  /// The head was accepted in cycle `now`.
  void accepted(Cycle now) {
    if (cause_ == Stall::none) return;
    settle(now);
    cause_ = Stall::none;
  }
  /// The cause for which the head is blocked, or none.
  Stall cause() const { return cause_; }
  Cycle since() const { return since_; }
  const Count& count(Stall cause) const { return counts_[static_cast<std::size_t>(cause)]; }

  /// `others` names the causes of this cache that are not reservation fails.
  void register_stats(StatGroup& group, const ClockDomain& clock,
                      std::initializer_list<Stall> others) {
    group.before_snapshot([this, &clock] { settle(clock.cycle_at(simulation_now())); });
    group.counter("reservation_fails.cycles", all_cycles_, "cycles",
                  "cycles in which the head was refused for any reservation fail");
    for (Stall cause = Stall::entry_full; is_reservation_fail(cause); cause = next(cause)) {
      add(group, cause);
      group.series(name_of(cause) + ".over_time", series_[static_cast<std::size_t>(cause)],
                   "cycles", "cycles in which the head was refused for this cause, over time");
    }
    for (const Stall cause : others) add(group, cause);
  }

 private:
  static constexpr Stall next(Stall cause) {
    return static_cast<Stall>(static_cast<unsigned>(cause) + 1);
  }
  void add(StatGroup& group, Stall cause) {
    const Count& c = count(cause);
    group.counter(name_of(cause) + ".requests", c.requests, "requests",
                  "requests that were ever refused for this cause");
    group.counter(name_of(cause) + ".cycles", c.cycles, "cycles",
                  "cycles in which the head was refused for this cause");
  }
  // Adds the cycles counted_ to now - 1 to the present cause.
  void settle(Cycle now) {
    if (cause_ != Stall::none && now > counted_) {
      counts_[static_cast<std::size_t>(cause_)].cycles += now - counted_;
      if (is_reservation_fail(cause_)) {
        all_cycles_ += now - counted_;
        series_[static_cast<std::size_t>(cause_)].add_level(counted_, now, 1);
      }
    }
    counted_ = now;
  }

  Stall cause_ = Stall::none;
  Cycle since_ = 0;
  Cycle counted_ = 0;  // the cycles before are in the counts
  std::array<Count, kStalls> counts_{};
  std::uint64_t all_cycles_ = 0;
  std::array<TimeSeries, kStalls> series_;
};

}  // namespace warpmem::cache
