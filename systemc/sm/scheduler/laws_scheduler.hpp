// SPDX-License-Identifier: Apache-2.0
// LAWS follows gtlr while the locality score is negative (locality between warps) and gto otherwise
// (KI 2.5). Both are told what issues, so either is ready to take over.
#pragma once

#include "sm/scheduler/greedy_round_robin.hpp"
#include "sm/scheduler/gto.hpp"

namespace warpmem::sm {

class LawsScheduler : public Scheduler {
 public:
  LawsScheduler(unsigned slots, const WarpObserver& warps) : warps_(warps), gto_(slots) {}

  void started(unsigned slot) override {
    gto_.started(slot);
    gtlr_.started(slot);
  }
  void finished(unsigned slot) override {
    gto_.finished(slot);
    gtlr_.finished(slot);
  }
  unsigned pick(WarpMask ready) override {
    return warps_.fair() ? gtlr_.pick(ready) : gto_.pick(ready);
  }
  void issued(unsigned slot, bool load) override {
    gto_.issued(slot, load);
    gtlr_.issued(slot, load);
  }

 private:
  const WarpObserver& warps_;
  GreedyThenOldest gto_;
  GreedyRoundRobin gtlr_{true};
};

}  // namespace warpmem::sm
