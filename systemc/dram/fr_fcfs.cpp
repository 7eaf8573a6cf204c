// SPDX-License-Identifier: Apache-2.0
#include "dram/fr_fcfs.hpp"

#include <algorithm>

namespace warpmem::dram {

Decision FrFcfs::choose(const RequestQueue& queue, const Device& device, Cycle from,
                        bool columns) const {
  if (queue.empty()) return {};
  // The candidate of a bank is a column command for its oldest row hit, else what its oldest
  // request needs: a PRECHARGE where a row is open, an ACTIVATE where none is.
  Cycle best_at = kNever;
  unsigned best = RequestQueue::kNone;
  bool best_is_column = false;
  for (std::uint64_t rest = queue.waiting_banks() & ~device.held(); rest != 0; rest &= rest - 1) {
    const unsigned bank = static_cast<unsigned>(__builtin_ctzll(rest));
    const unsigned hit = queue.oldest_hit(bank);
    const bool is_column = hit != RequestQueue::kNone;
    if (is_column && !columns) continue;
    const Cycle at = std::max(from, is_column ? device.column_at(bank, queue[hit].write)
                                    : device.is_open(bank) ? device.precharge_at(bank)
                                                           : device.activate_at(bank));
    if (at > best_at || at == kNever) continue;
    const unsigned slot = is_column ? hit : queue.oldest_of(bank);
    const bool better =
        at < best_at ||
        (is_column != best_is_column ? is_column : queue[slot].order < queue[best].order);
    if (!better) continue;
    best_at = at;
    best = slot;
    best_is_column = is_column;
  }
  if (age_cap_ != 0) {
    const Cycle too_old = queue[queue.oldest()].arrival + age_cap_ + 1;
    if (too_old <= best_at)  // from then on nothing goes before the oldest request
      return next_command(queue, device, queue.oldest(), std::max(from, too_old), columns);
  }
  return best == RequestQueue::kNone ? Decision{}
                                     : next_command(queue, device, best, from, columns);
}

}  // namespace warpmem::dram
