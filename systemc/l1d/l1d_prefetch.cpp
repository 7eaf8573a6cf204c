// SPDX-License-Identifier: Apache-2.0
// Prefetches in the cache: the lowest priority, made or dropped in the cycle in which they are
// looked up.
#include <cassert>

#include "l1d/l1d.hpp"

namespace warpmem::l1d {

using mha::kNoLine;
using mha::LineId;
using mha::LineState;
using mha::Match;

void L1d::cta_finished(unsigned cta_slot) {
  if (!prefetch_) return;
  cta_ends_.push_back({domain().next_cycle(), cta_slot == kTrackedCtaSlot});
  wake();
}

void L1d::note_cta_ends(Cycle now) {
  std::size_t seen = 0;  // they are in order of their cycles
  while (seen < cta_ends_.size() && cta_ends_[seen].visible <= now)
    prefetch_->cta_finished(cta_ends_[seen++].tracked);
  cta_ends_.erase(cta_ends_.begin(), cta_ends_.begin() + static_cast<std::ptrdiff_t>(seen));
}

// A prefetch that nobody has taken over is the only target of its entry and answers nobody, so it
// leaves whether or not the LSU takes a response.
bool L1d::retire_prefetch() {
  mha::Fill* const fill = fills_.draining();
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

// The reason why the prefetch is dropped, or `count` when it is on its way.
PrefetchDrop L1d::try_prefetch(Addr block, const Access& cause, Cycle now) {
  const LineId found = tags_.find(block, block);
  if (found != kNoLine && tags_.state(found) == LineState::valid) return PrefetchDrop::present;
  if (handler_->find({block, found}) != Match::none) return PrefetchDrop::outstanding;
  if (handler_->free_entries() <= params_.prefetch.spare_entries) return PrefetchDrop::mshr_full;
  // Asked first, as a shared tag that is refused would lock the cache.
  if (lines_at_misses_ && tags_.victim(block) == kNoLine) return PrefetchDrop::no_line;
  const mha::Place place = handler_->place(block, block);
  if (place.refusal != mha::Refusal::none) {
    return place.refusal == mha::Refusal::entry_full ? PrefetchDrop::mshr_full
                                                     : PrefetchDrop::no_line;
  }
  // One place is left to demand requests.
  const std::size_t places = place.line != kNoLine && tags_.dirty(place.line) ? 3 : 2;
  if (outgoing_.capacity() - outgoing_.size() < places) return PrefetchDrop::miss_queue_full;

  Transaction& request = pool_.get_for(cause, tlm::TLM_READ_COMMAND, block, params_.line_bytes);
  request.access.kind = AccessKind::load;
  request.access.prefetch = true;
  request.access.bypass_l1d = false;
  if (handler_->allocate({block, place.line}, request) != mha::Refusal::none) {
    request.release();
    return PrefetchDrop::mshr_full;
  }
  if (place.line != kNoLine) {
    evict(place.line, request.access, now);
    tags_.reserve(place.line, block);
  }
  fetch(block, request.access, now);
  locality_.prefetch(block, request.access);
  ++stats_.prefetches;
  prefetch_->issue();
  return PrefetchDrop::count;
}

}  // namespace warpmem::l1d
