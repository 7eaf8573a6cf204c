// SPDX-License-Identifier: Apache-2.0
#include "sweeps/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "sweeps/json_shape.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string point_of(const Json& comparison) {
  std::string text;
  for (const auto& [axis, label] : comparison["point"].items())
    text += fmt::format("{}{} {}", text.empty() ? " at " : ", ", axis, label.get<std::string>());
  return text;
}

std::string beside_of(const Json& comparison) {
  return fmt::format("{} ({}){}", comparison["file"].get<std::string>(),
                     comparison["kind"].get<std::string>(), point_of(comparison));
}

// "cycles 6.1 % (Pearson 0.998), l2.hit_rate 1.2 points"
std::string errors_of(const Json& comparison) {
  std::vector<std::string> parts;
  for (const Json& row : comparison["metrics"]) {
    std::string part = fmt::format("{} {:.1f} {}", row["metric"].get<std::string>(),
                                   row["mean_error"].get<double>(), row["unit"].get<std::string>());
    if (row["metric"] == comparison["judged_by"] && !row["pearson"].is_null())
      part += fmt::format(" (Pearson {:.4f})", row["pearson"].get<double>());
    parts.push_back(std::move(part));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string error_of(const Json& row) {
  return row["same_work"].get<bool>() ? fmt::format("{:+.1f} %", row["error"].get<double>())
                                      : "other work";
}

std::string alone_of(const Json& comparison) {
  const auto alone = comparison["alone"].get<std::vector<std::string>>();
  return alone.empty() ? "" : fmt::format("Not in the reference: {}.\n", fmt::join(alone, ", "));
}

bool is_compared_metric(const Json& json) {
  using namespace shape;
  const auto correlation = [](const Json& value) { return value.is_number() || value.is_null(); };
  return has(json,
             {{"metric", text}, {"mean_error", number}, {"unit", text}, {"pearson", correlation}});
}

bool is_compared_workload(const Json& json) {
  using namespace shape;
  return has(json, {{"workload", text},
                    {"measured", number},
                    {"reference", number},
                    {"error", number},
                    {"same_work", truth}});
}

}  // namespace

void check_reference(const Experiment& experiment, const std::vector<Point>& points) {
  if (experiment.reference.empty()) return;
  if (!fs::exists(experiment.reference))
    throw UserError(
        fmt::format("{}: reference: no such file: {}", experiment.file, experiment.reference));
  for (const auto& wanted : experiment.reference_point) {
    const bool known = std::any_of(points.begin(), points.end(), [&](const Point& point) {
      return std::find(point.labels.begin(), point.labels.end(),
                       std::pair<std::string, std::string>(wanted)) != point.labels.end();
    });
    if (!known)
      throw UserError(fmt::format("{}: reference: no point of the sweep has {} {}", experiment.file,
                                  wanted.first, wanted.second));
  }
}

Json beside_reference(const Experiment& experiment, const std::string& database) {
  const std::string output = database + ".reference.json";
  Process process;
  process.argv = {"/usr/bin/python3",
                  (app::places().correlate_tool.parent_path() / "beside.py").string(),
                  experiment.reference, database};
  for (const auto& [axis, label] : experiment.reference_point)
    process.argv.push_back("--point=" + axis + "=" + label);
  process.output = output;
  const int status = run_process(process);
  const std::string text = read_text(output);
  fs::remove(output);
  if (status != 0) throw UserError(ending(process, status));
  Json comparison = parse_ordered_json(text);
  comparison["file"] = fs::path(experiment.reference).filename().string();  // pages name no folder
  return comparison;
}

bool is_comparison(const Json& document) {
  using namespace shape;
  return has(document, {{"file", text},
                        {"kind", text},
                        {"point", map_of<text>},
                        {"judged_by", text},
                        {"workloads", list_of<is_compared_workload>},
                        {"metrics", list_of<is_compared_metric>},
                        {"alone", list_of<text>}});
}

std::string reference_text(const Json& comparison) {
  std::string text =
      fmt::format("beside {}\n{:<28} {:>16} {:>16} {:>12}\n", beside_of(comparison), "workload",
                  comparison["judged_by"].get<std::string>(), "reference", "error");
  for (const Json& row : comparison["workloads"])
    text +=
        fmt::format("{:<28} {:>16.8g} {:>16.8g} {:>12}\n", row["workload"].get<std::string>(),
                    row["measured"].get<double>(), row["reference"].get<double>(), error_of(row));
  return text + "mean errors: " + errors_of(comparison) + "\n" + alone_of(comparison);
}

std::string reference_section(const Json& comparison) {
  std::string text = fmt::format(
      "\nBeside {}. Mean errors: {}.\n{}\n| workload | {} | reference | error "
      "|\n|---|---|---|---|\n",
      beside_of(comparison), errors_of(comparison), alone_of(comparison),
      comparison["judged_by"].get<std::string>());
  for (const Json& row : comparison["workloads"])
    text +=
        fmt::format("| {} | {:.8g} | {:.8g} | {} |\n", row["workload"].get<std::string>(),
                    row["measured"].get<double>(), row["reference"].get<double>(), error_of(row));
  return text;
}

}  // namespace warpmem::sweeps
