// SPDX-License-Identifier: Apache-2.0
// Greedy-then-round-robin (gtrr) picks the warp that issued last until it cannot issue (scoreboard,
// barrier or structural hazard), then the next ready one after it. With `switch_after_load` (gtlr)
// a load from global or local memory ends the greed as well, so that warps reach the same load
// close together and share the lines that it brings (KI 2.3).
#pragma once

#include "sm/scheduler/round_robin.hpp"

namespace warpmem::sm {

class GreedyRoundRobin : public Scheduler {
 public:
  explicit GreedyRoundRobin(bool switch_after_load) : switch_after_load_(switch_after_load) {}

  void started(unsigned) override {}
  void finished(unsigned slot) override {
    if (slot == last_) greedy_ = false;  // another warp in the same slot is not the same warp
  }
  unsigned pick(WarpMask ready) override {
    if (greedy_ && (ready >> last_ & 1)) return last_;
    return RoundRobin::next_after(last_, ready);
  }
  void issued(unsigned slot, bool load) override {
    last_ = slot;
    greedy_ = !(load && switch_after_load_);
  }

 private:
  bool switch_after_load_;
  bool greedy_ = false;
  unsigned last_ = 63;
};

}  // namespace warpmem::sm
