// SPDX-License-Identifier: Apache-2.0
// warpmem reproduce: a published result, measured.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include "app/commands.hpp"
#include "app/places.hpp"
#include "app/sweep/engine.hpp"
#include "app/sweep/experiment.hpp"
#include "app/sweep/hardware.hpp"
#include "app/sweep/results_page.hpp"
#include "base/errors.hpp"
#include "base/nearest.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;

struct Options {
  std::string what;
  sweep::EngineOptions engine;
  std::string folder = "runs/reproduce";
  std::string page;
  bool list = false;
  bool dry_run = false;
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

// Finds rows that name labels, workloads or axes which the runs do not have.
void check(const sweep::Experiment& experiment, const sweep::Plan& plan) {
  std::vector<sweep::Point> points;
  for (const sweep::PlannedRun& run : plan.runs) {
    sweep::Point point{"", run.workload, "", {}};
    for (std::size_t a = 0; a < plan.axes.size(); ++a)
      point.labels.emplace_back(plan.axes[a], run.points[a]);
    points.push_back(std::move(point));
  }
  sweep::Database database(":memory:");
  database.set_points(plan.file, "", points);
  sweep::judge(experiment, database);
  fmt::print("{}: {} rows, {} points\n", experiment.id, experiment.rows.size(), points.size());
}

// Synthesizes instead of running; what has been synthesized is kept in the cache of `warpmem
// synth`.
int run_hardware(const Options& options, const sweep::Experiment& experiment) {
  const sweep::HardwarePlan plan = sweep::read_hardware(experiment.file);
  sweep::Database database(":memory:");
  const std::vector<std::string> missing =
      sweep::measure_hardware(plan, database, options.dry_run,
                              [](const std::string& line) { fmt::print(stderr, "{}\n", line); });
  sweep::Verdict verdict = sweep::judge(experiment, database);
  verdict.missing = missing;
  if (options.dry_run) {
    fmt::print("{}: {} rows, {} points\n", experiment.id, experiment.rows.size(),
               database.points().size());
    return 0;
  }
  for (const sweep::Point& point : database.points()) {
    const sweep::RunResult result = database.result(point.run);
    if (!result.complete) continue;
    fmt::print("{:<28}", point.run);
    for (const auto& [name, value] : result.stats) fmt::print(" {} {:.5g}", name, value);
    fmt::print("\n");
  }
  fmt::print("{}", sweep::text_of(experiment, verdict));
  if (!missing.empty())
    throw UserError(fmt::format("{} is not measured: no such file: {}{}", experiment.id,
                                fmt::join(missing, ", "),
                                options.page.empty() ? "" : "; the page stays as it is"));
  if (!options.page.empty()) sweep::update_results(options.page, experiment, verdict);
  return verdict.met(experiment.band) ? 0 : 1;
}

int run(Options& options) {
  if (options.list) {
    for (const std::string& name : known_experiments()) {
      const auto e = sweep::read_experiment(file_of(name));
      fmt::print("{:<5} {:<40} {}\n", e.id, e.title, e.source);
    }
    return 0;
  }
  if (options.what.empty()) throw UserError("say which experiment; --list names them");
  const std::string file = file_of(options.what);
  const sweep::Experiment experiment = sweep::read_experiment(file);
  if (sweep::is_hardware(file)) return run_hardware(options, experiment);
  const sweep::Plan plan =
      sweep::read_plan(experiment.sweep, read_catalogue(places().workloads / "catalogue.yaml"),
                       places().workloads.string(), {"experiment"});
  if (options.dry_run) {
    check(experiment, plan);
    return 0;
  }
  fs::create_directories(options.folder);
  options.engine.output = (fs::path(options.folder) / (experiment.id + ".sqlite")).string();
  options.engine.new_plan = true;
  options.engine.resume = true;  // results belong to the simulator that made them: see run_key()
  for (const auto& entry : fs::directory_iterator(options.folder))
    if (entry.path().extension() == ".sqlite" && entry.path() != options.engine.output)
      options.engine.others.push_back(entry.path().string());
  std::sort(options.engine.others.begin(), options.engine.others.end());
  const sweep::Outcome outcome = sweep::run_plan(plan, options.engine);
  if (!outcome.not_run.empty())
    throw UserError(fmt::format(
        "{} runs have no result, for reasons of this machine; the first: {}; the same command runs "
        "them again",
        outcome.not_run.size(), outcome.not_run.front()));
  const sweep::Database database(options.engine.output, sweep::Database::Access::existing);
  const sweep::Verdict verdict = sweep::judge(experiment, database);
  fmt::print("{}", sweep::text_of(experiment, verdict));
  if (!options.page.empty()) sweep::update_results(options.page, experiment, verdict);
  fmt::print(stderr, "warpmem: {} points, {} runs, {} executed now, {} failed; {}\n",
             outcome.points, outcome.runs, outcome.executed, outcome.failed, options.engine.output);
  return outcome.failed == 0 && verdict.met(experiment.band) ? 0 : 1;
}

}  // namespace

void add_reproduce(CLI::App& app, int& status) {
  auto options = std::make_shared<Options>();
  options->engine.jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* command = app.add_subcommand(
      "reproduce",
      "measure a published result; exit status 0 when it is met, 1 when it is not, 2 when it "
      "cannot be measured");
  command->add_option("EXPERIMENT", options->what,
                      "C1, C2, ... or a file like experiments/C1.yaml");
  command->add_flag("--list", options->list, "name the experiments");
  command->add_flag("--dry-run", options->dry_run, "check the file and count its points");
  command->add_option("-j,--jobs", options->engine.jobs, "runs at a time")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command->add_flag("--retry-failed", options->engine.retry_failed, "run again what has failed");
  command
      ->add_option("-o,--out", options->folder,
                   "folder of the databases; runs found there are not repeated")
      ->capture_default_str();
  command->add_option("--page", options->page,
                      "also write DOCS/results/ID.json and DOCS/results.md in this folder DOCS");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace warpmem::app
