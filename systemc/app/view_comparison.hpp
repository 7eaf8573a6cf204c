// SPDX-License-Identifier: Apache-2.0
// The same run with each view of its hardware units: equal statistics, and what a view costs.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "app/configuration.hpp"

namespace warpmem::app {

/// As the keys name them; the class comes first, the others are compared with it.
inline constexpr std::array<const char*, 3> kViewNames = {"class", "systemc", "rtl"};

/// The keys that choose the view of a unit and have an effect in this configuration. UserError when
/// it uses no unit with views.
std::vector<std::string> view_keys(const Configuration& configuration);

/// The unit whose view a key chooses: "l1d.mshr.dau" -> "dau".
std::string unit_of(const std::string& view_key);

struct ViewRun {
  std::string view;
  double seconds = 0;      ///< of simulation
  std::string statistics;  ///< stats.json
};

/// Precondition: the run in `folder` is complete.
ViewRun read_view_run(const std::string& view, const std::filesystem::path& folder);

/// Every run has the statistics of the first.
bool identical(const std::vector<ViewRun>& runs);

/// For people: the keys, and a line for each run.
std::string view_table(const std::vector<std::string>& keys, const std::vector<ViewRun>& runs);

}  // namespace warpmem::app
