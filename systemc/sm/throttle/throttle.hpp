// SPDX-License-Identifier: Apache-2.0
// Warp throttling decides which warps of an SM may issue at all, whatever its schedulers prefer.
#pragma once

#include <memory>

#include "base/locality.hpp"
#include "base/stats.hpp"
#include "sm/params.hpp"
#include "sm/scheduler/scheduler.hpp"

namespace warpmem::sm {

class Throttle {
 public:
  virtual ~Throttle() = default;
  /// A kernel is launched.
  virtual void launch() {}
  /// Calls come in order of age, as for a Scheduler.
  virtual void started(unsigned slot, Cycle now) = 0;
  virtual void finished(unsigned slot, Cycle now) = 0;
  /// The warp waits at a barrier, or no longer does.
  virtual void at_barrier(unsigned slot, bool waiting, Cycle now) = 0;
  /// An instruction has issued.
  virtual void issued(Cycle) {}
  /// Tells of an access of L1D, in the cycle before the one in which it counts. Returns whether the
  /// SM must be awake in that one.
  virtual bool l1d_accessed(const LocalityEvent&, Cycle) { return false; }
  virtual void register_stats(StatGroup&) {}
  /// To be called once in each tick, before any other call in it. It makes up for what fell due in
  /// the cycles before `now`, in which the SM may have slept.
  virtual void catch_up(Cycle now) = 0;
  /// To be called once in each tick, before the schedulers choose.
  virtual void begin_cycle(Cycle now) = 0;
  /// The warps that may issue.
  WarpMask allowed() const { return allowed_; }
  /// The warps among them that may issue loads of global or local memory.
  WarpMask allowed_loads() const { return allowed_loads_; }
  /// Returns the next cycle after `now` in which begin_cycle() could let another warp in, or hold
  /// one back, although nothing else happens, or kNever. `ready` tells whether a warp could issue
  /// if it were let in; if none could, only changes that catch_up() could not make up for count.
  virtual Cycle next_change(Cycle now, bool ready) const = 0;

 protected:
  WarpMask allowed_ = 0;
  WarpMask allowed_loads_ = ~WarpMask(0);
};

class Laws;

/// Makes the policy's throttle, or returns nullptr for a policy that does not throttle. `laws` is
/// that of the SM, or nullptr.
std::unique_ptr<Throttle> make_throttle(const SmParams& params, Laws* laws);

}  // namespace warpmem::sm
