// SPDX-License-Identifier: Apache-2.0
// warpmem cosim: the views of a hardware unit in lockstep.
#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "base/errors.hpp"
#include "cosim/dau_lockstep.hpp"
#include "cosim/laws_lockstep.hpp"

namespace warpmem::app {

namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string unit;
  cosim::LockstepOptions common;
  mha::DauSize dau;
  sm::LawsScoreSize score;
  sm::ThrottleSize throttle = cosim::ThrottleLockstepOptions().size;
  bool no_divergence = false;
  bool no_directed = false;
  std::string json;
};

/// A finished run: what is printed, what is written, what is uncovered.
struct Outcome {
  std::string size;  ///< for people
  std::string text;
  Json json;
  bool equal;
  std::vector<std::string> missing;
};

template <class UnitOptions>
UnitOptions with_common(const Options& options, const char* unit) {
  UnitOptions result;
  static_cast<cosim::LockstepOptions&>(result) = options.common;
  result.waves_of_difference = fmt::format("{}_difference.fst", unit);
  return result;
}

/// `parameters` stand before what all units have, `coverage` behind it.
Json to_json(const char* unit, const Json& parameters, const cosim::LockstepResult& result,
             const Json& coverage) {
  Json doc;
  doc["unit"] = unit;
  doc.update(parameters);
  doc["seed"] = result.seed;
  doc["cycles"] = result.cycles;
  doc["directed_cycles"] = result.directed_cycles;
  doc["seconds"] = result.seconds;
  doc.update(coverage);
  doc["equal"] = !result.difference;
  if (result.difference) {
    const cosim::Difference& d = *result.difference;
    doc["difference"] = {{"cycle", d.cycle},
                         {"signal", d.signal},
                         {"class", d.of_class},
                         {"systemc", d.of_systemc},
                         {"rtl", d.of_rtl}};
  }
  if (!result.waves.empty()) doc["waves"] = result.waves.string();
  return doc;
}

Outcome run_dau(const Options& options) {
  auto dau = with_common<cosim::DauLockstepOptions>(options, "dau");
  dau.size = options.dau;
  const cosim::DauLockstepResult result = cosim::run_dau_lockstep(dau);
  Json coverage;
  for (unsigned s = 0; s < mha::kDauStates; ++s)
    coverage["states"][fmt::format("S{}", s)] =
        result.coverage.entered(static_cast<mha::DauState>(s));
  for (const auto& [name, count] : result.coverage.transitions())
    coverage["transitions"][name] = count;
  const Json parameters = {
      {"sets", dau.size.sets}, {"slots", dau.size.slots}, {"reserved", dau.size.reserved}};
  return {fmt::format("{} sets of {} slots, {} reserved", dau.size.sets, dau.size.slots,
                      dau.size.reserved),
          result.describe(), to_json("dau", parameters, result, coverage), !result.difference,
          result.coverage.missing()};
}

Outcome outcome_of(const char* unit, const std::string& size, const Json& parameters,
                   const cosim::UnitLockstepResult& result) {
  Json coverage;
  for (const auto& [name, count] : result.coverage.counts()) coverage["coverage"][name] = count;
  return {size, result.describe(), to_json(unit, parameters, result, coverage), !result.difference,
          result.coverage.missing()};
}

Outcome run_laws_score(const Options& options) {
  auto score = with_common<cosim::LawsScoreLockstepOptions>(options, "laws_score");
  score.size = options.score;
  return outcome_of(
      "laws_score",
      fmt::format("{} bits, miss limit {}", score.size.score_bits, score.size.miss_limit),
      {{"score_bits", score.size.score_bits}, {"miss_limit", score.size.miss_limit}},
      cosim::run_laws_score_lockstep(score));
}

Outcome run_throttle(const Options& options) {
  auto throttle = with_common<cosim::ThrottleLockstepOptions>(options, "throttle_unit");
  throttle.size = options.throttle;
  throttle.size.by_divergence = !options.no_divergence;
  const sm::ThrottleSize& s = throttle.size;
  return outcome_of(
      "throttle_unit",
      fmt::format("{} warps, divergence {}, stable {}, hold {}", s.warps,
                  s.by_divergence ? fmt::format("{}", s.divergence) : "off", s.stable, s.hold),
      {{"warps", s.warps},
       {"divergence", s.divergence},
       {"stable", s.stable},
       {"hold", s.hold},
       {"by_divergence", s.by_divergence}},
      cosim::run_throttle_lockstep(throttle));
}

