// SPDX-License-Identifier: Apache-2.0
// How many slots are occupied over time: the utilisation (docs/mechanisms.md 2) over the whole run
// and over the cycles with a miss outstanding, the peak, and a time series. It integrates when the
// number changes rather than every cycle.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock_domain.hpp"
#include "base/stats.hpp"

namespace warpmem::mha {

class SlotOccupancy {
 public:
  /// `clock` gives the current cycle when a snapshot is taken.
  SlotOccupancy(unsigned slots, const ClockDomain& clock) : slots_(slots), clock_(clock) {}

  unsigned occupied() const { return occupied_; }
  /// From now on `occupied` slots are in use.
  void change(Cycle now, unsigned occupied) {
    integrate(now);
    occupied_ = occupied;
    peak_ = std::max<std::uint64_t>(peak_, occupied);
  }

  void register_stats(StatGroup& group) {
    group.before_snapshot([this] { integrate(clock_.cycle_at(simulation_now())); });
    group.leave_out_time([this] { since_ = clock_.cycle_at(simulation_now()); });
    group.ratio("mshr.utilization", busy_, all_,
                "occupied slots / all slots, averaged over all cycles");
    group.ratio("mshr.utilization_busy", busy_, capacity_,
                "occupied slots / all slots, averaged over the cycles with a miss outstanding");
    group.peak("mshr.peak", peak_, "slots", "most slots occupied at once");
    group.series("mshr.occupancy", series_, "slot-cycles",
                 "occupied slots, times cycles, over time");
  }

 private:
  void integrate(Cycle now) {
    if (now <= since_) return;
    const Cycle cycles = now - since_;
    all_ += cycles * slots_;
    if (occupied_ != 0) {
      busy_ += cycles * occupied_;
      capacity_ += cycles * slots_;
      series_.add_level(since_, now, occupied_);
    }
    since_ = now;
  }

  unsigned slots_;
  const ClockDomain& clock_;
  unsigned occupied_ = 0;
  Cycle since_ = 0;
  std::uint64_t busy_ = 0;
  std::uint64_t all_ = 0;       // slots x cycles
  std::uint64_t capacity_ = 0;  // slots x cycles with a miss outstanding
  std::uint64_t peak_ = 0;
  TimeSeries series_;
};

}  // namespace warpmem::mha
