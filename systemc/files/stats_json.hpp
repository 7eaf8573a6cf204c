// SPDX-License-Identifier: Apache-2.0
// The statistics of a simulation as a JSON document.
#pragma once

#include <string>

#include "base/stats.hpp"

namespace warpmem {

/// {"units": {"l1d.accesses": {kind, unit, doc}, ...},
///  "kernels": [{"name", "launch", "stats": {"l1d.accesses": 10, ...}, "histograms"}, ...],
///  "total": {"stats", "histograms", "series"},
///  "instances": {"l1d": [{"index", "stats": {"accesses": 4, ...}, ...}, ...]}}  (per_instance)
///
/// A launch accounts for what happened between its begin_kernel and end_kernel. The total is the
/// sum over launches, series run over the whole simulation, and instances are totals.
std::string stats_json(const StatRegistry& registry, bool per_instance = false);

/// {"units": as above,
///  "kernels": [{"name", "launch", "instances": as above}, ...],
///  "total": {"instances": as above, with series}}
///
/// Launches are there when the registry keeps instances apart.
std::string instances_json(const StatRegistry& registry);

}  // namespace warpmem
