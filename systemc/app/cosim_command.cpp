// SPDX-License-Identifier: Apache-2.0
// warpmem cosim: the views of a hardware unit in lockstep.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "app/commands.hpp"
#include "app/cosim_page.hpp"
#include "app/cosim_units.hpp"
#include "app/coverage_page.hpp"
#include "app/kept_page.hpp"
#include "app/own_units.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "cosim/unit_stream.hpp"
#include "files/json_text.hpp"

namespace warpmem::app {

namespace {

using Json = nlohmann::ordered_json;

struct CosimOptions {
  std::string unit;
  cosim::LockstepOptions common;
  std::vector<std::unique_ptr<CosimUnit>> units = cosim_units();
  bool no_directed = false;
  bool no_code_coverage = false;
  std::vector<std::vector<const CLI::Option*>> sizes;  ///< options for the size of each unit
  const CLI::Option* cycles = nullptr;
  std::string json, page;
  std::vector<std::string> own_rtl;
  std::vector<std::string> parameters;
  std::string toggles;
  std::string coverage_page;
};

/// This is what `warpmem synth --activity` reads.
Json toggles_json(const CosimUnit& unit, const CosimOutcome& outcome) {
  Json parameters = Json::object();
  for (const auto& [name, value] : outcome.parameters) parameters[name] = value;
  return {{"unit", unit.unit().name()},
          {"size", outcome.size},
          {"parameters", parameters},
          {"cycles", outcome.code.cycles()},
          {"transitions_per_cycle", outcome.code.transitions()}};
}

void write(const std::string& file, const Json& document) {
  if (!file.empty()) write_text(file, json_text(document));
}

/// Returns the names of units and groups, each once.
std::vector<std::string> names(const std::vector<std::unique_ptr<CosimUnit>>& units) {
  std::vector<std::string> list;
  for (const auto& unit : units) list.push_back(unit->unit().name());
  for (const auto& unit : units) {
    const std::string group = unit->unit().group();
    if (!group.empty() && std::find(list.begin(), list.end(), group) == list.end())
      list.push_back(group);
  }
  return list;
}

bool is_given(const CLI::Option* option) { return option->count() != 0; }

/// The recording says which unit, of which size, and for how long.
void prepare_recorded(CosimOptions& options, bool asked) {
  const cosim::UnitStreamReader reader(options.common.recorded);
  if (reader.unit() != options.unit)
    throw UserError(fmt::format("{}: a recording of {}, not of {}",
                                options.common.recorded.string(), reader.unit(), options.unit));
  if (asked) throw UserError("with --recorded the size is that of the recorded unit");
  if (options.cycles->count() == 0)
    options.common.cycles = std::numeric_limits<std::uint64_t>::max();
}

/// Throws UserError for a size of a unit that does not run.
void check_sizes(const CosimOptions& options, const std::vector<std::size_t>& chosen) {
  for (std::size_t i = 0; i < options.units.size(); ++i)
    for (const CLI::Option* size : options.sizes[i])
      if (is_given(size) && std::find(chosen.begin(), chosen.end(), i) == chosen.end())
        throw UserError(fmt::format("{}: a size of {}, not of {}", size->get_name(),
                                    options.units[i]->unit().name(), options.unit));
}

/// This is what must hold of the runs of one unit.
struct Demands {
  bool cover = false;       ///< every situation is met, at the usual size or the one asked for
  bool cover_code = false;  ///< lines and toggles; only at the usual size: in small and special
                            ///< ones many bits are constant
};

/// Prints a run that is over, and returns whether all is as it must be.
bool report(const CosimUnit& unit, const CosimOutcome& outcome, const Demands& demands) {
  fmt::print("{}: {}: {} {}\n", unit.unit().name(), outcome.size, outcome.views,
             outcome.equal ? "agree" : "DIFFER");
  if (!outcome.corner || !outcome.equal) {
    fmt::print("{}", outcome.text);
  } else if (!outcome.code.empty()) {
    fmt::print("{}", outcome.code.table());
  }
  bool good = outcome.equal;
  if (outcome.equal && !outcome.corner && demands.cover && !outcome.missing.empty()) {
    fmt::print("NOT COVERED: {}\n", fmt::join(outcome.missing, "; "));
    good = false;
  }
  if (demands.cover_code && !outcome.code.empty() &&
      (outcome.code.toggles().percent() < cosim::kLeastToggles ||
       outcome.code.lines().percent() < cosim::kLeastLines)) {
    fmt::print("NOT COVERED: the RTL needs {} % of the toggles and {} % of the lines\n",
               cosim::kLeastToggles, cosim::kLeastLines);
    good = false;
  }
  std::fflush(stdout);
  return good;
}

/// Reads the user's RTL of the unit and says what will be compared.
void prepare_own_rtl(CosimOptions& options, const CosimUnit& unit) {
  check_no_page(options.page);
  options.common.places.own = checked_own_rtl(options.own_rtl, unit.unit().name());
  fmt::print("{}: {}: {}\n", unit.unit().name(), fmt::join(options.own_rtl, " "),
             options.common.bit_exact
                 ? "every output in every cycle, and the state where all its ports are there"
                 : "legal inputs, outputs where they mean something, no state");
}

/// Throws where an option is given that one unit can have, and no group.
void refuse_options_of_one_unit(const CosimOptions& options) {
  const std::pair<bool, const char*> given[] = {
      {!options.toggles.empty(), "--toggles"},
      {!options.coverage_page.empty(), "--coverage-page"},
      {!options.own_rtl.empty(), "--rtl"},
      {!options.common.waves.empty(), "--waves"},
      {!options.common.vectors.empty(), "--vectors"},
      {!options.parameters.empty(), "-p"},
  };
  for (const auto& [there, option] : given)
    if (there)
      throw UserError(fmt::format("{} is for one unit; {} are several", option, options.unit));
}

void check_cosim_outputs(const CosimOptions& options) {
  const std::vector<std::filesystem::path> outputs = {options.json,         options.page,
                                                      options.toggles,      options.coverage_page,
                                                      options.common.waves, options.common.vectors};
  std::vector<std::filesystem::path> inputs = own_rtl_files(options.own_rtl);
  inputs.push_back(options.common.recorded);
  check_apart(outputs, inputs);
  for (const std::filesystem::path& file : outputs)
    if (!file.empty()) check_output(file);
}

/// Returns the exit status: 3 when views differ or a run of full length leaves something uncovered.
int compare(CosimOptions& options) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < options.units.size(); ++i)
    if (options.unit == options.units[i]->unit().name() ||
        options.unit == options.units[i]->unit().group())
      chosen.push_back(i);
  if (chosen.empty())
    throw UserError(fmt::format("{}: no such unit; units: {}", options.unit,
                                fmt::join(names(options.units), ", ")));
  if (chosen.size() > 1) refuse_options_of_one_unit(options);
  check_cosim_outputs(options);
  if (!options.page.empty() && !options.common.recorded.empty())
    throw UserError("--page records runs from seeds; leave out --recorded");
  check_sizes(options, chosen);
  const auto by_options = [&](std::size_t i) {
    return std::any_of(options.sizes[i].begin(), options.sizes[i].end(), is_given);
  };
  const auto asked = [&](std::size_t i) { return !options.parameters.empty() || by_options(i); };
  if (!options.parameters.empty() && by_options(chosen.front()))
    throw UserError("give the size either with -p or with the unit's own options");
  if (!options.common.recorded.empty()) prepare_recorded(options, by_options(chosen.front()));
  for (const std::string& assignment : options.parameters)
    options.units[chosen.front()]->set_parameter(assignment);
  options.common.directed = !options.no_directed;
  const bool own = !options.own_rtl.empty();
  if (own) prepare_own_rtl(options, *options.units[chosen.front()]);
  const bool must_cover = options.common.recorded.empty() && options.common.directed &&
                          options.common.cycles >= cosim::kDefaultLockstepCycles;
  // Which of its lines and bits a user's RTL must use is the user's to say.
  options.common.code_coverage = !options.toggles.empty() || !options.coverage_page.empty() ||
                                 (must_cover && !own && !options.no_code_coverage);
  const std::string earlier =
      options.page.empty() ? "" : kept_page(options.page, cosim_page({}, {}, ""));
  int status = 0;
  Json documents = Json::array();
  std::vector<CosimOutcome> outcomes;
  for (const std::size_t i : chosen) {
    const CosimUnit& unit = *options.units[i];
    const Demands demands = {must_cover, must_cover && !own && !asked(i)};
    unit.run(options.common, asked(i), [&](const CosimOutcome& outcome) {
      if (!report(unit, outcome, demands)) status = 3;
      if (outcome.corner) {
        documents.back()["corners"].push_back(outcome.json);
      } else {
        documents.push_back(outcome.json);
      }
      if (outcome.equal && !options.toggles.empty() && !outcome.code.empty())
        write(options.toggles, toggles_json(unit, outcome));
      outcomes.push_back(outcome);
    });
  }
  write(options.json, documents.size() == 1 ? documents[0] : documents);
  if (!options.page.empty())
    write_text(options.page, cosim_page(names(options.units), outcomes, earlier));
  if (!options.coverage_page.empty())
    write_coverage_page(options.coverage_page, options.units[chosen.front()]->unit().name(),
                        outcomes);
  return status;
}

}  // namespace

