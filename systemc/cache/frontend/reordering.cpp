// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/reordering.hpp"

#include <algorithm>

#include "base/assert.hpp"

namespace warpmem::cache {

namespace {

// Returns a power of two above the distance from the oldest waiting request to the newest, in
// numbers: those between have overtaken the oldest one or wait.
std::size_t window(const FrontendParams& params, std::size_t waiting) {
  std::size_t size = 1;
  while (size < params.overtakes + waiting + 1) size *= 2;
  return size;
}

}  // namespace

Reordering::Reordering(const FrontendParams& params, ServicePort& in, std::uint32_t line_bytes,
                       Stage arrival, std::size_t inside)
    : Frontend(in, line_bytes, arrival),
      params_(params),
      holds_requests_(inside != 0),
      gone_(window(params, inside + in.capacity())),
      moved_forward_({0, 1, 2, 4, 8, 16, 32, 64, 128}) {}

Waiting* Reordering::select(Cycle now) {
  // Its queue may have moved with what has come since the last cycle.
  if (selected_ != nullptr) return selected_ = find(selected_number_);
  if (!oldest_is_overdue()) {
    selected_ = choose(now);
  } else if (Waiting* const oldest = find(oldest_); can_try(*oldest, now)) {
    selected_ = oldest;
  }
  if (selected_ != nullptr) selected_number_ = selected_->number;
  return selected_;
}

void Reordering::accepted(Cycle now) {
  assert(selected_ != nullptr && accepted_ - oldest_ <= params_.overtakes);
  const Waiting& w = *selected_;
  if (oldest_is_overdue()) ++stats_.overdue;
  if (w.number != oldest_) ++stats_.reordered;
  moved_forward_.add(w.number > accepted_ ? w.number - accepted_ : 0);
  stats_.longest_wait = std::max<std::uint64_t>(stats_.longest_wait, now - w.arrived);
  ++accepted_;
  const std::size_t mask = gone_.size() - 1;
  gone_[w.number & mask] = true;
  for (; oldest_ < Frontend::arrived() && gone_[oldest_ & mask]; ++oldest_)
    gone_[oldest_ & mask] = false;
  remove(*selected_, now);
  selected_ = nullptr;
  acted_ = now;
}

bool Reordering::refused(Cycle now, Stall cause) {
  assert(selected_ != nullptr);
  note_refusal(*selected_, cause);
  keep(*selected_);
  selected_ = nullptr;
  acted_ = now;
  return tries_all();
}

Waiting Reordering::enter(Cycle now) {
  settle_fill_stall(now);
  Waiting w = take_into_queue();
  w.ready = now + params_.latency;
  latest_ready_ = w.ready;
  acted_ = now;
  return w;
}

void Reordering::settle_fill_stall(Cycle now) {
  if (no_place_since_ != kNever) stats_.fill_stall_cycles += now - no_place_since_;
  no_place_since_ = kNever;
}

void Reordering::register_fill(StatGroup& g, const ClockDomain& clock) {
  g.before_snapshot([this, &clock] {
    if (no_place_since_ == kNever) return;
    const Cycle now = clock.cycle_at(simulation_now());
    settle_fill_stall(now);
    no_place_since_ = now;
  });
  g.counter("frontend.filled", filled(), "requests", "requests that entered the queues");
  g.counter("frontend.fill_stall_cycles", stats_.fill_stall_cycles, "cycles",
            "cycles in which the oldest request on the link found no place in the queues");
}

void Reordering::register_stats(StatGroup& g, const ClockDomain& clock) {
  if (holds_requests_) register_fill(g, clock);
  g.counter("frontend.reordered", stats_.reordered, "requests",
            "requests accepted before an older one");
  g.counter("frontend.overdue", stats_.overdue, "requests",
            "requests accepted first because as many younger ones as frontend.overtakes allows had "
            "overtaken them");
  g.peak("frontend.longest_wait", stats_.longest_wait, "cycles",
         "longest time of a request from the link to its acceptance");
  g.histogram("frontend.moved_forward", moved_forward_, "requests",
              "places in the order by which an accepted request had moved forward");
}

}  // namespace warpmem::cache
