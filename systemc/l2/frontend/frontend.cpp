// SPDX-License-Identifier: Apache-2.0
#include "l2/frontend/frontend.hpp"

#include <algorithm>
#include <cassert>

#include "base/transaction.hpp"
#include "l2/frontend/bank_queues.hpp"
#include "l2/frontend/cart.hpp"
#include "l2/frontend/fifo.hpp"
#include "l2/frontend/nonblocking.hpp"

namespace warpmem::l2 {

using mha::Stall;

namespace {

// Numbers from the oldest waiting request to the newest: those that wait, and those that have
// overtaken the oldest one.
std::size_t window(const FrontendParams& params, std::size_t waiting) {
  std::size_t size = 1;
  while (size < params.overtakes + waiting + 1) size *= 2;
  return size;
}

}  // namespace

Frontend::Frontend(const FrontendParams& params, ServicePort& in, std::uint32_t line_bytes,
                   std::size_t inside)
    : params_(params),
      in_(in),
      line_bytes_(line_bytes),
      incoming_(in.capacity()),
      gone_(window(params, inside + in.capacity())),
      moved_forward_({0, 1, 2, 4, 8, 16, 32, 64, 128}) {}

void Frontend::note_arrivals(Cycle now, Femtoseconds time) {
  time_ = time;
  const std::size_t before = incoming_.size();
  while (Payload* const payload = in_.request(static_cast<unsigned>(incoming_.size()))) {
    mark(*payload, Stage::l2_queue, time);
    Waiting w;
    w.payload = payload;
    w.line = payload->get_address() / line_bytes_;
    w.number = arrived_++;
    w.arrived = now;
    w.ready = now + (tries_all() ? params_.latency : 0);
    latest_ready_ = std::max(latest_ready_, w.ready);
    incoming_.push(w);
  }
  if (incoming_.size() != before) report_use();
}

void Frontend::moved() {
  if (blocked_ == Stall::none) return;
  blocked_ = Stall::none;
  ++round_;
}

Waiting* Frontend::select(Cycle now) {
  if (selected_ != nullptr) return selected_;
  if (!oldest_is_overdue()) {
    selected_ = choose(now);
  } else if (Waiting* const oldest = find(oldest_); can_try(*oldest, now)) {
    selected_ = oldest;
  }
  return selected_;
}

void Frontend::accepted(Cycle now) {
  assert(selected_ != nullptr && accepted_ - oldest_ <= params_.overtakes);
  const Waiting& w = *selected_;
  if (oldest_is_overdue()) ++stats_.overdue;
  if (w.number != oldest_) ++stats_.reordered;
  moved_forward_.add(w.number > accepted_ ? w.number - accepted_ : 0);
  stats_.longest_wait = std::max<std::uint64_t>(stats_.longest_wait, now - w.arrived);
  ++accepted_;
  const std::size_t mask = gone_.size() - 1;
  gone_[w.number & mask] = true;
  for (; oldest_ < arrived_ && gone_[oldest_ & mask]; ++oldest_) gone_[oldest_ & mask] = false;
  remove(*selected_, now);
  selected_ = nullptr;
  acted(now);
}

bool Frontend::refused(Cycle now, Stall cause) {
  assert(selected_ != nullptr);
  selected_->refused_in = round_;
  blocked_ = cause;
  keep(*selected_);
  selected_ = nullptr;
  acted(now);
  return tries_all();
}

Waiting Frontend::take(std::size_t i) {
  in_.take_request(static_cast<unsigned>(i));
  const Waiting taken = i == 0 ? incoming_.pop() : incoming_.erase(i);
  report_use();
  return taken;
}

Waiting Frontend::enter(Cycle now) {
  settle_fill_stall(now);
  ++stats_.filled;
  Waiting w = take(0);
  w.ready = now + params_.latency;
  latest_ready_ = w.ready;
  acted(now);
  return w;
}

void Frontend::settle_fill_stall(Cycle now) {
  if (no_place_since_ != kNever) stats_.fill_stall_cycles += now - no_place_since_;
  no_place_since_ = kNever;
}

void Frontend::register_stats(StatGroup& g, const ClockDomain& clock) {
  g.before_snapshot([this, &clock] {
    if (no_place_since_ == kNever) return;
    settle_fill_stall(clock.now());
    no_place_since_ = clock.now();
  });
  g.counter("frontend.filled", stats_.filled, "requests", "requests that entered the queues");
  g.counter("frontend.fill_stall_cycles", stats_.fill_stall_cycles, "cycles",
            "cycles in which the oldest request on the link found no place in the queues");
  g.counter("frontend.reordered", stats_.reordered, "requests", "accepted before an older one");
  g.counter("frontend.overdue", stats_.overdue, "requests",
            "accepted first because l2.frontend.overtakes younger ones had overtaken it");
  g.peak("frontend.longest_wait", stats_.longest_wait, "cycles",
         "longest time from the link to acceptance");
  g.histogram("frontend.moved_forward", moved_forward_, "requests",
              "places in the order by which an accepted request had moved forward");
}

std::unique_ptr<Frontend> make_frontend(const FrontendParams& params, ServicePort& in,
                                        const AddressMap& map, std::uint32_t line_bytes,
                                        const UnitFactories& units) {
  switch (params.kind) {
    case FrontendKind::fifo:
      return std::make_unique<Fifo>(params, in, line_bytes);
    case FrontendKind::nonblocking:
      return std::make_unique<Nonblocking>(params, in, line_bytes);
    case FrontendKind::bank_queues:
      return std::make_unique<BankQueues>(params, in, map, line_bytes);
    case FrontendKind::cart:
      return std::make_unique<Cart>(params, in, map, line_bytes, units);
  }
  assert(false && "every kind has a front end");
  return nullptr;
}

}  // namespace warpmem::l2
