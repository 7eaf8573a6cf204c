// SPDX-License-Identifier: Apache-2.0
// What a sweep says while it runs (base/progress_line.hpp shows it).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace warpmem::sweeps {

struct RunningPoint {
  std::string name;
  double seconds;     ///< so long it has run
  std::size_t bytes;  ///< memory that it has now
};

struct ProgressState {
  std::size_t total, done, failed;  ///< runs
  std::optional<double> left;       ///< seconds, estimated
  std::vector<RunningPoint> running;
};

/// Returns a line like "12/100 runs, 1 failed, about 6 min left; now: bfs scheme=dl (35 s, 210 MiB)
/// and 1 more, 300 MiB in all", with the point that has run longest.
std::string progress_text(const ProgressState& state);

/// Returns a text like "35 s", "12 min" or "3.4 h".
std::string duration_text(double seconds);

}  // namespace warpmem::sweeps