void add_cosim(CLI::App& app, int& status) {
  auto options = std::make_shared<CosimOptions>();
  CLI::App* command = app.add_subcommand("cosim",
                                         "run the views of a hardware unit in lockstep: class, "
                                         "synthesizable SystemC, RTL; at the unit's usual size "
                                         "and at corners, or at the size that is asked for");
  command
      ->add_option("UNIT", options->unit,
                   fmt::format("unit or group: {}", fmt::join(names(options->units), ", ")))
      ->required();
  options->cycles =
      command->add_option("--cycles", options->common.cycles, "cycles of random stimulus")
          ->capture_default_str();
  command
      ->add_option("--recorded", options->common.recorded,
                   "instead: what `run --record-unit` has recorded, all of it unless --cycles is "
                   "given")
      ->type_name("FILE");
  command->add_option("-p,--param", options->parameters,
                      "RTL parameter NAME=NUMBER: the size to run; with --recorded, another value "
                      "for one that changes neither ports nor state; may be repeated");
  CLI::Option* seed = command->add_option("--seed", options->common.seed,
                                          "of the random stimulus (default: random)");
  for (const auto& unit : options->units) {
    const std::size_t before = command->get_options().size();
    unit->add_options(*command);
    auto& sizes = options->sizes.emplace_back();
    for (std::size_t i = before; i < command->get_options().size(); ++i)
      sizes.push_back(command->get_option_no_throw(command->get_options()[i]->get_name()));
  }
  CLI::Option* own = add_own_rtl(*command, options->own_rtl);
  command
      ->add_flag("--bit-exact", options->common.bit_exact,
                 "with --rtl: compare every output in every cycle and the state, as for warpmem's")
      ->needs(own);
  command->add_flag("--no-directed", options->no_directed, "leave out the directed vectors");
  CLI::Option* no_code_coverage = command->add_flag(
      "--no-code-coverage", options->no_code_coverage,
      "do not count lines and toggles of the RTL in a run of a million cycles or more");
  command->add_flag("--no-cache{false}", options->common.places.use_cache,
                    "build the views even if the cache has them");
  command->add_option("--waves", options->common.waves,
                      "record the RTL in FILE (FST): the start of the run, or the cycles before a "
                      "difference (by default only these, in UNIT_difference.fst)");
  command->add_option("--json", options->json, "also write the result to FILE");
  command->add_option("--page", options->page,
                      "also write the result as a row of a Markdown page; other units keep theirs");
  command
      ->add_option("--toggles", options->toggles,
                   "also write to FILE how often every bit of the RTL's signals changed, in the "
                   "first million cycles: for `warpmem synth --activity`")
      ->excludes(no_code_coverage);
  command
      ->add_option("--coverage-page", options->coverage_page,
                   "also write an HTML page of what the run went through: states, transitions and "
                   "situations, lines and toggles of the RTL")
      ->excludes(no_code_coverage)
      ->type_name("FILE");
  command
      ->add_option(
          "--vectors", options->common.vectors,
          "also write what the unit gets and answers to FILE, for testbenches (tb/); where "
          "no size is named, of the usual one")
      ->type_name("FILE");
  command->callback([options, seed, &status] {
    if (seed->count() == 0) options->common.seed = std::random_device{}();
    status = compare(*options);
  });
}

}  // namespace warpmem::app
