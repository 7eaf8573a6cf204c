// SPDX-License-Identifier: Apache-2.0
#include "synth/netlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "base/errors.hpp"
#include "files/json_text.hpp"
#include "synth/cell_function.hpp"

namespace warpmem::synth {
namespace {

using nlohmann::json;

constexpr int kZero = -1;  // a constant, or unknown
constexpr int kOne = -2;

/// A net's bit in Yosys' JSON is a number, or "0"/"1"/"x" for constants, which are negative here.
int bit_of(const json& bit) {
  return bit.is_number_integer() ? bit.get<int>() : bit == "1" ? kOne : kZero;
}

/// Turns "gen_set[3].tag_q[7][2]" into "gen_set[*].tag_q": elements of an unpacked array are nets
/// of their own, and so are those of each turn of a generate loop.
std::string register_name(const std::string& bit) {
  std::string name;
  for (std::size_t at = 0; at < bit.size();) {
    const auto close = bit[at] == '[' ? bit.find(']', at) : std::string::npos;
    if (close == std::string::npos) {
      name += bit[at++];
    } else {
      if (bit.find('.', close) != std::string::npos) name += "[*]";
      at = close + 1;
    }
  }
  return name;
}

/// Returns how good a name of a bit is, where smaller is better: no port, named like a register
/// (_q), short.
using NameRank = std::tuple<bool, bool, std::size_t, std::string>;

NameRank rank(bool port, const std::string& net, const std::string& bit) {
  const bool register_like = net.find("_q") != std::string::npos;
  return {port, !register_like, bit.size(), bit};
}

/// Returns the best RTL name of each bit, "tag_q[3]"; Yosys' own names never count.
std::unordered_map<int, std::string> net_names(const json& module) {
  std::unordered_map<int, NameRank> best;
  for (const auto& [name, net] : module.at("netnames").items()) {
    if (net.value("hide_name", 0) != 0) continue;
    const bool port = module.at("ports").contains(name);
    const auto& bits = net.at("bits");
    for (std::size_t i = 0; i < bits.size(); ++i) {
      NameRank candidate =
          rank(port, name, bits.size() > 1 ? fmt::format("{}[{}]", name, i) : name);
      const auto [found, inserted] = best.try_emplace(bit_of(bits[i]), candidate);
      if (!inserted && candidate < found->second) found->second = std::move(candidate);
    }
  }
  std::unordered_map<int, std::string> names;
  for (auto& [bit, ranked] : best) names[bit] = std::move(std::get<3>(ranked));
  return names;
}

/// Returns the transitions of the bits that any of their names has in `measured`.
std::unordered_map<int, double> measured_bits(const json& module, const Transitions& measured,
                                              const std::string& path) {
  std::unordered_map<int, double> result;
  if (measured.empty()) return result;
  for (const auto& [name, net] : module.at("netnames").items()) {
    if (net.value("hide_name", 0) != 0) continue;
    const auto& bits = net.at("bits");
    const std::uint64_t first = net.value("offset", 0);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      auto found = measured.find(fmt::format("{}{}[{}]", path, name, first + i));
      if (found == measured.end() && bits.size() == 1) found = measured.find(path + name);
      if (found != measured.end() && bit_of(bits[i]) >= 0) result[bit_of(bits[i])] = found->second;
    }
  }
  return result;
}

struct Net {
  double load_pf = 0;
  double input_pj = 0;                     ///< energy of the pins it drives, a transition
  const CellFunction* function = nullptr;  ///< function of the driver, if it is a gate
  std::vector<int> inputs;  ///< bits of the driver's inputs; constants as kZero, kOne
  bool visited = false;     ///< set while its signal is looked for, and after
  bool derived = false;
  Signal signal;
  const CellPin* driver = nullptr;
  const LibraryCell* driver_cell = nullptr;
};

class Accountant {
 public:
  Accountant(const json& modules, const Liberty& library, double activity,
             const Transitions& measured)
      : modules_(modules), library_(library), activity_(activity), measured_(measured) {}

