// SPDX-License-Identifier: Apache-2.0
#include "sweeps/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "app/places.hpp"
#include "base/errors.hpp"
#include "sweeps/cost_model.hpp"
#include "sweeps/lock.hpp"
#include "sweeps/measure.hpp"
#include "sweeps/reference.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;

std::vector<Point> points_of(const Plan& plan) {
  std::vector<Point> points;
  for (const PlannedRun& run : plan.runs) {
    Point point{"", run.workload, fmt::format("{}", fmt::join(run.arguments, " ")), {}};
    for (std::size_t a = 0; a < plan.axes.size(); ++a)
      point.labels.emplace_back(plan.axes[a], run.points[a]);
    points.push_back(std::move(point));
  }
  return points;
}

void require_results(const Outcome& outcome) {
  if (outcome.not_run.empty()) return;
  throw UserError(fmt::format(
      "{} runs have no result, for reasons of this machine; the first: {}; the same command, with "
      "--resume where it is for several experiments, runs them again",
      outcome.not_run.size(), outcome.not_run.front()));
}

/// The same for all experiments, and as long to read as one of them.
const std::vector<app::Workload>& catalogue() {
  static const std::vector<app::Workload> workloads =
      app::read_catalogue((app::places().workloads / "catalogue.yaml").string());
  return workloads;
}

/// Returns one plan of all runs, in the order of the experiments.
Plan joint_plan(const std::vector<LoadedExperiment>& loaded) {
  Plan joint;
  joint.file = "several experiments";
  joint.axes = {"experiment", "point"};
  for (const LoadedExperiment& one : loaded) {
    if (!one.plan) continue;
    for (PlannedRun run : one.plan->runs) {
      run.points = {one.experiment.id, fmt::format("{}", fmt::join(run.points, ","))};
      joint.runs.push_back(std::move(run));
    }
  }
  return joint;
}

/// Writes the database of one experiment from that of all, where its points begin at `first`.
void fill_database(const LoadedExperiment& one, const std::string& folder, const Database& all,
                   const std::vector<Point>& all_points, std::size_t first) {
  const std::string file = database_of(folder, one.experiment.id);
  DatabaseLock lock(file);
  Database own(file);
  std::vector<Point> points = points_of(*one.plan);
  for (std::size_t i = 0; i < points.size(); ++i) points[i].run = all_points[first + i].run;
  const std::map<std::string, bool> ended = own.ended();
  for (const Point& point : points) {
    const auto known = ended.find(point.run);
    if (known != ended.end() && known->second) continue;
    if (known != ended.end()) own.forget(point.run);
    own.store(all.result(point.run), all.details(point.run));
  }
  own.set_points(one.plan->file, all.fact("warpmem"), points);
  lock.keep();
}

/// Returns whether the experiment's reference stands beside this point.
bool referenced(const Experiment& experiment, const Point& point) {
  const auto has = [&](const auto& wanted) {
    return std::find(point.labels.begin(), point.labels.end(),
                     std::pair<std::string, std::string>(wanted)) != point.labels.end();
  };
  return !experiment.reference.empty() &&
         std::all_of(experiment.reference_point.begin(), experiment.reference_point.end(), has);
}

/// Leaves in the plan what the experiment needs: several share a sweep, and the axes of one give
/// points that no row compares.
void keep_needed(const Experiment& experiment, const std::vector<Point>& points,
                 const Database& database, Plan& plan) {
  const std::vector<bool> asked = asked_for(experiment, database);
  std::vector<PlannedRun> needed;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (asked[i] || referenced(experiment, points[i])) needed.push_back(std::move(plan.runs[i]));
  plan.runs = std::move(needed);
}

}  // namespace

LoadedExperiment load_experiment(const std::string& file) {
  LoadedExperiment loaded;
  loaded.experiment = read_experiment(file);
  Database database(":memory:");
  if (is_hardware(file)) {
    if (!loaded.experiment.reference.empty())
      throw UserError(file + ": reference: it is for experiments that run programs");
    loaded.hardware = read_hardware(file);
    measure_hardware(*loaded.hardware, database, true, [](const std::string&) {});
    measure(loaded.experiment, database);
    loaded.points = database.points().size();
  } else {
    loaded.plan = read_plan(loaded.experiment.sweep, catalogue(), app::places().workloads.string(),
                            {"experiment"});
    const std::vector<Point> points = points_of(*loaded.plan);
    check_reference(loaded.experiment, points);
    database.set_points(loaded.plan->file, "", points);
    keep_needed(loaded.experiment, points, database, *loaded.plan);
    loaded.points = loaded.plan->runs.size();
  }
  return loaded;
}

