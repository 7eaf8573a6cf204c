// SPDX-License-Identifier: Apache-2.0
// What a run says beside its totals, as the database keeps it: its launches, its memory
// instructions, its series, and what the names of statistics mean.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace warpmem::sweeps {

/// A launch, or several that ran together, whose names and shapes are joined by " + ".
struct LaunchDetail {
  std::int64_t launch;
  std::string name;
  std::string grid, block;  ///< "16x1x1": CTAs, and threads of one
  std::int64_t cycles;
  std::string stats;  ///< JSON object: statistic -> value; those that are zero are left out
};

/// A memory instruction, or all that no instruction asked for: `op` is "prefetch" or "writeback"
/// then, and there are neither kernel nor PC.
struct InstructionDetail {
  std::optional<std::string> kernel;
  std::optional<std::int64_t> launches, pc;
  std::optional<std::string> text;
  std::string op;
  std::optional<std::string> space;
  std::optional<std::int64_t> lane_bytes, source_line, line;
  std::string stats;                   ///< JSON object; names are the columns of instructions.csv
  std::optional<std::string> slowest;  ///< JSON object, as in instructions.json
};

/// Cycles of the SM clock.
struct IntervalDetail {
  std::int64_t begin, end, launch;
};

struct SeriesDetail {
  std::string name;
  std::string points;  ///< JSON array, a value or null for each interval
};

struct StatisticUnit {
  std::string name, kind, unit, meaning;
};

struct RunDetails {
  std::vector<LaunchDetail> launches;
  std::vector<InstructionDetail> instructions;
  std::vector<IntervalDetail> intervals;
  std::vector<SeriesDetail> series;
  std::vector<StatisticUnit> units;
};

/// Reads the details of a complete run from its directory; `stats` is its stats.json, `per_pc` and
/// `over_time` say whether it was asked for instructions and series. Throws UserError when a file
/// that must be there cannot be understood.
RunDetails read_run_details(const std::filesystem::path& folder,
                            const nlohmann::ordered_json& stats, bool per_pc, bool over_time);

}  // namespace warpmem::sweeps
