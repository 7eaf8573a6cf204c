// SPDX-License-Identifier: Apache-2.0
// The runs of a sweep that was killed: those that ended before it could store them are results,
// and the others ended with it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sweeps/database.hpp"
#include "sweeps/run_end.hpp"

namespace warpmem::sweeps {

/// Writes what a run is into its folder, for take_left_runs().
void write_identity(const RunIdentity& run, const std::filesystem::path& folder);

/// Stores the runs in a killed sweep's work folder that had ended and left whole results, or whose
/// end is a failure of the point; returns their names. Waits, and says so, for what still lives of
/// any run in it, so that no run is ever begun beside an earlier one of the same. Throws
/// Interrupted while it waits.
std::vector<std::string> take_left_runs(const std::filesystem::path& work, Database& database);

}  // namespace warpmem::sweeps
