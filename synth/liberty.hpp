// SPDX-License-Identifier: Apache-2.0
// What the flow needs to know of a standard-cell library, read from its liberty file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpmem::synth {

/// This is a lookup table over input transition (ns) and, when two-dimensional, output load (pF).
/// Outside the table the nearest edge value holds: extrapolated energies turn negative.
struct LookupTable {
  std::vector<double> loads_pf;        ///< empty: the table does not depend on the load
  std::vector<double> transitions_ns;  ///< empty: the table does not depend on the transition
  std::vector<double> values;          ///< values in load-major order
  double at(double load_pf, double transition_ns) const;
};

/// Energy of one pin, picojoule per transition, averaged over the conditions that the library
/// distinguishes and over rise and fall.
struct PinEnergy {
  std::vector<LookupTable> tables;  ///< rise and fall tables of all conditions
  double at(double load_pf, double transition_ns) const;
};

struct CellPin {
  bool output = false;
  bool clock = false;
  bool three_state = false;
  double capacitance_pf = 0;
  double max_load_pf = 0;  ///< 0: the library gives no limit
  std::string function;    ///< name without blanks and parentheses: for comparison only
  std::string expression;  ///< the function as it stands in the library
  PinEnergy energy;
  std::vector<LookupTable> transitions;  ///< output transition, rise and fall of all arcs, ns
};

struct LibraryCell {
  std::string name;
  double area_um2 = 0;  ///< liberty has no area unit; square micrometres by convention
  double leakage_nw = 0;
  bool sequential = false;  ///< has an ff or latch group
  /// Marks a cell that is dont_use, or made for power domains (isolation, level shifter,
  /// always-on).
  bool special = false;
  std::string state;  ///< name of the stored value inside `function` ("IQ"); empty if none
  std::map<std::string, CellPin> pins;
};

class Liberty {
 public:
  /// Parses the text of a liberty file; `where` is used in messages. Throws UserError that names
  /// the line of a syntax error, and says when the text is no cell library.
  static Liberty parse(std::string_view text, const std::string& where);

  const std::string& name() const { return name_; }
  double voltage() const { return voltage_; }
  bool has_leakage() const { return has_leakage_; }
  bool has_energy() const { return has_energy_; }
  const std::map<std::string, LibraryCell>& cells() const { return cells_; }
  /// Returns nullptr when there is no such cell.
  const LibraryCell* find(const std::string& cell) const;

  /// Returns the parsed text without its special cells, on which the tools would map ordinary
  /// logic.
  std::string without_special_cells(std::string_view text) const;

  /// Returns the buffer that is taken to drive every input: the smallest, and of equal ones an
  /// ordinary buffer before a clock or delay buffer. Throws UserError when the library has none.
  const LibraryCell& driving_cell() const;
  /// Returns what every output is taken to drive: four inputs of the driving cell.
  double output_load_pf() const;
  /// Returns the transition of the driving cell with that load, ns, which is taken for the clock
  /// and for all nets when energies are looked up.
  double typical_transition_ns() const;

 private:
  std::string name_;
  double voltage_ = 0;
  bool has_leakage_ = false;
  bool has_energy_ = false;
  std::map<std::string, LibraryCell> cells_;
  std::vector<std::pair<std::size_t, std::size_t>> special_spans_;  ///< places in the parsed text
};

}  // namespace warpmem::synth
