// SPDX-License-Identifier: Apache-2.0
// Greedy-then-oldest picks the warp that issued last until it cannot issue (scoreboard, barrier or
// structural hazard), then the oldest by (CTA assignment time, warp number in the CTA)
// (docs/mechanisms.md 1.7).
#pragma once

#include <algorithm>
#include <vector>

#include "sm/scheduler/scheduler.hpp"

namespace warpmem::sm {

class GreedyThenOldest : public Scheduler {
 public:
  explicit GreedyThenOldest(unsigned slots) { by_age_.reserve(slots); }

  void started(unsigned slot) override { by_age_.push_back(slot); }
  void finished(unsigned slot) override {
    by_age_.erase(std::find(by_age_.begin(), by_age_.end(), slot));
    if (greedy_ == slot) greedy_ = kNone;
  }
  unsigned pick(WarpMask ready) override {
    if (greedy_ != kNone && (ready >> greedy_ & 1)) return greedy_;
    for (unsigned slot : by_age_)
      if (ready >> slot & 1) return slot;
    return static_cast<unsigned>(__builtin_ctzll(ready));
  }
  void issued(unsigned slot, bool) override { greedy_ = slot; }

 private:
  static constexpr unsigned kNone = ~0u;
  std::vector<unsigned> by_age_;  // slots, the oldest warp first
  unsigned greedy_ = kNone;
};

}  // namespace warpmem::sm