  /// Adds one instance of the module, and what is inside, to the account.
  void add(const std::string& name, const std::string& path) {
    const json& module = modules_.at(name);
    ModuleUse& use = module_uses_[name];
    use.module = name;
    ++use.instances;
    double own = 0;
    std::vector<std::pair<std::string, std::string>> inside;
    const auto names = net_names(module);
    std::map<int, Net> nets;
    for (const auto& [port_name, port] : module.at("ports").items()) {
      if (port.at("direction") != "output") continue;
      for (const auto& bit : port.at("bits")) {
        nets[bit_of(bit)].load_pf += library_.output_load_pf();
      }
    }
    for (const auto& [instance, cell] : module.at("cells").items()) {
      const std::string type = cell.at("type");
      if (const LibraryCell* known = library_.find(type)) {
        own += known->area_um2;
        CellUse& cells = cell_uses_[type];
        cells.cell = type;
        cells.sequential = known->sequential;
        ++cells.count;
        cells.area_um2 += known->area_um2;
        total_.energy.leakage_nw += known->leakage_nw;
        connect(cell, *known, nets);
        if (known->sequential) add_register(instance, cell, *known, names, path);
      } else if (modules_.contains(type)) {
        connect_ports(cell, nets);
        inside.emplace_back(type, path + instance + ".");
      } else {
        throw SimulationError(
            fmt::format("netlist of {}: cell '{}' of type '{}' is in neither the library {} nor "
                        "the design",
                        name, instance, type, library_.name()));
      }
    }
    use.own_area_um2 = own;
    add_nets(nets, names, measured_bits(module, measured_, path));
    for (const auto& [type, below] : inside) add(type, below);
  }

  NetlistUse result(const std::string& top) {
    for (auto& [name, use] : cell_uses_) {
      (use.sequential ? total_.sequential_um2 : total_.combinational_um2) += use.area_um2;
      total_.cells.push_back(use);
    }
    std::sort(total_.cells.begin(), total_.cells.end(), [](const auto& a, const auto& b) {
      return std::tie(b.area_um2, a.cell) < std::tie(a.area_um2, b.cell);
    });
    for (auto& [name, use] : module_uses_) {
      total_.modules.insert(name == top ? total_.modules.begin() : total_.modules.end(), use);
    }
    for (const auto& [name, bits] : register_bits_) {
      total_.registers.push_back({name, bits});
      total_.register_bits += bits;
    }
    std::sort(total_.registers.begin(), total_.registers.end(), [](const auto& a, const auto& b) {
      return std::tie(b.bits, a.name) < std::tie(a.bits, b.name);
    });
    ActivityUse& activity = total_.activity;
    const std::uint64_t nets =
        activity.measured_nets + activity.derived_nets + activity.assumed_nets;
    if (nets != 0) activity.mean = activity_sum_ / static_cast<double>(nets);
    const json& module = modules_.at(top);
    if (module.contains("parameter_default_values")) {
      for (const auto& [name, bits] : module.at("parameter_default_values").items()) {
        total_.parameters[name] = bits.is_string() ? decimal_of_bits(bits) : compact_json(bits);
      }
    }
    return std::move(total_);
  }

 private:
  void connect(const json& cell, const LibraryCell& known, std::map<int, Net>& nets) {
    std::vector<std::pair<const CellFunction*, int>> outputs;
    std::vector<int> stored;
    for (const auto& [pin_name, bits] : cell.at("connections").items()) {
      const auto pin = known.pins.find(pin_name);
      if (pin == known.pins.end() || bits.empty() || bit_of(bits[0]) < 0) continue;
      Net& net = nets[bit_of(bits[0])];
      if (pin->second.output) {
        net.driver = &pin->second;
        net.driver_cell = &known;
        if (known.sequential)
          stored.push_back(bit_of(bits[0]));
        else
          outputs.emplace_back(function_of(known, pin_name, pin->second), bit_of(bits[0]));
      } else {
        net.load_pf += pin->second.capacitance_pf;
        const double energy = pin->second.energy.at(0, library_.typical_transition_ns());
        if (pin->second.clock) {
          clock_pj_ += 2 * energy;
        } else {
          net.input_pj += energy;
        }
        if (pin->second.clock) clock_bits_.push_back(bit_of(bits[0]));
      }
    }
    if (known.sequential) stored_bits_.push_back(stored);
    for (const auto& [function, bit] : outputs) {
      if (function == nullptr) continue;
      nets[bit].function = function;
      for (const std::string& input : inputs_of(known)) {
        const json& connections = cell.at("connections");
        const bool open = !connections.contains(input) || connections.at(input).empty();
        nets[bit].inputs.push_back(open ? kZero : bit_of(connections.at(input)[0]));
      }
    }
  }

