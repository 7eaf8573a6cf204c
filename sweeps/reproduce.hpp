// SPDX-License-Identifier: Apache-2.0
// Experiments, measured: one by one, or several whose runs are one sweep, so that what they share
// runs once and no process waits for the end of an experiment.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sweeps/engine.hpp"
#include "sweeps/experiment.hpp"
#include "sweeps/hardware.hpp"
#include "sweeps/verdict.hpp"

namespace warpmem::sweeps {

/// An experiment, read and checked, with what it runs or synthesizes.
struct LoadedExperiment {
  Experiment experiment;
  std::optional<Plan> plan;              ///< of runs
  std::optional<HardwarePlan> hardware;  ///< or of designs
  std::size_t points = 0;
};

/// Throws UserError for every mistake of the file: rows, or a reference, that name labels,
/// workloads or axes which the runs do not have.
LoadedExperiment load_experiment(const std::string& file);

/// Returns the databases of runs in the folder, sorted; none when there is no such folder.
std::vector<std::string> databases_in(const std::string& folder);

/// Returns the database of that name in the folder.
std::string database_of(const std::string& folder, const std::string& id);

/// Runs what the databases in `folder` lack of the plan, whose own is ID.sqlite. Throws UserError
/// when runs have no result for reasons of this machine.
Outcome run_in(const std::string& folder, const std::string& id, const Plan& plan,
               EngineOptions options);

/// Does that for an experiment, whose database has its id.
Outcome run_experiment(const LoadedExperiment& loaded, const std::string& folder,
                       EngineOptions options);

/// The same for several experiments at once, by way of all.sqlite.
Outcome run_experiments(const std::vector<LoadedExperiment>& loaded, const std::string& folder,
                        const EngineOptions& options);

/// Judges the runs of an experiment, which are in `folder`.
Verdict judge_runs(const LoadedExperiment& loaded, const std::string& folder);

/// Synthesizes the designs and judges them. `line` receives what is said meanwhile.
Verdict judge_hardware(const LoadedExperiment& loaded,
                       const std::function<void(const std::string& line)>& progress,
                       const std::function<void(const std::string& line)>& result);

struct EstimatedTime {
  double seconds = 0;     ///< of one process
  std::size_t known = 0;  ///< runs that it counts
  std::size_t unknown = 0;
};

/// Returns what the runs of all these experiments together take, a run that several have once, by
/// the stored costs and the times of the runs in `folder`.
EstimatedTime estimated_time(const std::vector<const LoadedExperiment*>& loaded,
                             const std::string& folder);

}  // namespace warpmem::sweeps
