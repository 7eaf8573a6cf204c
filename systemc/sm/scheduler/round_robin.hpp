// SPDX-License-Identifier: Apache-2.0
// Loose round-robin: the next ready warp after the one that issued last (SPEC 1.7).
#pragma once

#include "sm/scheduler/scheduler.hpp"

namespace warpmem::sm {

class RoundRobin : public Scheduler {
 public:
  void started(unsigned) override {}
  void finished(unsigned) override {}
  unsigned pick(WarpMask ready) override {
    const WarpMask after = last_ >= 63 ? 0 : ready & (~WarpMask(0) << (last_ + 1));
    return static_cast<unsigned>(__builtin_ctzll(after != 0 ? after : ready));
  }
  void issued(unsigned slot) override { last_ = slot; }

 private:
  unsigned last_ = 63;
};

}  // namespace warpmem::sm
