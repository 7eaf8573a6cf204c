// SPDX-License-Identifier: Apache-2.0
// Area, access time, energy and leakage of a memory macro, by formulae whose coefficients and their
// sources stand in docs/synthesis.md. Estimated, not synthesized: no layout, no memory compiler.
#pragma once

#include <cstdint>

namespace warpmem::synth {

enum class MacroKind : std::uint8_t { sram, cam };

struct Macro {
  MacroKind kind = MacroKind::sram;
  std::uint64_t words = 0;
  std::uint64_t bits = 0;  ///< bits of a word
  unsigned ports = 1;      ///< that read or write independently; a CAM's search comes on top
  std::uint64_t capacity() const { return words * bits; }
};

/// This is what the formulae take from the process.
struct MacroProcess {
  double node_nm = 180;  ///< drawn feature size, nm
  double voltage = 1.8;
  double buffer_leakage_nw = 0;  ///< of the library's smallest buffer: two inverters, as in a cell
};

struct MacroCost {
  double area_um2 = 0;
  double access_ns = 0;  ///< address, or key, to data, or match lines
  double read_pj = 0;    ///< energy of reading one word
  double write_pj = 0;   ///< energy of writing one word
  double search_pj = 0;  ///< energy of searching all words of a CAM
  double leakage_nw = 0;
};

/// These are the bit cells of CACTI 5 and 6 in squares of the feature size.
inline constexpr double kSramCellF2 = 146;
inline constexpr double kCamCellF2 = 292;
/// Each port after the first adds a word line and a pair of bit lines, which is that much of each
/// side.
inline constexpr double kPortSide = 0.25;
/// This is the bit cells' part of a small array without tags; the rest is decoder, sense
/// amplifiers, drivers.
inline constexpr double kArrayEfficiency = 0.70;

/// Returns the cost of a macro, zero for an empty one.
MacroCost cost_of(const Macro& macro, const MacroProcess& process);

}  // namespace warpmem::synth
