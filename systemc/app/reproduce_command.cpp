// SPDX-License-Identifier: Apache-2.0
// warpmem reproduce: published results, measured.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <thread>

#include "app/commands.hpp"
#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/nearest.hpp"
#include "base/output_file.hpp"
#include "sweeps/measure_costs.hpp"
#include "sweeps/progress.hpp"
#include "sweeps/reproduce.hpp"
#include "sweeps/results_page.hpp"
#include "sweeps/run_limit_options.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;
using sweeps::LoadedExperiment;
using sweeps::Outcome;
using sweeps::Verdict;

struct ReproduceOptions {
  std::vector<std::string> what;
  sweeps::EngineOptions engine;
  std::string folder = "runs/reproduce";
  std::string page;
  std::string costs;  ///< file
  sweeps::RunLimitOptions limits;
  bool all = false;
  bool list = false;
  bool dry_run = false;
  bool judge_again = false;
};

std::vector<std::string> known_experiments() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(places().experiments))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
    return std::make_pair(a.size(), a) < std::make_pair(b.size(), b);
  });
  return names;
}

std::string file_of(const std::string& what) {
  if (fs::path(what).extension() == ".yaml") return what;
  const std::vector<std::string> names = known_experiments();
  if (std::find(names.begin(), names.end(), what) == names.end())
    throw UserError(fmt::format("no experiment is called {}; there are {}{}", what,
                                fmt::join(names, ", "), did_you_mean(what, names)));
  return (places().experiments / (what + ".yaml")).string();
}

// The mistakes of all files are said at once.
std::vector<LoadedExperiment> load(const std::vector<std::string>& names) {
  std::vector<LoadedExperiment> loaded;
  std::map<std::string, std::string> ids;
  std::vector<std::string> mistakes;
  for (const std::string& name : names) {
    try {
      const std::string file = file_of(name);
      loaded.push_back(sweeps::load_experiment(file));
      const auto [other, is_new] = ids.emplace(loaded.back().experiment.id, file);
      if (!is_new)
        mistakes.push_back(
            fmt::format("{}: its id {} is that of {}", file, other->first, other->second));
    } catch (const UserError& error) {
      mistakes.emplace_back(error.what());
    }
  }
  if (!mistakes.empty()) throw UserError(fmt::format("{}", fmt::join(mistakes, "\n")));
  return loaded;
}

std::string cost_of(const std::vector<const LoadedExperiment*>& loaded, const std::string& folder) {
  const sweeps::EstimatedTime time = sweeps::estimated_time(loaded, folder);
  if (time.known == 0) return "?";
  return (time.unknown == 0 ? "" : "> ") + sweeps::duration_text(time.seconds);
}

int list(const ReproduceOptions& options) {
  const std::vector<LoadedExperiment> all = load(known_experiments());
  std::vector<const LoadedExperiment*> pointers;
  for (const LoadedExperiment& one : all) {
    const std::string cost = one.plan ? cost_of({&one}, options.folder) : "synthesis";
    fmt::print("{:<5} {:<72} {:>9}  {}\n", one.experiment.id, one.experiment.title, cost,
               one.experiment.source);
    pointers.push_back(&one);
  }
  fmt::print("all   {:<72} {:>9}\n", "runs that several need once",
             cost_of(pointers, options.folder));
  return 0;
}

void print_outcome(const Outcome& outcome, const std::string& folder) {
  fmt::print(stderr, "warpmem: {} points, {} runs, {} executed now, {} failed; {}\n",
             outcome.points, outcome.runs, outcome.executed, outcome.failed, folder);
}

Verdict judge(const LoadedExperiment& loaded, const ReproduceOptions& options) {
  const auto say = [](const std::string& line) { fmt::print(stderr, "{}\n", line); };
  const auto print = [](const std::string& line) { fmt::print("{}\n", line); };
  const Verdict verdict = loaded.hardware ? sweeps::judge_hardware(loaded, say, print)
                                          : sweeps::judge_runs(loaded, options.folder);
  fmt::print("{}", sweeps::text_of(loaded.experiment, verdict));
  if (!options.page.empty() && verdict.missing.empty())
    sweeps::write_record(options.page, loaded.experiment, verdict);
  return verdict;
}

int run_one(const LoadedExperiment& loaded, const ReproduceOptions& options) {
  Outcome outcome;
  if (loaded.plan) outcome = sweeps::run_experiment(loaded, options.folder, options.engine);
  const Verdict verdict = judge(loaded, options);
  if (!verdict.missing.empty())
    throw UserError(fmt::format("{} is not measured: no such file: {}{}", loaded.experiment.id,
                                fmt::join(verdict.missing, ", "),
                                options.page.empty() ? "" : "; the page stays as it is"));
  if (!options.page.empty()) sweeps::write_page(options.page);
  if (loaded.plan)
    print_outcome(outcome,
                  (fs::path(options.folder) / (loaded.experiment.id + ".sqlite")).string());
  return outcome.failed == 0 && verdict.met(loaded.experiment.band) ? 0 : 1;
}

int run_several(const std::vector<LoadedExperiment>& loaded, const ReproduceOptions& options) {
  const Outcome outcome = sweeps::run_experiments(loaded, options.folder, options.engine);
  std::string table;
  bool met = outcome.failed == 0;
  for (const LoadedExperiment& one : loaded) {
    const Verdict verdict = judge(one, options);
    met = met && verdict.met(one.experiment.band);
    table += fmt::format(
        "{:<5} {:<72} {}{}\n", one.experiment.id, one.experiment.title,
        sweeps::word(verdict.standing),
        verdict.missing.empty() ? "" : fmt::format(" (no {})", fmt::join(verdict.missing, ", ")));
  }
  if (!options.page.empty()) sweeps::write_page(options.page);
  fmt::print("\n{}", table);
  print_outcome(outcome, options.folder);
  return met ? 0 : 1;
}

