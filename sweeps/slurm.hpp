// SPDX-License-Identifier: Apache-2.0
// A sweep on a cluster that Slurm runs. A job array has one task a shard; each writes its own
// database in the shards' folder, on a file system that all nodes share. A second job puts them
// together when the array has ended, in whatever way.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "sweeps/engine.hpp"

namespace warpmem::sweeps {

struct SlurmOptions {
  std::string partition;             ///< empty: the cluster's default
  std::string time;                  ///< limit of a task, as sbatch takes it; empty: the default
  unsigned array_size = 0;           ///< tasks; 0: one a run, 100 at most
  std::vector<std::string> options;  ///< further ones of sbatch
};

struct Submission {
  std::size_t points = 0, runs = 0;
  std::size_t missing = 0;     ///< runs that were submitted
  std::size_t tasks = 0;       ///< tasks that were submitted
  std::string job, merge_job;  ///< their numbers; empty: nothing was missing
};

/// A job array that was submitted for a sweep.
struct SubmittedJob {
  std::string job, merge_job;
  unsigned count = 0;  ///< shards
};

/// Submits what is missing of the plan. Throws UserError when Slurm is not installed or refuses the
/// job, when the sweep has begun and is not to be resumed, and while an earlier job of it is alive.
Submission submit(const Plan& plan, const EngineOptions& engine, const SlurmOptions& options);

/// Returns the last job that was submitted for the results in `output`.
std::optional<SubmittedJob> submitted_job(const std::string& output);

/// Returns how many tasks of a job are in which state, e.g. "2 PENDING, 4 RUNNING"; empty: none.
/// Throws UserError when Slurm is not installed or does not answer.
std::string job_state(const SubmittedJob& job);

}  // namespace warpmem::sweeps
