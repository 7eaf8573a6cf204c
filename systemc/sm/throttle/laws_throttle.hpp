// SPDX-License-Identifier: Apache-2.0
// Applies the limit that LAWS-TH sets to the oldest warps, which its scheduler GTO prefers (KI
// 3.3).
#pragma once

#include "sm/laws/laws.hpp"
#include "sm/throttle/age_limit.hpp"

namespace warpmem::sm {

class LawsThrottle : public AgeLimit {
 public:
  LawsThrottle(Laws& laws, Cycle patience) : AgeLimit(Laws::kUnlimited, patience), laws_(laws) {}

  bool l1d_accessed(const LocalityEvent&, Cycle) override { return true; }
  void begin_cycle(Cycle now) override {
    set_limit(laws_.limit(now), now);
    AgeLimit::begin_cycle(now);
  }
  // The cycle since which a limit stands decides when the next guest is let in, so the SM must not
  // oversleep a change.
  Cycle next_change(Cycle now, bool ready) const override {
    return laws_.settling(now) ? now + 1 : AgeLimit::next_change(now, ready);
  }

 private:
  Laws& laws_;
};

}  // namespace warpmem::sm
