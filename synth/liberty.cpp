// SPDX-License-Identifier: Apache-2.0
#include "synth/liberty.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <tuple>

#include "base/errors.hpp"
#include "synth/liberty_syntax.hpp"

namespace warpmem::synth {
namespace {

std::vector<double> numbers(const std::vector<std::string>& texts) {
  std::vector<double> list;
  for (const auto& text : texts) {
    const char* at = text.c_str();
    while (*at != '\0') {
      char* end = nullptr;
      const double value = std::strtod(at, &end);
      if (end == at) {
        ++at;  // at a comma or blank
      } else {
        list.push_back(value);
        at = end;
      }
    }
  }
  return list;
}

/// These scale the file's units to ns, pF, nW and pJ.
struct Units {
  double time_ns = 1;
  double load_pf = 1;
  double leakage_nw = 1;
  /// Internal energies are given in load unit × V².
  double energy_pj() const { return load_pf; }
};

double scaled(const std::string& text, const std::map<std::string, double>& prefixes) {
  char* end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) value = 1;
  std::string unit(end);
  unit.erase(std::remove(unit.begin(), unit.end(), ' '), unit.end());
  std::transform(unit.begin(), unit.end(), unit.begin(), [](char c) { return std::tolower(c); });
  const auto found = prefixes.find(unit);
  return found == prefixes.end() ? 0 : value * found->second;
}

Units units_of(const LibertyGroup& library, const std::string& where) {
  Units units;
  const std::string time = library.text("time_unit");
  if (!time.empty()) units.time_ns = scaled(time, {{"ns", 1}, {"ps", 1e-3}, {"us", 1e3}});
  const std::string leakage = library.text("leakage_power_unit");
  if (!leakage.empty()) {
    units.leakage_nw = scaled(leakage, {{"pw", 1e-3}, {"nw", 1}, {"uw", 1e3}, {"mw", 1e6}});
  }
  if (const auto* load = library.find("capacitive_load_unit"); load && load->values.size() == 2) {
    units.load_pf = scaled(load->values[0] + load->values[1], {{"pf", 1}, {"ff", 1e-3}});
  }
  if (units.time_ns == 0 || units.leakage_nw == 0 || units.load_pf == 0) {
    throw UserError(where + ": unknown time, load or leakage unit");
  }
  return units;
}

using Templates = std::map<std::string, const LibertyGroup*>;

bool is_load(const std::string& variable) {
  return variable.find("output_net_capacitance") != std::string::npos;
}
bool is_transition(const std::string& variable) {
  return variable.find("transition") != std::string::npos;
}

/// Returns a table; those over anything else than load and input transition are left out (empty
/// values).
LookupTable table_of(const LibertyGroup& group, const Templates& templates, const Units& units,
                     double value_scale) {
  LookupTable table;
  const auto* values = group.find("values");
  if (!values) return table;
  const LibertyGroup* shape = nullptr;
  if (!group.arguments.empty()) {
    const auto found = templates.find(group.arguments[0]);
    if (found != templates.end()) shape = found->second;
  }
  bool load_major = true;
  for (int axis = 1; axis <= 3; ++axis) {
    const std::string variable = shape ? shape->text(fmt::format("variable_{}", axis)) : "";
    if (variable.empty()) continue;
    const std::string index_name = fmt::format("index_{}", axis);
    const auto* index = group.find(index_name);
    if (!index) index = shape->find(index_name);
    if (!index) continue;
    auto points = numbers(index->values);
    if (is_load(variable)) {
      for (auto& p : points) p *= units.load_pf;
      load_major = axis == 1;
      table.loads_pf = std::move(points);
    } else if (is_transition(variable)) {
      for (auto& p : points) p *= units.time_ns;
      table.transitions_ns = std::move(points);
    } else {
      return {};
    }
  }
  auto list = numbers(values->values);
  const std::size_t rows = std::max<std::size_t>(table.loads_pf.size(), 1);
  const std::size_t columns = std::max<std::size_t>(table.transitions_ns.size(), 1);
  if (list.size() != rows * columns) return {};
  table.values.resize(list.size());
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      table.values[r * columns + c] =
          value_scale * list[load_major ? r * columns + c : c * rows + r];
    }
  }
  return table;
}

