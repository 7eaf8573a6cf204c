// SPDX-License-Identifier: Apache-2.0
#include "synth/macro_model.hpp"

#include <cmath>

namespace warpmem::synth {
namespace {

// Capacitances a micrometre hardly change from node to node (Weste and Harris, 4th ed., 2.3, 6.2).
constexpr double kWireFfPerUm = 0.2;
constexpr double kGateFfPerUm = 1.0;
constexpr double kAccessWidthF = 1.31;  // CACTI 5: access transistor of the cell
constexpr double kCellAspect = 1.46;    // width over height (CACTI 5)
constexpr double kReadSwing = 0.15;     // share of the supply that sense amplifiers need
constexpr double kPeriphery = 2.0;      // decoder, sense amplifiers, clocking, over the array's own
constexpr double kFo4NsPerUm = 0.36;    // rule of thumb: 360 ps a micrometre of channel
constexpr double kAccessFo4 = 2.0;
constexpr double kAccessFo4PerDoubling = 1.2;

double cell_um2(const Macro& macro, double node_um) {
  const double squares = macro.kind == MacroKind::cam ? kCamCellF2 : kSramCellF2;
  const double side = 1 + kPortSide * (macro.ports - 1);
  return squares * side * side * node_um * node_um;
}

}  // namespace

MacroCost cost_of(const Macro& macro, const MacroProcess& process) {
  MacroCost cost;
  if (macro.capacity() == 0) return cost;
  const double um = process.node_nm * 1e-3;
  const double cells = static_cast<double>(macro.capacity());
  const double words = static_cast<double>(macro.words);
  const double bits = static_cast<double>(macro.bits);
  const double cell = cell_um2(macro, um);
  cost.area_um2 = cells * cell / kArrayEfficiency;
  cost.access_ns = kFo4NsPerUm * um * (kAccessFo4 + kAccessFo4PerDoubling * std::log2(cells + 1));

  // A word line crosses all bits; each bit's line crosses all words. Two cells share a contact.
  const double height = std::sqrt(cell / kCellAspect);
  const double word_line =
      bits * (kWireFfPerUm * height * kCellAspect + 2 * kGateFfPerUm * kAccessWidthF * um);
  const double bit_line = words * (kWireFfPerUm * height + 0.5 * kGateFfPerUm * kAccessWidthF * um);
  const double v2 = process.voltage * process.voltage;
  const double pj = 1e-3 * kPeriphery * v2;  // energy for each femtofarad
  cost.read_pj = pj * (word_line + bits * bit_line * kReadSwing);
  cost.write_pj = pj * (word_line + bits * bit_line);
  if (macro.kind == MacroKind::cam) {
    // Half of the search lines change, and all match lines but one fall and are charged again.
    cost.search_pj = pj * (bits * bit_line + words * word_line);
  }
  cost.leakage_nw = cells * process.buffer_leakage_nw;
  return cost;
}

}  // namespace warpmem::synth
