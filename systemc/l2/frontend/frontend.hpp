// SPDX-License-Identifier: Apache-2.0
// Request front end of an L2 bank (SPEC 4): what happens between the link from the crossbar and the
// tag lookup. It decides which request the bank tries next.
//
//   n: visible on the link   fill: taken into the queues, one a cycle   +latency: takes part in the
//   arbitration   accepted by the bank: gone
//
// Two rules hold for every kind. Requests to one line never overtake each other. And a request is
// never overtaken by more than `overtakes` younger ones: once the oldest waiting request has been
// overtaken so often, it is the only one that is tried. An older request has been overtaken at
// least as often as a younger one that waits with it, so this bounds all of them.
//
// A request that the bank refuses does not block the others (but in a fifo). It is tried again when
// something in the bank has moved, not before: nothing else can change the answer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/address_map.hpp"
#include "base/clock_domain.hpp"
#include "base/period_meter.hpp"
#include "base/ring.hpp"
#include "base/stats.hpp"
#include "base/tlm_ports.hpp"
#include "l2/frontend/params.hpp"
#include "l2/frontend/unit_factories.hpp"
#include "mha/head_stall.hpp"

namespace warpmem::l2 {

/// A request that the bank has not accepted yet.
struct Waiting {
  Payload* payload = nullptr;
  Addr line = 0;
  std::uint64_t number = 0;        ///< in the order of arrival, from 0
  Cycle arrived = 0;               ///< when it became visible on the link
  Cycle ready = 0;                 ///< when it takes part in the arbitration
  std::uint64_t refused_in = 0;    ///< the round in which it was last refused, 0: never
  std::uint64_t refused_turn = 0;  ///< ... and the turn of its CART branch
  std::uint32_t refused_for = 0;   ///< causes so far, for mha::HeadStall
};

class Frontend {
 public:
  /// `in` is the bank's link from the crossbar and must outlive the front end. `inside` is the
  /// number of requests that its own queues hold.
  Frontend(const FrontendParams& params, ServicePort& in, std::uint32_t line_bytes,
           std::size_t inside);
  virtual ~Frontend() = default;

  /// Once a tick, first: requests that became visible in this cycle, which is at `time`.
  void note_arrivals(Cycle now, Femtoseconds time);
  /// `meter` is told the share of the link's queue that is in use, from now on.
  void watch(PeriodMeter& meter) { meter_ = &meter; }
  /// Once a tick, before select(): something in the bank has moved, so refused requests may be
  /// tried again.
  void moved();
  /// Takes requests from the link into the queues.
  virtual void fill(Cycle) {}
  /// The request to try, or nullptr; the same one again until accepted() or refused().
  Waiting* select(Cycle now);
  /// The bank took the selected request. The front end forgets it.
  void accepted(Cycle now);
  /// The bank could not take it. True: select() may offer another one in this cycle.
  bool refused(Cycle now, mha::Stall cause);
  /// Why requests that wait are not tried, or none.
  mha::Stall blocked() const { return blocked_; }
  /// The next cycle with work of its own, or kNever: arrivals and freed resources wake the bank.
  Cycle next_work(Cycle now) const {
    return acted_ == now || latest_ready_ > now ? now + 1 : kNever;
  }
  /// Holds no request (those on the link are the link's).
  virtual bool empty() const { return true; }

  virtual void register_stats(StatGroup& group, const ClockDomain& clock);
  virtual std::string describe() const = 0;

 protected:
  /// The request that the policy wants, among those that can_try().
  virtual Waiting* choose(Cycle now) = 0;
  /// The waiting request of this number. Precondition: it waits in the queues.
  virtual Waiting* find(std::uint64_t number) = 0;
  /// Takes the selected request out of its queue.
  virtual void remove(Waiting& selected, Cycle now) = 0;
  /// The selected request stays.
  virtual void keep(Waiting&) {}
  /// Whether all requests are looked at in one cycle, or one.
  virtual bool tries_all() const { return false; }

  bool can_try(const Waiting& w, Cycle now) const {
    return w.ready <= now && w.refused_in != round_;
  }
  /// Requests on the link, oldest first.
  Ring<Waiting>& incoming() { return incoming_; }
  /// Takes one from the link.
  Waiting take(std::size_t i);
  /// Takes the oldest from the link for a queue of the front end, which it enters now.
  Waiting enter(Cycle now);
  /// The oldest request on the link finds no place in cycle `now`.
  void wait_for_place(Cycle now) {
    if (no_place_since_ == kNever) no_place_since_ = now;
  }
  void acted(Cycle now) { acted_ = now; }
  std::uint64_t filled() const { return stats_.filled; }

  const FrontendParams params_;

 private:
  struct Stats {
    std::uint64_t filled = 0;             ///< requests that entered the queues
    std::uint64_t fill_stall_cycles = 0;  ///< cycles in which the oldest one found no place
    std::uint64_t reordered = 0;          ///< accepted before an older one
    std::uint64_t overdue = 0;            ///< accepted alone, after `overtakes` younger ones
    std::uint64_t longest_wait = 0;       ///< cycles from the link to acceptance
  };
  void report_use() {
    if (meter_ == nullptr) return;
    meter_->set(time_,
                static_cast<double>(incoming_.size()) / static_cast<double>(incoming_.capacity()));
  }
  bool oldest_is_overdue() const { return accepted_ - oldest_ >= params_.overtakes; }
  void settle_fill_stall(Cycle now);

  ServicePort& in_;
  std::uint32_t line_bytes_;
  Ring<Waiting> incoming_;
  PeriodMeter* meter_ = nullptr;
  Femtoseconds time_ = 0;       // of this tick
  std::uint64_t arrived_ = 0;   // requests so far
  std::uint64_t accepted_ = 0;  // requests so far
  std::uint64_t oldest_ = 0;    // number of the oldest request that is not accepted
  std::vector<bool> gone_;      // accepted, by number modulo the size, from oldest_ on
  Waiting* selected_ = nullptr;
  std::uint64_t round_ = 1;  // refused requests of this round are not tried
  mha::Stall blocked_ = mha::Stall::none;
  Cycle acted_ = kNever;
  Cycle latest_ready_ = 0;
  Cycle no_place_since_ = kNever;
  Stats stats_;
  Histogram moved_forward_;
};

/// `map` tells DRAM banks, rows and columns; it and `in` must outlive the front end.
/// Throws UserError when a view of a unit cannot be built.
std::unique_ptr<Frontend> make_frontend(const FrontendParams& params, ServicePort& in,
                                        const AddressMap& map, std::uint32_t line_bytes,
                                        const UnitFactories& units = {});

}  // namespace warpmem::l2
