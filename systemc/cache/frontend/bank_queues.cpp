// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/bank_queues.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpmem::cache {

BankQueues::BankQueues(const FrontendParams& params, ServicePort& in, const AddressMap& map,
                       std::uint32_t line_bytes, Stage arrival)
    : Reordering(params, in, line_bytes, arrival,
                 std::size_t(params.queues) * params.queue_entries),
      map_(map) {
  for (unsigned q = 0; q < params.queues; ++q) queues_.emplace_back(params.queue_entries);
}

unsigned BankQueues::queue_of(const Waiting& w) const {
  return static_cast<unsigned>(map_.dram(w.payload->get_address()).bank.value % queues_.size());
}

void BankQueues::fill(Cycle now) {
  if (incoming().empty()) return;
  Ring<Waiting>& queue = queues_[queue_of(incoming().front())];
  if (queue.full()) {
    wait_for_place(now);
    return;
  }
  queue.push(enter(now));
  ++held_;
  most_held_ = std::max<std::uint64_t>(most_held_, held_);
}

Waiting* BankQueues::choose(Cycle now) {
  unsigned q = next_;
  for (std::size_t step = 0; step < queues_.size(); ++step, q = after(q))
    if (!queues_[q].empty() && can_try(queues_[q].front(), now)) return &queues_[q].front();
  return nullptr;
}

Waiting* BankQueues::find(std::uint64_t number) {
  return &std::find_if(queues_.begin(), queues_.end(), [number](const Ring<Waiting>& queue) {
            return !queue.empty() && queue.front().number == number;
          })->front();
}

void BankQueues::remove(Waiting& selected, Cycle) {
  const unsigned queue = queue_of(selected);
  queues_[queue].drop();
  --held_;
  next_ = after(queue);
}

void BankQueues::register_stats(StatGroup& g, const ClockDomain& clock) {
  Reordering::register_stats(g, clock);
  g.peak("frontend.most_held", most_held_, "requests", "most requests in the queues at a time");
}

std::string BankQueues::describe() const {
  std::string text = fmt::format("bank queues, {} requests:", held_);
  for (const Ring<Waiting>& queue : queues_) text += fmt::format(" {}", queue.size());
  return text;
}

}  // namespace warpmem::cache
