// SPDX-License-Identifier: Apache-2.0
// Front ends in which a request may overtake older ones (nonblocking, bank_queues, cart). A request
// is never overtaken by more than `overtakes` younger ones: once the oldest waiting request has
// been overtaken so often, it is the only one that is tried. An older request has been overtaken at
// least as often as a younger one that waits with it, so this bounds all of them.
#pragma once

#include <string>
#include <vector>

#include "cache/frontend/frontend.hpp"
#include "cache/frontend/params.hpp"

namespace warpmem::cache {

class Reordering : public Frontend {
 public:
  /// `inside` is the number of requests that the queues of the front end hold; 0: it has none.
  Reordering(const FrontendParams& params, ServicePort& in, std::uint32_t line_bytes, Stage arrival,
             std::size_t inside);

  Waiting* select(Cycle now) final;
  void accepted(Cycle now) final;
  bool refused(Cycle now, Stall cause) final;
  Cycle next_work(Cycle now) const final {
    return acted_ == now || latest_ready_ > now ? now + 1 : kNever;
  }
  void register_stats(StatGroup& group, const ClockDomain& clock) override;

 protected:
  /// Returns the request that the policy wants, among those that can_try() admits, or nullptr.
  virtual Waiting* choose(Cycle now) = 0;
  /// Returns the request of this number. Precondition: it waits in the queues.
  virtual Waiting* find(std::uint64_t number) = 0;
  /// Takes the selected request out of its queue.
  virtual void remove(Waiting& selected, Cycle now) = 0;
  /// The selected request was refused and stays.
  virtual void keep(Waiting&) {}
  /// Returns whether all requests, not only one, are looked at in a cycle.
  virtual bool tries_all() const { return false; }

  /// Takes the oldest request from the link; it enters a queue of the front end now.
  Waiting enter(Cycle now);
  /// The oldest request on the link finds no place in cycle `now`.
  void wait_for_place(Cycle now) {
    if (no_place_since_ == kNever) no_place_since_ = now;
  }

  const FrontendParams params_;

 private:
  struct Stats {
    /// Cycles in which the oldest request on the link found no place.
    std::uint64_t fill_stall_cycles = 0;
    std::uint64_t reordered = 0;  ///< requests accepted before an older one
    /// Requests accepted because `overtakes` younger ones had overtaken them.
    std::uint64_t overdue = 0;
    std::uint64_t longest_wait = 0;  ///< longest time from the link to acceptance, in cycles
  };
  Cycle arrival_latency() const override { return tries_all() ? params_.latency : 0; }
  void arrived(const Waiting& w) override { latest_ready_ = std::max(latest_ready_, w.ready); }
  bool oldest_is_overdue() const { return accepted_ - oldest_ >= params_.overtakes; }
  void settle_fill_stall(Cycle now);
  void register_fill(StatGroup& group, const ClockDomain& clock);

  const bool holds_requests_;   // in queues of its own, besides that of the link
  std::uint64_t accepted_ = 0;  // requests accepted so far
  std::uint64_t oldest_ = 0;    // number of the oldest request that has not been accepted
  // Whether a request was accepted, by its number modulo the size, from oldest_ on.
  std::vector<bool> gone_;
  Waiting* selected_ = nullptr;  // until it is accepted or refused
  std::uint64_t selected_number_ = 0;
  Cycle acted_ = kNever;
  Cycle latest_ready_ = 0;
  Cycle no_place_since_ = kNever;
  Stats stats_;
  Histogram moved_forward_;
};

}  // namespace warpmem::cache
