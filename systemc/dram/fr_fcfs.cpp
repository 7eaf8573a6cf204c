// SPDX-License-Identifier: Apache-2.0
#include "dram/fr_fcfs.hpp"

#include <algorithm>

namespace warpmem::dram {

namespace {
/// What may go first: of the commands at the earliest cycle the oldest request's.
struct First {
  Cycle at = kNever;
  unsigned slot = RequestQueue::kNone;
  std::uint64_t order = 0;

  void offer(Cycle cycle, unsigned candidate, std::uint64_t candidate_order) {
    if (cycle > at || (cycle == at && candidate_order > order)) return;
    at = cycle;
    slot = candidate;
    order = candidate_order;
  }
};

template <class Visit>
void for_each_bank(std::uint64_t banks, Visit&& visit) {
  for (; banks != 0; banks &= banks - 1) visit(static_cast<unsigned>(__builtin_ctzll(banks)));
}
}  // namespace

Decision FrFcfs::choose(const RequestQueue& queue, const Device& device, Cycle from,
                        bool columns) const {
  if (queue.empty()) return {};
  // The candidate of a bank is a column command for its oldest row hit, else what its oldest
  // request needs: a PRECHARGE where a row is open, an ACTIVATE where none is.
  const std::uint64_t waiting = queue.waiting_banks() & ~device.held();
  const std::uint64_t hits = waiting & queue.hit_banks(), others = waiting & ~hits;
  First column, row;
  if (columns)
    for_each_bank(hits, [&](unsigned bank) {
      column.offer(std::max(from, device.column_at(bank, queue.oldest_hit_writes(bank))),
                   queue.oldest_hit(bank), queue.oldest_hit_order(bank));
    });
  if (column.at != from) {  // else it goes before any other
    const auto offer_row = [&](unsigned bank, Cycle at) {
      if (std::max(from, at) > row.at) return;
      const unsigned slot = queue.oldest_of(bank);
      row.offer(std::max(from, at), slot, queue[slot].order);
    };
    for_each_bank(others & device.open_banks(),
                  [&](unsigned bank) { offer_row(bank, device.precharge_at(bank)); });
    for_each_bank(others & ~device.open_banks(),
                  [&](unsigned bank) { offer_row(bank, device.activate_at(bank)); });
  }
  const First& best = row.at < column.at ? row : column;
  if (age_cap_ != 0) {
    const Cycle too_old = queue[queue.oldest()].arrival + age_cap_ + 1;
    if (too_old <= best.at)  // from then on nothing goes before the oldest request
      return next_command(queue, device, queue.oldest(), std::max(from, too_old), columns);
  }
  return best.slot == RequestQueue::kNone ? Decision{}
                                          : next_command(queue, device, best.slot, from, columns);
}

}  // namespace warpmem::dram
