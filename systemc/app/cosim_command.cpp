// SPDX-License-Identifier: Apache-2.0
// warpmem cosim: the views of a hardware unit in lockstep.
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "app/commands.hpp"
#include "base/errors.hpp"
#include "cosim/dau_lockstep.hpp"

namespace warpmem::app {

namespace {

const std::vector<std::string> kUnits = {"dau"};

struct Options {
  std::string unit;
  cosim::DauLockstepOptions dau;
  bool no_directed = false;
  std::string waves;
  std::string json;
};

nlohmann::ordered_json to_json(const cosim::DauLockstepOptions& options,
                               const cosim::DauLockstepResult& result) {
  nlohmann::ordered_json doc;
  doc["unit"] = "dau";
  doc["sets"] = options.size.sets;
  doc["slots"] = options.size.slots;
  doc["reserved"] = options.size.reserved;
  doc["seed"] = result.seed;
  doc["cycles"] = result.cycles;
  doc["directed_cycles"] = result.directed_cycles;
  doc["seconds"] = result.seconds;
  for (unsigned s = 0; s < mha::kDauStates; ++s)
    doc["states"][fmt::format("S{}", s)] = result.coverage.entered(static_cast<mha::DauState>(s));
  for (const auto& [name, count] : result.coverage.transitions()) doc["transitions"][name] = count;
  doc["equal"] = !result.difference;
  if (result.difference) {
    const cosim::DauDifference& d = *result.difference;
    doc["difference"] = {{"cycle", d.cycle},
                         {"signal", d.signal},
                         {"class", d.of_class},
                         {"systemc", d.of_systemc},
                         {"rtl", d.of_rtl}};
  }
  if (!result.waves.empty()) doc["waves"] = result.waves.string();
  return doc;
}

/// Returns the exit status.
int compare(Options options) {
  if (options.unit != "dau") {
    std::string units;
    for (const std::string& unit : kUnits) units += (units.empty() ? "" : ", ") + unit;
    throw UserError(options.unit + ": no such unit; units: " + units);
  }
  options.dau.directed = !options.no_directed;
  options.dau.waves = options.waves;
  options.dau.waves_of_difference = "dau_difference.fst";
  const cosim::DauLockstepResult result = cosim::run_dau_lockstep(options.dau);
  fmt::print("dau: {} sets of {} slots, {} reserved: class, systemc and rtl {}\n",
             options.dau.size.sets, options.dau.size.slots, options.dau.size.reserved,
             result.difference ? "DIFFER" : "agree");
  fmt::print("{}", result.describe());
  if (!options.json.empty()) {
    std::ofstream out(options.json);
    out << to_json(options.dau, result).dump(2) << "\n";
    out.close();
    if (!out) throw UserError(options.json + ": cannot write");
  }
  return result.difference ? 3 : 0;
}

}  // namespace

void add_cosim(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("cosim",
                                         "run the views of a hardware unit in lockstep: class, "
                                         "synthesizable SystemC, RTL");
  command->add_option("UNIT", options->unit, "unit: dau")->required();
  command->add_option("--cycles", options->dau.cycles, "cycles of random stimulus")
      ->capture_default_str();
  CLI::Option* seed =
      command->add_option("--seed", options->dau.seed, "of the random stimulus (default: random)");
  command->add_option("--sets", options->dau.size.sets, "slot sets")->capture_default_str();
  command->add_option("--slots", options->dau.size.slots, "slots of a set")->capture_default_str();
  command->add_option("--reserved", options->dau.size.reserved, "sets that are heads only")
      ->capture_default_str();
  command->add_flag("--no-directed", options->no_directed, "leave out the directed vectors");
  command->add_option("--waves", options->waves,
                      "record the RTL in FILE (FST): the start of the run, or the cycles before a "
                      "difference (by default only these, in dau_difference.fst)");
  command->add_option("--json", options->json, "also write the result to FILE");
  command->callback([options, seed, &status] {
    if (seed->count() == 0) options->dau.seed = std::random_device{}();
    status = compare(*options);
  });
}

}  // namespace warpmem::app
