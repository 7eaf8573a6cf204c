// SPDX-License-Identifier: Apache-2.0
#include "formal/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <tuple>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "files/pattern.hpp"
#include "formal/equality.hpp"
#include "synth/abc.hpp"

namespace warpmem::formal {
namespace {

namespace fs = std::filesystem;

/// A cover statement becomes the assertion that it is never reached.
constexpr const char* kCoverMap =
    "(* techmap_celltype = \"$cover\" *)\n"
    "module cover_to_assert (input A, input EN);\n"
    "  \\$assert _TECHMAP_REPLACE_ (.A(!A), .EN(EN));\n"
    "endmodule\n";

/// The script turns the unit into an and-inverter graph. Registers start with any value, as in
/// hardware.
constexpr const char* kToAig =
    "setundef -undriven -anyseq\nopt -fast\ntechmap\ndffunmap\nabc -g AND -fast\nopt_clean\n"
    "write_aiger -I -B -zinit ";

/// A place reads "rtl/dau/dau.sv:156.5-168.4|rtl/dau/dau_sets.sv:119.48-119.116", of which the last
/// is the statement.
std::string place_of(const std::string& src) {
  std::string place = src.substr(src.rfind('|') == std::string::npos ? 0 : src.rfind('|') + 1);
  place.erase(std::min(place.find('.', place.rfind(':')), place.size()));
  return place.rfind("rtl/", 0) == 0 ? place.substr(4) : place;
}

std::vector<Property> read_properties(const std::string& dump) {
  static const Pattern kSrc(R"rx(^\s*attribute \\src "([^"]*)")rx");
  static const Pattern kCell(R"(^\s*cell \$(assert|cover) \\?(\S+))");
  std::vector<Property> found;
  std::istringstream in(dump);
  std::string src;
  for (std::string line; std::getline(in, line);) {
    const auto source = kSrc.first_in(line);
    if (!source.empty()) src = source[1];
    const auto cell = kCell.first_in(line);
    if (cell.empty()) continue;
    // What an instance can reach is judged where it is a unit: its surroundings need not ask for
    // all.
    const bool cover = cell[1] == "cover";
    if (cover && cell[2].find('.') != std::string::npos) continue;
    found.push_back({cell[2], place_of(src), cover});
  }
  return found;
}

/// Returns what Yosys complains of, else `otherwise`.
std::string error_in(const std::string& log, const std::string& otherwise) {
  static const Pattern kNoParameter(R"(Can't find object for defparam `\\?([^`']+))");
  if (const auto name = kNoParameter.first_in(log); !name.empty())
    return fmt::format("has no parameter {}", name[1]);
  for (const char* mark : {"ERROR: ", "Error: "}) {
    const auto at = log.find(mark);
    if (at != std::string::npos) return log.substr(at + 7, log.find('\n', at) - at - 7);
  }
  return otherwise;
}

/// Leaves this property alone, as an assertion.
std::string isolate(const Property& property) {
  return fmt::format(
      "read_rtlil design.il\ndelete -port o:*\n{}delete t:$assert t:$cover %u c:{} "
      "%d\n{}opt_clean\n",
      property.cover ? "delete t:$assert\n" : "", property.name,
      property.cover ? "techmap -map cover.v t:$cover\n" : "");
}

/// Returns the commands that give a module its parameters, and nothing for none.
std::string set_parameters(const Proof& proof, const std::string& module) {
  if (proof.params.empty()) return "";
  std::string script = "chparam";
  for (const auto& [name, value] : proof.params) script += fmt::format(" -set {} {}", name, value);
  return script + " " + module + "\n";
}

bool has_observer(const UnitSources& ours) { return fs::exists(observer_file(ours)); }

}  // namespace

fs::path observer_file(const UnitSources& ours) {
  return ours.rtl_root / ours.unit / (ours.unit + "_observer.sv");
}

// What the unit consists of waits until its sizes are known: at the defaults, which may be large,
// Yosys would need most of the time of a small proof for it.
Model::Model(fs::path work, const UnitSources& sources, const Proof& proof)
    : work_(std::move(work)), unit_(sources.unit) {
  sources.link_into(work_);
  const std::string options = proof.primed == 0
                                  ? "-formal -sv"
                                  : fmt::format("-formal -sv -DWARPMEM_PRIMED={}", proof.primed);
  elaborate(sources.read_commands("-defer " + options, options) + set_parameters(proof, unit_));
  if (properties_.empty()) throw UserError(fmt::format("{}: no properties in its RTL", unit_));
}

Model::Model(fs::path work, const UnitSources& ours, const UnitSources& own, const Proof& proof)
    : work_(std::move(work)), unit_(ours.unit + (has_observer(ours) ? "_observer" : "_equal")) {
  own.link_into(work_);
  const UnitPorts ports = ports_of(ours, proof);
  check_ports(ours.unit, ports, ports_of(own, proof));
  if (!has_observer(ours)) {
    elaborate(side_by_side(ours, own, ports, proof));
    return;
  }
  // The observer is read first, since Yosys 0.23 goes on with -noassume once it has been given.
  const std::string options = "-defer -formal -noassume -sv";
  elaborate(fmt::format("read_verilog -formal -sv -Irtl rtl/{0}/{0}_observer.sv\n", ours.unit) +
                own.read_commands(options, options) + set_parameters(proof, unit_),
            "setundef -anyseq\n");
}

UnitPorts Model::ports_of(const UnitSources& sources, const Proof& proof) const {
  yosys("ports", sources.read_commands("-defer -sv", "-sv") + set_parameters(proof, sources.unit) +
                     fmt::format("hierarchy -check -top {0}\nrename -top {0}\nblackbox *\n"
                                 "write_json ports.json\n",
                                 sources.unit));
  return read_ports(read_text(work_ / "ports.json"), sources.unit);
}

std::string Model::side_by_side(const UnitSources& ours, const UnitSources& own,
                                const UnitPorts& ports, const Proof& proof) {
  const std::string& unit = ours.unit;
  const auto write = [&](const std::string& as, const std::string& read) {
    yosys(as, read + set_parameters(proof, unit) +
                  // An x is any value, in each cycle anew, before anything chooses one.
                  fmt::format("prep -flatten -top {0}\nrename -top {0}\nsetundef -anyseq\n"
                              "memory_map\n"
                              "delete t:$assert t:$cover %u\n"
                              "rename {0} {1}\nwrite_rtlil {1}.il\n",
                              unit, as));
  };
  write("gold", ours.read_commands("-defer -formal -sv", "-formal -sv"));
  write("gate", own.read_commands("-defer -formal -noassume -sv", "-formal -noassume -sv"));
  write_text(work_ / "equal.sv", equality_module(unit, ports));
  return "read_rtlil gold.il\nread_rtlil gate.il\nread_verilog -formal -sv equal.sv\n";
}

void Model::elaborate(std::string script, const std::string& after_prep) {
  write_text(work_ / "cover.v", kCoverMap);
  script += fmt::format(
      "prep -flatten -top {0}\nrename -top {0}\n{1}memory_map\nopt -full\ndffunmap\n"
      "write_rtlil design.il\n"
      "tee -o properties.txt dump t:$assert t:$cover %u\n",
      unit_, after_prep);
  yosys("elaborate", script);
  in_design_ = properties_ = read_properties(read_text(work_ / "properties.txt"));
  std::sort(properties_.begin(), properties_.end(), [](const Property& a, const Property& b) {
    return std::tie(a.cover, a.place, a.name) < std::tie(b.cover, b.place, b.name);
  });
}

void Model::yosys(const std::string& name, const std::string& script) const {
  write_text(work_ / (name + ".ys"), script);
  const Process process{{"yosys", "-s", name + ".ys"}, work_, work_ / (name + ".log")};
  if (const int status = run_process(process); status != 0) refuse(process, status);
}

// An $error of the RTL names its unit itself.
void Model::refuse(const Process& process, int status) const {
  const std::string text = error_in(read_text(process.log), ending(process, status));
  const std::string name = unit_ + ": ";
  throw UserError(text.rfind(name, 0) == 0 ? text : name + text);
}

bool Model::passes(const std::string& name, const std::vector<std::string>& options,
                   unsigned timeout_s) const {
  Process process{{"yosys-smtbmc", "-s", "z3", "--noprogress"}, work_};
  process.argv.insert(process.argv.end(), options.begin(), options.end());
  process.log = work_ / (name + ".log");
  process.needs = {"z3"};
  process.limit = std::chrono::seconds(timeout_s);
  const int status = run_process(process);
  if (status == kOutOfTime) return false;
  // What the log says of the property decides; where it says nothing, it or the solver has failed.
  const std::string log = read_text(process.log);
  if (status == 0 && log.find("Status: PASSED") != std::string::npos) return true;
  if (status == 1 && log.find("Status: FAILED") != std::string::npos) return false;
  throw UserError(fmt::format("{}: {} (solver: z3): {}", unit_, ending(process, status),
                              log.substr(log.rfind('\n', log.size() - 2) + 1)));
}

void Model::write_joint(const std::vector<std::string>& left_out) const {
  std::string script = "read_rtlil design.il\ndelete -port o:*\ndelete t:$cover\n";
  for (const auto& name : left_out) script += fmt::format("delete c:{}\n", name);
  yosys("joint", script + "write_smt2 -wires joint.smt2\n" + kToAig + "joint.aig\n");
}

std::optional<Violation> Model::first_violation(unsigned cycles, unsigned timeout_s) const {
  write_joint({});
  const std::string log = synth::run_abc(
      work_, "first",
      fmt::format("read_aiger joint.aig; fold; bmc3 -F {} -T {}", cycles, timeout_s), timeout_s);
  static const Pattern kFirst(R"(Output\s+(\d+) of miter .* was asserted in frame\s+(\d+))");
  const auto match = kFirst.first_in(log);
  if (match.empty()) return std::nullopt;
  unsigned long left = std::stoul(match[1]);
  for (const Property& property : in_design_)
    if (!property.cover && left-- == 0)
      return Violation{property, static_cast<unsigned>(std::stoul(match[2])) + 1};
  return std::nullopt;
}

bool Model::all_hold(const Proof& proof, unsigned timeout_s,
                     const std::vector<std::string>& left_out) const {
  std::size_t asserts = 0;
  for (const Property& property : properties_) asserts += property.cover ? 0 : 1;
  asserts -= left_out.size();
  if (asserts == 0) return true;
  write_joint(left_out);
  if (proof.method == Method::induction) {
    const std::string depth = std::to_string(proof.depth);
    return passes("base", {"-t", depth, "joint.smt2"}, timeout_s) &&
           passes("induction", {"-i", "-t", depth, "joint.smt2"}, timeout_s);
  }
  if (proof.method == Method::pdr) {
    const std::string log = synth::run_abc(
        work_, "pdr", fmt::format("read_aiger joint.aig; fold; pdr -a -T {}", timeout_s),
        timeout_s);
    return log.find(fmt::format("All = {}. Proved = {}.", asserts, asserts)) != std::string::npos;
  }
  const std::string log = synth::run_abc(
      work_, "bounded",
      fmt::format("read_aiger joint.aig; fold; orpos; bmc3 -F {} -T {}", proof.depth, timeout_s),
      timeout_s);
  return log.find("was asserted") == std::string::npos &&
         log.find(fmt::format("No output asserted in {} frames", proof.depth)) != std::string::npos;
}

Answer Model::judge(const Property& property, unsigned cycles, bool bounded,
                    unsigned timeout_s) const {
  const std::string name = "alone." + property.name;
  yosys(name, isolate(property) + kToAig + name + ".aig\n");
  const std::string search = synth::run_abc(
      work_, name,
      fmt::format("read_aiger {}.aig; fold; bmc3 -F {} -T {}", name, cycles, timeout_s), timeout_s);
  static const Pattern kAsserted(R"(was asserted in frame\s+(\d+))");
  const auto found = kAsserted.first_in(search);
  if (!found.empty()) {
    return {property.cover ? Verdict::kReached : Verdict::kRefuted,
            static_cast<unsigned>(std::stoul(found[1])) + 1};
  }
  const bool complete =
      search.find(fmt::format("No output asserted in {} frames", cycles)) != std::string::npos;
  if (bounded || property.cover) {
    if (!complete) return {};
    return {property.cover ? Verdict::kUnreached : Verdict::kBounded, cycles};
  }
  const std::string proof =
      synth::run_abc(work_, name + ".pdr",
                     fmt::format("read_aiger {}.aig; fold; pdr -T {}", name, timeout_s), timeout_s);
  if (proof.find("Property proved") != std::string::npos) return {Verdict::kProved, 0};
  const auto refuted = kAsserted.first_in(proof);
  if (!refuted.empty())
    return {Verdict::kRefuted, static_cast<unsigned>(std::stoul(refuted[1])) + 1};
  return complete ? Answer{Verdict::kBounded, cycles} : Answer{};
}

bool Model::write_run(const Property& property, unsigned cycles, unsigned timeout_s,
                      const fs::path& vcd) const {
  write_text(work_ / "run.ys",
             isolate(property) + fmt::format("sat -tempinduct -tempinduct-baseonly -maxsteps {} "
                                             "-set-assumes -set-def-inputs -prove-asserts "
                                             "-show-public -dump_vcd run.vcd {}\n",
                                             cycles + 1, unit_));
  Process process{{"yosys", "-s", "run.ys"}, work_, work_ / "run.log"};
  process.limit = std::chrono::seconds(timeout_s);
  const int status = run_process(process);
  if (status == kOutOfTime) return false;
  if (status != 0) refuse(process, status);
  if (!fs::exists(work_ / "run.vcd")) return false;
  write_text(vcd, read_text(work_ / "run.vcd"));
  return true;
}

}  // namespace warpmem::formal
