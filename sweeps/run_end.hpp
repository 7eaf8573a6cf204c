// SPDX-License-Identifier: Apache-2.0
// What the end of a run says of its point, read from the run's folder.
#pragma once

#include <filesystem>
#include <string>

#include "sweeps/database.hpp"
#include "sweeps/pool.hpp"
#include "sweeps/run_details.hpp"

namespace warpmem::sweeps {

/// What a run is, as its folder keeps it for a sweep that comes when this one was killed.
struct RunIdentity {
  std::string key;
  std::string name;                     ///< of its first point
  std::string config;                   ///< every key, resolved (YAML)
  bool per_pc = false, series = false;  ///< what it keeps beside its statistics
};

/// Returns whether the end is a result: what the machine lacked says nothing about the point, and
/// neither does a signal from outside. The faults of a program itself are results.
bool is_result(const JobEnd& end);

/// Returns why there is no complete result, in a line that names no work folder. `status` is that
/// of the manifest; empty: there is none.
std::string why_not(const JobEnd& end, const JobLimits& limits, const std::string& status,
                    const std::filesystem::path& folder);

struct ReadRun {
  RunResult result;
  RunDetails details;
};

/// Reads what a run whose end is a result has left in its folder; what cannot be understood is a
/// failed one.
ReadRun read_run(const RunIdentity& run, const JobEnd& end, const JobLimits& limits,
                 const std::filesystem::path& folder);

/// Returns the file of a run's folder that tells how it ended (base/end_record.hpp).
std::filesystem::path end_record(const std::filesystem::path& folder);

}  // namespace warpmem::sweeps
