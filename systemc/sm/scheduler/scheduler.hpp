// SPDX-License-Identifier: Apache-2.0
// A warp scheduling policy: it decides which of the warps that could issue goes next.
#pragma once

#include <cstdint>
#include <memory>

#include "base/added_kinds.hpp"
#include "base/types.hpp"
#include "sm/params.hpp"

namespace warpmem::sm {

/// Bit w is hardware warp slot w (docs/mechanisms.md 1.1: at most 64).
using WarpMask = std::uint64_t;
/// Returns the mask of the warp in `slot`.
constexpr WarpMask warp_bit(unsigned slot) { return WarpMask(1) << slot; }
/// Returns the lowest slot in `mask`, which must not be empty.
inline unsigned first_warp(WarpMask mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }

/// What a policy may ask of its SM.
class WarpObserver {
 public:
  virtual ~WarpObserver() = default;
  /// Returns whether the warp waits for a memory access or at a barrier.
  virtual bool waits_long(unsigned slot) const = 0;
  /// Returns whether the locality score of LAWS asks for the fair policy in this cycle.
  virtual bool fair() const = 0;
};

class Scheduler {
 public:
  virtual ~Scheduler() = default;
  /// A warp slot of this scheduler got a new warp. Calls come in order of age: CTA assignment time,
  /// then warp number in the CTA.
  virtual void started(unsigned slot) = 0;
  virtual void finished(unsigned slot) = 0;
  /// Chooses among `ready` (not empty): warps whose next instruction passes scoreboard, barrier and
  /// structural checks in this cycle.
  virtual unsigned pick(WarpMask ready) = 0;
  /// The chosen warp has issued. `load` tells whether that was a load from global or local memory.
  virtual void issued(unsigned slot, bool load) = 0;
  /// Number of issue slots given to a warp because it had starved.
  virtual std::uint64_t rescued() const { return 0; }
};

/// Policies from outside the tree, made from what make_policy() takes. No warp starves under them
/// either, for they are guarded as gto is.
using AddedSchedulers = AddedKinds<Scheduler, const SmParams&, const WarpObserver&>;
AddedSchedulers& added_schedulers();

/// Makes one scheduler of an SM with `params`. It owns the slots w with w mod params.schedulers
/// equal to its number. `warps` must outlive it. Where its policy could starve a warp, it is
/// guarded (starvation_guard.hpp).
std::unique_ptr<Scheduler> make_scheduler(const SmParams& params, const WarpObserver& warps);

/// Makes the policy alone, without a guard.
std::unique_ptr<Scheduler> make_policy(const SmParams& params, const WarpObserver& warps);

}  // namespace warpmem::sm
