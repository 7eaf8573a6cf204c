// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/mrpb_drain.hpp"

namespace warpmem::cache {

namespace {

std::uint64_t bit(unsigned queue) { return std::uint64_t(1) << queue; }
/// Precondition: `queues` is not 0.
unsigned first(std::uint64_t queues) { return static_cast<unsigned>(__builtin_ctzll(queues)); }

}  // namespace

FastMrpbDrain::FastMrpbDrain(const MrpbDrainSize& size)
    : size_(size), lengths_(size.queues), last_(size.queues - 1) {}

units::MrpbDrainOut FastMrpbDrain::eval(const units::MrpbDrainIn& in) const {
  units::MrpbDrainOut out;
  const std::uint64_t may = in.ready & held_;
  out.held = held_;
  out.drain_valid = may != 0;
  out.drain_forced = forced(in, may);
  if (out.drain_valid)
    out.drain_queue = out.drain_forced ? in.head_queue : static_cast<std::uint8_t>(by_policy(may));
  const bool leaves = in.take && out.drain_valid && out.drain_queue == in.head_queue;
  out.head_full = full(in.head_queue) && !leaves;
  out.head_empty = lengths_[in.head_queue] == (leaves ? 1 : 0);
  return out;
}

void FastMrpbDrain::commit(const units::MrpbDrainIn& in) {
  const std::uint64_t may = in.ready & held_;
  if (in.take && may != 0) {
    last_ = forced(in, may) ? in.head_queue : by_policy(may);
    greedy_ = --lengths_[last_] != 0 ? last_ : kNone;
    if (greedy_ == kNone) held_ &= ~bit(last_);
  }
  if (!in.enter) return;
  ++lengths_[in.head_queue];
  held_ |= bit(in.head_queue);
}

// Returns whether the queue that the waiting request waits for goes next.
bool FastMrpbDrain::forced(const units::MrpbDrainIn& in, std::uint64_t may) const {
  return size_.flush && in.head_valid && (may & bit(in.head_queue)) != 0 &&
         (!in.head_stored || full(in.head_queue));
}

unsigned FastMrpbDrain::by_policy(std::uint64_t may) const {
  const bool stays = greedy_ != kNone && (may & bit(greedy_)) != 0;
  // Those behind the queue drained last.
  const std::uint64_t behind = may & ~(bit(last_) | (bit(last_) - 1));
  switch (size_.policy) {
    case MrpbDrainPolicy::greedy_fixed:
      if (stays) return greedy_;
      [[fallthrough]];
    case MrpbDrainPolicy::fixed:
      return first(may);
    case MrpbDrainPolicy::greedy_round_robin:
      if (stays) return greedy_;
      [[fallthrough]];
    case MrpbDrainPolicy::round_robin:
      return first(behind != 0 ? behind : may);
    case MrpbDrainPolicy::greedy_longest:
      if (stays) return greedy_;
      [[fallthrough]];
    case MrpbDrainPolicy::longest:
      return longest(may);
  }
  return kNone;
}

// Of equals the lowest number goes.
unsigned FastMrpbDrain::longest(std::uint64_t may) const {
  unsigned best = first(may);
  for (std::uint64_t rest = may & (may - 1); rest != 0; rest &= rest - 1)
    if (lengths_[first(rest)] > lengths_[best]) best = first(rest);
  return best;
}

}  // namespace warpmem::cache
