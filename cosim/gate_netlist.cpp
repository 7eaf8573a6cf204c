// SPDX-License-Identifier: Apache-2.0
#include "cosim/gate_netlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "files/json_text.hpp"
#include "files/pattern.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

/// Turns "rtl/dau/dau.sv:37.39-37.48|..." into "rtl/dau/dau.sv:37".
std::string place_of(const Json& attributes) {
  std::string place = attributes.value("src", std::string());
  place.erase(std::min(place.find('|'), place.size()));
  place.erase(std::min(place.find('.', place.rfind(':')), place.size()));
  return place;
}

/// Returns the first error of Yosys' log, without the word itself.
std::string error_in(const std::string& log, const std::string& otherwise) {
  const std::size_t at = log.find("ERROR: ");
  if (at == std::string::npos) return otherwise;
  const std::size_t line = log.rfind('\n', at) + 1;
  return log.substr(line, at - line) + log.substr(at + 7, log.find('\n', at) - at - 7);
}

/// Returns where Yosys' pass `check` has found a signal of several drivers; empty: it has none.
std::string several_drivers(const std::string& report) {
  static const Pattern kPlace(R"(([^$\s]+\.[a-z]+:\d+))");
  const std::size_t at = report.find("multiple conflicting drivers");
  if (at == std::string::npos) return "";
  const auto place = kPlace.first_in(report.substr(at));
  return place.empty() ? "the RTL" : place[1];
}

Json elaborate(const UnitSources& sources, const UnitParameters& parameters, bool gates) {
  const WorkFolder work;
  sources.link_into(work.path());
  std::string script = sources.read_commands("-defer -sv", "-sv");
  if (!parameters.empty()) script += "chparam";
  for (const auto& [name, value] : parameters) script += fmt::format(" -set {} {}", name, value);
  if (!parameters.empty()) script += " " + sources.unit;
  script += fmt::format("\nhierarchy -check -top {0}\nrename -top {0}\n", sources.unit);
  // What a constant switches off is no dependence.
  script += gates
                ? "proc\nflatten\ntee -q -o check.txt check\nmemory\nopt_expr\ntechmap\nopt_expr\n"
                  "opt_clean\n"
                : "blackbox *\n";
  write_text(work.path() / "elaborate.ys", script + "write_json unit.json\n");
  const fs::path log = work.path() / "elaborate.log";
  const Process process{{"yosys", "-q", "-s", "elaborate.ys"}, work.path(), log};
  if (const int status = run_process(process); status != 0)
    throw UserError(
        fmt::format("{}: {}", sources.unit, error_in(read_text(log), ending(process, status))));
  if (gates)
    if (const std::string place = several_drivers(read_text(work.path() / "check.txt"));
        !place.empty())
      throw UserError(
          fmt::format("{}: a signal of {} has several drivers; allowed: one", place, sources.unit));
  return parse_json(read_text(work.path() / "unit.json"))["modules"][sources.unit];
}

bool is_latch(const std::string& type) {
  return type.rfind("$_DLATCH", 0) == 0 || type.rfind("$_SR_", 0) == 0;
}

/// Returns whether the cell keeps its output for a clock edge.
bool is_register(const std::string& type) {
  for (const char* const kind : {"$_DFF", "$_SDFF", "$_ALDFF", "$_FF_"})
    if (type.rfind(kind, 0) == 0) return true;
  return false;
}

}  // namespace

GateNetlist::GateNetlist(const UnitSources& sources, const UnitParameters& parameters, bool gates) {
  const Json unit = elaborate(sources, parameters, gates);
  const auto bits_of = [](const Json& list) {
    std::vector<Bit> bits;
    for (const Json& bit : list)
      if (bit.is_number()) bits.push_back(bit.get<Bit>());  // constants are texts
    return bits;
  };
  place_ = place_of(unit["attributes"]);
  for (const auto& [name, net] : unit["netnames"].items()) {
    if (net["hide_name"].get<int>() != 0) continue;
    for (const Bit bit : bits_of(net["bits"])) names_.emplace(bit, name);
  }
  for (const auto& [name, port] : unit["ports"].items()) {
    if (port["direction"] == "inout")
      throw UserError(fmt::format("{}: port {} is an inout; allowed: input, output",
                                  place_of(unit["netnames"][name]["attributes"]), name));
    ports_[name] = {port["direction"] == "output", static_cast<unsigned>(port["bits"].size()),
                    place_of(unit["netnames"][name]["attributes"])};
    port_bits_[name] = bits_of(port["bits"]);
  }
  if (!gates) return;
  for (const auto& [name, cell] : unit["cells"].items()) {
    const std::string type = cell["type"];
    if (is_register(type)) {
      const Json& pins = cell["connections"];
      registers_.push_back({type, place_of(cell["attributes"]),
                            pins.contains("C") ? bits_of(pins["C"]) : std::vector<Bit>(),
                            bits_of(pins["Q"])});
      continue;
    }
    Gate gate;
    gate.place = place_of(cell["attributes"]);
    for (const auto& [pin, direction] : cell["port_directions"].items()) {
      const std::vector<Bit> bits = bits_of(cell["connections"][pin]);
      std::vector<Bit>& side = direction == "output" ? gate.out : gate.in;
      side.insert(side.end(), bits.begin(), bits.end());
    }
    if (is_latch(type)) {
      latches_.push_back(gate);
      continue;
    }
    for (const Bit bit : gate.out) driver_[bit] = gates_.size();
    gates_.push_back(std::move(gate));
  }
}

