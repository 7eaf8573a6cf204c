// SPDX-License-Identifier: Apache-2.0
#include "sweeps/run_details.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"

namespace warpmem::sweeps {

namespace {

using Json = nlohmann::ordered_json;

std::string shape_text(const Json& shape) {
  return fmt::format("{}x{}x{}", shape.at(0).get<std::uint64_t>(), shape.at(1).get<std::uint64_t>(),
                     shape.at(2).get<std::uint64_t>());
}

/// The shape of a launch, or those of all that ran together.
std::string shapes_text(const Json& kernel, const char* which) {
  const auto together = kernel.find("together");
  if (together == kernel.end()) return shape_text(kernel.at(which));
  std::string text;
  for (const Json& one : *together) text += (text.empty() ? "" : " + ") + shape_text(one.at(which));
  return text;
}

LaunchDetail launch_of(const Json& kernel) {
  Json stats = Json::object();
  for (const auto& [name, value] : kernel.at("stats").items())
    if (value.is_number() && value != 0) stats[name] = value;
  return {kernel.at("launch"),
          kernel.at("name"),
          shapes_text(kernel, "grid"),
          shapes_text(kernel, "block"),
          kernel.at("stats").at("gpu.cycles"),
          compact_json(stats)};
}

/// Names as the columns of instructions.csv have them (watch/instruction_report.cpp).
std::string flat_counts(const Json& counts) {
  Json flat = Json::object();
  for (const auto& [name, value] : counts.items())
    if (value.is_number()) flat[name] = value;
  for (const char* place : {"pc", "lane_bytes", "source_line", "line"}) flat.erase(place);
  for (const char* group : {"l1d", "l2", "latency"})
    for (const auto& [name, value] : counts.at(group).items())
      if (value.is_number()) flat[fmt::format("{}.{}", group, name)] = value;
  const Json& bounds = counts.at("latency").at("bounds");
  const Json& bins = counts.at("latency").at("counts");
  for (std::size_t i = 0; i < bins.size(); ++i)
    flat[i < bounds.size() ? fmt::format("latency.up_to_{}", bounds[i].get<std::uint64_t>())
                           : "latency.above"] = bins[i];
  return compact_json(flat);
}

InstructionDetail unasked(const char* op, const Json& counts) {
  InstructionDetail detail;
  detail.op = op;
  detail.stats = flat_counts(counts);
  return detail;
}

void read_instructions(const Json& document, RunDetails& details) {
  for (const Json& kernel : document.at("kernels"))
    for (const Json& one : kernel.at("instructions")) {
      InstructionDetail detail;
      detail.kernel = kernel.at("name");
      detail.launches = kernel.at("launches");
      detail.pc = one.at("pc");
      detail.text = one.at("text");
      detail.op = one.at("op");
      detail.space = one.at("space");
      detail.lane_bytes = one.at("lane_bytes");
      detail.source_line = one.at("source_line");
      detail.line = one.at("line");
      detail.stats = flat_counts(one);
      if (one.contains("slowest")) detail.slowest = compact_json(one["slowest"]);
      details.instructions.push_back(std::move(detail));
    }
  details.instructions.push_back(unasked("prefetch", document.at("prefetches")));
  details.instructions.push_back(unasked("writeback", document.at("writebacks")));
}

void read_series(const Json& document, RunDetails& details) {
  const Json& begin = document.at("begin");
  for (std::size_t i = 0; i < begin.size(); ++i)
    details.intervals.push_back({begin[i], document.at("end").at(i), document.at("launch").at(i)});
  for (const auto& [name, one] : document.at("series").items()) {
    details.series.push_back({name, compact_json(one.at("points"))});
    details.units.push_back({name, one.at("kind"), one.at("unit"), one.at("doc")});
  }
}

}  // namespace

RunDetails read_run_details(const std::filesystem::path& folder, const Json& stats, bool per_pc,
                            bool over_time) {
  RunDetails details;
  std::filesystem::path file = folder / "stats.json";
  try {
    for (const Json& kernel : stats.at("kernels")) details.launches.push_back(launch_of(kernel));
    if (per_pc) {
      file = folder / "instructions.json";
      read_instructions(parse_ordered_json(read_text(file)), details);
    }
    if (over_time) {
      file = folder / "series.json";
      read_series(parse_ordered_json(read_text(file)), details);
    }
    file = folder / "stats.json";
    // Last, so that a statistic has the kind it has in `stats`, which in an interval may be
    // another.
    for (const auto& [name, unit] : stats.at("units").items())
      details.units.push_back({name, unit.at("kind"), unit.at("unit"), unit.at("doc")});
  } catch (const Json::exception& error) {
    throw UserError(
        fmt::format("{}: not what a run writes: {}", file.filename().string(), error.what()));
  }
  return details;
}

}  // namespace warpmem::sweeps
