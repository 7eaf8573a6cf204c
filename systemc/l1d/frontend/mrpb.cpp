// SPDX-License-Identifier: Apache-2.0
#include "l1d/frontend/mrpb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace warpmem::l1d {

void Mrpb::Params::describe(Schema& s) {
  s.choice(
      "signature", signature,
      {{"cta", Signature::cta}, {"warp", Signature::warp}, {"warp_in_cta", Signature::warp_in_cta}},
      "what requests of one queue have in common", "MR 3.2; chosen in 5.5");
  s.choice("drain", drain,
           {{"fixed", Drain::fixed},
            {"round_robin", Drain::round_robin},
            {"longest", Drain::longest},
            {"greedy_fixed", Drain::greedy_fixed},
            {"greedy_round_robin", Drain::greedy_round_robin},
            {"greedy_longest", Drain::greedy_longest}},
           "which queue drains; the greedy ones empty a queue first", "MR 3.3; chosen in 5.5");
  s.flag("flush", flush,
         "writes and atomics are not stored: they wait until their queue is empty; a load that "
         "finds its queue full makes room there",
         "MR 3.3; chosen in 5.5");
  s.integer("entries", entries, {0, 1024}, "requests a queue holds; 0: no limit",
            "MR 5.3; chosen in 5.5");
  s.integer("latency", latency, {1, 64}, "cycles through the buffer", "MR 5.3; chosen in 5.5");
}

Mrpb::Mrpb(const Params& params, unsigned warps, unsigned ctas)
    : params_(params),
      queues_(params.signature == Signature::cta ? ctas : warps),
      blocks_(ctas),
      last_(static_cast<unsigned>(queues_.size()) - 1) {
  nodes_.reserve(std::size_t(queues_.size()) * std::max(params.entries, 8u));
}

bool Mrpb::stored(const Payload& request) const { return request.is_read() || !params_.flush; }

unsigned Mrpb::queue_of(const Access& access) const {
  switch (params_.signature) {
    case Signature::cta:
      return access.cta_slot;
    case Signature::warp:
      return access.warp;
    case Signature::warp_in_cta:
      return access.warp_in_cta;
  }
  return 0;
}

Mrpb::Entry Mrpb::look(const Payload& request) const {
  const Access& access = access_of(request);
  const Block& block = blocks_[access.cta_slot];
  if (block.held != 0 && block.epoch != access.epoch) return Entry::waits;
  const Queue& queue = queues_[queue_of(access)];
  if (stored(request)) return full(queue) ? Entry::waits : Entry::enters;
  return queue.length == 0 && head_ == nullptr ? Entry::passes : Entry::waits;
}

void Mrpb::enter(Payload& request, Cycle now) {
  assert(look(request) == Entry::enters);
  const Access& access = access_of(request);
  unsigned place = free_;
  if (place == kNone) {
    place = static_cast<unsigned>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[place].next;
  }
  nodes_[place] = {&request, now + params_.latency, kNone};
  Queue& queue = queues_[queue_of(access)];
  (queue.length == 0 ? queue.first : nodes_[queue.last].next) = place;
  queue.last = place;
  ++queue.length;
  ++blocks_[access.cta_slot].held;
  blocks_[access.cta_slot].epoch = access.epoch;
  ++held_;
}

void Mrpb::pass(Payload& request) {
  assert(look(request) == Entry::passes);
  head_ = &request;
}

void Mrpb::choose(const Payload* waiting, Cycle now) {
  if (head_ != nullptr || held_ == 0) return;
  unsigned index = forced(waiting, now);
  if (index == kNone) index = by_policy(now);
  if (index == kNone) return;
  Queue& queue = queues_[index];
  const unsigned place = queue.first;
  head_ = nodes_[place].request;
  queue.first = nodes_[place].next;
  --queue.length;
  nodes_[place] = {nullptr, 0, free_};
  free_ = place;
  --blocks_[access_of(*head_).cta_slot].held;
  --held_;
  last_ = index;
  greedy_ = queue.length != 0 ? index : kNone;
}

// The queue that the head of the input queue waits for.
unsigned Mrpb::forced(const Payload* waiting, Cycle now) const {
  if (waiting == nullptr || !params_.flush) return kNone;
  const unsigned index = queue_of(access_of(*waiting));
  const Queue& queue = queues_[index];
  const bool needed = stored(*waiting) ? full(queue) : queue.length != 0;
  return needed && ready(queue, now) ? index : kNone;
}

unsigned Mrpb::by_policy(Cycle now) const {
  const bool stays = greedy_ != kNone && ready(queues_[greedy_], now);
  const unsigned after = last_ + 1 == queues_.size() ? 0 : last_ + 1;
  switch (params_.drain) {
    case Drain::greedy_fixed:
      if (stays) return greedy_;
      [[fallthrough]];
    case Drain::fixed:
      return first_ready(0, now);
    case Drain::greedy_round_robin:
      if (stays) return greedy_;
      [[fallthrough]];
    case Drain::round_robin:
      return first_ready(after, now);
    case Drain::greedy_longest:
      if (stays) return greedy_;
      [[fallthrough]];
    case Drain::longest:
      return longest_ready(now);
  }
  return kNone;
}

// The first queue from `from` on, wrapping.
unsigned Mrpb::first_ready(unsigned from, Cycle now) const {
  const unsigned count = static_cast<unsigned>(queues_.size());
  for (unsigned i = from; i < count; ++i)
    if (ready(queues_[i], now)) return i;
  for (unsigned i = 0; i < from; ++i)
    if (ready(queues_[i], now)) return i;
  return kNone;
}

// Ties go to the lowest number.
unsigned Mrpb::longest_ready(Cycle now) const {
  unsigned best = kNone;
  for (unsigned i = 0; i < queues_.size(); ++i)
    if (ready(queues_[i], now) && (best == kNone || queues_[i].length > queues_[best].length))
      best = i;
  return best;
}

Cycle Mrpb::next_ready(Cycle now) const {
  Cycle next = kNever;
  for (const Queue& queue : queues_)
    if (queue.length != 0) next = std::min(next, std::max(now + 1, nodes_[queue.first].ready));
  return next;
}

std::string Mrpb::describe() const {
  std::string text = fmt::format("mrpb: {} requests held", held_);
  if (head_ != nullptr) text += fmt::format(", 0x{:x} at the cache", head_->get_address());
  for (unsigned i = 0; i < queues_.size(); ++i)
    if (queues_[i].length != 0) text += fmt::format(", queue {}: {}", i, queues_[i].length);
  return text;
}

}  // namespace warpmem::l1d
