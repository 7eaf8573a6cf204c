// SPDX-License-Identifier: Apache-2.0
// Prefetches in the cache. They have the lowest priority and are made or dropped in the cycle in
// which they are looked up.
#include "l1d/l1d.hpp"

namespace warpmem::l1d {

using cache::kNoLine;
using mha::Match;

void L1d::cta_finished(unsigned cta_slot) {
  if (!prefetch_) return;
  cta_ends_.push_back({domain().next_cycle(), cta_slot == kTrackedCtaSlot});
  wake();
}

void L1d::note_cta_ends(Cycle now) {
  std::size_t seen = 0;  // the ends stand in the order of their cycles
  while (seen < cta_ends_.size() && cta_ends_[seen].visible <= now)
    prefetch_->cta_finished(cta_ends_[seen++].tracked);
  cta_ends_.erase(cta_ends_.begin(), cta_ends_.begin() + static_cast<std::ptrdiff_t>(seen));
}

// A prefetch that nobody has taken over is the only target of its entry and answers nobody, so it
// leaves whether or not the LSU takes a response.
bool L1d::retire_prefetch() {
  cache::Fill* const fill = fills_.draining();
  Payload* const target = fill != nullptr ? handler_->target() : nullptr;
  if (target == nullptr || !access_of(*target).prefetch) return false;
  fill->unwanted = true;
  handler_->pop_target();
  target->release();
  return true;
}

void L1d::prefetch(Cycle now) {
  if (prefetch_->empty()) return;
  const PrefetchUnit::Wanted wanted = prefetch_->front();
  const PrefetchDrop reason = try_prefetch(wanted.block, wanted.cause, now);
  if (reason != PrefetchDrop::count) prefetch_->drop(reason);
}

void L1d::end_tick(Cycle now, bool accepted) {
  if (bucl_ != nullptr && stall_.cause() != Stall::none) await_bucl(now);
  if (prefetch_ && !accepted && frontend_->head() == nullptr) prefetch(now);
}

Cycle L1d::more_work(Cycle now, bool accepted) const {
  const bool looks = prefetch_ && !prefetch_->empty() && (accepted || frontend_->head() == nullptr);
  return looks ? now + 1 : kNever;
}

namespace {

PrefetchDrop drop_of(Stall refusal) {
  switch (refusal) {
    case Stall::assoc_full:
    case Stall::set_locked:
      return PrefetchDrop::no_line;
    case Stall::miss_queue_full:
      return PrefetchDrop::miss_queue_full;
    default:
      return PrefetchDrop::mshr_full;
  }
}

}  // namespace

// Makes the prefetch and returns `count`, or returns the reason why it is dropped.
PrefetchDrop L1d::try_prefetch(Addr block, const Access& cause, Cycle now) {
  const LineId found = tags_.find(block, block);
  if (is_valid(found)) return PrefetchDrop::present;
  if (handler_->find({block, found}) != Match::none) return PrefetchDrop::outstanding;
  if (handler_->free_entries() <= params_.prefetch.spare_entries) return PrefetchDrop::mshr_full;
  // This is asked before the handler is, since a refusal for a shared tag would lock the cache.
  if (lines_at_misses_ && tags_.victim(block) == kNoLine) return PrefetchDrop::no_line;

  Transaction& request = pool_.get_for(cause, tlm::TLM_READ_COMMAND, block, params_.line_bytes);
  request.access.kind = AccessKind::load;
  request.access.prefetch = true;
  request.access.bypass_l1d = false;
  // One place in the miss queue is left to demand requests.
  const mha::Allocation allocation = handler_->allocate({block, block}, room_beyond(1), request);
  if (allocation.refusal != Stall::none) {
    request.release();
    return drop_of(allocation.refusal);
  }
  begin_miss(block, block, kNoLine, all_sectors(), request.access, allocation, now);
  if (partial_lines()) pending_.add(block, all_sectors(), all_sectors());
  if (tells_sectors_) handler_->note_sectors({all_sectors(), 0, all_sectors()});
  if (locality_) locality_->prefetch(block, request.access);
  ++stats_.prefetches;
  prefetch_->issue();
  return PrefetchDrop::count;
}

}  // namespace warpmem::l1d
