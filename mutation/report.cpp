// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "mutation/hand_made.hpp"
#include "mutation/mutation.hpp"
#include "mutation/units.hpp"

namespace warpmem::mutation {

namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Fate fate) {
  switch (fate) {
    case Fate::kLockstep:
      return "lockstep";
    case Fate::kProperty:
      return "property";
    case Fate::kEquivalent:
      return "equivalent";
    case Fate::kSurvived:
      return "survived";
    case Fate::kUndecided:
      return "undecided";
  }
  return "";
}

std::string parameters_of(const MutationResult& result) {
  std::string text;
  for (const auto& [name, value] : result.parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

std::string fault_of(const Mutant& mutant) {
  return fmt::format("{} of {} of {}", mutant.mode, mutant.port, mutant.cell);
}

/// These are the faults that nothing found and that may differ.
bool open(const MutantResult& m) { return m.fate == Fate::kSurvived || m.fate == Fate::kUndecided; }

std::size_t refuted(const MutationResult& result) {
  std::size_t sum = 0;
  for (const MutantResult& m : result.mutants) sum += m.refuted != 0;
  return sum;
}

constexpr const char* kHead =
    "# Faults in the RTL, and what finds them\n\n"
    "Written by `warpmem mutate`; how it works is in `mutation/README.md`. A fault is one bit of "
    "one port\nof one cell of the elaborated unit: inverted, stuck, or mixed with its neighbour "
    "(`yosys mutate`).\n\n"
    "- **lockstep**: the unit with the fault differs from the class in a lockstep run;\n"
    "- **property**: no run has found it, but a property of the unit is violated;\n"
    "- **equivalent**: no input sequence tells it from the right unit (proved for any length, for "
    "the inputs\n  that the unit's `assume` lines allow);\n"
    "- **survived**: it differs, and nothing has found it; **undecided**: the time was over.\n\n"
    "| unit | size | faults | lockstep | property | equivalent | survived | undecided | settled "
    "|\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n";

/// This is what the page says about a unit.
struct UnitText {
  std::string row, section;
};

std::string row_of(const MutationResult& r) {
  return fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {:.1f} % |\n", r.unit,
                     parameters_of(r), r.mutants.size(), r.count(Fate::kLockstep),
                     r.count(Fate::kProperty), r.count(Fate::kEquivalent), r.count(Fate::kSurvived),
                     r.count(Fate::kUndecided), r.settled_percent());
}

std::string section_of(const MutationResult& r) {
  std::string text =
      fmt::format("\n## {}\n\n`warpmem mutate {} -n {} --seed {} --cycles {}{}`\n", r.unit, r.unit,
                  r.mutants.size(), r.seed, r.cycles, r.all_properties ? " --properties" : "");
  if (r.all_properties)
    text += fmt::format("\nThe properties alone find {} of the {} faults that differ.\n",
                        refuted(r), r.mutants.size() - r.count(Fate::kEquivalent));
  bool any = false;
  for (const MutantResult& m : r.mutants) {
    if (m.fate == Fate::kLockstep) continue;
    if (!any) text += "\n| place | fault | result |\n|---|---|---|\n";
    any = true;
    text += fmt::format("| `rtl/{}` | {}: {} | {} |\n", m.mutant.place, m.mutant.number,
                        fault_of(m.mutant), name_of(m.fate));
  }
  if (!any) text += "\nLockstep finds every fault.\n";
  return text;
}

/// Reads a page of ours: its units by name.
std::map<std::string, UnitText> parse(const std::string& page) {
  std::map<std::string, UnitText> units;
  std::istringstream lines(page);
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("## ", 0) == 0) section = line.substr(3);
    const bool row = section.empty() && line.rfind("| `", 0) == 0;
    if (row) units[line.substr(3, line.find('`', 3) - 3)].row = line + "\n";
    if (section.empty()) continue;
    std::string& text = units[section].section;
    text += (text.empty() ? "\n" : "") + line + "\n";
  }
  // The empty line before the next section is that section's.
  for (auto& [name, unit] : units)
    while (unit.section.size() > 1 && unit.section.compare(unit.section.size() - 2, 2, "\n\n") == 0)
      unit.section.pop_back();
  return units;
}

}  // namespace

std::string table(const std::vector<MutationResult>& results) {
  std::string text = fmt::format("{:<16} {:>6} {:>9} {:>9} {:>11} {:>9} {:>9} {:>8} {:>8}\n",
                                 "unit", "faults", "lockstep", "property", "equivalent", "survived",
                                 "undecided", "settled", "seconds");
  for (const MutationResult& r : results)
    text += fmt::format("{:<16} {:>6} {:>9} {:>9} {:>11} {:>9} {:>9} {:>6.1f} % {:>8.1f}\n", r.unit,
                        r.mutants.size(), r.count(Fate::kLockstep), r.count(Fate::kProperty),
                        r.count(Fate::kEquivalent), r.count(Fate::kSurvived),
                        r.count(Fate::kUndecided), r.settled_percent(), r.seconds);
  for (const MutationResult& r : results) {
    if (r.all_properties)
      text += fmt::format("{}: the properties alone find {} of {} faults that differ\n", r.unit,
                          refuted(r), r.mutants.size() - r.count(Fate::kEquivalent));
    for (const MutantResult& m : r.mutants)
      if (open(m))
        text += fmt::format("{} {}: fault {}, {}: {}{}\n", r.unit, m.mutant.place, m.mutant.number,
                            fault_of(m.mutant), name_of(m.fate),
                            m.cycle == 0 ? "" : fmt::format(", differs in cycle {}", m.cycle));
  }
  return text;
}

std::string page(const std::vector<MutationResult>& results, const std::string& earlier) {
  std::map<std::string, UnitText> units = parse(earlier);
  for (const MutationResult& r : results) units[r.unit] = {row_of(r), section_of(r)};
  std::string text = kHead;
  for (const AttackedUnit& unit : attacked_units()) text += units[unit.name].row;
  for (const AttackedUnit& unit : attacked_units()) text += units[unit.name].section;
  text += units[kHandMadeTitle].section;
  return text;
}

Json to_json(const MutationResult& result) {
  Json doc;
  doc["unit"] = result.unit;
  for (const auto& [name, value] : result.parameters) doc["parameters"][name] = value;
  doc["seed"] = result.seed;
  doc["cycles"] = result.cycles;
  doc["seconds"] = result.seconds;
  doc["faults"] = result.mutants.size();
  for (const Fate fate :
       {Fate::kLockstep, Fate::kProperty, Fate::kEquivalent, Fate::kSurvived, Fate::kUndecided})
    doc[name_of(fate)] = result.count(fate);
  doc["settled_percent"] = result.settled_percent();
  if (result.all_properties) doc["refuted_by_properties"] = refuted(result);
  for (const MutantResult& m : result.mutants) {
    Json mutant = {{"number", m.mutant.number}, {"mode", m.mutant.mode},
                   {"cell", m.mutant.cell},     {"port", m.mutant.port},
                   {"place", m.mutant.place},   {"fate", name_of(m.fate)}};
    if (m.cycle != 0 || m.fate == Fate::kLockstep) mutant["cycle"] = m.cycle;
    if (!m.signal.empty()) mutant["signal"] = m.signal;
    if (m.refuted != 0) mutant["refuted_in"] = m.refuted;
    doc["mutants"].push_back(mutant);
  }
  return doc;
}

}  // namespace warpmem::mutation
