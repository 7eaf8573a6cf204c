// SPDX-License-Identifier: Apache-2.0
#include "sweeps/hardware.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/nearest.hpp"
#include "base/yaml_source.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;

YamlNode root_of(const std::string& file) {
  std::string error;
  const auto text = read_text_file(file, error);
  if (!text) throw UserError(file + ": " + error);
  Problems syntax;
  const auto root = parse_yaml(*text, file, syntax);
  if (!root) throw UserError(fmt::format("{}", fmt::join(syntax.list(), "\n")));
  return *root;
}

const YamlMember* find(const YamlNode& map, const std::string& key) {
  for (const YamlMember& m : map.members)
    if (m.key == key) return &m;
  return nullptr;
}

class HardwareReader {
 public:
  explicit HardwareReader(const std::string& file) { plan_.file = file; }

  HardwarePlan read() {
    const YamlNode root = root_of(plan_.file);
    for (const YamlMember& m : find(root, "synth")->value.members) {
      if (m.key == "libraries")
        for (const YamlMember& l : m.value.members) library(l);
      else if (m.key == "designs")
        for (const YamlMember& d : m.value.members) design(d);
      else if (m.key == "cache")
        cache(m);
      else if (m.key == "synthesized_up_to")
        plan_.most_synthesized = static_cast<unsigned>(number(m));
      else if (m.key == "clock_mhz")
        plan_.clock_mhz = number(m);
      else
        unknown(m, {"libraries", "designs", "cache", "clock_mhz", "synthesized_up_to"});
    }
    if (plan_.libraries.empty()) fail(1, "synth: it needs libraries");
    if (plan_.designs.empty()) fail(1, "synth: it needs designs");
    if (!problems_.empty()) throw UserError(fmt::format("{}", fmt::join(problems_, "\n")));
    return std::move(plan_);
  }

 private:
  void library(const YamlMember& m) {
    HardwareLibrary library;
    library.name = m.key;
    for (const YamlMember& part : m.value.members) {
      if (part.key == "node_nm")
        library.node_nm = number(part);
      else if (part.key == "file")
        library.file = (fs::path(plan_.file).parent_path() / part.value.text).string();
      else
        unknown(part, {"node_nm", "file"});
    }
    if (library.node_nm <= 0) fail(m.line, m.key + ": node_nm is missing");
    plan_.libraries.push_back(library);
  }

  void cache(const YamlMember& m) {
    for (const YamlMember& part : m.value.members) {
      if (part.key == "area_um2")
        plan_.cache_um2 = number(part);
      else if (part.key == "node_nm")
        plan_.cache_node_nm = number(part);
      else
        unknown(part, {"area_um2", "node_nm"});
    }
    if (plan_.cache_um2 <= 0 || plan_.cache_node_nm <= 0)
      fail(m.line, "cache: area_um2 and node_nm are needed");
  }

  void design(const YamlMember& m) {
    HardwareDesign design;
    design.name = m.key;
    if (m.value.kind == YamlNode::Kind::list) {
      for (const YamlNode& item : m.value.items) design.parts.push_back(part_of(item));
    } else {
      design.parts.push_back(part_of(m.value));
    }
    plan_.designs.push_back(std::move(design));
  }

  std::pair<unsigned, synth::MissHandlerDesign> part_of(const YamlNode& node) {
    unsigned count = 1;
    synth::MissHandlerDesign design;
    const std::vector<std::pair<std::string, unsigned*>> numbers = {
        {"count", &count},
        {"entries", &design.entries},
        {"slots", &design.slots},
        {"ways", &design.ways},
        {"reserved", &design.reserved},
        {"small_entries", &design.small_entries},
        {"addr_bits", &design.addr_bits},
        {"slot_bits", &design.slot_bits},
        {"data_bits", &design.data_bits}};
    std::vector<std::string> allowed = {"kind", "addresses", "slot_access"};
    for (const auto& [name, value] : numbers) allowed.push_back(name);
    if (node.kind != YamlNode::Kind::map) fail(node.line, "a design is a map");
    for (const YamlMember& m : node.members) {
      const auto found = std::find_if(numbers.begin(), numbers.end(),
                                      [&](const auto& entry) { return entry.first == m.key; });
      if (m.key == "kind")
        design.kind = m.value.text;
      else if (m.key == "addresses")
        design.cam = addresses(m);
      else if (m.key == "slot_access")
        design.slot_access = slot_access(m);
      else if (found != numbers.end())
        *found->second = static_cast<unsigned>(number(m));
      else
        unknown(m, allowed);
    }
    if (design.entries == 0 || design.slots == 0 || design.slot_bits == 0)
      fail(node.line, "entries, slots and slot_bits are at least 1");
    return {count, design};
  }

  synth::SlotAccess slot_access(const YamlMember& m) {
    using synth::SlotAccess;
    for (const auto& [name, access] : {std::pair{"two_ports", SlotAccess::two_ports},
                                       {"one_port", SlotAccess::one_port},
                                       {"split_cycle", SlotAccess::split_cycle}})
      if (m.value.text == name) return access;
    fail(m.line, "slot_access: two_ports, one_port or split_cycle");
    return SlotAccess::two_ports;
  }
  bool addresses(const YamlMember& m) {
    if (m.value.text != "registers" && m.value.text != "cam")
      fail(m.line, "addresses: registers or cam");
    return m.value.text == "cam";
  }

