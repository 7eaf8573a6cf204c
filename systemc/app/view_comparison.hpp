// SPDX-License-Identifier: Apache-2.0
// The same run with each view of its hardware units: equal statistics, and what a view costs.
#pragma once

#include <array>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "app/configuration.hpp"

namespace warpmem::app {

/// The views stand as the keys name them; the class comes first, and the others are compared with
/// it.
inline constexpr std::array<const char*, 4> kViewNames = {"class", "core", "systemc", "rtl"};

/// Returns the keys that choose the view of a unit and have an effect in this configuration. Throws
/// UserError when it uses no unit with views.
std::vector<std::string> view_keys(const Configuration& configuration);

/// Returns the units whose RTL such a key asks for; with `any_view` those that have a key.
std::set<std::string> units_in_rtl(const Configuration& configuration, bool any_view);

/// Returns the unit whose view a key chooses: "dau" for "l1d.mshr.dau".
std::string unit_of(const Configuration& configuration, const std::string& view_key);

struct ViewRun {
  std::string view;
  double seconds = 0;      ///< wall time of the simulation
  std::string statistics;  ///< contents of stats.json
};

/// Reads a run back. Precondition: the run in `folder` is complete.
ViewRun read_view_run(const std::string& view, const std::filesystem::path& folder);

/// Returns whether every run has the statistics of the first.
bool identical(const std::vector<ViewRun>& runs);

/// Returns a table for people: the keys, and a line for each run.
std::string view_table(const std::vector<std::string>& keys, const std::vector<ViewRun>& runs);

}  // namespace warpmem::app
