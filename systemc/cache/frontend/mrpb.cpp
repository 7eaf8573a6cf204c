// SPDX-License-Identifier: Apache-2.0
#include "cache/frontend/mrpb.hpp"

#include <algorithm>

namespace warpmem::cache {

Mrpb::Mrpb(const MrpbParams& params, const FrontendSite& site, const FrontendFactories& units)
    : Frontend(site.in, site.line_bytes, site.arrival),
      queues_(params, site.warps, site.ctas, units) {}

// The request that stands at the cache is chosen first, then one request is taken in.
void Mrpb::fill(Cycle now) {
  Payload* const waiting = incoming().empty() ? nullptr : incoming().front().payload;
  queues_.choose(waiting, now);
  if (waiting == nullptr) return;
  switch (queues_.look(*waiting)) {
    case MrpbQueues::Entry::enters:
      queues_.enter(*waiting, now);
      take_into_queue();
      break;
    case MrpbQueues::Entry::passes:
      queues_.pass(*waiting);
      drop_oldest();
      break;
    case MrpbQueues::Entry::waits:
      return;
  }
  acted_ = now;
}

Waiting* Mrpb::select(Cycle now) {
  if (queues_.head() == nullptr) return nullptr;
  if (head_.payload == nullptr) head_.payload = queues_.head();
  return can_try(head_, now) ? &head_ : nullptr;
}

void Mrpb::accepted(Cycle now) {
  queues_.pop();
  head_ = {};
  acted_ = now;
}

bool Mrpb::refused(Cycle, Stall cause) {
  note_refusal(head_, cause);
  return false;
}

Cycle Mrpb::next_work(Cycle now) const {
  if (acted_ == now) return now + 1;
  return queues_.head() == nullptr ? queues_.next_ready(now) : kNever;
}

void Mrpb::register_stats(StatGroup& group, const ClockDomain&) { queues_.register_stats(group); }

}  // namespace warpmem::cache