// Judges what has been measured before; of some experiments, or of all that the page has.
int judge_again(const ReproduceOptions& options) {
  std::vector<std::string> which = options.what;
  if (which.empty()) {
    which = known_experiments();
    const auto no_record = [&](const std::string& name) {
      return !fs::exists(fs::path(options.page) / "results" / (name + ".json"));
    };
    which.erase(std::remove_if(which.begin(), which.end(), no_record), which.end());
  }
  for (const std::string& name : which) {
    const auto experiment = sweeps::read_experiment(file_of(name));
    const Verdict verdict = sweeps::judge_again(options.page, experiment);
    fmt::print("{:<5} {:<72} {}\n", experiment.id, experiment.title,
               sweeps::word(verdict.standing));
  }
  sweeps::write_page(options.page);
  return 0;
}

int measure_costs(const ReproduceOptions& options) {
  const std::vector<LoadedExperiment> all = load(known_experiments());
  for (const LoadedExperiment& one : all)
    check_apart({options.costs}, {one.experiment.file, one.experiment.sweep});
  check_output(options.costs);
  const sweeps::MeasuredCosts measured = sweeps::measure_costs(all, options.folder, options.engine);
  sweeps::write_stored_costs(options.costs, measured.costs);
  double seconds = 0;
  for (const sweeps::StoredCost& cost : measured.costs) seconds += cost.seconds;
  fmt::print("{} programs, {}; {}\n", measured.costs.size(), sweeps::duration_text(seconds),
             options.costs);
  print_outcome(measured.outcome, options.folder);
  return measured.outcome.failed == 0 ? 0 : 1;
}

int run(ReproduceOptions& options) {
  options.limits.apply(options.engine);
  if (options.judge_again) return judge_again(options);
  if (options.list) return list(options);
  if (!options.costs.empty()) return measure_costs(options);
  if (options.all) options.what = known_experiments();
  if (options.what.empty()) throw UserError("say which experiment, or --all; --list names them");
  const bool several = options.all || options.what.size() > 1;
  if (options.engine.resume && !several)
    throw UserError("--resume: it is for several experiments; one always goes on");
  const std::vector<LoadedExperiment> loaded = load(options.what);
  if (options.dry_run) {
    for (const LoadedExperiment& one : loaded)
      fmt::print("{}: {} rows, {} points\n", one.experiment.id, one.experiment.rows.size(),
                 one.points);
    return 0;
  }
  if (!options.page.empty()) {
    std::vector<std::string> ids;
    for (const LoadedExperiment& one : loaded) ids.push_back(one.experiment.id);
    sweeps::check_page(options.page, ids);
  }
  return several ? run_several(loaded, options) : run_one(loaded.front(), options);
}

}  // namespace

void add_reproduce(CLI::App& app, int& status) {
  auto options = std::make_shared<ReproduceOptions>();
  options->engine.jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* command = app.add_subcommand(
      "reproduce",
      "measure published results; exit status 0 when they are met, 1 when one is not, 2 when one "
      "cannot be measured");
  CLI::Option* what = command->add_option("EXPERIMENT", options->what,
                                          "C1, C2, ... or files like experiments/C1.yaml");
  CLI::Option* all = command->add_flag("--all", options->all, "all experiments")->excludes(what);
  CLI::Option* resume =
      command->add_flag("--resume", options->engine.resume,
                        "with several experiments: go on with all.sqlite of the folder");
  CLI::Option* list = command->add_flag(
      "--list", options->list, "name the experiments, with the time that one process takes");
  CLI::Option* dry_run =
      command->add_flag("--dry-run", options->dry_run, "check the files and count their points");
  CLI::Option* jobs = command
                          ->add_option("-j,--jobs", options->engine.jobs,
                                       "runs at a time (default: one for each core)")
                          ->check(CLI::Range(1, 256));
  CLI::Option* retry = command->add_flag("--retry-failed", options->engine.retry_failed,
                                         "run again what has failed");
  CLI::Option* folder =
      command
          ->add_option("-o,--out", options->folder,
                       "folder of the databases; runs found there are not repeated, and their "
                       "times are the estimates")
          ->capture_default_str();
  CLI::Option* page = command->add_option(
      "--page", options->page,
      "also write DOCS/results/ID.json and DOCS/results.md in this folder DOCS");
  CLI::Option* again =
      command->add_flag("--judge-again", options->judge_again,
                        "run nothing: judge the records that --page has, of all experiments or of "
                        "those named");
  again->needs(page);
  CLI::Option* costs = command->add_option(
      "--measure-costs", options->costs,
      "judge nothing: write what each program of all experiments takes, by the runs in --out, to "
      "this file; one that has none there runs once; experiments/costs.json is made so");
  const sweeps::AddedRunLimits limits = sweeps::add_run_limits(*command, options->limits);
  const std::vector<CLI::Option*> of_runs = {jobs, retry, limits.timeout, limits.memory,
                                             limits.progress};
  for (CLI::Option* run_option : of_runs)
    for (CLI::Option* other : {again, list}) other->excludes(run_option);
  for (CLI::Option* other : {all, resume, list, dry_run, folder, costs}) again->excludes(other);
  for (CLI::Option* other : {what, all, resume, dry_run, page, costs}) list->excludes(other);
  for (CLI::Option* other : {what, all, resume, dry_run, page}) costs->excludes(other);
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace warpmem::app
