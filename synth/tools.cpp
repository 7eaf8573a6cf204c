// SPDX-License-Identifier: Apache-2.0
#include "synth/tools.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"

namespace warpmem::synth {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& work, const std::vector<std::string>& argv) {
  const Process process{argv, work, work / "version.log"};
  const int status = run_process(process);
  const auto lines = lines_of(read_text(process.log));
  if (status != 0 || lines.empty()) throw UserError(ending(process, status));
  return lines[0];
}

/// Returns the first line with an error, without the word itself: "rtl/dau/dau.sv:31: SETS must be
/// …". For a log without one it is `otherwise`.
std::string first_error(const std::string& log, const std::string& otherwise) {
  std::string warning;
  for (const auto& line : lines_of(log)) {
    for (const char* mark : {"ERROR: ", "Error: "}) {
      const auto at = line.find(mark);
      if (at == std::string::npos) continue;
      // 'check -assert' only counts; what it found stands above as a warning.
      const bool counted = line.find("problems in 'check") != std::string::npos;
      return counted && !warning.empty() ? warning : line.substr(0, at) + line.substr(at + 7);
    }
    if (line.rfind("Warning: ", 0) == 0) warning = line.substr(9);
  }
  return otherwise;
}

}  // namespace

Yosys::Yosys(fs::path work, UnitSources sources)
    : work_(std::move(work)), sources_(std::move(sources)) {
  sources_.link_into(work_);
}

std::string Yosys::version(const fs::path& work) { return first_line(work, {"yosys", "-V"}); }

std::string Yosys::run(const std::string& name, const std::string& script) const {
  write_text(work_ / (name + ".ys"), script);
  const fs::path log = work_ / (name + ".log");
  const Process process{{"yosys", "-s", name + ".ys"}, work_, log};
  const int status = run_process(process);
  const std::string text = read_text(log);
  if (status != 0) {
    throw UserError(fmt::format("{}: {} (log: {})", sources_.unit,
                                first_error(text, ending(process, status)), log.string()));
  }
  return text;
}

std::map<std::string, std::string> Yosys::parameters() const {
  // With the inputs alone the dump is short. A line reads "  parameter signed \ENTRIES 48",
  // where the number may stand in bits, "8'00110000".
  run("parameters", sources_.read_commands("-sv", "-sv") +
                        fmt::format("tee -o parameters.txt dump -m {}/i:*\n", sources_.unit));
  std::map<std::string, std::string> parameters;
  for (const auto& line : lines_of(read_text(work_ / "parameters.txt"))) {
    const auto words = words_of(line);
    if (line.rfind("  parameter ", 0) != 0) continue;
    const auto name = std::find_if(words.begin(), words.end(),
                                   [](const std::string& word) { return word[0] == '\\'; });
    if (name == words.end()) continue;
    const std::string value = name + 1 == words.end() ? "" : words.back();
    const auto quote = value.find('\'');
    parameters[name->substr(1)] =
        quote == std::string::npos ? value : decimal_of_bits(value.substr(quote + 1));
  }
  return parameters;
}

namespace {

/// Takes the slot storage out of the flattened unit: its pins become ports, so that the logic
/// around it is driven and loaded as everywhere else, and what remains is what the flow maps.
std::string without_storage() {
  // Ports of the unit that are pins keep their names.
  const std::string pins = "select -set pins @memory %x1 @memory %d x:* %d\n";
  return "select -set memory t:$mem_v2 r:MEMID=*slot_q %i\n"
         "select -assert-min 1 @memory\n"
         "tee -o slots.txt dump @memory\n" +
         pins +
         // The names become such as Tcl can take: those of functions' results hold a dollar sign.
         // What is read out becomes an input under its own name; a hidden port is renamed later.
         // A selection goes by names, so the pins that are renamed here are selected anew.
         "rename -hide @pins @memory %co1 %d\n" + pins +
         "rename -enumerate -pattern storage_% @pins\n"
         "expose w:storage_*\n"
         "delete @memory\n"
         "setundef -undriven -expose\n"
         "opt_clean\n";
}

/// Returns the memories of a dump of cells $mem_v2: "parameter \SIZE 256", "parameter \WIDTH 16".
std::vector<Macro> memories_of(const std::string& dump) {
  std::vector<Macro> memories;
  for (const auto& line : lines_of(dump)) {
    const auto words = words_of(line);
    if (words.empty()) continue;
    if (words[0] == "cell") memories.emplace_back();
    if (words[0] != "parameter" || words.size() < 3 || memories.empty()) continue;
    if (words[1] == "\\SIZE") memories.back().words = std::stoull(words[2]);
    if (words[1] == "\\WIDTH") memories.back().bits = std::stoull(words[2]);
  }
  for (const Macro& memory : memories)
    if (memory.capacity() == 0)
      throw SimulationError("Yosys dumped a memory of slots without its size");
  return memories;
}

/// Returns the commands that elaborate the unit at its parameters, under its own name.
std::string elaborated(const UnitSources& sources,
                       const std::map<std::string, std::string>& params) {
  const std::string& top = sources.unit;
  std::string script = sources.read_commands("-sv", "-sv");
  if (!params.empty()) {
    // All are set at once, since one after the other the values in between may be an illegal pair.
    script += "chparam";
    for (const auto& [name, value] : params) script += fmt::format(" -set {} {}", name, value);
    script += fmt::format(" {}\n", top);
  }
  // Ports whose width depends on parameters make Yosys derive, and rename, the top once more.
  return script + fmt::format("hierarchy -check -top {}\nrename -top {}\n", top, top);
}

}  // namespace

