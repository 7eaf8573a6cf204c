// SPDX-License-Identifier: Apache-2.0
// Request front end of a cache: what happens between the link from the requesters and the tag
// lookup. It decides which request the cache tries next.
//
//   n: visible on the link   fill: taken into the queues, one a cycle   ...: tried by the cache,
//   until it is accepted
//
// Two rules hold for every kind. Requests to one line, and those of one thread, never overtake each
// other in a way that the program can see. A request that the cache refuses is tried again when
// something in the cache has moved, not before: nothing else can change the answer.
#pragma once

#include <cstdint>
#include <string>

#include "base/clock_domain.hpp"
#include "base/period_meter.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "base/transaction.hpp"
#include "cache/stall.hpp"

namespace warpmem::cache {

/// A request that the cache has not accepted yet.
struct Waiting {
  Payload* payload = nullptr;
  Addr line = 0;                   ///< number of its line
  std::uint64_t number = 0;        ///< number of the request in the order of arrival, from 0
  Cycle arrived = 0;               ///< cycle in which it became visible on the link
  Cycle ready = 0;                 ///< cycle from which on it takes part in the arbitration
  std::uint64_t refused_in = 0;    ///< the round in which it was last refused, 0: never
  std::uint64_t refused_turn = 0;  ///< the turn of its CART branch in which it was last refused
  std::uint32_t refused_for = 0;   ///< causes for which it has been refused so far, for HeadStall
};

class Frontend {
 public:
  /// `in` is the cache's link from the requesters and must outlive the front end. `arrival` is the
  /// stage that requests reach when they become visible.
  Frontend(ServicePort& in, std::uint32_t line_bytes, Stage arrival)
      : in_(in),
        line_bits_(static_cast<unsigned>(__builtin_ctz(line_bytes))),
        arrival_(arrival),
        incoming_(in.capacity()) {}
  virtual ~Frontend() = default;

  /// To be called once a tick, first: takes note of the requests that have become visible. This
  /// cycle is at `time`.
  void note_arrivals(Cycle now, Femtoseconds time) {
    time_ = time;
    if (in_.queued() != incoming_.size() && !incoming_.full()) take_note(now);
  }
  /// From now on `meter` is told the share of the link's queue that is in use.
  void watch(PeriodMeter& meter) { meter_ = &meter; }
  /// Returns whether a meter is told.
  bool watched() const { return meter_ != nullptr; }
  /// To be called in a tick, before select(), when something in the cache has moved: refused
  /// requests may be tried again.
  void moved() {
    if (blocked_ == Stall::none) return;
    blocked_ = Stall::none;
    ++round_;
  }
  /// Takes requests from the link into the queues.
  virtual void fill(Cycle) {}
  /// Returns the request to try, or nullptr; it stays the same until accepted() or refused().
  virtual Waiting* select(Cycle now) = 0;
  /// The cache took the selected request. The front end forgets it.
  virtual void accepted(Cycle now) = 0;
  /// The cache could not take the selected request. Returns whether select() may offer another one
  /// in this cycle.
  virtual bool refused(Cycle now, Stall cause) = 0;
  /// The cause for which waiting requests are not tried, or none.
  Stall blocked() const { return blocked_; }
  /// The next cycle with work of its own, or kNever: arrivals and freed resources wake the cache.
  virtual Cycle next_work(Cycle) const { return kNever; }
  /// Returns the request that stands at the cache, or the oldest one that will, or nullptr when
  /// none is visible.
  virtual const Payload* head() const {
    return incoming_.empty() ? nullptr : incoming_.front().payload;
  }
  /// Returns whether the front end holds no request (those on the link belong to the link).
  virtual bool empty() const { return true; }
  /// Number of requests that have entered a queue of the front end.
  const std::uint64_t& filled() const { return filled_; }

  virtual void register_stats(StatGroup&, const ClockDomain&) {}
  virtual std::string describe() const = 0;

 protected:
  bool can_try(const Waiting& w, Cycle now) const {
    return w.ready <= now && w.refused_in != round_;
  }
  /// Marks `w` as refused in this round.
  void note_refusal(Waiting& w, Stall cause) {
    w.refused_in = round_;
    blocked_ = cause;
  }
  /// Requests on the link, oldest first.
  Ring<Waiting>& incoming() { return incoming_; }
  const Ring<Waiting>& incoming() const { return incoming_; }
  /// Takes the i-th oldest request from the link.
  Waiting take(std::size_t i);
  /// Takes the oldest request from the link and forgets it.
  void drop_oldest();
  /// Takes the oldest request from the link, for a queue of the front end.
  Waiting take_into_queue() {
    ++filled_;
    return take(0);
  }
  /// Requests that have arrived so far.
  std::uint64_t arrived() const { return arrived_; }

 private:
  /// Cycles from a request's arrival on the link until it takes part in the arbitration.
  virtual Cycle arrival_latency() const { return 0; }
  /// A request has arrived.
  virtual void arrived(const Waiting&) {}

  void take_note(Cycle now);
  void report_use() {
    if (meter_ == nullptr) return;
    meter_->set(time_,
                static_cast<double>(incoming_.size()) / static_cast<double>(incoming_.capacity()));
  }

  ServicePort& in_;
  unsigned line_bits_;  // of an address, below the number of its line
  Stage arrival_;
  Ring<Waiting> incoming_;
  PeriodMeter* meter_ = nullptr;
  Femtoseconds time_ = 0;      // time of this tick
  std::uint64_t arrived_ = 0;  // requests that have arrived so far
  std::uint64_t filled_ = 0;
  std::uint64_t round_ = 1;  // requests refused in this round are not tried
  Stall blocked_ = Stall::none;
};

}  // namespace warpmem::cache