  double number(const YamlMember& m) {
    double value = -1;
    const std::string& text = m.value.text;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && stop == end && value >= 0) return value;
    fail(m.line, m.key + ": a number from 0 on is needed");
    return 0;
  }
  void unknown(const YamlMember& m, const std::vector<std::string>& allowed) {
    fail(m.line, fmt::format("unknown entry {}; allowed: {}{}", m.key, fmt::join(allowed, ", "),
                             did_you_mean(m.key, allowed)));
  }
  void fail(unsigned line, const std::string& what) {
    problems_.push_back(fmt::format("{}:{}: {}", plan_.file, line, what));
  }

  HardwarePlan plan_;
  std::vector<std::string> problems_;
};

RunResult measure(const HardwarePlan& plan, const HardwareLibrary& library,
                  const HardwareDesign& design,
                  const std::function<void(const std::string&)>& progress) {
  synth::MissHandlerOptions options;
  options.rtl_root = app::places().rtl;
  options.liberty = library.file;
  options.node_nm = library.node_nm;
  options.progress = progress;
  options.most_synthesized = plan.most_synthesized;
  double tag = 0, link = 0, registers = 0, gates = 0, storage = 0, cam = 0, dynamic = 0,
         leakage = 0, energy = 0, period = 0, access = 0, cycle = 0, entries = 0;
  for (const auto& [count, part] : design.parts) {
    const synth::MissHandlerCost cost = synth::cost_of(part, options);
    if (!cost.law.empty())
      progress(fmt::format("{} of {} entries follows a law; at what is behind it: {}", part.kind,
                           part.entries, synth::residuals(cost.law)));
    tag += count * cost.tag_um2;
    link += count * cost.link_um2;
    registers += count * cost.control_um2;
    gates += count * cost.combinational_um2;
    storage += count * cost.storage_um2;
    cam += count * cost.cam_um2;
    dynamic += count * cost.dynamic_mw;
    leakage += count * cost.leakage_mw;
    energy += count * cost.dynamic_mw * cost.cycle_ns();  // mW times ns is pJ
    period = std::max(period, cost.period_ns);
    access = std::max(access, cost.access_ns);
    cycle = std::max(cycle, cost.cycle_ns());
    entries += count * part.entries;
  }
  const double control = tag + link + registers + gates;
  const double area = control + storage + cam;
  RunResult result;
  result.complete = true;
  result.stats = {{"area_um2", area},
                  {"control_um2", control},
                  {"tag_bits_um2", tag},
                  {"link_bits_um2", link},
                  {"other_bits_um2", registers},
                  {"gates_um2", gates},
                  {"storage_um2", storage},
                  {"cam_um2", cam},
                  {"power_mw", dynamic + leakage},
                  {"dynamic_mw", dynamic},
                  {"leakage_mw", leakage},
                  {"period_ns", period},
                  {"access_ns", access},
                  {"cycle_ns", cycle},
                  {"entries", entries}};
  // pJ times MHz is a microwatt.
  if (plan.clock_mhz > 0)
    result.stats.emplace_back("power_at_clock_mw", leakage + 1e-3 * energy * plan.clock_mhz);
  if (plan.cache_um2 > 0) {
    const double scale = library.node_nm / plan.cache_node_nm;
    result.stats.emplace_back("cache_percent", 100 * area / (plan.cache_um2 * scale * scale));
  }
  return result;
}

}  // namespace

bool is_area_or_power(const std::string& metric) {
  const auto ends_with = [&](const std::string& end) {
    return metric.size() > end.size() &&
           metric.compare(metric.size() - end.size(), end.size(), end) == 0;
  };
  return ends_with("_um2") || ends_with("_mw") || metric == "cache_percent";
}

bool is_hardware(const std::string& file) { return find(root_of(file), "synth") != nullptr; }

HardwarePlan read_hardware(const std::string& file) { return HardwareReader(file).read(); }

std::vector<std::string> measure_hardware(const HardwarePlan& plan, Database& database,
                                          bool only_points,
                                          const std::function<void(const std::string&)>& progress) {
  std::vector<Point> points;
  for (const HardwareLibrary& library : plan.libraries)
    for (const HardwareDesign& design : plan.designs)
      points.push_back(
          {library.name + "/" + design.name, library.name, "", {{"design", design.name}}});
  database.set_points(plan.file, "", points);
  std::vector<std::string> missing;
  if (only_points) return missing;
  for (const HardwareLibrary& library : plan.libraries) {
    if (!library.file.empty() && !fs::exists(library.file)) {
      missing.push_back(fs::path(library.file).lexically_normal().string());
      continue;
    }
    for (const HardwareDesign& design : plan.designs) {
      RunResult result = measure(plan, library, design, progress);
      result.key = library.name + "/" + design.name;
      database.store(result);
    }
  }
  return missing;
}

}  // namespace warpmem::sweeps
