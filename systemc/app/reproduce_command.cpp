// SPDX-License-Identifier: Apache-2.0
// warpmem reproduce: a published result, measured.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include "app/commands.hpp"
#include "app/places.hpp"
#include "base/errors.hpp"
#include "base/nearest.hpp"
#include "sweeps/engine.hpp"
#include "sweeps/experiment.hpp"
#include "sweeps/hardware.hpp"
#include "sweeps/reference.hpp"
#include "sweeps/results_page.hpp"

namespace warpmem::app {

namespace {

namespace fs = std::filesystem;

struct ReproduceOptions {
  std::string what;
  sweeps::EngineOptions engine;
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

// Finds rows, or a reference, that name labels, workloads or axes which the runs do not have, and
// throws UserError.
std::size_t check(const sweeps::Experiment& experiment, const sweeps::Plan& plan) {
  std::vector<sweeps::Point> points;
  for (const sweeps::PlannedRun& run : plan.runs) {
    sweeps::Point point{"", run.workload, "", {}};
    for (std::size_t a = 0; a < plan.axes.size(); ++a)
      point.labels.emplace_back(plan.axes[a], run.points[a]);
    points.push_back(std::move(point));
  }
  sweeps::check_reference(experiment, points);
  sweeps::Database database(":memory:");
  database.set_points(plan.file, "", points);
  sweeps::judge(experiment, database);
  return points.size();
}

// Synthesizes instead of running. What has been synthesized is kept in the cache of `warpmem
// synth`.
int run_hardware(const ReproduceOptions& options, const sweeps::Experiment& experiment) {
  if (!experiment.reference.empty())
    throw UserError(experiment.file + ": reference: it is for experiments that run programs");
  const sweeps::HardwarePlan plan = sweeps::read_hardware(experiment.file);
  sweeps::Database database(":memory:");
  const std::vector<std::string> missing =
      sweeps::measure_hardware(plan, database, options.dry_run,
                               [](const std::string& line) { fmt::print(stderr, "{}\n", line); });
  sweeps::Verdict verdict = sweeps::judge(experiment, database);
  verdict.missing = missing;
  if (options.dry_run) {
    fmt::print("{}: {} rows, {} points\n", experiment.id, experiment.rows.size(),
               database.points().size());
    return 0;
  }
  for (const sweeps::Point& point : database.points()) {
    const sweeps::RunResult result = database.result(point.run);
    if (!result.complete) continue;
    fmt::print("{:<28}", point.run);
    for (const auto& [name, value] : result.stats) fmt::print(" {} {:.5g}", name, value);
    fmt::print("\n");
  }
  fmt::print("{}", sweeps::text_of(experiment, verdict));
  if (!missing.empty())
    throw UserError(fmt::format("{} is not measured: no such file: {}{}", experiment.id,
                                fmt::join(missing, ", "),
                                options.page.empty() ? "" : "; the page stays as it is"));
  if (!options.page.empty()) sweeps::update_results(options.page, experiment, verdict);
  return verdict.met(experiment.band) ? 0 : 1;
}

int run(ReproduceOptions& options) {
  if (options.list) {
    for (const std::string& name : known_experiments()) {
      const auto e = sweeps::read_experiment(file_of(name));
      fmt::print("{:<5} {:<40} {}\n", e.id, e.title, e.source);
    }
    return 0;
  }
  if (options.what.empty()) throw UserError("say which experiment; --list names them");
  const std::string file = file_of(options.what);
  const sweeps::Experiment experiment = sweeps::read_experiment(file);
  if (sweeps::is_hardware(file)) return run_hardware(options, experiment);
  const sweeps::Plan plan =
      sweeps::read_plan(experiment.sweep, read_catalogue(places().workloads / "catalogue.yaml"),
                        places().workloads.string(), {"experiment"});
  const std::size_t points = check(experiment, plan);
  if (options.dry_run) {
    fmt::print("{}: {} rows, {} points\n", experiment.id, experiment.rows.size(), points);
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
  const sweeps::Outcome outcome = sweeps::run_plan(plan, options.engine);
  if (!outcome.not_run.empty())
    throw UserError(fmt::format(
        "{} runs have no result, for reasons of this machine; the first: {}; the same command runs "
        "them again",
        outcome.not_run.size(), outcome.not_run.front()));
  const sweeps::Database database(options.engine.output, sweeps::Database::Access::existing);
  sweeps::Verdict verdict = sweeps::judge(experiment, database);
  if (!experiment.reference.empty())
    verdict.reference = sweeps::beside_reference(experiment, options.engine.output);
  fmt::print("{}", sweeps::text_of(experiment, verdict));
  if (!options.page.empty()) sweeps::update_results(options.page, experiment, verdict);
  fmt::print(stderr, "warpmem: {} points, {} runs, {} executed now, {} failed; {}\n",
             outcome.points, outcome.runs, outcome.executed, outcome.failed, options.engine.output);
  return outcome.failed == 0 && verdict.met(experiment.band) ? 0 : 1;
}

}  // namespace

void add_reproduce(CLI::App& app, int& status) {
  auto options = std::make_shared<ReproduceOptions>();
  options->engine.jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* command = app.add_subcommand(
      "reproduce",
      "measure a published result; exit status 0 when it is met, 1 when it is not, 2 when it "
      "cannot be measured");
  command->add_option("EXPERIMENT", options->what,
                      "C1, C2, ... or a file like experiments/C1.yaml");
  command->add_flag("--list", options->list, "name the experiments");
  command->add_flag("--dry-run", options->dry_run, "check the file and count its points");
  command
      ->add_option("-j,--jobs", options->engine.jobs, "runs at a time (default: one for each core)")
      ->check(CLI::Range(1, 256));
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
