// SPDX-License-Identifier: Apache-2.0
#include "synth/miss_handler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "synth/synth.hpp"

namespace warpmem::synth {
namespace {

/// So many bits of an address stay in the logic around a CAM, since the units need one.
constexpr unsigned kCamRest = 1;

/// This is the control of one unit at one size, or as the law has it.
struct Control {
  double tag_um2 = 0;  ///< flip-flops by their purpose
  double link_um2 = 0;
  double rest_um2 = 0;
  double combinational_um2 = 0;
  double period_ns = 0;
  double through_ns = 0;  ///< longest path from input to output
  double leakage_nw = 0;
  double energy_pj = 0;  ///< energy of a cycle
  double voltage = 0;
  double buffer_leakage_nw = 0;
  // A flip-flop of the unit, for registers beside it.
  double bit_um2 = 0;
  double bit_leakage_nw = 0;
  double bit_pj = 0;  ///< of its clock, a cycle
};

bool orders_queues(const std::string& kind) {
  return kind == "cart_branch" || kind == "cart_shared" || kind == "mrpb_drain";
}

std::string unit_of(const std::string& kind) {
  if (orders_queues(kind)) return kind;
  if (kind == "dl") return "dl_mshr";
  if (kind == "tsma") return "tsma";
  if (kind == "conventional" || kind == "set_assoc") return "mshr_" + kind;
  throw UserError(fmt::format(
      "miss handler '{}': unknown; allowed: conventional, set_assoc, dl, tsma, htsma, cart_branch, "
      "cart_shared, mrpb_drain",
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
  if (design.kind != "tsma")
    request.params["ADDR_BITS"] = std::to_string(design.cam ? kCamRest : design.addr_bits);
  request.params["SLOTS"] = std::to_string(design.slots);
  if (design.sectors > 1) request.params["SECTORS"] = std::to_string(design.sectors);
  // Outside the logic the width of a slot makes no difference but for the enables of its bits.
  request.params["SLOT_BITS"] = "8";
  return request;
}

/// Returns the longest way through; of a unit without such a path it is all of its cycle.
double through(const SynthResult& result) {
  for (const PathDelay& path : result.paths)
    if (path.from_to == "input to output") return path.delay_ns;
  return result.period_ns;
}

Control synthesized(const MissHandlerDesign& design, const MissHandlerOptions& options) {
  const SynthResult r = run(request_of(design, options));
  const EnergyUse& e = r.netlist.energy;
  // The flow maps all registers of a unit on flip-flops of one size.
  auto bits = bits_by_purpose(r.netlist.registers);
  const auto all_bits = static_cast<double>(std::max<std::uint64_t>(r.netlist.register_bits, 1));
  const double bit_um2 = r.netlist.sequential_um2 / all_bits;
  const double tag = bit_um2 * static_cast<double>(bits["tag"]);
  const double link = bit_um2 * static_cast<double>(bits["link"]);
  return {tag, link, r.netlist.sequential_um2 - tag - link, r.netlist.combinational_um2,
          r.period_ns, through(r), e.leakage_nw,
          e.switching_pj + e.internal_pj + e.clock_internal_pj, r.library_voltage,
          r.driving_cell_leakage_nw, bit_um2,
          // Its share of the leakage is taken to be that of the area.
          e.leakage_nw * bit_um2 / (r.netlist.sequential_um2 + r.netlist.combinational_um2),
          e.clock_internal_pj / all_bits};
}

/// Returns the design with `entries` instead of its own; shares keep their proportion.
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
  if (design.entries <= options.most_synthesized || orders_queues(design.kind))
    return synthesized(design, options);
  std::vector<std::pair<double, double>> tag, link, rest, combinational, period, through, leakage,
      energy;
  Control last;
  for (const unsigned n : kLawSizes) {
    last = synthesized(resized(design, n), options);
    tag.emplace_back(n, last.tag_um2);
    link.emplace_back(n * std::log2(n), last.link_um2);  // a pointer has log2 n bits
    rest.emplace_back(n, last.rest_um2);
    combinational.emplace_back(n, last.combinational_um2);
    period.emplace_back(std::log2(n), last.period_ns);
    through.emplace_back(std::log2(n), last.through_ns);
    leakage.emplace_back(n, last.leakage_nw);
    energy.emplace_back(n, last.energy_pj);
    law.push_back({n, last.tag_um2 + last.link_um2 + last.rest_um2 + last.combinational_um2, 0,
                   last.period_ns, 0});
  }
  const auto fill = [&](Control& c, double n) {
    c.tag_um2 = at(tag, n);
    c.link_um2 = at(link, n * std::log2(n));
    c.rest_um2 = at(rest, n);
    c.combinational_um2 = at(combinational, n);
    c.period_ns = at(period, std::log2(n));
    c.through_ns = at(through, std::log2(n));
    c.leakage_nw = at(leakage, n);
    c.energy_pj = at(energy, n);
  };
  for (LawPoint& p : law) {
    Control fitted;
    fill(fitted, p.entries);
    p.fitted_um2 = fitted.tag_um2 + fitted.link_um2 + fitted.rest_um2 + fitted.combinational_um2;
    p.fitted_ns = fitted.period_ns;
  }
  fill(last, design.entries);
  return last;
}

/// Returns the flip-flops beside the slots' macro. A split cycle writes in the next one, from a
/// register of a slot and its place. With one port a bit says that a read waits; the multiplexer of
/// its word is counted as a flip-flop a bit.
double waiting_bits(SlotAccess access, const Macro& slots) {
  const double word = std::ceil(std::log2(static_cast<double>(slots.words)));
  switch (access) {
    case SlotAccess::two_ports:
      return 0;
    case SlotAccess::one_port:
      return 1 + word;
    case SlotAccess::split_cycle:
      return static_cast<double>(slots.bits) + word;
  }
  return 0;
}

MissHandlerCost simple_cost(const MissHandlerDesign& design, const MissHandlerOptions& options) {
  MissHandlerCost cost;
  const Control control = control_of(design, options, cost.law);
  Macro slots;
  slots.words = std::uint64_t{design.entries} * design.slots;
  slots.bits = design.slot_bits + design.data_bits;
  slots.ports = design.slot_access == SlotAccess::two_ports ? 2 : 1;
  const MacroProcess process{options.node_nm, control.voltage, control.buffer_leakage_nw};
  const MacroCost macro = cost_of(slots, process);
  MacroCost cam;
  if (design.cam && design.kind != "tsma")
    cam = cost_of({MacroKind::cam, design.entries, design.addr_bits, 2}, process);
  const double waits = waiting_bits(design.slot_access, slots);
  const bool split = design.slot_access == SlotAccess::split_cycle;
  const double macro_ns = split ? 2 * macro.access_ns : macro.access_ns;
  cost.tag_um2 = control.tag_um2;
  cost.link_um2 = control.link_um2;
  cost.control_um2 = control.rest_um2 + waits * control.bit_um2;
  cost.sequential_um2 = cost.tag_um2 + cost.link_um2 + cost.control_um2;
  cost.combinational_um2 = control.combinational_um2;
  cost.storage_um2 = macro.area_um2;
  cost.cam_um2 = cam.area_um2;
  cost.period_ns = control.period_ns;
  cost.cam_ns = cam.access_ns;
  cost.through_ns = control.through_ns;
  cost.access_ns = control.through_ns + macro_ns + cam.access_ns;
  cost.leakage_mw = 1e-6 * (control.leakage_nw + waits * control.bit_leakage_nw + macro.leakage_nw +
                            cam.leakage_nw);
  // The unit serves one request and one return a cycle. pJ a cycle over ns is mW.
  cost.dynamic_mw = (control.energy_pj + waits * control.bit_pj + macro.read_pj + macro.write_pj +
                     2 * cam.search_pj + cam.write_pj) /
                    std::max(cost.cycle_ns(), 1e-9);
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

std::string residuals(const std::vector<LawPoint>& law) {
  std::string text;
  for (const LawPoint& p : law) {
    text += fmt::format("{}{} entries {:+.1f} % area {:+.1f} % period", text.empty() ? "" : ", ",
                        p.entries, 100 * (p.fitted_um2 / p.area_um2 - 1),
                        100 * (p.fitted_ns / p.period_ns - 1));
  }
  return text;
}

std::vector<std::string> units_of(const std::string& kind) {
  if (kind == "htsma") return {"htsma_steer", unit_of("conventional"), unit_of("tsma")};
  return {unit_of(kind)};
}

MissHandlerCost cost_of(const MissHandlerDesign& design, const MissHandlerOptions& options) {
  if (design.kind != "htsma") return simple_cost(design, options);
  // In KI 5.3 the tags of the s-MSHR are compared, and the TSMA is accessed when none is equal.
  MissHandlerDesign part = design;
  part.kind = "tsma";
  MissHandlerCost cost = simple_cost(part, options);
  part.kind = "conventional";
  part.entries = design.small_entries;
  if (design.small_slots != 0) part.slots = design.small_slots;
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
  cost.tag_um2 += small.tag_um2;
  cost.control_um2 += small.control_um2 + steering.netlist.sequential_um2;
  cost.sequential_um2 = cost.tag_um2 + cost.link_um2 + cost.control_um2;
  cost.cam_um2 += small.cam_um2;
  cost.combinational_um2 += small.combinational_um2 + steering.netlist.combinational_um2;
  cost.storage_um2 += small.storage_um2;
  cost.leakage_mw += small.leakage_mw + 1e-6 * e.leakage_nw;
  cost.dynamic_mw = cost.dynamic_mw * cost.cycle_ns() + small.dynamic_mw * small.cycle_ns() +
                    e.switching_pj + e.internal_pj + e.clock_internal_pj;
  cost.period_ns = std::max({cost.period_ns, small.period_ns, steering.period_ns});
  cost.access_ns += small.through_ns + small.cam_ns;
  cost.dynamic_mw /= cost.cycle_ns();
  return cost;
}

}  // namespace warpmem::synth
