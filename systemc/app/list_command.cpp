// SPDX-License-Identifier: Apache-2.0
// warpmem list: what there is to choose from.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/catalogue.hpp"
#include "app/commands.hpp"
#include "app/implied_figures.hpp"
#include "app/named.hpp"
#include "app/places.hpp"
#include "base/errors.hpp"
#include "files/json_text.hpp"
#include "gpu/params.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;

// Returns the first comment line of a file that says what it is about (after the licence line).
std::string headline(const fs::path& file) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t text = line.find_first_not_of("/# ");
    if (text == std::string::npos || line.find("SPDX") != std::string::npos) continue;
    if (line[0] != '/' && line[0] != '#') break;
    return line.substr(text);
  }
  return "";
}

// Prints each machine with what follows from its values, so that a wrong one shows.
void list_configs() {
  for (const std::string& name : machine_names()) {
    const fs::path file = places().configs / (name + ".yaml");
    const gpu::MachineParams machine = gpu::read_params(file.string());
    fmt::print("{:<14} {:>3} SMs {:>5} MHz  {}\n{:15}{}\n", name, machine.sm_count,
               machine.sm_hertz / 1'000'000, headline(file), "", implied_summary(machine));
  }
}

std::vector<std::string> unit_names() {
  std::vector<std::string> units;
  for (const auto& entry : fs::directory_iterator(places().rtl)) {
    const fs::path top = entry.path() / (entry.path().filename().string() + ".sv");
    if (fs::exists(top)) units.push_back(entry.path().filename().string());
  }
  std::sort(units.begin(), units.end());
  return units;
}

void list_units() {
  for (const std::string& unit : unit_names())
    fmt::print("{:<24} {}\n", unit, headline(places().rtl / unit / (unit + ".sv")));
}

// Prints every key whose values are alternatives to choose from.
void list_mechanisms() {
  gpu::MachineParams params;
  Schema schema;
  params.describe(schema);
  for (const Param& param : schema.params())
    if (param.type == "choice") fmt::print("{:<32} {}\n", param.name, param.allowed);
}

// Prints every key with its default.
void list_keys() {
  gpu::MachineParams params;
  Schema schema;
  params.describe(schema);
  for (const Param& param : schema.params()) fmt::print("{:<40} {}\n", param.name, param.get());
}

/// Returns the first words of a list: what may be typed.
std::vector<std::string> names_in(const std::string& what) {
  if (what == "configs") return machine_names();
  if (what == "units") return unit_names();
  std::vector<std::string> names;
  if (what == "workloads") {
    for (const Workload& w : read_catalogue(places().workloads / "catalogue.yaml"))
      names.push_back(w.name);
    return names;
  }
  gpu::MachineParams params;
  Schema schema;
  params.describe(schema);
  for (const Param& param : schema.params())
    if (what == "keys" || param.type == "choice") names.push_back(param.name);
  return names;
}

void list_workloads(bool json) {
  const std::vector<Workload> workloads = read_catalogue(places().workloads / "catalogue.yaml");
  if (json) {
    nlohmann::ordered_json out;
    for (const Workload& w : workloads) {
      nlohmann::ordered_json sizes;
      for (const std::string& size : kSizes)
        if (w.sizes.count(size) != 0) sizes[size] = w.sizes.at(size);
      out[w.name] = {{"file", w.file},
                     {"suite", w.suite},
                     {"stands_for", w.stands_for},
                     {"papers", w.papers},
                     {"sizes", sizes}};
    }
    fmt::print("{}\n", indented_json(out));
    return;
  }
  for (const Workload& w : workloads)
    fmt::print("{:<20} {:<14} {:<24} small: {}\n", w.name, w.suite, w.stands_for,
               w.sizes.at("small"));
}

}  // namespace

void add_list(CLI::App& app, int&) {
  auto what = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  auto names = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand("list", "list what there is to choose from");
  command->add_option("WHAT", *what, "what to list")
      ->required()
      ->check(CLI::IsMember({"units", "mechanisms", "workloads", "configs", "keys"}));
  CLI::Option* as_json =
      command->add_flag("--json", *json, "workloads: everything the catalogue says, as JSON");
  command->add_flag("--names", *names, "only the names, one a line")->excludes(as_json);
  command->callback([what, json, names] {
    if (*names) {
      for (const std::string& name : names_in(*what)) fmt::print("{}\n", name);
      return;
    }
    if (*json && *what != "workloads") throw UserError("--json goes with workloads");
    if (*what == "units") list_units();
    if (*what == "mechanisms") list_mechanisms();
    if (*what == "workloads") list_workloads(*json);
    if (*what == "configs") list_configs();
    if (*what == "keys") list_keys();
  });
}

}  // namespace warpmem::app