std::string Yosys::plain_verilog(const std::map<std::string, std::string>& params) const {
  // What the checks of the RTL look at would stay, as what nothing reads.
  run("plain", elaborated(sources_, params) +
                   "chformal -remove\nproc\nopt_clean\nwrite_verilog -noattr plain.v\n");
  return read_text(work_ / "plain.v");
}

std::string Yosys::cells_verilog() const {
  run("cells", "read_liberty -ignore_miss_func lib.lib\nproc\nwrite_verilog -noattr cells.v\n");
  return read_text(work_ / "cells.v");
}

std::vector<Macro> Yosys::prepare(const std::map<std::string, std::string>& params,
                                  bool keep_hierarchy, bool storage_outside) const {
  const std::string& top = sources_.unit;
  std::string script = elaborated(sources_, params);
  if (storage_outside) {
    script += fmt::format("synth -nofsm -flatten -top {} -run begin:fine\n", top);
    script += without_storage();
    script += fmt::format("synth -nofsm -top {} -run fine:check\n", top);
  } else {
    script += fmt::format("synth -nofsm {}-top {}\n", keep_hierarchy ? "" : "-flatten ", top);
  }
  script += "check -assert\n";
  script += "dfflibmap -liberty lib.lib\nopt_clean\nwrite_rtlil prepared.il\n";
  run("prepare", script);
  return storage_outside ? memories_of(read_text(work_ / "slots.txt")) : std::vector<Macro>();
}

double Yosys::map(std::size_t index, double target_ps, const Liberty& library) const {
  // Without a driving cell and a load, abc inserts no buffers and sizes nothing.
  write_text(work_ / "abc.constr",
             fmt::format("set_driving_cell {}\nset_load {:.4f} [all_outputs]\n",
                         library.driving_cell().name, 1e3 * library.output_load_pf()));
  const std::string name = fmt::format("map{}", index);
  run(name, fmt::format("read_rtlil prepared.il\n"
                        "abc -liberty lib.lib -constr abc.constr -D {:.0f}\n"
                        "opt_clean\n"
                        "rename -enumerate -pattern g%_\n"
                        "tee -o {}.stat stat -top {} -liberty lib.lib\n"
                        "write_json {}.json\n"
                        "write_verilog -noattr {}.v\n",
                        target_ps, name, sources_.unit, name, name));
  // For one module Yosys prints "Chip area for module"; for several each, and at the end "Chip area
  // for top module".
  double area = -1;
  for (const auto& line : lines_of(read_text(work_ / (name + ".stat")))) {
    const bool top = line.find("Chip area for top module") != std::string::npos;
    const bool own =
        line.find(fmt::format("Chip area for module '\\{}'", sources_.unit)) != std::string::npos;
    if (top || own) area = std::strtod(line.c_str() + line.rfind(':') + 1, nullptr);
  }
  if (area < 0) {
    throw SimulationError(fmt::format("{}: Yosys printed no area (log: {})", sources_.unit,
                                      (work_ / (name + ".log")).string()));
  }
  return area;
}

std::string sta_version(const fs::path& work) {
  return "OpenSTA " + first_line(work, {"sta", "-version"});
}

