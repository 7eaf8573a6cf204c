// SPDX-License-Identifier: Apache-2.0
// Results as text and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "synth/synth.hpp"

namespace warpmem::synth {
namespace {

using nlohmann::json;

constexpr std::size_t kMostRows = 12;  ///< rows of the register table: the rest is added up

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

std::string parameter_text(const std::map<std::string, std::string>& parameters) {
  std::vector<std::string> words;
  for (const auto& [name, value] : parameters) words.push_back(name + "=" + value);
  return words.empty() ? "no parameters" : fmt::format("{}", fmt::join(words, " "));
}

void add_area(std::string& out, const SynthResult& r) {
  const NetlistUse& n = r.netlist;
  const double total = n.sequential_um2 + n.combinational_um2;
  out += fmt::format("\nArea, um^2 (synthesized cells; no wires, no clock tree)\n");
  out += fmt::format("  {:<24}{:>8}{:>14}{:>9}\n", "cell", "count", "area", "share");
  for (const bool sequential : {true, false}) {
    std::uint64_t count = 0;
    for (const auto& c : n.cells) {
      if (c.sequential == sequential) count += c.count;
    }
    const double area = sequential ? n.sequential_um2 : n.combinational_um2;
    out +=
        fmt::format("  {:<24}{:>8}{:>14.1f}{:>8.1f}%\n",
                    sequential ? "SEQUENTIAL" : "COMBINATIONAL", count, area, percent(area, total));
    for (const auto& c : n.cells) {
      if (c.sequential != sequential) continue;
      out += fmt::format("    {:<22}{:>8}{:>14.1f}{:>8.1f}%\n", c.cell, c.count, c.area_um2,
                         percent(c.area_um2, total));
    }
  }
  out += fmt::format("  {:<24}{:>8}{:>14.1f}{:>8.1f}%\n", "TOTAL", "", total, 100.0);
  if (n.modules.size() > 1) {
    out += fmt::format("\nArea by module, um^2 (own cells of one instance)\n");
    for (const auto& m : n.modules) {
      out += fmt::format("  {:<40}{:>6} x{:>14.1f}\n", m.module, m.instances, m.own_area_um2);
    }
  }
  out += fmt::format("\nRegisters: {} bits\n", n.register_bits);
  for (const auto& [purpose, bits] : bits_by_purpose(n.registers)) {
    out += fmt::format("  {:<42}{:>8} bits\n", purpose, bits);
  }
  std::uint64_t rest = 0;
  for (std::size_t i = 0; i < n.registers.size(); ++i) {
    if (i < kMostRows) {
      out += fmt::format("    {:<40}{:>8} bits\n", n.registers[i].name, n.registers[i].bits);
    } else {
      rest += n.registers[i].bits;
    }
  }
  if (rest) {
    out += fmt::format("    {:<40}{:>8} bits\n",
                       fmt::format("({} others)", n.registers.size() - kMostRows), rest);
  }
}

MacroCost cost_of_slots(const SynthResult& r, const SlotStorage& slots, double node_nm) {
  return cost_of(slots.memory, {node_nm, r.library_voltage, r.driving_cell_leakage_nw});
}

void add_slots(std::string& out, const SynthResult& r, double node_nm) {
  if (r.slots.empty()) return;
  out += "\nSlots that stand outside, each a memory macro";
  out += node_nm > 0 ? fmt::format(" (estimated at {:.0f} nm)\n", node_nm)
                     : " (--node NM estimates them)\n";
  for (const SlotStorage& slots : r.slots) {
    const Macro& m = slots.memory;
    out += fmt::format("  {} words of {} bits, {}\n", m.words, m.bits,
                       slots.split_cycle ? "one port, used twice a cycle"
                       : m.ports == 1    ? "one port"
                                         : "two ports");
    if (node_nm == 0) continue;
    const MacroCost cost = cost_of_slots(r, slots, node_nm);
    out += fmt::format(
        "    area {:.1f} um^2, access {:.3f} ns{}, read {:.4g} pJ, write {:.4g} pJ\n",
        cost.area_um2, cost.access_ns,
        slots.split_cycle ? fmt::format(" (so a cycle of {:.3f} ns or more)", 2 * cost.access_ns)
                          : "",
        cost.read_pj, cost.write_pj);
  }
}

json slots_json(const SynthResult& r, double node_nm) {
  json list = json::array();
  for (const SlotStorage& slots : r.slots) {
    json one = {{"words", slots.memory.words},
                {"bits", slots.memory.bits},
                {"ports", slots.memory.ports},
                {"split_cycle", slots.split_cycle}};
    if (node_nm > 0) {
      const MacroCost cost = cost_of_slots(r, slots, node_nm);
      one["estimated"] = {{"node_nm", node_nm},          {"area_um2", cost.area_um2},
                          {"access_ns", cost.access_ns}, {"read_pj", cost.read_pj},
                          {"write_pj", cost.write_pj},   {"leakage_nw", cost.leakage_nw}};
    }
    list.push_back(one);
  }
  return list;
}

void add_timing(std::string& out, const SynthResult& r) {
  out += "\nTiming (OpenSTA on the netlist: cells and pin loads; no wires, ideal clock)\n";
  if (r.paths.empty()) {
    out += "  no timed path\n";
  } else {
    out += fmt::format("  shortest period {:.3f} ns, fmax {:.1f} MHz\n", r.period_ns, r.fmax_mhz());
    if (r.target_period_ns != 0) {
      const double slack = r.target_period_ns - r.period_ns;
      out += fmt::format("  target  period {:.3f} ns, slack {:.3f} ns{}\n", r.target_period_ns,
                         slack, slack < 0 ? ": NOT MET" : "");
    }
    for (const auto& p : r.paths) {
      out +=
          fmt::format("    {:<24}{:>8.3f} ns  {} -> {}\n", p.from_to, p.delay_ns, p.start, p.end);
    }
  }
  out += fmt::format("  abc delay targets (chosen: the smallest area x period)\n");
  for (std::size_t i = 0; i < r.sweep.size(); ++i) {
    out += fmt::format("  {} {:>9.0f} ps{:>14.1f} um^2{:>9.3f} ns\n", i == r.chosen ? ">" : " ",
                       r.sweep[i].target_ps, r.sweep[i].area_um2, r.sweep[i].period_ns);
  }
  if (r.netlist.overloaded_nets) {
    out += fmt::format(
        "  WARNING: {} nets above the library's maximum load, worst {} at {:.2f} x\n",
        r.netlist.overloaded_nets, r.netlist.worst_load_net, r.netlist.worst_load_ratio);
  } else {
    out += fmt::format("  no net above the library's maximum load (worst {:.2f} x)\n",
                       r.netlist.worst_load_ratio);
  }
}

void add_power(std::string& out, const SynthResult& r) {
  const EnergyUse& e = r.netlist.energy;
  out += "\nPower (estimated from the library's energies)\n";
  out += r.has_leakage ? fmt::format("  leakage {:.4g} uW\n", e.leakage_nw * 1e-3)
                       : "  leakage: the library states none\n";
  const ActivityUse& a = r.netlist.activity;
  const std::string transitions =
      r.activity_from.empty()
          ? fmt::format("every net {} transitions a cycle", r.activity)
          : fmt::format("nets {:.4f} transitions a cycle on the average", a.mean);
  if (!r.activity_from.empty()) {
    out += fmt::format(
        "  transitions from {}\n"
        "    {} nets measured, {} registers of {} among them; {} gates from their inputs; {} nets "
        "{}\n",
        r.activity_from, a.measured_nets, a.measured_registers, r.netlist.register_bits,
        a.derived_nets, a.assumed_nets, r.activity);
  }
  out += fmt::format(
      "  dynamic {:.4g} mW at fmax, {}, {:.3f} ns edges\n"
      "    switching {:.4g} pJ, cell-internal {:.4g} pJ, clock pins {:.4g} pJ per cycle{}\n",
      r.dynamic_mw(), transitions, r.transition_ns, e.switching_pj, e.internal_pj,
      e.clock_internal_pj, r.has_energy ? "" : "\n    (the library states no internal energies)");
}

}  // namespace

std::string table(const SynthResult& r, double node_nm) {
  std::string out;
  out += fmt::format("{} {}\n", r.unit, parameter_text(r.parameters));
  out +=
      fmt::format("library {} ({}), {:.2f} V; inputs driven by {}, outputs load {:.4f} pF\n",
                  r.library, r.library_file, r.library_voltage, r.driving_cell, r.output_load_pf);
  out += fmt::format("{}; {}\n", r.yosys_version, r.sta_version);
  add_area(out, r);
  add_slots(out, r, node_nm);
  add_timing(out, r);
  add_power(out, r);
  return out;
}

json to_json(const SynthResult& r, double node_nm) {
  const NetlistUse& n = r.netlist;
  json cells = json::array();
  for (const auto& c : n.cells) {
    cells.push_back({{"cell", c.cell},
                     {"sequential", c.sequential},
                     {"count", c.count},
                     {"area_um2", c.area_um2}});
  }
  json modules = json::array();
  for (const auto& m : n.modules) {
    modules.push_back(
        {{"module", m.module}, {"instances", m.instances}, {"own_area_um2", m.own_area_um2}});
  }
  json registers = json::array();
  for (const auto& reg : n.registers) {
    registers.push_back({{"name", reg.name}, {"bits", reg.bits}});
  }
  json sweep = json::array();
  for (const auto& p : r.sweep) {
    sweep.push_back(
        {{"target_ps", p.target_ps}, {"area_um2", p.area_um2}, {"period_ns", p.period_ns}});
  }
  json paths = json::array();
  for (const auto& p : r.paths) {
    paths.push_back(
        {{"kind", p.from_to}, {"delay_ns", p.delay_ns}, {"start", p.start}, {"end", p.end}});
  }
  json document = {
      {"unit", r.unit},
      {"rtl_sha256", r.rtl},
      {"parameters", r.parameters},
      {"library",
       {{"name", r.library},
        {"file", r.library_file},
        {"voltage", r.library_voltage},
        {"driving_cell", r.driving_cell},
        {"driving_cell_leakage_nw", r.driving_cell_leakage_nw},
        {"output_load_pf", r.output_load_pf},
        {"transition_ns", r.transition_ns},
        {"states_leakage", r.has_leakage},
        {"states_energy", r.has_energy}}},
      {"tools", {{"yosys", r.yosys_version}, {"opensta", r.sta_version}}},
      {"area",
       {{"total_um2", n.sequential_um2 + n.combinational_um2},
        {"sequential_um2", n.sequential_um2},
        {"combinational_um2", n.combinational_um2},
        {"cells", cells},
        {"modules", modules}}},
      {"registers",
       {{"bits", n.register_bits},
        {"by_purpose", bits_by_purpose(n.registers)},
        {"by_name", registers}}},
      {"timing",
       {{"period_ns", r.period_ns},
        {"target_period_ns", r.target_period_ns},
        {"fmax_mhz", r.fmax_mhz()},
        {"paths", paths},
        {"sweep", sweep},
        {"chosen", r.chosen},
        {"overloaded_nets", n.overloaded_nets},
        {"worst_load_ratio", n.worst_load_ratio},
        {"worst_load_net", n.worst_load_net}}},
      {"power",
       {{"leakage_nw", n.energy.leakage_nw},
        {"dynamic_mw", r.dynamic_mw()},
        {"activity", r.activity},
        {"switching_pj", n.energy.switching_pj},
        {"internal_pj", n.energy.internal_pj},
        {"clock_internal_pj", n.energy.clock_internal_pj}}},
      {"synthesized", {"area", "registers", "timing"}},
      {"estimated", {"power"}},
  };
  if (!r.activity_from.empty()) {
    document["power"]["transitions"] = {{"from", r.activity_from},
                                        {"mean", n.activity.mean},
                                        {"measured_nets", n.activity.measured_nets},
                                        {"measured_registers", n.activity.measured_registers},
                                        {"derived_nets", n.activity.derived_nets},
                                        {"assumed_nets", n.activity.assumed_nets}};
  }
  if (!r.slots.empty()) document["slots_outside"] = slots_json(r, node_nm);
  return document;
}

SynthResult from_json(const json& d) {
  SynthResult r;
  d.at("unit").get_to(r.unit);
  d.at("rtl_sha256").get_to(r.rtl);
  d.at("parameters").get_to(r.parameters);
  const json& library = d.at("library");
  library.at("name").get_to(r.library);
  library.at("file").get_to(r.library_file);
  library.at("voltage").get_to(r.library_voltage);
  library.at("driving_cell").get_to(r.driving_cell);
  library.at("driving_cell_leakage_nw").get_to(r.driving_cell_leakage_nw);
  library.at("output_load_pf").get_to(r.output_load_pf);
  library.at("transition_ns").get_to(r.transition_ns);
  library.at("states_leakage").get_to(r.has_leakage);
  library.at("states_energy").get_to(r.has_energy);
  d.at("tools").at("yosys").get_to(r.yosys_version);
  d.at("tools").at("opensta").get_to(r.sta_version);
  NetlistUse& n = r.netlist;
  const json& area = d.at("area");
  area.at("sequential_um2").get_to(n.sequential_um2);
  area.at("combinational_um2").get_to(n.combinational_um2);
  for (const auto& c : area.at("cells")) {
    n.cells.push_back({c.at("cell"), c.at("sequential"), c.at("count"), c.at("area_um2")});
  }
  for (const auto& m : area.at("modules")) {
    n.modules.push_back({m.at("module"), m.at("instances"), m.at("own_area_um2")});
  }
  d.at("registers").at("bits").get_to(n.register_bits);
  for (const auto& reg : d.at("registers").at("by_name")) {
    n.registers.push_back({reg.at("name"), reg.at("bits")});
  }
  n.parameters = r.parameters;
  if (d.contains("slots_outside")) {
    for (const json& slots : d.at("slots_outside")) {
      r.slots.push_back({{MacroKind::sram, slots.at("words"), slots.at("bits"), slots.at("ports")},
                         slots.at("split_cycle")});
    }
  }
  const json& timing = d.at("timing");
  timing.at("period_ns").get_to(r.period_ns);
  timing.at("target_period_ns").get_to(r.target_period_ns);
  timing.at("chosen").get_to(r.chosen);
  timing.at("overloaded_nets").get_to(n.overloaded_nets);
  timing.at("worst_load_ratio").get_to(n.worst_load_ratio);
  timing.at("worst_load_net").get_to(n.worst_load_net);
  for (const auto& p : timing.at("sweep")) {
    r.sweep.push_back({p.at("target_ps"), p.at("area_um2"), p.at("period_ns")});
  }
  for (const auto& p : timing.at("paths")) {
    r.paths.push_back({p.at("kind"), p.at("delay_ns"), p.at("start"), p.at("end")});
  }
  const json& power = d.at("power");
  power.at("leakage_nw").get_to(n.energy.leakage_nw);
  power.at("activity").get_to(r.activity);
  power.at("switching_pj").get_to(n.energy.switching_pj);
  power.at("internal_pj").get_to(n.energy.internal_pj);
  power.at("clock_internal_pj").get_to(n.energy.clock_internal_pj);
  if (power.contains("transitions")) {
    const json& transitions = power.at("transitions");
    transitions.at("from").get_to(r.activity_from);
    transitions.at("mean").get_to(n.activity.mean);
    transitions.at("measured_nets").get_to(n.activity.measured_nets);
    transitions.at("measured_registers").get_to(n.activity.measured_registers);
    transitions.at("derived_nets").get_to(n.activity.derived_nets);
    transitions.at("assumed_nets").get_to(n.activity.assumed_nets);
  }
  return r;
}

}  // namespace warpmem::synth
