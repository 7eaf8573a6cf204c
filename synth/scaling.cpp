// SPDX-License-Identifier: Apache-2.0
#include "synth/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "files/unit_sources.hpp"

namespace warpmem::synth {
namespace {

double percent_over(double value, double reference) { return 100 * (value / reference - 1); }

double logic_um2(const MissHandlerCost& cost) {
  return cost.sequential_um2 + cost.combinational_um2;
}

}  // namespace

std::vector<std::string> scaling_kinds() {
  return {"conventional", "set_assoc", "dl", "tsma", "htsma"};
}

MissHandlerDesign scaling_design(const std::string& kind, unsigned entries) {
  MissHandlerDesign design;
  design.kind = kind;
  design.entries = entries;
  if (kind == "dl") {
    design.slots = 2;
    design.reserved = entries / 2;
  }
  return design;
}

Scaling scaling(const std::vector<std::string>& kinds, unsigned check_entries,
                const MissHandlerOptions& options) {
  Scaling result;
  result.options = options;
  for (const std::string& kind : kinds.empty() ? scaling_kinds() : kinds) {
    for (const unsigned entries : kScalingSizes) {
      const MissHandlerDesign design = scaling_design(kind, entries);
      result.points.push_back({design, cost_of(design, options)});
    }
    if (check_entries <= options.most_synthesized) continue;
    const MissHandlerDesign design = scaling_design(kind, check_entries);
    MissHandlerOptions all = options;
    all.most_synthesized = check_entries;
    result.checks.push_back({design, cost_of(design, all), cost_of(design, options)});
  }
  return result;
}

std::string table(const Scaling& scaling) {
  std::string out = fmt::format(
      "{:<13} {:>7} {:>11} {:>9} {:>9} {:>9} {:>10} {:>10} {:>8} {:>9} {:>9} {:>9}  {}\n", "kind",
      "entries", "area um^2", "tags", "links", "others", "gates", "slots", "fmax MHz", "access ns",
      "dyn. mW", "leak. mW", "logic");
  std::vector<std::string> laws;
  for (const ScalingPoint& p : scaling.points) {
    const MissHandlerCost& c = p.cost;
    out += fmt::format(
        "{:<13} {:>7} {:>11.0f} {:>9.0f} {:>9.0f} {:>9.0f} {:>10.0f} {:>10.0f} {:>8.0f} {:>9.3f} "
        "{:>9.3f} {:>9.4f}  {}\n",
        p.design.kind, p.design.entries, c.area_um2(), c.tag_um2, c.link_um2, c.control_um2,
        c.combinational_um2, c.storage_um2, 1e3 / c.period_ns, c.access_ns, c.dynamic_mw,
        c.leakage_mw, c.law.empty() ? "synthesized" : "law");
    const std::string law = fmt::format("law of {}: at {}\n", p.design.kind, residuals(c.law));
    if (!c.law.empty() && std::find(laws.begin(), laws.end(), law) == laws.end())
      laws.push_back(law);
  }
  for (const std::string& law : laws) out += law;
  for (const ScalingCheck& c : scaling.checks) {
    out += fmt::format(
        "check of {}: {} entries synthesized {:.0f} um^2 (slots left out), {:.3f} ns; the law is "
        "{:+.1f} % and {:+.1f} % away\n",
        c.design.kind, c.design.entries, logic_um2(c.synthesized), c.synthesized.period_ns,
        percent_over(logic_um2(c.by_law), logic_um2(c.synthesized)),
        percent_over(c.by_law.period_ns, c.synthesized.period_ns));
  }
  return out;
}

nlohmann::json to_json(const MissHandlerDesign& design, const MissHandlerCost& cost) {
  nlohmann::json law = nlohmann::json::array();
  for (const LawPoint& p : cost.law) {
    law.push_back({{"entries", p.entries},
                   {"area_um2", p.area_um2},
                   {"fitted_um2", p.fitted_um2},
                   {"period_ns", p.period_ns},
                   {"fitted_ns", p.fitted_ns}});
  }
  return {{"kind", design.kind},
          {"entries", design.entries},
          {"slots", design.slots},
          {"by_law", !cost.law.empty()},
          {"area_um2", cost.area_um2()},
          {"tag_bits_um2", cost.tag_um2},
          {"link_bits_um2", cost.link_um2},
          {"other_bits_um2", cost.control_um2},
          {"gates_um2", cost.combinational_um2},
          {"slots_um2", cost.storage_um2},
          {"period_ns", cost.period_ns},
          {"fmax_mhz", 1e3 / cost.period_ns},
          {"access_ns", cost.access_ns},
          {"cycle_ns", cost.cycle_ns()},
          {"dynamic_mw", cost.dynamic_mw},
          {"leakage_mw", cost.leakage_mw},
          {"power_mw", cost.power_mw()},
          {"law", law}};
}

nlohmann::json to_json(const Scaling& scaling) {
  nlohmann::json points = nlohmann::json::array();
  for (const ScalingPoint& p : scaling.points) points.push_back(to_json(p.design, p.cost));
  nlohmann::json rtl = nlohmann::json::object();
  const auto& root = scaling.options.rtl_root;
  for (const ScalingPoint& p : scaling.points)
    for (const std::string& unit : units_of(p.design.kind))
      if (!rtl.contains(unit)) rtl[unit] = rtl_digest(find_unit(root, unit));
  nlohmann::json checks = nlohmann::json::array();
  for (const ScalingCheck& c : scaling.checks) {
    checks.push_back({{"synthesized", to_json(c.design, c.synthesized)},
                      {"by_law", to_json(c.design, c.by_law)}});
  }
  return {{"library", scaling.options.liberty.filename().string()},
          {"node_nm", scaling.options.node_nm},
          {"rtl_sha256", rtl},
          {"activity", scaling.options.activity},
          {"points", points},
          {"checks", checks},
          {"synthesized", {"tag_bits_um2", "link_bits_um2", "other_bits_um2", "gates_um2"}},
          {"estimated", {"slots_um2", "dynamic_mw", "leakage_mw"}}};
}

}  // namespace warpmem::synth
