// SPDX-License-Identifier: Apache-2.0
#include "program/trace/replay.hpp"

#include <numeric>

#include "program/trace/replayed_memory.hpp"
#include "program/trace/trace_grid.hpp"

namespace warpmem::program::trace {

ReplayResult replay(TraceReader& reader, Device& device) {
  ReplayResult result;
  ReplayedMemory memory(device);
  Command command;
  while (reader.next(command)) {
    if (command.kind == Command::Kind::launch) {
      TraceGrid grid(*command.kernel);
      device.launch(grid);
      grid.check_complete();
      ++result.launches;
      result.warp_instructions =
          std::accumulate(grid.executed().begin(), grid.executed().end(), result.warp_instructions);
    } else {
      memory.apply(command);
    }
    command.kernel.reset();
  }
  result.any_managed = memory.any_managed();
  return result;
}

}  // namespace warpmem::program::trace