struct Unit {
  const char* name;
  Outcome (*run)(const Options&);
};
constexpr Unit kUnits[] = {
    {"dau", run_dau}, {"laws_score", run_laws_score}, {"throttle_unit", run_throttle}};

std::vector<Unit> units_named(const std::string& name) {
  std::vector<Unit> list;
  std::string known;
  for (const Unit& unit : kUnits) {
    const bool of_laws = unit.run == run_laws_score || unit.run == run_throttle;
    if (name == unit.name || (name == "laws" && of_laws)) list.push_back(unit);
    known += std::string(unit.name) + ", ";
  }
  if (list.empty())
    throw UserError(fmt::format("{}: no such unit; units: {}laws (its two)", name, known));
  return list;
}

/// Returns the exit status: 3 when views differ or a run of full length leaves something uncovered.
int compare(Options options) {
  const std::vector<Unit> units = units_named(options.unit);
  if (units.size() > 1 && !options.common.waves.empty())
    throw UserError("--waves records one unit; " + options.unit + " are several");
  options.common.directed = !options.no_directed;
  const bool must_cover =
      options.common.directed && options.common.cycles >= cosim::kDefaultLockstepCycles;
  int status = 0;
  Json documents = Json::array();
  for (const Unit& unit : units) {
    const Outcome outcome = unit.run(options);
    fmt::print("{}: {}: class, systemc and rtl {}\n", unit.name, outcome.size,
               outcome.equal ? "agree" : "DIFFER");
    fmt::print("{}", outcome.text);
    if (!outcome.equal) status = 3;
    if (outcome.equal && must_cover && !outcome.missing.empty()) {
      fmt::print("NOT COVERED: {}\n", fmt::join(outcome.missing, "; "));
      status = 3;
    }
    documents.push_back(outcome.json);
  }
  if (!options.json.empty()) {
    std::ofstream out(options.json);
    out << (documents.size() == 1 ? documents[0] : documents).dump(2) << "\n";
    out.close();
    if (!out) throw UserError(options.json + ": cannot write");
  }
  return status;
}

}  // namespace

void add_cosim(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("cosim",
                                         "run the views of a hardware unit in lockstep: class, "
                                         "synthesizable SystemC, RTL");
  const auto number = [&](const char* name, std::uint32_t& value, const char* text) {
    command->add_option(name, value, text)->capture_default_str();
  };
  command->add_option("UNIT", options->unit, "unit: dau, laws_score, throttle_unit, or laws: both")
      ->required();
  command->add_option("--cycles", options->common.cycles, "cycles of random stimulus")
      ->capture_default_str();
  CLI::Option* seed = command->add_option("--seed", options->common.seed,
                                          "of the random stimulus (default: random)");
  number("--sets", options->dau.sets, "dau: slot sets");
  number("--slots", options->dau.slots, "dau: slots of a set");
  number("--reserved", options->dau.reserved, "dau: sets that are heads only");
  number("--score-bits", options->score.score_bits, "laws_score: bits of the score");
  number("--miss-limit", options->score.miss_limit, "laws_score: where the miss count stops");
  number("--warps", options->throttle.warps, "throttle_unit: warps of the SM");
  number("--divergence", options->throttle.divergence, "throttle_unit: divergence factor");
  number("--stable", options->throttle.stable, "throttle_unit: decisions until the mean counts");
  number("--hold", options->throttle.hold, "throttle_unit: cycles that a decision stands");
  command->add_flag("--no-divergence", options->no_divergence,
                    "throttle_unit: memory divergence does not throttle");
  command->add_flag("--no-directed", options->no_directed, "leave out the directed vectors");
  command->add_option("--waves", options->common.waves,
                      "record the RTL in FILE (FST): the start of the run, or the cycles before a "
                      "difference (by default only these, in UNIT_difference.fst)");
  command->add_option("--json", options->json, "also write the result to FILE");
  command->callback([options, seed, &status] {
    if (seed->count() == 0) options->common.seed = std::random_device{}();
    status = compare(*options);
  });
}

}  // namespace warpmem::app