void add_table(std::vector<LookupTable>& tables, LookupTable table) {
  if (!table.values.empty()) tables.push_back(std::move(table));
}

CellPin pin_of(const LibertyGroup& group, const Templates& templates, const Units& units,
               double default_capacitance) {
  CellPin pin;
  pin.output = group.text("direction") == "output";
  pin.clock = group.text("clock") == "true";
  pin.three_state = group.find("three_state") != nullptr;
  pin.expression = group.text("function");
  pin.function = pin.expression;
  pin.function.erase(std::remove_if(pin.function.begin(), pin.function.end(),
                                    [](char c) { return c == '(' || c == ')' || c == ' '; }),
                     pin.function.end());
  pin.capacitance_pf =
      units.load_pf * group.number("capacitance", pin.output ? 0 : default_capacitance);
  pin.max_load_pf = units.load_pf * group.number("max_capacitance", 0);
  for (const auto& part : group.groups) {
    for (const auto& table : part->groups) {
      if (part->kind == "internal_power") {
        add_table(pin.energy.tables, table_of(*table, templates, units, units.energy_pj()));
      } else if (part->kind == "timing" &&
                 (table->kind == "rise_transition" || table->kind == "fall_transition")) {
        add_table(pin.transitions, table_of(*table, templates, units, units.time_ns));
      }
    }
  }
  return pin;
}

double leakage_of(const LibertyGroup& cell, bool& known) {
  if (cell.find("cell_leakage_power")) {
    known = true;
    return cell.number("cell_leakage_power", 0);
  }
  double sum = 0;
  int conditions = 0;
  for (const auto& group : cell.groups) {
    if (group->kind != "leakage_power" || !group->find("value")) continue;
    sum += group->number("value", 0);
    ++conditions;
  }
  known = known || conditions > 0;
  return conditions ? sum / conditions : 0;
}

/// Returns the position of x between the points, clamped: the index below and the weight of the
/// point above.
std::pair<std::size_t, double> locate(const std::vector<double>& points, double x) {
  if (points.size() < 2 || x <= points.front()) return {0, 0.0};
  if (x >= points.back()) return {points.size() - 2, 1.0};
  const auto above = std::upper_bound(points.begin(), points.end(), x) - points.begin();
  const auto i = static_cast<std::size_t>(above) - 1;
  return {i, (x - points[i]) / (points[i + 1] - points[i])};
}

}  // namespace

double LookupTable::at(double load_pf, double transition_ns) const {
  if (values.empty()) return 0;
  const std::size_t columns = std::max<std::size_t>(transitions_ns.size(), 1);
  const auto [row, row_weight] = locate(loads_pf, load_pf);
  const auto [column, column_weight] = locate(transitions_ns, transition_ns);
  const std::size_t next_row = loads_pf.size() > 1 ? row + 1 : row;
  const std::size_t next_column = columns > 1 ? column + 1 : column;
  const auto blend = [&, left = column, right = next_column, weight = column_weight](auto r) {
    return (1 - weight) * values[r * columns + left] + weight * values[r * columns + right];
  };
  return (1 - row_weight) * blend(row) + row_weight * blend(next_row);
}

double PinEnergy::at(double load_pf, double transition_ns) const {
  double sum = 0;
  for (const auto& table : tables) sum += table.at(load_pf, transition_ns);
  return tables.empty() ? 0 : sum / static_cast<double>(tables.size());
}

