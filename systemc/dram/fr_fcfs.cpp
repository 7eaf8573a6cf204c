// SPDX-License-Identifier: Apache-2.0
#include "dram/fr_fcfs.hpp"

#include <algorithm>

namespace warpmem::dram {

Decision FrFcfs::choose(const RequestQueue& queue, const Device& device, Cycle from,
                        bool columns) const {
  if (queue.empty()) return {};
  Decision best;
  bool best_is_column = false;
  std::uint64_t best_order = 0;
  for (std::uint64_t rest = queue.waiting_banks(); rest != 0; rest &= rest - 1) {
    const unsigned bank = static_cast<unsigned>(__builtin_ctzll(rest));
    const unsigned hit = queue.oldest_hit(bank);
    const bool is_column = hit != RequestQueue::kNone;
    const Decision candidate =
        next_command(queue, device, is_column ? hit : queue.oldest_of(bank), from, columns);
    if (candidate.at > best.at || candidate.at == kNever) continue;
    const std::uint64_t order = queue[candidate.slot].order;
    const bool better =
        candidate.at < best.at || (is_column != best_is_column ? is_column : order < best_order);
    if (!better) continue;
    best = candidate;
    best_is_column = is_column;
    best_order = order;
  }
  if (age_cap_ != 0) {
    const Cycle too_old = queue[queue.oldest()].arrival + age_cap_ + 1;
    if (too_old <= best.at)  // from then on nothing goes before the oldest request
      return next_command(queue, device, queue.oldest(), std::max(from, too_old), columns);
  }
  return best;
}

}  // namespace warpmem::dram
