// SPDX-License-Identifier: Apache-2.0
#include "sweeps/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "sweeps/json_shape.hpp"
#include "sweeps/reference.hpp"

namespace warpmem::sweeps {

namespace {

using Json = nlohmann::ordered_json;

double rounded(double value) { return std::round(value * 1e6) / 1e6; }

std::string unit(const Measure& measure) {
  switch (measure.as) {
    case Aggregate::gain:
      return "gain, %";
    case Aggregate::reduction:
      return "reduction, %";
    case Aggregate::percent:
      return "% of the baseline";
    case Aggregate::loss:
      return "loss, %";
    case Aggregate::mean:
      break;
  }
  return measure.metric.denominator.empty() ? measure.metric.numerator.front() : "share, %";
}

Json row_record(const Row& row, const MeasuredRow& m) {
  Json out;
  out["name"] = row.name;
  if (!row.variant.empty()) out["variant"] = row.variant;
  out["unit"] = unit(row.measure);
  out["published"] = published_text(row);
  if (row.has_published()) {
    out["low"] = row.low;
    out["high"] = row.high;
  } else {
    out["limit"] = row.above.value_or(row.below.value_or(0));
  }
  out["measured"] = measured_text(m);
  if (!m.best.empty()) out["best"] = m.best;
  if (m.value) {
    out["value"] = rounded(*m.value);
  }
  if (m.value && !m.bare_mean) {
    out["median"] = rounded(m.median);
    out["least"] = rounded(m.least);
    out["most"] = rounded(m.most);
    if (row.measure.as != Aggregate::mean) {
      out["gain"] = m.gain;
      out["lose"] = m.lose;
    }
  }
  if (m.left_out)
    out["without_one"] = {{"workload", m.left_out->workload},
                          {"value", rounded(m.left_out->value)}};
  // What is only expected, with no number published, is there or not.
  const bool holds = m.standing == Standing::shape && !row.has_published();
  out["standing"] = holds ? "holds" : word(m.standing);
  if (!m.why.empty()) out["why"] = m.why;
  out["workloads"] = m.bare_workloads;
  for (const WorkloadValue& v : m.values) {
    out["workloads"].push_back(v.workload);
    out["values"][v.workload] = rounded(v.value);
    if (!v.over.empty()) out["over"][v.workload] = v.over;
  }
  if (!m.without.empty()) out["without"] = m.without;
  return out;
}

/// Returns the number that a text like "14.5 (4)" begins with.
std::optional<double> leading_number(const std::string& text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() ? std::optional(value) : std::nullopt;
}

bool is_identifier(const Json& json) {
  return json.is_string() && is_experiment_id(json.get<std::string>());
}

bool is_left_out(const Json& json) {
  return shape::has(json, {{"workload", shape::text}, {"value", shape::number}});
}

bool is_decisive(const Json& json) {
  return shape::has(json, {{"run", shape::text}, {"shows", shape::text}});
}

bool is_row(const Json& json) {
  using namespace shape;
  if (!has(json, {{"name", text},
                  {"unit", text},
                  {"published", text},
                  {"measured", text},
                  {"standing", text},
                  {"workloads", list_of<text>},
                  {"best", text, false},
                  {"value", number, false},
                  {"values", map_of<number>, false},
                  {"over", map_of<text>, false},
                  {"without", list_of<text>, false},
                  {"without_one", is_left_out, false}}))
    return false;
  if (json.contains("low") ? !has(json, {{"low", number}, {"high", number}})
                           : !has(json, {{"limit", number}}))
    return false;
  if (json.contains("without_one") &&
      !has(json, {{"median", number}, {"least", number}, {"most", number}}))
    return false;
  if (json.contains("gain") && !has(json, {{"gain", number}, {"lose", number}})) return false;
  const Json& workloads = json["workloads"];
  if (json.contains("values")) {
    const Json& values = json["values"];
    if (!std::all_of(workloads.begin(), workloads.end(), [&](const Json& workload) {
          return values.contains(workload.get<std::string>());
        }))
      return false;
  } else if (!workloads.empty() && !json.contains("value") &&
             !leading_number(json["measured"].get<std::string>())) {
    return false;
  }
  const bool explained =
      json["standing"] == word(Standing::weak) ||
      (json.contains("value") && json["standing"] == word(Standing::not_measured));
  return has(json, {{"why", text, explained}});
}

}  // namespace

std::string published_text(const Row& row) {
  if (row.above) return fmt::format("above {:.1f}", *row.above);
  if (row.below) return fmt::format("below {:.1f}", *row.below);
  if (row.low == row.high) return fmt::format("{:.1f}", row.low);
  return fmt::format("{:.1f} to {:.1f}", row.low, row.high);
}

std::string measured_text(const MeasuredRow& row) {
  if (!row.value) return "-";
  return fmt::format("{:.1f}{}", *row.value, row.best.empty() ? "" : " (" + row.best + ")");
}

Json record_of(const Experiment& experiment, const Verdict& verdict) {
  Json out;
  out["id"] = experiment.id;
  out["source"] = experiment.source;
  out["title"] = experiment.title;
  out["band"] = experiment.band == Band::near ? "near" : "shape";
  out["verdict"] = word(verdict.standing);
  for (const VariantStanding& variant : verdict.variants)
    out["variants"][variant.name] = word(variant.standing);
  if (!verdict.ties.empty()) out["ties"] = verdict.ties;
  if (!verdict.reversed.empty()) out["reversed"] = verdict.reversed;
  if (verdict.standing == Standing::refuted)
    out["decisive"] = {{"run", experiment.decisive_run}, {"shows", experiment.decisive_shows}};
  out["rows"] = Json::array();
  for (std::size_t i = 0; i < verdict.rows.size(); ++i)
    out["rows"].push_back(row_record(experiment.rows[i], verdict.rows[i]));
  if (!verdict.reference.is_null()) out["reference"] = verdict.reference;
  out["analysis"] = experiment.analysis;
  return out;
}

bool is_record(const Json& document) {
  using namespace shape;
  return has(document, {{"id", is_identifier},
                        {"source", text},
                        {"title", text},
                        {"band", text},
                        {"verdict", text},
                        {"variants", map_of<text>, false},
                        {"ties", list_of<text>, false},
                        {"reversed", list_of<text>, false},
                        {"decisive", is_decisive, false},
                        {"rows", list_of<is_row>},
                        {"reference", is_comparison, false},
                        {"note", text, false},
                        {"analysis", text}});
}

std::vector<MeasuredRow> rows_of(const Experiment& experiment, const Json& record) {
  std::vector<MeasuredRow> rows;
  for (const Row& row : experiment.rows) {
    MeasuredRow& m = rows.emplace_back();
    const std::vector<std::string>& wanted = row.measure.workloads;
    for (const Json& stored : record["rows"]) {
      if (stored["name"] != row.name) continue;
      m.best = stored.value("best", "");
      m.without = stored.value("without", std::vector<std::string>());
      if (!stored.contains("values")) {
        if (stored["workloads"].empty()) continue;
        m.bare_workloads = stored["workloads"].get<std::vector<std::string>>();
        m.bare_mean = stored.contains("value")
                          ? stored["value"].get<double>()
                          : leading_number(stored["measured"].get<std::string>());
        continue;
      }
      for (const Json& name : stored["workloads"]) {
        const auto workload = name.get<std::string>();
        if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), workload) == wanted.end())
          continue;
        const std::string over =
            stored.contains("over") ? stored["over"].value(workload, std::string()) : "";
        m.values.push_back({workload, stored["values"][workload].get<double>(), over});
      }
    }
    if (m.bare_mean) continue;
    for (const std::string& workload : wanted) {
      const bool there = std::any_of(m.values.begin(), m.values.end(),
                                     [&](const auto& value) { return value.workload == workload; });
      const bool said = std::find(m.without.begin(), m.without.end(), workload) != m.without.end();
      if (!there && !said) m.without.push_back(workload);
    }
  }
  return rows;
}

}  // namespace warpmem::sweeps
