// SPDX-License-Identifier: Apache-2.0
// Writes a trace as a folder that Accel-Sim reads: kernelslist.g and the trace of each launch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace warpmem::program::trace {

struct AccelsimExport {
  unsigned architecture = 70;  ///< 70, 75, 80, 86 or 90
  bool compressed = false;     ///< kernel traces as .traceg.xz
  /// Called after each launch with their number so far, if it is given.
  std::function<void(std::uint64_t)> each_launch;
};

/// Reads `input`, any trace, twice, a CTA at a time. `folder` is made if it is not there. The list
/// is written last, so that no half of an export has one. Returns sentences for the user: the notes
/// of the reader, and what only warpmem reads back. Throws UserError for what the format cannot
/// say and when the folder holds something.
std::vector<std::string> export_accelsim(const std::string& input,
                                         const std::filesystem::path& folder,
                                         const AccelsimExport& options);

}  // namespace warpmem::program::trace
