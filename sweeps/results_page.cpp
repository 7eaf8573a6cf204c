// SPDX-License-Identifier: Apache-2.0
#include "sweeps/results_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "sweeps/reference.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string number(double value) { return fmt::format("{:.1f}", value); }

std::string published(const Row& row) {
  if (row.above) return "above " + number(*row.above);
  if (row.below) return "below " + number(*row.below);
  if (row.low == row.high) return number(row.low);
  return number(row.low) + " to " + number(row.high);
}

std::string measured(const MeasuredRow& row) {
  if (!row.value) return "-";
  return number(*row.value) + (row.best.empty() ? "" : " (" + row.best + ")");
}

std::string standing(const MeasuredRow& row) {
  if (!row.value) return "not measured";
  return row.near ? "near" : row.sign ? "sign" : "differs";
}

Json record(const Experiment& experiment, const Verdict& verdict) {
  Json out;
  out["id"] = experiment.id;
  out["source"] = experiment.source;
  out["title"] = experiment.title;
  out["band"] = experiment.band == Band::near ? "near" : "shape";
  out["verdict"] = words(verdict);
  out["order"] = verdict.order;
  out["rows"] = Json::array();
  for (std::size_t i = 0; i < verdict.rows.size(); ++i) {
    const MeasuredRow& m = verdict.rows[i];
    Json row;
    row["name"] = experiment.rows[i].name;
    row["published"] = published(experiment.rows[i]);
    row["measured"] = measured(m);
    row["standing"] = standing(m);
    row["workloads"] = Json::array();
    for (const WorkloadValue& v : m.values) {
      row["workloads"].push_back(v.workload);
      row["values"][v.workload] = std::round(v.value * 1e4) / 1e4;
      if (!v.over.empty()) row["over"][v.workload] = v.over;
    }
    if (!m.without.empty()) row["without"] = m.without;
    out["rows"].push_back(std::move(row));
  }
  if (!verdict.reference.is_null()) out["reference"] = verdict.reference;
  out["analysis"] = experiment.analysis;
  return out;
}

/// Numbers count as numbers: "C10" comes after "C9".
bool before(const Json& a, const Json& b) {
  const auto key = [](const Json& j) {
    const std::string id = j.value("id", "");
    const std::size_t digits = id.find_first_of("0123456789");
    const std::string text = digits == std::string::npos ? "" : id.substr(digits);
    return std::make_tuple(id.substr(0, digits), text.size(), text);
  };
  return key(a) < key(b);
}

std::string section(const Json& r) {
  std::string text = fmt::format("\n## {}: {}\n\nSource: {}. Command: `warpmem reproduce {}`. ",
                                 r["id"].get<std::string>(), r["title"].get<std::string>(),
                                 r["source"].get<std::string>(), r["id"].get<std::string>());
  text += fmt::format(
      "Asked: {}. Verdict: **{}**.\n\n| row | published | measured | |\n|---|---|---|---|\n",
      r["band"].get<std::string>(), r["verdict"].get<std::string>());
  for (const Json& row : r["rows"])
    text += fmt::format("| {} | {} | {} | {} |\n", row["name"].get<std::string>(),
                        row["published"].get<std::string>(), row["measured"].get<std::string>(),
                        row["standing"].get<std::string>());
  // Rows mostly share their workloads; the longest list is shown, and what a row lacks of it.
  std::vector<std::string> all;
  for (const Json& row : r["rows"])
    for (const auto& w : row["workloads"])
      if (std::find(all.begin(), all.end(), w) == all.end()) all.push_back(w);
  text += fmt::format("\nWorkloads: {}.\n", fmt::join(all, ", "));
  for (const Json& row : r["rows"]) {
    if (!row.contains("without")) continue;
    text += fmt::format("{} leaves out {} (nothing to divide by, or the run failed).\n",
                        row["name"].get<std::string>(),
                        fmt::join(row["without"].get<std::vector<std::string>>(), ", "));
  }
  for (const Json& row : r["rows"]) {
    if (!row.contains("over")) continue;
    std::vector<std::string> best;
    for (const auto& [workload, label] : row["over"].items())
      best.push_back(fmt::format("{} {}", workload, label.get<std::string>()));
    text += fmt::format("{}: the best were {}.\n", row["name"].get<std::string>(),
                        fmt::join(best, ", "));
  }
  if (r.contains("reference")) text += reference_section(r["reference"]);
  if (r.contains("note")) text += fmt::format("\n{}\n", r["note"].get<std::string>());
  if (!r["analysis"].get<std::string>().empty()) text += "\n" + r["analysis"].get<std::string>();
  if (text.back() != '\n') text += "\n";
  return text;
}

}  // namespace

std::string words(const Verdict& verdict) {
  return !verdict.missing.empty() ? "not measured (an input is missing)"
         : verdict.near           ? "reproduced (near)"
         : verdict.shape          ? "reproduced (shape)"
                                  : "not reproduced";
}

std::string text_of(const Experiment& experiment, const Verdict& verdict) {
  std::string text =
      fmt::format("{}: {} ({})\n{:<28} {:>16} {:>16}  {}\n", experiment.id, experiment.title,
                  experiment.source, "row", "published", "measured", "");
  for (std::size_t i = 0; i < verdict.rows.size(); ++i)
    text += fmt::format("{:<28} {:>16} {:>16}  {}\n", experiment.rows[i].name,
                        published(experiment.rows[i]), measured(verdict.rows[i]),
                        standing(verdict.rows[i]));
  if (!verdict.order) text += "the order of the rows differs\n";
  text += experiment.id + ": " + words(verdict) + "\n";
  return verdict.reference.is_null() ? text : text + reference_text(verdict.reference);
}

void update_results(const std::string& folder, const Experiment& experiment,
                    const Verdict& verdict) {
  const fs::path records = fs::path(folder) / "results";
  fs::create_directories(records);
  write_text(records / (experiment.id + ".json"), json_text(record(experiment, verdict)));
  std::vector<Json> all;
  for (const auto& entry : fs::directory_iterator(records)) {
    if (entry.path().extension() != ".json") continue;
    Json one = Json::parse(read_text(entry.path()), nullptr, false);
    if (!one.is_object() || !one.contains("rows"))
      throw UserError(entry.path().string() + ": not what `warpmem reproduce` writes");
    all.push_back(std::move(one));
  }
  std::sort(all.begin(), all.end(), before);
  std::string page =
      "# Published results, measured\n\n"
      "Written by `warpmem reproduce`; `docs/results/` holds the numbers. *near*: the sign, and "
      "within\n"
      "30 % of the published value (of a percentage: of its distance from 100); *sign*: the sign "
      "only\n"
      "(a value that is compared with nothing has none: it is near or differs).\n"
      "*shape*: every sign, and the order of rows over one baseline that are more than 1.5 apart "
      "in "
      "the\n"
      "publication. Averages over workloads are geometric means. What has a star has a note in its "
      "section.\n\n"
      "| | what | asked | verdict |\n|---|---|---|---|\n";
  for (const Json& r : all)
    page += fmt::format("| {} | {} | {} | {}{} |\n", r["id"].get<std::string>(),
                        r["title"].get<std::string>(), r["band"].get<std::string>(),
                        r["verdict"].get<std::string>(), r.contains("note") ? " \\*" : "");
  for (const Json& r : all) page += section(r);
  write_text(fs::path(folder) / "results.md", page);
}

}  // namespace warpmem::sweeps
