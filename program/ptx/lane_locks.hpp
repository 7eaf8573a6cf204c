// SPDX-License-Identifier: Apache-2.0
// Locks that every lane takes for itself: `while (atomicCAS(lock, 0, 1) != 0);`, work, release.
// Lanes that leave such a loop must not wait behind it for those that are still in it, which wait
// for the release. As hardware whose lanes have program counters of their own lets them pass, they
// go on up to the release, one after the other, and meet again behind it. Compilers make this loop,
// too, of those in which the work stands inside (`while (!done) if (atomicCAS(...) == 0) ...`).
// Lanes may return from a function with the lock that they took there (`acquire(lock)`), while
// others are still in it.
#pragma once

#include <vector>

#include "program/ptx/cfg.hpp"
#include "program/ptx/lower.hpp"

namespace warpmem::program::ptx {

/// This says where the lanes of a branch out of such a loop meet again.
struct LaneLock {
  std::uint32_t branch = 0;   ///< instruction of the function
  std::int32_t meeting = 0;   ///< instruction behind the release; -1: they return with the lock
  bool taken_leaves = false;  ///< the lanes that branch leave the loop; else those that do not
};
/// This says where lanes meet again that come back from a call with a lock.
struct KeptLock {
  std::uint32_t site = 0;    ///< of Program::calls
  std::int32_t meeting = 0;  ///< instruction of the calling function; -1: they return with the lock
};
struct LaneLocks {
  std::vector<LaneLock> in_loops;
  std::vector<KeptLock> at_calls;
};

/// A function of a program that is being linked.
struct LinkedFunction {
  const LoweredFunction* code = nullptr;
  const std::vector<FlowInst>* flow = nullptr;
  const Cfg* cfg = nullptr;
};

/// Returns the locks of each function, in the program's order.
std::vector<LaneLocks> lane_locks(const std::vector<LinkedFunction>& functions,
                                  const Program& program);

}  // namespace warpmem::program::ptx