std::string GateNetlist::name_of(Bit bit) const {
  const auto named = names_.find(bit);
  return named == names_.end() ? std::string() : named->second;
}

std::vector<std::string> GateNetlist::latches() const {
  std::set<std::string> found;
  for (const Gate& latch : latches_)
    found.insert(fmt::format("{}: {}", latch.place,
                             latch.out.empty() ? std::string() : name_of(latch.out.front())));
  return {found.begin(), found.end()};
}

// The type of a cell tells what moves it: $_DFF_P_ and $_DFFE_PP_ (enabled) a rising edge, N
// instead of the first P a falling one; $_DFF_PN0_ has an asynchronous reset as well, and so have
// three or four letters in general; $_SDFF..._ has a synchronous one (Yosys, "Gate-level cells").
std::vector<std::string> GateNetlist::other_registers(const std::string& clock) const {
  std::set<std::string> found;
  for (const Register& r : registers_) {
    const std::size_t letters_at = r.type.find('_', 2) + 1;
    const std::string kind = r.type.substr(2, letters_at - 3);
    const std::string letters = r.type.substr(letters_at, r.type.size() - letters_at - 1);
    const bool plain = kind == "DFF" && letters.size() == 1;
    const bool enabled = kind == "DFFE" && letters.size() == 2;
    const bool resets_in_time = kind == "SDFF" || kind == "SDFFE" || kind == "SDFFCE";
    const char* reason = nullptr;
    if (!plain && !enabled && !resets_in_time)
      reason = "has an asynchronous set or reset";
    else if (letters.front() != 'P')
      reason = "takes its value at a falling edge";
    else if (r.clock != port_bits_.at(clock))
      reason = "is not clocked by the port itself";
    if (reason == nullptr) continue;
    std::string name;
    for (const Bit bit : r.out)
      if (name.empty()) name = name_of(bit);
    found.insert(fmt::format("{}: {} {}", r.place, name.empty() ? "a register" : name, reason));
  }
  return {found.begin(), found.end()};
}

// A search through the gates towards the inputs; a gate that is met while it is still open closes a
// loop. The path is kept in a list, since it may be longer than the stack is deep.
std::vector<std::string> GateNetlist::loop() const {
  enum class Mark : unsigned char { fresh, open, done };
  std::vector<Mark> marks(gates_.size(), Mark::fresh);
  struct Step {
    std::size_t gate;
    std::size_t next = 0;  // of its inputs
  };
  for (std::size_t start = 0; start < gates_.size(); ++start) {
    if (marks[start] != Mark::fresh) continue;
    std::vector<Step> path = {{start}};
    marks[start] = Mark::open;
    while (!path.empty()) {
      Step& step = path.back();
      if (step.next == gates_[step.gate].in.size()) {
        marks[step.gate] = Mark::done;
        path.pop_back();
        continue;
      }
      const auto driver = driver_.find(gates_[step.gate].in[step.next++]);
      if (driver == driver_.end()) continue;
      const std::size_t gate = driver->second;
      if (marks[gate] == Mark::fresh) {
        marks[gate] = Mark::open;
        path.push_back({gate});
      } else if (marks[gate] == Mark::open) {
        auto at = std::find_if(path.begin(), path.end(),
                               [gate](const Step& s) { return s.gate == gate; });
        std::vector<std::string> signals = {gates_[gate].place};
        for (; at != path.end(); ++at)
          for (const Bit bit : gates_[at->gate].out)
            if (const std::string name = name_of(bit);
                !name.empty() && std::find(signals.begin(), signals.end(), name) == signals.end())
              signals.push_back(name);
        return signals;
      }
    }
  }
  return {};
}

std::set<std::string> GateNetlist::inputs_of(const std::string& output) const {
  std::map<Bit, std::string> input_of;
  for (const auto& [name, port] : ports_)
    if (!port.output)
      for (const Bit bit : port_bits_.at(name)) input_of[bit] = name;
  std::set<std::string> inputs;
  std::set<Bit> seen;
  std::vector<Bit> open = port_bits_.at(output);
  while (!open.empty()) {
    const Bit bit = open.back();
    open.pop_back();
    if (!seen.insert(bit).second) continue;
    if (const auto input = input_of.find(bit); input != input_of.end())
      inputs.insert(input->second);
    if (const auto driver = driver_.find(bit); driver != driver_.end())
      open.insert(open.end(), gates_[driver->second].in.begin(), gates_[driver->second].in.end());
  }
  return inputs;
}

}  // namespace warpmem::cosim
