// SPDX-License-Identifier: Apache-2.0
// Warp throttling: which warps of an SM may issue at all, whatever its schedulers prefer.
#pragma once

#include <memory>

#include "sm/params.hpp"
#include "sm/scheduler/scheduler.hpp"

namespace warpmem::sm {

class Throttle {
 public:
  virtual ~Throttle() = default;
  /// Calls come in order of age, as for a Scheduler.
  virtual void started(unsigned slot, Cycle now) = 0;
  virtual void finished(unsigned slot, Cycle now) = 0;
  /// The warp waits at a barrier, or no longer does.
  virtual void at_barrier(unsigned slot, bool waiting, Cycle now) = 0;
  /// Once in each tick, before the schedulers choose.
  virtual void begin_cycle(Cycle now) = 0;
  WarpMask allowed() const { return allowed_; }
  /// The next cycle at which begin_cycle() could let another warp in by itself, or kNever.
  virtual Cycle next_change() const = 0;

 protected:
  WarpMask allowed_ = 0;
};

/// nullptr for a policy that does not throttle.
std::unique_ptr<Throttle> make_throttle(const SmParams& params);

}  // namespace warpmem::sm