Liberty Liberty::parse(std::string_view text, const std::string& where) {
  const auto tree = parse_liberty_syntax(text, where);
  const Units units = units_of(*tree, where);
  const double default_capacitance = tree->number("default_input_pin_cap", 0);
  Liberty library;
  library.name_ = tree->arguments.empty() ? "unnamed" : tree->arguments[0];
  library.voltage_ = tree->number("nom_voltage", 1.0);
  Templates templates;
  for (const auto& group : tree->groups) {
    if (group->kind == "lu_table_template" || group->kind == "power_lut_template") {
      if (!group->arguments.empty()) templates[group->arguments[0]] = group.get();
    }
  }
  for (const auto& group : tree->groups) {
    if (group->kind != "cell" || group->arguments.empty()) continue;
    LibraryCell cell;
    cell.name = group->arguments[0];
    cell.area_um2 = group->number("area", 0);
    for (const char* mark : {"dont_use", "is_isolation_cell", "is_level_shifter", "always_on"}) {
      cell.special = cell.special || group->text(mark) == "true";
    }
    if (cell.special) library.special_spans_.emplace_back(group->begin, group->end);
    cell.leakage_nw = units.leakage_nw * leakage_of(*group, library.has_leakage_);
    for (const auto& part : group->groups) {
      if (part->kind == "ff" || part->kind == "latch") {
        cell.sequential = true;
        if (!part->arguments.empty()) cell.state = part->arguments[0];
      } else if (part->kind == "pin") {
        for (const auto& name : part->arguments) {
          cell.pins[name] = pin_of(*part, templates, units, default_capacitance);
          library.has_energy_ = library.has_energy_ || !cell.pins[name].energy.tables.empty();
        }
      }
    }
    library.cells_[cell.name] = std::move(cell);
  }
  if (library.cells_.empty()) throw UserError(where + ": the library has no cells");
  return library;
}

const LibraryCell* Liberty::find(const std::string& cell) const {
  const auto found = cells_.find(cell);
  return found == cells_.end() ? nullptr : &found->second;
}

std::string Liberty::without_special_cells(std::string_view text) const {
  std::string kept;
  std::size_t from = 0;
  for (const auto& [begin, end] : special_spans_) {
    kept += text.substr(from, begin - from);
    from = end;
  }
  return kept.append(text.substr(from));
}

const LibraryCell& Liberty::driving_cell() const {
  const LibraryCell* best = nullptr;
  // Clock and delay buffers are unbalanced or slow; libraries mark them by name only.
  const auto rank = [](const LibraryCell& cell) {
    std::string name = cell.name;
    std::transform(name.begin(), name.end(), name.begin(), [](char c) { return std::tolower(c); });
    const bool special = name.find("clk") != std::string::npos ||
                         name.find("dly") != std::string::npos ||
                         name.find("del") != std::string::npos;
    return std::make_tuple(cell.area_um2, special, cell.name);
  };
  for (const auto& [name, cell] : cells_) {
    if (cell.sequential || cell.special || cell.pins.size() != 2) continue;
    const CellPin* output = nullptr;
    std::string input;
    for (const auto& [pin_name, pin] : cell.pins) {
      if (pin.output) {
        output = &pin;
      } else {
        input = pin_name;
      }
    }
    if (!output || input.empty() || output->three_state || output->function != input) continue;
    if (!best || rank(cell) < rank(*best)) best = &cell;
  }
  if (!best) throw UserError("library " + name_ + ": no buffer cell, which the flow needs");
  return *best;
}

double Liberty::output_load_pf() const {
  for (const auto& [name, pin] : driving_cell().pins) {
    if (!pin.output) return 4 * pin.capacitance_pf;
  }
  return 0;
}

double Liberty::typical_transition_ns() const {
  for (const auto& [name, pin] : driving_cell().pins) {
    if (!pin.output || pin.transitions.empty()) continue;
    const double fastest =
        pin.transitions[0].transitions_ns.empty() ? 0.0 : pin.transitions[0].transitions_ns.front();
    double sum = 0;
    for (const auto& table : pin.transitions) sum += table.at(output_load_pf(), fastest);
    return sum / static_cast<double>(pin.transitions.size());
  }
  return 0;
}

}  // namespace warpmem::synth
