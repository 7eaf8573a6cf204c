// SPDX-License-Identifier: Apache-2.0
// Keeps an unfair policy (gto and what builds on it, two_level) from starving a warp: warps that
// spin on a flag may fill every issue slot, so that the warp that would set it never gets one.
//
// Time is cut into windows of `bound` issue slots of this scheduler. A warp has starved when it
// could have issued in one window and issued neither in the rest of it nor in the whole next one.
// It goes first whenever it can issue, for `bound` / 16 slots; then the next starved warp does,
// until none is left. A program whose warps all issue once in `bound` slots runs as if there were
// no guard.
//
// Slots are counted, not cycles: nothing changes while nobody issues.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "sm/scheduler/scheduler.hpp"

namespace warpmem::sm {

class StarvationGuard : public Scheduler {
 public:
  /// `bound` >= 16.
  StarvationGuard(std::unique_ptr<Scheduler> policy, unsigned bound)
      : policy_(std::move(policy)), bound_(bound), left_(bound) {}

  void started(unsigned slot) override { policy_->started(slot); }
  void finished(unsigned slot) override {
    const WarpMask others = ~warp_bit(slot);  // the next warp in this slot is another one
    offered_ &= others;
    waiting_ &= others;
    starved_ &= others;
    if (starved_ != 0 && slot == guest_) start_turn();
    policy_->finished(slot);
  }
  unsigned pick(WarpMask ready) override {
    offered_ |= ready;
    if (starved_ != 0 && (ready >> guest_ & 1)) return guest_;
    return policy_->pick(ready);
  }
  void issued(unsigned slot, bool load) override {
    policy_->issued(slot, load);
    waiting_ &= ~warp_bit(slot);
    offered_ &= ~warp_bit(slot);
    if (starved_ != 0 && slot == guest_) ++rescued_;
    if (starved_ != 0 && --turn_ == 0) {
      starved_ &= ~warp_bit(guest_);
      if (starved_ != 0) start_turn();
    }
    if (--left_ == 0) end_window();
  }
  std::uint64_t rescued() const override { return rescued_; }

 private:
  void end_window() {
    left_ = bound_;
    if (starved_ == 0 && waiting_ != 0) {
      starved_ = waiting_;
      start_turn();
    }
    waiting_ = offered_;
    offered_ = 0;
  }
  void start_turn() {
    turn_ = bound_ / 16;
    guest_ = static_cast<unsigned>(__builtin_ctzll(starved_));
  }

  std::unique_ptr<Scheduler> policy_;
  const unsigned bound_;
  unsigned left_;         // issue slots left in the window
  unsigned turn_ = 0;     // issue slots left to the guest
  WarpMask offered_ = 0;  // warps that could have issued in this window and have not since
  WarpMask waiting_ = 0;  // warps that could have issued in the last window and have not since
  WarpMask starved_ = 0;  // those of them that go first in their turn
  unsigned guest_ = 0;
  std::uint64_t rescued_ = 0;
};

}  // namespace warpmem::sm
