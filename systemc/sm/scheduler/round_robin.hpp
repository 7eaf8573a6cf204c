// SPDX-License-Identifier: Apache-2.0
// Loose round-robin picks the next ready warp after the one that issued last (docs/mechanisms.md
// 1.7).
#pragma once

#include "sm/scheduler/scheduler.hpp"

namespace warpmem::sm {

class RoundRobin : public Scheduler {
 public:
  void started(unsigned) override {}
  void finished(unsigned) override {}
  unsigned pick(WarpMask ready) override { return next_after(last_, ready); }
  void issued(unsigned slot, bool) override { last_ = slot; }

  /// Returns the first warp of `ready` (not empty) after `slot`, wrapping around.
  static unsigned next_after(unsigned slot, WarpMask ready) {
    const WarpMask after = slot >= 63 ? 0 : ready & (~WarpMask(0) << (slot + 1));
    return static_cast<unsigned>(__builtin_ctzll(after != 0 ? after : ready));
  }

 private:
  unsigned last_ = 63;
};

}  // namespace warpmem::sm
