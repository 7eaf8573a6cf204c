// SPDX-License-Identifier: Apache-2.0
#include "formal/equality.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/errors.hpp"
#include "files/json_text.hpp"
#include "units/all_units.hpp"

namespace warpmem::formal {

namespace {

/// What a unit's description says of its outputs.
struct OutputFacts {
  const std::string& unit;
  std::set<std::string> state;                    ///< those that show it
  std::map<std::string, std::string> valid_with;  ///< those that mean something with another one

  template <class Unit>
  void operator()(const Unit&) {
    if (Unit::kName != unit) return;
    for (const char* const pin : Unit::kStatePins)
      if (pin != nullptr) state.insert(std::string(pin) + "_o");
    for (const auto& [output, valid] : Unit::kValidWith)
      if (output != nullptr) valid_with[output] = valid;
  }
};

}  // namespace

UnitPorts read_ports(const std::string& json, const std::string& unit) {
  UnitPorts ports;
  const nlohmann::json list = parse_json(json)["modules"][unit]["ports"];
  for (const auto& [name, port] : list.items())
    (port["direction"] == "output" ? ports.outputs : ports.inputs)[name] =
        static_cast<unsigned>(port["bits"].size());
  return ports;
}

void check_ports(const std::string& unit, const UnitPorts& ours, const UnitPorts& own) {
  OutputFacts facts{unit, {}, {}};
  units::for_each_unit(facts);
  for (const auto& list : {&UnitPorts::inputs, &UnitPorts::outputs})
    for (const auto& [name, width] : ours.*list) {
      const auto found = (own.*list).find(name);
      if (found == (own.*list).end()) {
        if (facts.state.count(name) != 0) continue;
        throw UserError(fmt::format("module {} lacks the port {}", unit, name));
      }
      if (found->second != width)
        throw UserError(fmt::format("{}: port {} has {} bits; expected are {} at this size", unit,
                                    name, found->second, width));
    }
}

std::string equality_module(const std::string& unit, const UnitPorts& ports) {
  OutputFacts facts{unit, {}, {}};
  units::for_each_unit(facts);
  std::vector<std::string> header, gold, gate;
  std::string wires, checks;
  for (const auto& [name, width] : ports.inputs) {
    header.push_back(fmt::format("input [{}:0] {}", width - 1, name));
    gold.push_back(fmt::format(".{0}({0})", name));
    gate.push_back(gold.back());
  }
  for (const auto& [name, width] : ports.outputs) {
    if (facts.state.count(name) != 0) continue;
    wires += fmt::format("  wire [{0}:0] gold_{1}, gate_{1};\n", width - 1, name);
    gold.push_back(fmt::format(".{0}(gold_{0})", name));
    gate.push_back(fmt::format(".{0}(gate_{0})", name));
    const auto valid = facts.valid_with.find(name);
    checks += fmt::format(
        "  always @(posedge clk) if (rst_n) {0}_is_equal: assert ({1}gold_{0} == gate_{0});\n",
        name, valid == facts.valid_with.end() ? "" : fmt::format("!gold_{} || ", valid->second));
  }
  return fmt::format("module {}_equal ({});\n{}  gold gold ({});\n  gate gate ({});\n{}endmodule\n",
                     unit, fmt::join(header, ", "), wires, fmt::join(gold, ", "),
                     fmt::join(gate, ", "), checks);
}

}  // namespace warpmem::formal
