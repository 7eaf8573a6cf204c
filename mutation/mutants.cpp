// SPDX-License-Identifier: Apache-2.0
#include "mutation/mutants.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"
#include "cosim/unit_library.hpp"
#include "files/json_text.hpp"

namespace warpmem::mutation {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSelect = "mutsel";  // cosim/wrappers/verilated_top.hpp drives it
constexpr const char* kSelectEntry = "warpmem_select_mutant";

/// Turns "rtl/dau/dau.sv:158.5-170.4" into "dau/dau.sv:158".
std::string place_of(const std::string& src) {
  std::string place = src.substr(0, src.find('.', src.rfind(':')));
  return place.rfind("rtl/", 0) == 0 ? place.substr(4) : place;
}

/// Turns "$flatten\u_sets.$or$rtl/dau/dau_sets.sv:71$25343" into "u_sets.$or".
std::string short_cell(std::string cell) {
  const std::string flatten = "$flatten\\";
  if (cell.rfind(flatten, 0) == 0) cell = cell.substr(flatten.size());
  const std::size_t kind = cell.find('$');
  const std::size_t end = kind == std::string::npos ? kind : cell.find('$', kind + 1);
  return cell.substr(0, end);
}

/// Parses a line of this form: mutate -mode M -module U -cell C -port P -portbit B [-ctrlbit B]
/// [-wire W -wirebit B] [-src S]...
Mutant parse(const std::string& line, unsigned number) {
  Mutant mutant;
  mutant.number = number;
  std::istringstream in(line);
  std::string word, value, bit;
  in >> word;
  while (in >> word >> value) {
    if (word == "-src") {
      // First come the wire or the instance; the last one is the statement.
      mutant.place = place_of(value);
      continue;
    }
    if (word == "-wire" || word == "-wirebit") continue;
    if (word == "-mode") mutant.mode = value;
    if (word == "-cell") mutant.cell = short_cell(value);
    if (word == "-port") mutant.port = value;
    if (word == "-portbit") bit = value;
    mutant.arguments += fmt::format(" {} {}", word, value);
  }
  mutant.port += fmt::format("[{}]", bit);
  return mutant;
}

/// Returns what Yosys complains of, else `otherwise`.
std::string error_in(const std::string& log, const std::string& otherwise) {
  const std::size_t at = log.find("ERROR: ");
  if (at == std::string::npos) return otherwise;
  return log.substr(at + 7, log.find('\n', at) - at - 7);
}

}  // namespace

Mutants::Mutants(fs::path work, const UnitSources& sources, const AttackedUnit& unit,
                 unsigned count, std::uint64_t seed)
    : work_(std::move(work)), unit_(unit) {
  sources.link_into(work_);
  std::string script = sources.read_commands("-formal -sv", "-formal -sv") + "chparam";
  for (const auto& [name, value] : unit.parameters)
    script += fmt::format(" -set {} {}", name, value);
  // Whatever no output depends on belongs to the properties, and has no faults.
  script += fmt::format(
      " {0}\nprep -flatten -top {0}\nrename -top {0}\nmemory_map\nopt -full\nwrite_rtlil "
      "design.il\nwrite_json design.json\n"
      "tee -o properties.txt select -list t:$assert\n"
      "mutate -list {1} -seed {2} -o list.txt o:* %ci*\n",
      unit.name, count, seed % 0x7fffffff);
  yosys("elaborate", script);
  has_properties_ = read_text(work_ / "properties.txt").find('/') != std::string::npos;
  ports_ = parse_json(read_text(work_ / "design.json"))["modules"][unit.name]["ports"];
  std::istringstream lines(read_text(work_ / "list.txt"));
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("mutate ", 0) == 0)
      list_.push_back(parse(line, static_cast<unsigned>(list_.size()) + 1));
  if (list_.empty()) throw UserError(unit.name + ": Yosys finds no place for a fault");
}

std::string Mutants::observer(const std::string& module) const {
  std::vector<std::string> header, wires, pins;
  for (const auto& [name, port] : ports_.items()) {
    const auto bits = port["bits"].size();
    const bool output = port["direction"] == "output";
    const auto valid = unit_.valid_with.find(name);
    const std::string range = fmt::format("[{}:0]", bits - 1);
    header.push_back(fmt::format("{} {} {}", output ? "output" : "input", range, name));
    if (valid == unit_.valid_with.end()) {
      pins.push_back(fmt::format(".{0}({0})", name));
      continue;
    }
    wires.push_back(fmt::format("  wire {0} raw_{1};\n  assign {1} = {2} ? raw_{1} : {3}'d0;\n",
                                range, name, valid->second, bits));
    pins.push_back(fmt::format(".{0}(raw_{0})", name));
  }
  return fmt::format("module seen_{0} ({1});\n{2}  {0} observed ({3});\nendmodule\n", module,
                     fmt::join(header, ", "), fmt::join(wires, ""), fmt::join(pins, ", "));
}

fs::path Mutants::build_library(const cosim::UnitPlaces& places) const {
  unsigned bits = 1;
  while ((std::size_t{1} << bits) <= list_.size()) ++bits;
  std::string script = "read_rtlil design.il\n";
  for (const Mutant& m : list_)
    script += fmt::format("mutate{} -ctrl {} {} {}\n", m.arguments, kSelect, bits, m.number);
  yosys("netlist", script +
                       "delete t:$assert t:$assume t:$cover\n"
                       "techmap t:$shl t:$shr t:$sshl t:$sshr %u %u %u\nsplitnets\nopt_clean\n"
                       "write_verilog -noattr netlist.v\n");
  cosim::VerilatedUnit unit =
      cosim::verilated_unit(cosim::shape_of_view(View::rtl, unit_.shape, places), places);
  unit.rtl = work_;
  unit.sources = {"netlist.v"};
  unit.netlist = true;
  unit.macros = {"-DWARPMEM_MUTANTS"};
  return cosim::build_verilated(unit);
}

void Mutants::yosys(const std::string& name, const std::string& script) const {
  write_text(work_ / (name + ".ys"), script);
  const fs::path log = work_ / (name + ".log");
  const Process process{{"yosys", "-s", name + ".ys"}, work_, log};
  if (const int status = run_process(process); status != 0) {
    throw UserError(
        fmt::format("{}: {}", unit_.name, error_in(read_text(log), ending(process, status))));
  }
}

void select_mutant(const fs::path& library, unsigned number) {
  const void* const entry = cosim::load_unit(library, kSelectEntry);
  reinterpret_cast<void (*)(unsigned)>(const_cast<void*>(entry))(number);
}

}  // namespace warpmem::mutation
