// SPDX-License-Identifier: Apache-2.0
#include "synth/miss_handler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "synth/synth.hpp"

namespace warpmem::synth {
namespace {

/// The control of one unit at one size, or as the law has it.
struct Control {
  double sequential_um2 = 0;
  double combinational_um2 = 0;
  double period_ns = 0;
  double leakage_nw = 0;
  double energy_pj = 0;  ///< a cycle
  double voltage = 0;
  double buffer_leakage_nw = 0;
};

bool orders_queues(const std::string& kind) {
  return kind == "cart_branch" || kind == "mrpb_drain";
}

std::string unit_of(const std::string& kind) {
  if (orders_queues(kind)) return kind;
  if (kind == "dl") return "dl_mshr";
  if (kind == "tsma") return "tsma";
  if (kind == "conventional" || kind == "set_assoc") return "mshr_" + kind;
  throw UserError(fmt::format(
      "miss handler '{}': unknown; allowed: conventional, set_assoc, dl, tsma, htsma, cart_branch, "
      "mrpb_drain",
      kind));
}

SynthRequest request_of(const MissHandlerDesign& design, const MissHandlerOptions& options) {
  SynthRequest request;
  request.unit = unit_of(design.kind);
  request.rtl_root = options.rtl_root;
  request.liberty = options.liberty;
  request.activity = options.activity;
  request.cache_dir = options.cache_dir;
  request.progress = options.progress;
  if (orders_queues(design.kind)) return request;  // their requests stand outside as it is
  request.storage_outside = true;
  // abc takes most of the time, and the knee between these two is within some percent.
  request.delay_targets_ps = {1, 1e6};
  const bool dl = design.kind == "dl";
  request.params[dl ? "SETS" : "ENTRIES"] = std::to_string(design.entries);
  if (dl) request.params["RESERVED"] = std::to_string(design.reserved);
  if (design.kind == "set_assoc") request.params["WAYS"] = std::to_string(design.ways);
  if (design.kind != "tsma") request.params["ADDR_BITS"] = std::to_string(design.addr_bits);
  request.params["SLOTS"] = std::to_string(design.slots);
  // Outside the logic the width of a slot makes no difference but for the enables of its bits.
  request.params["SLOT_BITS"] = "8";
  return request;
}

Control synthesized(const MissHandlerDesign& design, const MissHandlerOptions& options) {
  const SynthResult r = run(request_of(design, options));
  const EnergyUse& e = r.netlist.energy;
  return {r.netlist.sequential_um2,
          r.netlist.combinational_um2,
          r.period_ns,
          e.leakage_nw,
          e.switching_pj + e.internal_pj + e.clock_internal_pj,
          r.library_voltage,
          r.driving_cell_leakage_nw};
}

/// The design with `entries` instead of its own; shares keep their proportion.
MissHandlerDesign resized(MissHandlerDesign design, unsigned entries) {
  design.reserved =
      static_cast<unsigned>(std::uint64_t{design.reserved} * entries / design.entries);
  design.ways = std::min(design.ways, entries);
  design.entries = entries;
  return design;
}

double at(const std::vector<std::pair<double, double>>& points, double x) {
  const auto [a, b] = line_through(points);
  return a + b * x;
}

Control control_of(const MissHandlerDesign& design, const MissHandlerOptions& options,
                   std::vector<LawPoint>& law) {
  if (design.entries <= kMostSynthesized || orders_queues(design.kind))
    return synthesized(design, options);
  std::vector<std::pair<double, double>> sequential, combinational, period, leakage, energy;
  Control last;
  for (const unsigned n : kLawSizes) {
    last = synthesized(resized(design, n), options);
    sequential.emplace_back(n, last.sequential_um2);
    combinational.emplace_back(n, last.combinational_um2);
    period.emplace_back(std::log2(n), last.period_ns);
    leakage.emplace_back(n, last.leakage_nw);
    energy.emplace_back(n, last.energy_pj);
    law.push_back({n, last.sequential_um2 + last.combinational_um2, 0});
  }
  for (LawPoint& p : law) p.fitted_um2 = at(sequential, p.entries) + at(combinational, p.entries);
  const double n = design.entries;
  last.sequential_um2 = at(sequential, n);
  last.combinational_um2 = at(combinational, n);
  last.period_ns = at(period, std::log2(n));
  last.leakage_nw = at(leakage, n);
  last.energy_pj = at(energy, n);
  return last;
}

MissHandlerCost simple_cost(const MissHandlerDesign& design, const MissHandlerOptions& options) {
  MissHandlerCost cost;
  const Control control = control_of(design, options, cost.law);
  Macro slots;
  slots.words = std::uint64_t{design.entries} * design.slots;
  slots.bits = design.slot_bits + design.data_bits;
  slots.ports = 2;  // one request comes while another leaves
  const MacroCost macro =
      cost_of(slots, {options.node_nm, control.voltage, control.buffer_leakage_nw});
  cost.sequential_um2 = control.sequential_um2;
  cost.combinational_um2 = control.combinational_um2;
  cost.storage_um2 = macro.area_um2;
  cost.period_ns = control.period_ns;
  cost.access_ns = control.period_ns + macro.access_ns;
  cost.leakage_mw = 1e-6 * (control.leakage_nw + macro.leakage_nw);
  // pJ a cycle over ns is mW.
  cost.dynamic_mw =
      (control.energy_pj + macro.read_pj + macro.write_pj) / std::max(cost.access_ns, 1e-9);
  return cost;
}

}  // namespace

std::pair<double, double> line_through(const std::vector<std::pair<double, double>>& points) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const auto& [x, y] : points) {
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  const auto n = static_cast<double>(points.size());
  const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return {(sy - slope * sx) / n, slope};
}

MissHandlerCost cost_of(const MissHandlerDesign& design, const MissHandlerOptions& options) {
  if (design.kind != "htsma") return simple_cost(design, options);
  // KI 5.3: the tags of the s-MSHR are compared, and the TSMA is accessed when none is equal.
  MissHandlerDesign part = design;
  part.kind = "tsma";
  MissHandlerCost cost = simple_cost(part, options);
  part.kind = "conventional";
  part.entries = design.small_entries;
  const MissHandlerCost small = simple_cost(part, options);
  SynthRequest steer;
  steer.unit = "htsma_steer";
  steer.rtl_root = options.rtl_root;
  steer.liberty = options.liberty;
  steer.activity = options.activity;
  steer.cache_dir = options.cache_dir;
  steer.progress = options.progress;
  const SynthResult steering = run(steer);
  const EnergyUse& e = steering.netlist.energy;
  cost.sequential_um2 += small.sequential_um2 + steering.netlist.sequential_um2;
  cost.combinational_um2 += small.combinational_um2 + steering.netlist.combinational_um2;
  cost.storage_um2 += small.storage_um2;
  cost.leakage_mw += small.leakage_mw + 1e-6 * e.leakage_nw;
  cost.dynamic_mw = cost.dynamic_mw * cost.access_ns + small.dynamic_mw * small.access_ns +
                    e.switching_pj + e.internal_pj + e.clock_internal_pj;
  cost.period_ns = std::max({cost.period_ns, small.period_ns, steering.period_ns});
  cost.access_ns += small.period_ns;
  cost.dynamic_mw /= cost.access_ns;
  return cost;
}

}  // namespace warpmem::synth
