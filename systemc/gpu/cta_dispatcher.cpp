// SPDX-License-Identifier: Apache-2.0
#include "gpu/cta_dispatcher.hpp"

#include <fmt/format.h>

#include "base/assert.hpp"

namespace warpmem::gpu {

CtaDispatcher::CtaDispatcher(ClockDomain& domain, std::vector<sm::Sm*> sms, Cycle launch_latency,
                             std::function<void()> all_done)
    : Clocked(domain),
      sms_(std::move(sms)),
      all_done_(std::move(all_done)),
      free_(sms_.size()),
      launch_latency_(launch_latency) {
  for (sm::Sm* sm : sms_) sm->set_listener(this);
}

void CtaDispatcher::begin(program::Grid& grid) {
  assert(finished());
  const unsigned places = sms_.front()->occupancy(grid.traits());
  if (places == 0) throw UserError(sms_.front()->why_too_large(grid.traits()));
  for (sm::Sm* sm : sms_) sm->begin_launch(grid);
  grid_ = &grid;
  next_ = 0;
  completed_ = 0;
  total_ = grid.ctas();
  free_.assign(sms_.size(), places);
  places_ = places * static_cast<unsigned>(sms_.size());
  turn_ = 0;
  first_ = domain().next_cycle();
  ++launches_;
  wake_at(first_ + launch_latency_);
}

void CtaDispatcher::cta_finished(SmId sm, unsigned cta_slot) {
  if (listener_) listener_(sm, cta_slot);
  const Cycle visible = domain().next_cycle();
  finishes_.push_back({visible, sm.value});
  wake_at(visible);
}

// Takes note of the CTAs that finished before this cycle.
void CtaDispatcher::collect(Cycle now) {
  for (std::size_t i = 0; i < finishes_.size();) {
    if (finishes_[i].visible > now) {
      ++i;
      continue;
    }
    ++free_[finishes_[i].sm];
    ++places_;
    if (++completed_ == total_) cycles_ += finishes_[i].visible - first_;
    finishes_[i] = finishes_.back();
    finishes_.pop_back();
  }
}

// Offers one CTA to each SM with a free place, round-robin; returns whether more could go in the
// next cycle.
bool CtaDispatcher::dispatch() {
  const unsigned count = static_cast<unsigned>(sms_.size());
  const unsigned first = turn_;
  for (unsigned i = 0; i < count && places_ != 0 && next_ != total_; ++i) {
    const unsigned s = (first + i) % count;
    if (free_[s] == 0) continue;
    --free_[s];
    --places_;
    sms_[s]->start_cta(next_++);
    turn_ = (s + 1) % count;
  }
  return places_ != 0 && next_ != total_;
}

Cycle CtaDispatcher::tick(Cycle now) {
  if (grid_ == nullptr || now < first_ + launch_latency_) return kNever;
  if (next_ == 0) launch_cycles_ += now - first_;
  collect(now);
  if (dispatch()) return now + 1;
  if (completed_ != total_) return kNever;
  all_done_();
  return now + 1;
}

}  // namespace warpmem::gpu