  static std::vector<std::string> inputs_of(const LibraryCell& cell) {
    std::vector<std::string> names;
    for (const auto& [name, pin] : cell.pins)
      if (!pin.output) names.push_back(name);
    return names;
  }

  /// Returns nullptr when the library's text has no meaning here.
  const CellFunction* function_of(const LibraryCell& cell, const std::string& pin_name,
                                  const CellPin& pin) {
    const auto [found, inserted] = functions_.try_emplace({cell.name, pin_name});
    if (inserted) found->second = CellFunction::parse(pin.expression, inputs_of(cell));
    return found->second ? &*found->second : nullptr;
  }

  /// A sub-module's input is taken to load its net like the unit's own outputs are.
  void connect_ports(const json& cell, std::map<int, Net>& nets) {
    for (const auto& [port, bits] : cell.at("connections").items()) {
      if (cell.at("port_directions").value(port, "input") != "input") continue;
      for (const auto& bit : bits) nets[bit_of(bit)].load_pf += library_.output_load_pf();
    }
  }

  void add_register(const std::string& instance, const json& cell, const LibraryCell& known,
                    const std::unordered_map<int, std::string>& names, const std::string& path) {
    std::string name;
    for (const auto& [pin_name, bits] : cell.at("connections").items()) {
      const auto pin = known.pins.find(pin_name);
      if (pin == known.pins.end() || !pin->second.output || bits.empty()) continue;
      const auto found = names.find(bit_of(bits[0]));
      if (found == names.end()) continue;
      if (name.empty() || pin->second.function == known.state) name = found->second;
    }
    if (name.empty()) name = "(unnamed)";
    if (path.empty()) total_.register_of[instance] = name;
    register_bits_[register_name(path + name)] += 1;
  }

  /// Fills in how often a net changes. One behind nothing that was measured is taken to change as
  /// often as is assumed, and so is a net of a loop when it meets itself.
  void find_signal(int bit, std::map<int, Net>& nets,
                   const std::unordered_map<int, double>& measured) {
    Net& net = nets.at(bit);
    if (net.visited) return;
    net.visited = true;
    net.signal.transitions = activity_;
    if (const auto known = measured.find(bit); known != measured.end()) {
      net.signal.transitions = known->second;
      return;
    }
    if (net.function == nullptr || measured.empty()) return;
    std::vector<Signal> inputs;
    for (const int input : net.inputs) {
      if (input < 0) {
        inputs.push_back({input == kOne ? 1.0 : 0.0, 0});
        continue;
      }
      find_signal(input, nets, measured);
      inputs.push_back(nets.at(input).signal);
      net.derived = net.derived || nets.at(input).derived || measured.count(input) != 0;
    }
    if (net.derived) net.signal = net.function->output(inputs);
  }

