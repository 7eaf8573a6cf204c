// SPDX-License-Identifier: Apache-2.0
#include "app/view_comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "cosim/hardware_unit.hpp"
#include "files/json_text.hpp"

namespace warpmem::app {

namespace fs = std::filesystem;

namespace {

/// Returns the keys that choose a view and have an effect.
std::vector<const Param*> view_params(const Configuration& configuration) {
  const std::vector<std::string> views(kViewNames.begin(), kViewNames.end());
  std::vector<const Param*> list;
  for (const Param& param : configuration.schema().params())
    if (param.choices == views && param.active()) list.push_back(&param);
  return list;
}

}  // namespace

std::vector<std::string> view_keys(const Configuration& configuration) {
  std::vector<std::string> keys;
  for (const Param* const param : view_params(configuration)) keys.push_back(param->name);
  if (keys.empty())
    throw UserError(
        "--compare-views: no unit of this configuration has views; l1d.mshr.kind=dl "
        "would have one");
  return keys;
}

std::set<std::string> units_in_rtl(const Configuration& configuration, bool any_view) {
  std::set<std::string> units;
  for (const Param* const param : view_params(configuration))
    if (any_view || param->get() == "rtl") units.insert(unit_of(configuration, param->name));
  return units;
}

std::string unit_of(const Configuration& configuration, const std::string& view_key) {
  const std::size_t last = view_key.rfind('.');
  const std::size_t before = last == 0 ? last : view_key.rfind('.', last - 1);
  const std::string end = view_key.substr(before + 1);
  const auto beside = [&](const std::string& name) {
    const Param* const param = configuration.schema().find(view_key.substr(0, last + 1) + name);
    return param == nullptr ? std::string() : param->get();
  };
  std::string unflagged;
  for (const auto& unit : cosim::hardware_units()) {
    if (unit->view_key() != end) continue;
    if (!unit->view_kind().empty() && beside("kind") != unit->view_kind()) continue;
    if (!unit->view_flag().empty() && beside(unit->view_flag()) == "true") return unit->name();
    if (unit->view_flag().empty() && unflagged.empty()) unflagged = unit->name();
  }
  if (!unflagged.empty()) return unflagged;
  throw SimulationError(view_key + " chooses the view of no known unit");
}

ViewRun read_view_run(const std::string& view, const fs::path& folder) {
  const auto manifest = parse_json(read_text(folder / "manifest.json"));
  return {view, manifest.value("wall_seconds", 0.0), read_text(folder / "stats.json")};
}

bool identical(const std::vector<ViewRun>& runs) {
  return std::all_of(runs.begin(), runs.end(), [&runs](const ViewRun& run) {
    return run.statistics == runs.front().statistics;
  });
}

std::string view_table(const std::vector<std::string>& keys, const std::vector<ViewRun>& runs) {
  std::string text = fmt::format("warpmem: views of {}\n", fmt::join(keys, ", "));
  const ViewRun& first = runs.front();
  for (const ViewRun& run : runs)
    text += fmt::format("warpmem: {:<8} {:>8.2f} s  slowdown {:>5.2f}  statistics {}\n", run.view,
                        run.seconds, first.seconds > 0 ? run.seconds / first.seconds : 0.0,
                        &run == &first                       ? "to compare with"
                        : run.statistics == first.statistics ? "identical"
                                                             : "DIFFER");
  return text;
}

}  // namespace warpmem::app