namespace {

/// Returns the commands that load map<index>.v and constrain it.
std::string loaded_netlist(std::size_t index, const std::string& unit, const Liberty& library,
                           double period_ns) {
  return fmt::format(
      "read_liberty lib.lib\n"
      "read_verilog map{0}.v\n"
      "link_design {1}\n"
      "set inputs {{}}\n"
      "set clocked 0\n"
      "foreach port [all_inputs] {{\n"
      "  if {{[get_full_name $port] eq \"clk\"}} {{ set clocked 1 }} else {{ lappend inputs "
      "$port }}\n"
      "}}\n"
      "if {{$clocked}} {{\n"
      "  create_clock -name clk -period {2} [get_ports clk]\n"
      "  set_propagated_clock [get_clocks clk]\n"
      "  set_input_transition {3:.6f} [get_ports clk]\n"
      "}} else {{\n"
      "  create_clock -name clk -period {2}\n"
      "}}\n"
      "if {{[llength $inputs]}} {{\n"
      "  set_input_delay 0 -clock clk $inputs\n"
      "  set_driving_cell -lib_cell {4} $inputs\n"
      "}}\n"
      "set_output_delay 0 -clock clk [all_outputs]\n"
      "set_load {5:.6f} [all_outputs]\n",
      index, unit, period_ns, library.typical_transition_ns(), library.driving_cell().name,
      library.output_load_pf());
}

/// Runs a script and returns the lines that OpenSTA prints.
std::vector<std::string> run_sta(const fs::path& work, const std::string& name,
                                 const std::string& unit, const std::string& script) {
  write_text(work / (name + ".tcl"), script + "puts \"DONE\"\n");
  const fs::path log = work / (name + ".log");
  // An error in the script does not change the exit status of this OpenSTA; the last line does.
  const Process process{{"sta", "-no_splash", "-exit", name + ".tcl"}, work, log};
  const int status = run_process(process);
  auto lines = lines_of(read_text(log));
  if (status != 0 || lines.empty() || lines.back() != "DONE") {
    throw UserError(fmt::format("{}: {} (log: {})", unit,
                                first_error(read_text(log), ending(process, status)),
                                log.string()));
  }
  return lines;
}

}  // namespace

void write_timing(const fs::path& work, std::size_t index, const std::string& unit,
                  const Liberty& library, double period_ns) {
  run_sta(work, "timing", unit,
          loaded_netlist(index, unit, library, period_ns) +
              fmt::format("write_sdc -no_timestamp {0}.sdc\n"
                          "write_sdf -no_timestamp -no_version {0}.sdf\n",
                          unit));
}

std::vector<StaPath> time_netlist(const fs::path& work, std::size_t index, const std::string& unit,
                                  const Liberty& library) {
  // The period is far longer than any path, so that a path's delay is the period less its slack.
  constexpr double kPeriodNs = 1e5;
  const auto lines =
      run_sta(work, fmt::format("sta{}", index), unit,
              loaded_netlist(index, unit, library, kPeriodNs) +
                  "set registers [expr {$clocked && [llength [all_registers -clock_pins]] > 0}]\n"
                  "proc longest {from to} {\n"
                  "  report_checks -from $from -to $to -format summary -digits 6 -no_line_splits\n"
                  "}\n"
                  "if {$registers} {\n"
                  "  puts \"PATH register to register\"\n"
                  "  longest [all_registers -clock_pins] [all_registers -data_pins]\n"
                  "  puts \"PATH register to output\"\n"
                  "  longest [all_registers -clock_pins] [all_outputs]\n"
                  "}\n"
                  "if {$registers && [llength $inputs]} {\n"
                  "  puts \"PATH input to register\"\n"
                  "  longest $inputs [all_registers -data_pins]\n"
                  "}\n"
                  "if {[llength $inputs]} {\n"
                  "  puts \"PATH input to output\"\n"
                  "  longest $inputs [all_outputs]\n"
                  "}\n");
  std::vector<StaPath> paths;
  std::string kind;
  for (const auto& line : lines) {
    if (line.rfind("PATH ", 0) == 0) kind = line.substr(5);
    // A line reads: "key_i[6] (input)    hit_o[0] (output)    996.545410"
    const auto words = words_of(line);
    if (words.size() != 5 || words[1][0] != '(' || words[3][0] != '(') continue;
    char* end = nullptr;
    const double slack = std::strtod(words[4].c_str(), &end);
    if (end == words[4].c_str()) continue;
    paths.push_back({kind, kPeriodNs - slack, words[0], words[2]});
  }
  return paths;
}

}  // namespace warpmem::synth
