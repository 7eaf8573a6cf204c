// SPDX-License-Identifier: Apache-2.0
#include "cosim/own_unit.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <sstream>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"
#include "cosim/gate_netlist.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;

namespace {

std::string size_text(const UnitParameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  return text;
}

std::string bits(unsigned width) { return fmt::format("{} bit{}", width, width == 1 ? "" : "s"); }

/// This is what Verilator says in one message.
struct Message {
  std::string kind;   ///< "LATCH"; empty: an error without one
  std::string place;  ///< "dau.sv:12"; empty: none
  std::string text;
  bool error = false;
};

/// Parses "%Warning-LATCH: dau.sv:4:3: Latch inferred for signal 'dau.y' (...)"; other lines than
/// the first of a message give nothing.
bool parse_message(const std::string& line, Message* message) {
  const bool error = line.rfind("%Error", 0) == 0;
  if (!error && line.rfind("%Warning-", 0) != 0) return false;
  const std::size_t colon = line.find(": ");
  if (colon == std::string::npos) return false;
  *message = {};
  message->error = error;
  if (const std::size_t dash = line.find('-'); dash < colon)
    message->kind = line.substr(dash + 1, colon - dash - 1);
  message->text = line.substr(colon + 2);
  const std::size_t end = message->text.find(": ");
  const std::string place = message->text.substr(0, std::min(end, message->text.size()));
  // A place reads FILE:LINE:COLUMN.
  const std::size_t column = place.rfind(':');
  if (end == std::string::npos || column == std::string::npos || column + 1 == place.size() ||
      place.find_first_not_of("0123456789", column + 1) != std::string::npos)
    return true;
  message->place = place.substr(0, column);
  message->text.erase(0, end + 2);
  return true;
}

std::vector<Message> lint(const UnitSources& sources, const UnitParameters& parameters) {
  const WorkFolder work;
  Process process{{"verilator", "--lint-only", "-Wall", "-Wno-fatal", "--top-module", sources.unit},
                  work.path(),
                  work.path() / "lint.log"};
  process.environment = {"LC_ALL=C.UTF-8"};
  for (const fs::path& folder : sources.folders()) process.argv.push_back("-I" + folder.string());
  for (const auto& [name, value] : parameters)
    process.argv.push_back(fmt::format("-G{}={}", name, value));
  for (const fs::path& file : sources.paths()) process.argv.push_back(file.string());
  const int status = run_process(process);
  std::vector<Message> messages;
  std::istringstream log(read_text(process.log));
  Message message;
  for (std::string line; std::getline(log, line);)
    if (parse_message(line, &message)) messages.push_back(message);
  const bool said =
      std::any_of(messages.begin(), messages.end(), [](const Message& m) { return m.error; });
  if (status != 0 && !said) throw UserError(sources.unit + ": " + ending(process, status));
  return messages;
}

/// Returns the warnings and adds what is more than that.
std::vector<std::string> judge_lint(const UnitSources& sources, const UnitParameters& parameters,
                                    Problems* problems) {
  static const std::string kUnknown = "Parameters from the command line were not found";
  std::vector<std::string> warnings;
  for (const Message& message : lint(sources, parameters)) {
    const std::string place = message.place.empty() ? sources.unit : message.place;
    if (message.kind == "LATCH") {
      problems->add(place, message.text + "; registers are allowed, latches are not");
    } else if (message.error && message.text.rfind(kUnknown, 0) == 0) {
      problems->add(
          sources.paths().back().string(),
          fmt::format("module {} lacks the parameter {}; expected are {}", sources.unit,
                      message.text.substr(message.text.rfind(' ') + 1), size_text(parameters)));
    } else if (message.error) {
      // Behind an error Verilator counts the errors, without a place.
      if (problems->empty() || !message.place.empty()) problems->add(place, message.text);
    } else if (message.kind != "UNOPTFLAT") {  // whether there is a loop, the gates say exactly
      warnings.push_back(fmt::format("{}: {} ({})", place, message.text, message.kind));
    }
  }
  return warnings;
}

/// Compares ports with those of warpmem's unit.
void judge_ports(const GateNetlist& own, const GateNetlist& ours, const UnitShape& shape,
                 Problems* problems) {
  const auto& state = shape.state_pins;
  for (const auto& [name, port] : ours.ports()) {
    const auto found = own.ports().find(name);
    const char* const direction = port.output ? "output" : "input";
    if (found == own.ports().end()) {
      if (std::find(state.begin(), state.end(), name) != state.end()) continue;  // may be left out
      problems->add(own.place(), fmt::format("module {} lacks the {} {} of {}", shape.name,
                                             direction, name, bits(port.width)));
      continue;
    }
    if (found->second.output != port.output)
      problems->add(found->second.place,
                    fmt::format("port {} is an {}; expected is an {}", name,
                                found->second.output ? "output" : "input", direction));
    if (found->second.width != port.width)
      problems->add(found->second.place, fmt::format("port {} has {}; expected are {} at {}", name,
                                                     bits(found->second.width), port.width,
                                                     size_text(shape.parameters)));
  }
  for (const auto& [name, port] : own.ports())
    if (ours.ports().count(name) == 0)
      problems->add(port.place, fmt::format("port {} is not one of {}; those are in rtl/{}/{}.sv",
                                            name, shape.name, shape.name, shape.name));
}

/// Judges what leads from where to where within a cycle.
void judge_gates(const GateNetlist& own, const GateNetlist& ours, Problems* problems) {
  for (const std::string& latch : own.latches()) {
    const std::size_t colon = latch.rfind(": ");
    problems->add(latch.substr(0, colon),
                  fmt::format("a latch keeps {}; registers are allowed, latches are not",
                              latch.substr(colon + 2)));
  }
  for (const std::string& other : own.other_registers("clk")) {
    const std::size_t colon = other.rfind(": ");
    problems->add(other.substr(0, colon),
                  fmt::format("{}; every register takes its value at the rising edge of clk, and "
                              "rst_n is synchronous",
                              other.substr(colon + 2)));
  }
  if (const auto loop = own.loop(); !loop.empty()) {
    problems->add(loop.front(),
                  fmt::format("a combinational loop through {}; a register must be in every loop",
                              fmt::join(loop.begin() + 1, loop.end(), ", ")));
    return;
  }
  for (const auto& [name, port] : own.ports()) {
    static const std::string kReady = "_ready_o";
    if (!port.output || name.size() <= kReady.size() ||
        name.compare(name.size() - kReady.size(), kReady.size(), kReady) != 0)
      continue;
    const std::string valid = name.substr(0, name.size() - kReady.size()) + "_valid_i";
    if (own.inputs_of(name).count(valid) == 0 || ours.inputs_of(name).count(valid) != 0) continue;
    problems->add(port.place, fmt::format("{} depends on {} in the same cycle; a ready may not "
                                          "depend on its own valid",
                                          name, valid));
  }
}

std::string key_of(const UnitShape& shape, const UnitPlaces& places) {
  return fmt::format("{} {} {}", shape.name, size_text(shape.parameters),
                     fmt::join(places.own.paths(), "\n"));
}

}  // namespace

