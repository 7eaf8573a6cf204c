// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/mrpb_queues.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.hpp"

namespace warpmem::cache {

namespace {

constexpr std::uint64_t kLineBytes = 128;  // the longest write

std::unique_ptr<MrpbDrain> make_drain(const MrpbParams& params, std::size_t queues,
                                      const FrontendFactories& units) {
  const MrpbDrainSize size{static_cast<std::uint32_t>(queues), params.entries, params.drain,
                           params.flush};
  if (params.unit == View::fast_class) return std::make_unique<FastMrpbDrain>(size);
  if (!units.mrpb_drain) throw UserError("mrpb.unit: this program has only the view 'class' of it");
  return units.mrpb_drain(params.unit, size);
}

}  // namespace

MrpbQueues::MrpbQueues(const MrpbParams& params, unsigned warps, unsigned ctas,
                       const FrontendFactories& units)
    : params_(params),
      queues_(params.signature == Signature::cta ? ctas : warps),
      blocks_(ctas),
      drain_(make_drain(params, queues_.size(), units)) {
  assert(queues_.size() <= 64);
  nodes_.reserve(std::size_t(queues_.size()) * std::max(params.entries, 8u));
}

bool MrpbQueues::stored(const Payload& request) const {
  return request.is_read() || !params_.flush;
}

unsigned MrpbQueues::queue_of(const Access& access) const {
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

MrpbQueues::Entry MrpbQueues::look(const Payload& request) const {
  if (behind_barrier(request)) return Entry::waits;
  if (stored(request))
    return full(queues_[queue_of(access_of(request))]) ? Entry::waits : Entry::enters;
  return may_pass(request) && head_ == nullptr ? Entry::passes : Entry::waits;
}

bool MrpbQueues::behind_barrier(const Payload& request) const {
  const Access& access = access_of(request);
  const Block& block = blocks_[access.cta_slot];
  return block.held != 0 && block.epoch != access.epoch;
}

// A write whose queue is empty goes before the requests of the other queues (MR 3.3, flush).
bool MrpbQueues::may_pass(const Payload& request) const {
  return !stored(request) && queues_[queue_of(access_of(request))].length == 0 &&
         !behind_barrier(request);
}

void MrpbQueues::enter(Payload& request, Cycle now) {
  assert(look(request) == Entry::enters);
  const Access& access = access_of(request);
  unsigned place = free_;
  if (place == kNone) {
    place = static_cast<unsigned>(nodes_.size());
    nodes_.emplace_back();
  } else {
    free_ = nodes_[place].next;
  }
  nodes_[place] = {&request, now + params_.latency, stats_.held++, kNone};
  Queue& queue = queues_[queue_of(access)];
  (queue.length == 0 ? queue.first : nodes_[queue.last].next) = place;
  queue.last = place;
  ++queue.length;
  ++queue.requests;
  queue.most = std::max<std::uint64_t>(queue.most, queue.length);
  ++blocks_[access.cta_slot].held;
  blocks_[access.cta_slot].epoch = access.epoch;
  ++held_;
  const auto number = static_cast<std::uint8_t>(queue_of(access));
  if (pins_.enter || (pins_.head_valid && pins_.head_queue != number)) end_unit_cycle();
  pins_.enter = true;
  pins_.head_queue = number;
}

void MrpbQueues::pass(Payload& request) {
  assert(look(request) == Entry::passes);
  head_ = &request;
  ++stats_.passed;
}

void MrpbQueues::choose(const Payload* waiting, Cycle now) {
  end_unit_cycle();
  if (waiting != nullptr) {
    pins_.head_valid = true;
    pins_.head_stored = stored(*waiting);
    pins_.head_queue = static_cast<std::uint8_t>(queue_of(access_of(*waiting)));
  }
  if (head_ != nullptr || held_ == 0) return;
  if (waiting != nullptr && may_pass(*waiting)) return;
  pins_.take = true;
  pins_.ready = ready_queues(now);
  const units::MrpbDrainOut out = drain_->eval(pins_);
  if (!out.drain_valid) return;
  if (out.drain_forced) ++(pins_.head_stored ? stats_.full_flushes : stats_.write_flushes);
  Queue& queue = queues_[out.drain_queue];
  const unsigned place = queue.first;
  count_leaving(nodes_[place], queue, now);
  head_ = nodes_[place].request;
  queue.first = nodes_[place].next;
  --queue.length;
  nodes_[place] = {nullptr, 0, 0, free_};
  free_ = place;
  --blocks_[access_of(*head_).cta_slot].held;
  --held_;
}

// The request that entered as number n and leaves as number m has moved forward by n - m.
void MrpbQueues::count_leaving(const Node& node, Queue& queue, Cycle now) {
  const std::uint64_t number = left_++;
  if (number < node.number) {
    ++stats_.moved_forward;
    distance_.add(node.number - number);
  } else {
    stats_.moved_back += number != node.number;
    distance_.add(number - node.number);
  }
  queue.cycles += now - (node.ready - params_.latency);
}

// An entry has the 8 bytes of a request (MR 3.3), less the number of the warp or block that its
// queue stands for, and a line where writes are stored too. A queue has two pointers and its length
// (MR section 6).
std::uint64_t MrpbQueues::storage_bytes() const {
  const auto bits = [](std::uint64_t values) {
    std::uint64_t count = 0;
    while ((std::uint64_t(1) << count) < values) ++count;
    return count;
  };
  const std::uint64_t entry = 64 - bits(queues_.size()) + (params_.flush ? 0 : 8 * kLineBytes);
  const std::uint64_t queue =
      params_.entries * entry + 2 * bits(params_.entries) + bits(params_.entries + 1);
  return params_.entries == 0 ? 0 : (queues_.size() * queue + 7) / 8;
}

void MrpbQueues::register_stats(StatGroup& g) {
  g.counter("frontend.held", stats_.held, "requests",
            "requests that a queue of the front end held");
  g.counter("mrpb.passed", stats_.passed, "requests", "writes and atomics that were not stored");
  g.counter("mrpb.flushes.full", stats_.full_flushes, "requests",
            "requests drained because a load found their queue full");
  g.counter("mrpb.flushes.write", stats_.write_flushes, "requests",
            "requests drained because a write or an atomic waited for their queue");
  g.counter("mrpb.moved_forward", stats_.moved_forward, "requests",
            "requests that left at an earlier place than that at which they entered");
  g.counter("mrpb.moved_back", stats_.moved_back, "requests",
            "requests that left at a later place than that at which they entered");
  g.histogram("mrpb.reorder_distance", distance_, "requests",
              "places by which requests moved, forward or back");
  g.peak("mrpb.storage_bytes", stats_.storage_bytes, "bytes",
         "storage of an SM's queues with their pointers; 0: their entries have no limit");
  for (unsigned i = 0; i < queues_.size(); ++i) {
    const std::string name = fmt::format("mrpb.queue.{:02}", i);
    g.counter(name + ".requests", queues_[i].requests, "requests",
              "requests that entered the queue");
    g.counter(name + ".cycles", queues_[i].cycles, "request cycles",
              "cycles that requests stayed in the queue, summed; over gpu.cycles: mean occupancy");
    g.peak(name + ".most", queues_[i].most, "requests",
           "most requests that the queue held at once");
  }
  g.before_snapshot([this] { stats_.storage_bytes = storage_bytes(); });
  g.law("mrpb: requests in = requests out",
        [this] { return expect_equal("held", stats_.held, "left", left_); });
}

std::uint64_t MrpbQueues::ready_queues(Cycle now) const {
  std::uint64_t mask = 0;
  for (unsigned i = 0; i < queues_.size(); ++i)
    if (ready(queues_[i], now)) mask |= std::uint64_t(1) << i;
  return mask;
}

void MrpbQueues::end_unit_cycle() {
  if (pins_.take || pins_.enter) drain_->commit(pins_);
  pins_ = {};
}

Cycle MrpbQueues::next_ready(Cycle now) const {
  Cycle next = kNever;
  for (const Queue& queue : queues_)
    if (queue.length != 0) next = std::min(next, std::max(now + 1, nodes_[queue.first].ready));
  return next;
}

std::string MrpbQueues::describe() const {
  std::string text = fmt::format("mrpb: {} requests held", held_);
  if (head_ != nullptr) text += fmt::format(", 0x{:x} at the cache", head_->get_address());
  for (unsigned i = 0; i < queues_.size(); ++i)
    if (queues_[i].length != 0) text += fmt::format(", queue {}: {}", i, queues_[i].length);
  return text;
}

}  // namespace warpmem::cache
