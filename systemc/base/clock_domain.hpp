// SPDX-License-Identifier: Apache-2.0
// Clock domains. One sc_module with one self-timed SC_METHOD ticks the modules that have work; the
// others cost nothing. Domains may have unrelated frequencies.
//
// A failure (exception) in a tick pauses the simulation; whoever started it calls
// rethrow_tick_failure() afterwards, since the SystemC kernel would flatten the exception's type.
//
// Ordering rule: an effect on another module, in the same domain or another one, becomes visible
// at that module's first edge strictly after the current simulation time. No result may depend on
// the order in which modules of one edge are ticked.
//
// Each edge is an event of the SystemC kernel. Where nothing but clocked modules lives in a
// simulation, the kernel can be left out: see run_ahead_of_kernel().
#pragma once

#include <array>
#include <queue>
#include <systemc>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace warpmem {

class Clocked;
class EdgeLoop;

namespace detail {
/// Time of the edge that a domain is processing, or kNever. It spares the ticks a call of the
/// kernel.
extern Femtoseconds edge_in_progress;
/// The time between edges.
Femtoseconds time_between_edges();
}  // namespace detail

/// Returns the current simulation time. The resolution is 1 fs, or no ClockDomain could be
/// constructed.
inline Femtoseconds simulation_now() {
  return detail::edge_in_progress != kNever ? detail::edge_in_progress
                                            : detail::time_between_edges();
}

/// Says that no process of the simulation needs the kernel's time: there are clocked modules and
/// AfterTicks only. The edges of all domains then follow one another in the order of time within
/// one activation of a process, which takes about a seventh off a run of few busy modules; nothing
/// else changes. simulation_now() is right as ever, while sc_time_stamp() stays behind, and only
/// sc_start() without a time ends where it should. To be called before a ClockDomain is
/// constructed.
void run_ahead_of_kernel();

/// Makes sc_start() return when all modules of this instant have been ticked. Clocked modules use
/// it in place of sc_pause().
void pause_simulation();

/// Rethrows the first exception that a tick threw, if any, and forgets it.
void rethrow_tick_failure();

/// Sets the SystemC time resolution to 1 fs. To be called once, before any sc_time exists.
void set_simulation_resolution();

class ClockDomain : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(ClockDomain);

  /// Throws UserError unless the SystemC time resolution is 1 fs. `hertz` lies in [1 kHz, 100 GHz].
  /// With `tick_all` every module is ticked at every edge instead of skipping idle ones. That is
  /// slower, and the statistics must come out the same (a test).
  ClockDomain(sc_core::sc_module_name name, std::uint64_t hertz, bool tick_all = false);
  ~ClockDomain() override;

  std::uint64_t hertz() const { return hertz_; }
  /// The edge being processed, or the last one processed.
  Cycle now() const { return now_; }
  /// The first edge strictly after the current simulation time.
  Cycle next_cycle() const {
    const Femtoseconds t = simulation_now();
    return t >= now_time_ && t < next_time_ ? now_ + 1 : cycle_at(t) + 1;
  }
  /// Number of the last edge at or before `t`.
  Cycle cycle_at(Femtoseconds t) const;
  /// Simulation time of edge `c`, floor(c / f), so that rounding never accumulates.
  Femtoseconds time_of(Cycle c) const;

 private:
  friend class Clocked;
  friend class EdgeLoop;
  static constexpr unsigned kWheelSlots = 256;  // wake-ups further away go through a heap

  void attach(Clocked& module);
  void start_of_simulation() override;
  void wake(unsigned id, Cycle at) {
    if (ticking_ && at - now_ < kWheelSlots) {  // nearly always; run_edge() looks at the wheel next
      put_in_wheel(id, at);
    } else {
      wake_later(id, at);
    }
  }
  void wake_later(unsigned id, Cycle at);
  void run();
  void run_edge();
  void move_to(Cycle c);
  void tick_slot(Cycle now);
  void tick_everything(Cycle now);
  void put_in_wheel(unsigned id, Cycle at) {
    const unsigned slot = at % kWheelSlots;
    wheel_[slot * words_ + id / 64] |= std::uint64_t(1) << (id % 64);
    used_[slot / 64] |= std::uint64_t(1) << (slot % 64);
  }
  Cycle next_work() const;
  /// Time of edge now_ + `cycles`.
  Femtoseconds time_ahead(Cycle cycles) const;
  void schedule(Cycle at);

  std::uint64_t hertz_;
  Femtoseconds period_;             // S / f, without ...
  std::uint64_t period_remainder_;  // ... the remainder; S: femtoseconds a second
  bool tick_all_;
  EdgeLoop& loop_;
  Cycle now_ = 0;
  bool started_ = false;
  bool ticking_ = false;
  Femtoseconds now_time_ = 0;
  Femtoseconds next_time_ = 0;        // time of edge now_ + 1
  std::uint64_t remainder_ = 0;       // of now_ * S / f
  std::uint64_t next_remainder_ = 0;  // of (now_ + 1) * S / f
  Cycle scheduled_ = kNever;
  Femtoseconds due_ = kNever;  // time of the edge scheduled_
  sc_core::sc_event edge_;

  std::vector<Clocked*> modules_;
  std::size_t words_ = 0;  // 64-bit words of a wheel slot
  // KWheelSlots * words_ bits: who wakes in which slot.
  std::vector<std::uint64_t> wheel_;
  std::array<std::uint64_t, kWheelSlots / 64> used_{};  // slots with a bit set
  using Far = std::pair<Cycle, unsigned>;
  std::priority_queue<Far, std::vector<Far>, std::greater<Far>> far_;
};

/// A clock domain ticks a module that derives from this.
class Clocked {
 public:
  /// `rank` fixes the order of ticks within an edge where that order is part of the definition: the
  /// SMs execute program instructions when they issue them, the lowest SM first. Equal ranks tick
  /// in the order of construction, on which nothing may depend.
  explicit Clocked(ClockDomain& domain, unsigned rank = 0) : domain_(domain), rank_(rank) {
    domain.attach(*this);
  }
  virtual ~Clocked() = default;
  Clocked(const Clocked&) = delete;
  Clocked& operator=(const Clocked&) = delete;

  ClockDomain& domain() const { return domain_; }
  /// Asks for a tick at edge `at`, which must be after the current simulation time. Several
  /// requests add up, and a tick that finds nothing to do must change nothing. Requests before the
  /// start of simulation are ignored, since everyone is ticked at edge 0.
  void wake_at(Cycle at) { domain_.wake(id_, at); }
  /// Asks for a tick at the next edge.
  void wake() { domain_.wake(id_, domain_.next_cycle()); }

 private:
  friend class ClockDomain;
  /// Does the work of edge `now`; returns the next edge with work of its own (> now), or kNever to
  /// sleep until somebody calls wake().
  virtual Cycle tick(Cycle now) = 0;

  ClockDomain& domain_;
  unsigned rank_;
  unsigned id_ = 0;
};

}  // namespace warpmem
