// SPDX-License-Identifier: Apache-2.0
// warpmem mutate: faults in the RTL units, and what finds them.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "app/commands.hpp"
#include "app/kept_page.hpp"
#include "app/own_units.hpp"
#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/output_file.hpp"
#include "base/text_file.hpp"
#include "files/json_text.hpp"
#include "mutation/hand_made.hpp"
#include "mutation/mutation.hpp"

namespace warpmem::app {

namespace {

struct MutateOptions {
  mutation::MutationRequest request;
  std::vector<std::string> units;
  std::string json, page;
  bool hand_made = false;
  std::vector<std::string> own_rtl;
};

/// Returns the exit status: 1 when something has not been found.
int attack_by_hand(const MutateOptions& options) {
  mutation::HandMadeRequest request;
  request.places.rtl = places().rtl;
  request.timeout_s = options.request.timeout_s;
  request.seed = options.request.seed;
  const auto folder = request.places.source / "mutation" / "faults";
  std::vector<mutation::HandMadeFault> faults;
  if (options.units.empty()) faults = mutation::hand_made_faults(folder, "");
  for (const std::string& unit : options.units)
    for (const auto& fault : mutation::hand_made_faults(folder, unit)) faults.push_back(fault);
  if (!options.page.empty()) check_output(options.page);
  const std::string earlier =
      options.page.empty() ? "" : kept_page(options.page, mutation::page({}, ""));
  std::vector<mutation::HandMadeResult> results;
  bool all = true;
  for (const auto& fault : faults) {
    results.push_back(mutation::find(fault, request));
    all = all && !results.back().found_by.empty();
    fmt::print("{}", mutation::hand_made_table({results.back()}));
    std::fflush(stdout);
  }
  if (!options.page.empty()) write_text(options.page, mutation::hand_made_page(results, earlier));
  return all ? 0 : 1;
}

/// Returns the exit status: 1 when too many faults have survived.
int attack(const MutateOptions& options) {
  check_apart({options.json, options.page}, own_rtl_files(options.own_rtl));
  mutation::MutationRequest request = options.request;
  request.places.rtl = places().rtl;
  if (isatty(STDERR_FILENO) != 0)
    request.progress = [](const std::string& step) { fmt::print(stderr, "{}\n", step); };
  std::vector<std::string> units = options.units;
  if (units.empty())
    for (const auto& unit : mutation::attacked_units()) units.push_back(unit.name);
  for (const std::string& unit : units) mutation::attacked_unit(unit);  // mistakes are told first
  for (const std::string& file : {options.json, options.page})
    if (!file.empty()) check_output(file);
  if (!options.own_rtl.empty()) {
    if (options.units.size() != 1) throw UserError("--rtl brings one unit; name it");
    check_no_page(options.page);
    request.places.own = checked_own_rtl(options.own_rtl, options.units.front());
  }
  const std::string earlier =
      options.page.empty() ? "" : kept_page(options.page, mutation::page({}, ""));
  std::vector<mutation::MutationResult> results;
  for (const std::string& unit : units) {
    request.unit = unit;
    results.push_back(mutation::run(request));
  }
  fmt::print("{}", mutation::table(results));
  if (!options.page.empty()) write_text(options.page, mutation::page(results, earlier));
  if (!options.json.empty()) {
    auto document = nlohmann::ordered_json::array();
    for (const auto& result : results) document.push_back(mutation::to_json(result));
    write_text(options.json, json_text(document));
  }
  for (const auto& result : results)
    if (result.settled_percent() < mutation::kLeastSettled) return 1;
  return 0;
}

}  // namespace

void add_mutate(CLI::App& app, int& status) {
  auto options = std::make_shared<MutateOptions>();
  CLI::App* command = app.add_subcommand(
      "mutate", "put faults into RTL units, and see what lockstep runs and proofs find");
  auto& request = options->request;
  command->add_option("UNIT", options->units, "units (default: all that can be attacked)");
  command->add_option("-n,--faults", request.count, "faults in each unit")
      ->check(CLI::Range(1, 100'000))
      ->capture_default_str();
  command->add_option("--seed", request.seed, "of the choice of faults and of the stimulus")
      ->capture_default_str();
  command
      ->add_option("--cycles", request.cycles,
                   "cycles of random stimulus for each fault; ten times as many for what is left")
      ->capture_default_str();
  command->add_flag("--properties", request.all_properties,
                    "let the properties judge what lockstep has found, too");
  command->add_option("-j,--jobs", request.jobs, "faults judged at once")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  command->add_option("--timeout", request.timeout_s, "limit of one engine's run, s")
      ->check(CLI::Range(1, 86400))
      ->capture_default_str();
  command->add_option("--json", options->json, "also write the results to FILE");
  command->add_option("--page", options->page,
                      "also write the results as a Markdown page; units that were not attacked "
                      "keep what FILE says of them");
  add_own_rtl(*command, options->own_rtl);
  CLI::Option* by_hand = command->add_flag("--hand-made", options->hand_made,
                                           "instead: the faults of mutation/faults, each against "
                                           "what `cosim UNIT` and `formal UNIT` run "
                                           "without options");
  for (const char* const other :
       {"--faults", "--cycles", "--properties", "--jobs", "--json", "--rtl"})
    by_hand->excludes(command->get_option(other));
  command->callback([options, &status] {
    status = options->hand_made ? attack_by_hand(*options) : attack(*options);
  });
}

}  // namespace warpmem::app
