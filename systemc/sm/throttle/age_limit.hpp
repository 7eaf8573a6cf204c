// SPDX-License-Identifier: Apache-2.0
// Only the N oldest unfinished warps of the SM may issue. N is fixed for swl:N (docs/mechanisms.md
// 1.7; the limit is per SM, whatever the number of schedulers); for LAWS-TH the throttling unit
// sets it.
//
// A warp at a barrier does not count, since the warps that it waits for may be younger. When the
// same warps have held the SM for `patience` cycles, the oldest warp outside is let in too, for as
// long again, and then the next one: a warp may spin on a flag that only a held-back warp will set.
#pragma once

#include "sm/throttle/throttle.hpp"
#include "sm/throttle/warp_ages.hpp"

namespace warpmem::sm {

class AgeLimit : public Throttle {
 public:
  /// `limit` >= 1.
  AgeLimit(unsigned limit, Cycle patience) : limit_(limit), patience_(patience) {}

  void started(unsigned slot, Cycle now) override {
    ages_.started(slot);
    update(now);
  }
  void finished(unsigned slot, Cycle now) override {
    ages_.finished(slot);
    update(now);
  }
  void at_barrier(unsigned slot, bool waiting, Cycle now) override {
    ages_.at_barrier(slot, waiting);
    update(now);
  }
  void set_limit(unsigned limit, Cycle now) {
    if (limit == limit_) return;
    limit_ = limit;
    update(now);
  }
  void catch_up(Cycle now) override {
    if (now != 0) take_turns(now - 1);
  }
  void begin_cycle(Cycle now) override { take_turns(now); }
  Cycle next_change(Cycle now, bool ready) const override {
    return outside_ == 0 || !ready ? kNever : std::max(now + 1, since_ + patience_);
  }

 private:
  static WarpMask bit(unsigned slot) { return WarpMask(1) << slot; }

  // Turns are taken in whole periods, so that it does not matter when the SM was awake.
  void take_turns(Cycle now) {
    for (; outside_ != 0 && now >= since_ + patience_; since_ += patience_) {
      guest_ = ages_.next_outside(oldest_, guest_);
      guest_in_ = true;
      allowed_ = oldest_ | bit(guest_);
    }
  }
  void update(Cycle now) {
    const WarpMask all = ages_.all();
    const WarpMask oldest = ages_.oldest(limit_);
    if (oldest != oldest_ || outside_ == 0) {
      guest_in_ = false;
      since_ = now;
    }
    oldest_ = oldest;
    outside_ = all & ~oldest;
    guest_in_ = guest_in_ && (outside_ & bit(guest_)) != 0;
    allowed_ = guest_in_ ? oldest_ | bit(guest_) : oldest_;
  }

  unsigned limit_;
  Cycle patience_;
  WarpAges ages_;
  WarpMask oldest_ = 0;   // the `limit_` oldest warps that are not at a barrier
  WarpMask outside_ = 0;  // the other warps that are not at a barrier
  unsigned guest_ = 0;
  bool guest_in_ = false;
  Cycle since_ = 0;
};

}  // namespace warpmem::sm
