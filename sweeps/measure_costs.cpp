// SPDX-License-Identifier: Apache-2.0
#include "sweeps/measure_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "sweeps/cost_model.hpp"

namespace warpmem::sweeps {

namespace {

struct Runs {
  double log_seconds = 0;  ///< sum
  unsigned times = 0;
};

/// Returns what is known in the folder, by CostModel::program().
std::map<std::string, Runs> runs_in(const std::string& folder) {
  std::map<std::string, Runs> known;
  for (const std::string& file : databases_in(folder))
    Database(file, Database::Access::existing).visit_costs([&](const RunCost& run) {
      const double seconds = run.cpu_seconds > 0 ? run.cpu_seconds : run.seconds;
      if (seconds <= 0) return;
      Runs& runs = known[CostModel::program(run.workload, run.arguments)];
      runs.log_seconds += std::log(seconds);
      ++runs.times;
    });
  return known;
}

std::string arguments_of(const PlannedRun& run) {
  return fmt::format("{}", fmt::join(run.arguments, " "));
}

std::string program_of(const PlannedRun& run) {
  return CostModel::program(run.workload, arguments_of(run));
}

/// Returns the runs of which each stands for all of its program with these arguments.
Plan one_of_each(const std::vector<LoadedExperiment>& loaded) {
  struct Asked {
    const PlannedRun* run;
    unsigned times;
  };
  // Configurations in the order in which they come, so that equal ones give the first.
  std::map<std::pair<std::string, std::vector<std::string>>, std::vector<Asked>> programs;
  for (const LoadedExperiment& one : loaded) {
    if (!one.plan) continue;
    for (const PlannedRun& run : one.plan->runs) {
      std::vector<Asked>& asked = programs[{run.program, run.arguments}];
      const auto same = std::find_if(asked.begin(), asked.end(), [&](const Asked& other) {
        return other.run->config == run.config;
      });
      if (same == asked.end())
        asked.push_back({&run, 1});
      else
        ++same->times;
    }
  }
  Plan plan;
  plan.file = "costs of programs";
  for (const auto& [program, asked] : programs) {
    const auto most =
        std::max_element(asked.begin(), asked.end(),
                         [](const Asked& a, const Asked& b) { return a.times < b.times; });
    PlannedRun run = *most->run;
    run.points.clear();
    run.watched = {};
    plan.runs.push_back(std::move(run));
  }
  return plan;
}

}  // namespace

MeasuredCosts measure_costs(const std::vector<LoadedExperiment>& loaded, const std::string& folder,
                            EngineOptions options) {
  const Plan all = one_of_each(loaded);
  std::map<std::string, Runs> known = runs_in(folder);
  Plan plan = all;
  plan.runs.erase(
      std::remove_if(plan.runs.begin(), plan.runs.end(),
                     [&](const PlannedRun& run) { return known.count(program_of(run)) != 0; }),
      plan.runs.end());
  MeasuredCosts measured;
  if (!plan.runs.empty()) {
    options.resume = true;
    measured.outcome = run_in(folder, "costs", plan, options);
    known = runs_in(folder);
  }
  std::set<std::string> rows;
  for (const PlannedRun& run : all.runs) {
    const auto found = known.find(program_of(run));
    if (found == known.end() || !rows.insert(found->first).second) continue;
    const std::string arguments = arguments_of(run);
    measured.costs.push_back({CostModel::bare_name(run.workload, arguments), arguments,
                              std::exp(found->second.log_seconds / found->second.times)});
  }
  return measured;
}

}  // namespace warpmem::sweeps
