// SPDX-License-Identifier: Apache-2.0
// Executes a recorded run on a machine.
#pragma once

#include "program/device.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::program::trace {

struct ReplayResult {
  std::uint64_t launches = 0;
  std::uint64_t warp_instructions = 0;
  bool any_managed = false;  ///< the program had managed memory, as far as the trace tells
};

/// Does what the host did, in order, on a machine that does not check data: a trace has no values.
/// Throws UserError (the trace, or what this machine cannot have been asked) or SimulationError
/// (the machine did not execute what the trace holds). Does not call Device::finish().
ReplayResult replay(TraceReader& reader, Device& device);

}  // namespace warpmem::program::trace