std::vector<std::string> check_own_unit(const UnitShape& shape, const UnitPlaces& places) {
  const UnitSources sources = places.own.sources(shape.name, places.rtl);
  Problems problems;
  const std::vector<std::string> warnings = judge_lint(sources, shape.parameters, &problems);
  problems.throw_if_any();
  const GateNetlist own(sources, shape.parameters, true);
  const GateNetlist ours(find_unit(places.rtl, shape.name), shape.parameters, true);
  judge_ports(own, ours, shape, &problems);
  problems.throw_if_any();
  judge_gates(own, ours, &problems);
  problems.throw_if_any();
  return warnings;
}

std::vector<std::string> own_state_pins(const UnitShape& shape, const UnitPlaces& places) {
  static std::mutex mutex;
  static std::map<std::string, std::vector<std::string>> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const std::string key = key_of(shape, places);
  if (const auto found = known.find(key); found != known.end()) return found->second;
  const GateNetlist own(places.own.sources(shape.name, places.rtl), shape.parameters, false);
  const GateNetlist ours(find_unit(places.rtl, shape.name), shape.parameters, false);
  Problems problems;
  judge_ports(own, ours, shape, &problems);
  problems.throw_if_any();
  std::vector<std::string> pins;
  for (const std::string& pin : shape.state_pins)
    if (own.ports().count(pin) != 0) pins.push_back(pin);
  return known[key] = pins;
}

}  // namespace warpmem::cosim