std::string database_of(const std::string& folder, const std::string& id) {
  return (fs::path(folder) / (id + ".sqlite")).string();
}

std::vector<std::string> databases_in(const std::string& folder) {
  std::vector<std::string> files;
  if (!fs::is_directory(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".sqlite" && has_content(entry.path()))
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

Outcome run_in(const std::string& folder, const std::string& id, const Plan& plan,
               EngineOptions options) {
  fs::create_directories(folder);
  options.output = database_of(folder, id);
  options.new_plan = true;
  options.others = databases_in(folder);
  options.others.erase(std::remove(options.others.begin(), options.others.end(), options.output),
                       options.others.end());
  const Outcome outcome = run_plan(plan, options);
  require_results(outcome);
  return outcome;
}

Outcome run_experiment(const LoadedExperiment& loaded, const std::string& folder,
                       EngineOptions options) {
  options.resume = true;  // results belong to the simulator that made them: see run_key()
  return run_in(folder, loaded.experiment.id, *loaded.plan, options);
}

Outcome run_experiments(const std::vector<LoadedExperiment>& loaded, const std::string& folder,
                        const EngineOptions& options) {
  const Plan joint = joint_plan(loaded);
  if (joint.runs.empty()) return {};
  const Outcome outcome = run_in(folder, "all", joint, options);
  const Database all(database_of(folder, "all"), Database::Access::existing);
  const std::vector<Point> points = all.points();
  std::size_t first = 0;
  for (const LoadedExperiment& one : loaded) {
    if (!one.plan) continue;
    fill_database(one, folder, all, points, first);
    first += one.plan->runs.size();
  }
  return outcome;
}

Verdict judge_runs(const LoadedExperiment& loaded, const std::string& folder) {
  const std::string file = database_of(folder, loaded.experiment.id);
  const Database database(file, Database::Access::existing);
  Verdict verdict = judge(loaded.experiment, measure(loaded.experiment, database));
  if (!loaded.experiment.reference.empty())
    verdict.reference = beside_reference(loaded.experiment, file);
  return verdict;
}

Verdict judge_hardware(const LoadedExperiment& loaded,
                       const std::function<void(const std::string& line)>& progress,
                       const std::function<void(const std::string& line)>& result) {
  Database database(":memory:");
  const std::vector<std::string> missing =
      measure_hardware(*loaded.hardware, database, false, progress);
  Verdict verdict = judge(loaded.experiment, measure(loaded.experiment, database));
  verdict.missing = missing;
  if (!missing.empty()) verdict.standing = Standing::not_measured;
  for (const Point& point : database.points()) {
    const RunResult run = database.result(point.run);
    if (!run.complete) continue;
    std::string line = fmt::format("{:<28}", point.run);
    for (const auto& [name, value] : run.stats) line += fmt::format(" {} {:.5g}", name, value);
    result(line);
  }
  return verdict;
}

EstimatedTime estimated_time(const std::vector<const LoadedExperiment*>& loaded,
                             const std::string& folder) {
  CostModel model;
  model.learn(read_stored_costs(stored_costs_file()));
  for (const std::string& file : databases_in(folder))
    model.learn(Database(file, Database::Access::existing));
  std::set<std::tuple<std::string, std::vector<std::string>, std::string>> seen;
  EstimatedTime time;
  for (const LoadedExperiment* one : loaded) {
    if (!one->plan) continue;
    for (const PlannedRun& run : one->plan->runs) {
      if (!seen.emplace(run.program, run.arguments, run.config).second) continue;
      const std::string arguments = fmt::format("{}", fmt::join(run.arguments, " "));
      const auto seconds = model.estimate(CostModel::program(run.workload, arguments),
                                          CostModel::config(run.config));
      ++(seconds ? time.known : time.unknown);
      time.seconds += seconds.value_or(0);
    }
  }
  return time;
}

}  // namespace warpmem::sweeps
