// SPDX-License-Identifier: Apache-2.0
// The statistics of a simulation as a JSON document.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/stats.hpp"

namespace warpmem {

/// How a launch is shaped: CTAs of the grid and threads of a CTA, x, y and z.
struct LaunchShape {
  std::array<std::uint32_t, 3> grid, block;
};
/// Shapes by the number of the launch.
using LaunchShapes = std::map<std::uint64_t, LaunchShape>;

/// {"units": {"l1d.accesses": {kind, unit, doc}, ...},
///  "kernels": [{"name", "launch", "grid", "block", "stats": {"l1d.accesses": 10, ...},
///  "histograms"}, ...], "total": {"stats", "histograms", "series"}, "instances": {"l1d":
///  [{"index", "stats": {"accesses": 4, ...}, ...}, ...]}}  (per_instance)
///
/// A launch accounts for what happened between its begin_kernel and end_kernel. The total is the
/// sum over launches, series run over the whole simulation, and instances are totals. Launches that
/// ran together are one, with a list "together" of {"name", "launch", "grid", "block", "begin",
/// "end"}; `shapes` has grid and block, which are left out of launches that it lacks.
std::string stats_json(const StatRegistry& registry, bool per_instance = false,
                       const LaunchShapes& shapes = {});

/// {"units": as above,
///  "kernels": [{"name", "launch", "instances": as above}, ...],
///  "total": {"instances": as above, with series}}
///
/// Launches are there when the registry keeps instances apart.
std::string instances_json(const StatRegistry& registry);

/// Reads stats.json, or the manifest beside it, without the statistics of single launches and
/// without what those mean, which are most of it. What is no JSON gives a document that
/// is_discarded().
nlohmann::json read_totals(const std::filesystem::path& file);

}  // namespace warpmem
