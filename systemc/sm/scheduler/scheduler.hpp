// SPDX-License-Identifier: Apache-2.0
// Warp scheduling policy: which of the warps that could issue goes next.
#pragma once

#include <cstdint>
#include <memory>

#include "base/types.hpp"
#include "sm/params.hpp"

namespace warpmem::sm {

/// Bit w is hardware warp slot w (SPEC 1.1: at most 64).
using WarpMask = std::uint64_t;

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
  /// The chosen warp issued.
  virtual void issued(unsigned slot) = 0;
};

std::unique_ptr<Scheduler> make_scheduler(Policy policy, unsigned slots);

}  // namespace warpmem::sm
