// SPDX-License-Identifier: Apache-2.0
// What an SM tells those who watch it.
#pragma once

#include <cstdint>

#include "base/tlm_ports.hpp"
#include "base/types.hpp"
#include "program/program.hpp"

namespace warpmem::sm {

/// What a warp waits for.
enum class WarpState : std::uint8_t {
  none,     ///< there is no warp in the slot
  ready,    ///< for its turn, or for a unit
  result,   ///< for a result of a pipeline, or for its branch
  memory,   ///< for an answer of the memory system, or a fence
  barrier,  ///< at a barrier of the CTA or the cluster
  waits,    ///< suspended at an mbarrier
  drain     ///< it has exited, and responses are awaited
};
inline constexpr unsigned kWarpStates = static_cast<unsigned>(WarpState::drain) + 1;

/// What a cycle of the SM counts as: one of sm.issue_cycles and sm.stall.*, or no CTA is resident.
enum class SmState : std::uint8_t {
  idle,
  issue,
  memory,
  result,
  barrier,
  lsu,
  unit,
  throttle,
  drain,
  bulk
};
inline constexpr unsigned kSmStates = static_cast<unsigned>(SmState::bulk) + 1;

class SmWatch {
 public:
  virtual ~SmWatch() = default;
  /// From now on, which may be as before. `next` is the warp's next instruction; nullptr: none.
  virtual void warp_is(unsigned /*slot*/, WarpState, const program::InstInfo* /*next*/) {}
  virtual void sm_is(SmState) {}
  /// `kernel` is its number in the launch, `index` that of the CTA in the grid.
  virtual void cta_started(unsigned /*cta_slot*/, unsigned /*kernel*/, std::uint64_t /*index*/) {}
  virtual void cta_ended(unsigned /*cta_slot*/) {}
  /// An instruction has issued that will make `requests` requests of the LSU, or, with 0 of these,
  /// bulk copies. `cta` is its number in the launch, as in Access.
  virtual void asked(const program::InstInfo&, std::uint32_t /*cta*/, LaneMask /*lanes*/,
                     unsigned /*requests*/) {}
  /// A request of it has its answer.
  virtual void answered(const program::InstInfo&, const Payload&) {}
  /// All requests of it, which is no bulk copy, have their answers, `cycles` after it was issued.
  virtual void completed(const program::InstInfo&, std::uint32_t /*cta*/, Cycle /*cycles*/) {}
};

}  // namespace warpmem::sm
