// SPDX-License-Identifier: Apache-2.0
// Locks that every lane takes for itself: `while (atomicCAS(lock, 0, 1) != 0);`, work, release.
// Lanes that leave such a loop must not wait behind it for those that are still in it, which wait
// for the release. As hardware whose lanes have program counters of their own lets them pass, they
// go on up to the release, one after the other, and meet again behind it. Compilers make this loop,
// too, of those in which the work stands inside (`while (!done) if (atomicCAS(...) == 0) ...`).
#pragma once

#include <vector>

#include "program/ptx/cfg.hpp"
#include "program/ptx/lower.hpp"

namespace warpmem::program::ptx {

/// This says where the lanes of a branch out of such a loop meet again.
struct LaneLock {
  std::uint32_t branch = 0;   ///< instruction of the function
  std::int32_t meeting = 0;   ///< instruction behind the release
  bool taken_leaves = false;  ///< the lanes that branch leave the loop; else those that do not
};

std::vector<LaneLock> lane_locks(const LoweredFunction& f, const std::vector<FlowInst>& flow,
                                 const Cfg& cfg);

}  // namespace warpmem::program::ptx