  void add_nets(std::map<int, Net>& nets, const std::unordered_map<int, std::string>& names,
                std::unordered_map<int, double> measured) {
    // Both outputs of a register change together.
    for (const std::vector<int>& bits : stored_bits_) {
      const auto known =
          std::find_if(bits.begin(), bits.end(), [&](int bit) { return measured.count(bit) != 0; });
      if (known == bits.end()) continue;
      ++total_.activity.measured_registers;
      const double transitions = measured.at(*known);
      for (const int bit : bits) measured.try_emplace(bit, transitions);
    }
    stored_bits_.clear();
    const double v2 = library_.voltage() * library_.voltage();
    const double transition = library_.typical_transition_ns();
    std::sort(clock_bits_.begin(), clock_bits_.end());
    double switching = 0;
    double internal = 0;
    for (auto& [bit, net] : nets) {
      if (bit < 0) continue;
      const bool clock = std::binary_search(clock_bits_.begin(), clock_bits_.end(), bit);
      find_signal(bit, nets, measured);
      if (!clock) {
        const bool known = measured.count(bit) != 0;
        ActivityUse& use = total_.activity;
        ++(known ? use.measured_nets : net.derived ? use.derived_nets : use.assumed_nets);
        activity_sum_ += net.signal.transitions;
      }
      // The clock's pins that are no clock pins of a cell change twice as well.
      const double changes = clock ? 2 : net.signal.transitions;
      internal += changes * net.input_pj;
      // An input port's net is charged by whoever drives the unit, the clock tree included.
      if (!net.driver) continue;
      switching += changes * 0.5 * net.load_pf * v2;
      internal += changes * net.driver->energy.at(net.load_pf, transition);
      if (net.driver->max_load_pf <= 0) continue;
      const double ratio = net.load_pf / net.driver->max_load_pf;
      if (ratio > 1) total_.overloaded_nets += 1;
      const auto name = names.find(bit);
      const std::string text =
          name == names.end() ? fmt::format("output of a {}", net.driver_cell->name) : name->second;
      if (std::tie(ratio, text) > std::tie(total_.worst_load_ratio, total_.worst_load_net)) {
        total_.worst_load_ratio = ratio;
        total_.worst_load_net = text;
      }
    }
    total_.energy.switching_pj += switching;
    total_.energy.internal_pj += internal;
    total_.energy.clock_internal_pj += clock_pj_;
    clock_pj_ = 0;
    clock_bits_.clear();
  }

  const json& modules_;
  const Liberty& library_;
  double activity_;
  const Transitions& measured_;
  std::map<std::pair<std::string, std::string>, std::optional<CellFunction>> functions_;
  double activity_sum_ = 0;
  double clock_pj_ = 0;  ///< it and the next two are those of the module being added
  std::vector<std::vector<int>> stored_bits_;  ///< outputs of each sequential cell
  std::vector<int> clock_bits_;
  std::map<std::string, CellUse> cell_uses_;
  std::map<std::string, ModuleUse> module_uses_;
  std::map<std::string, std::uint64_t> register_bits_;
  NetlistUse total_;
};

}  // namespace

std::string decimal_of_bits(const std::string& bits) {
  if (bits.empty() || bits.size() > 64 || bits.find_first_not_of("01") != std::string::npos)
    return bits;
  std::uint64_t value = 0;
  for (const char c : bits) value = value << 1 | static_cast<std::uint64_t>(c - '0');
  return std::to_string(value);
}

std::string purpose_of(const std::string& register_name) {
  const std::string name = register_name.substr(register_name.rfind('.') + 1);
  if (name == "addr_q") return "tag";
  if (name == "slot_q") return "slot";
  if (name == "data_q") return "data";
  // next_q of a drain counts slots; the chains' pointers stand inside of the DAU.
  const bool dau = register_name.find("u_dau.") != std::string::npos;
  for (const char* part : {"linked", "attached", "peer", "tail", "pred"}) {
    if (name.find(part) != std::string::npos) return "link";
  }
  if (dau && name.find("next") != std::string::npos) return "link";
  return "control";
}

std::map<std::string, std::uint64_t> bits_by_purpose(const std::vector<RegisterUse>& registers) {
  std::map<std::string, std::uint64_t> bits;
  for (const RegisterUse& r : registers) bits[purpose_of(r.name)] += r.bits;
  return bits;
}

NetlistUse account(const nlohmann::json& netlist, const std::string& top, const Liberty& library,
                   double activity, const Transitions& measured) {
  Accountant accountant(netlist.at("modules"), library, activity, measured);
  accountant.add(top, "");
  return accountant.result(top);
}

}  // namespace warpmem::synth
