// SPDX-License-Identifier: Apache-2.0
// Runs a plan, or a shard of it: programs are compiled once, points that mean the same run share
// it, the longest runs come first, results go into the database run by run. A signal that asks for
// an end loses the runs in flight and nothing else.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sweeps/database.hpp"
#include "sweeps/plan.hpp"
#include "sweeps/pool.hpp"
#include "sweeps/shard.hpp"

namespace warpmem::sweeps {

struct EngineOptions {
  std::string output;                 ///< the database
  unsigned jobs = 2;                  ///< runs at a time, 1..256
  bool resume = false;                ///< go on with an existing database: run what it lacks
  bool retry_failed = false;          ///< also run what has failed in it
  bool new_plan = false;              ///< resume it although not all its points are in the plan
  std::vector<std::string> others;    ///< databases whose complete runs are taken over
  JobLimits limits;                   ///< of one run
  std::vector<std::string> costs;     ///< databases that say how long runs take, beside the above
  std::chrono::seconds progress{60};  ///< between lines of progress where there is no terminal

  std::optional<Shard> shard;      ///< run only its part; what it finds it goes on with
  std::string plan_hash;           ///< refuse to run another plan; empty: any
  std::filesystem::path programs;  ///< list of compiled programs (sweeps/prepared.hpp)
};

struct Outcome {
  std::size_t points = 0;
  std::size_t runs = 0;      ///< distinct runs of the plan, or of the shard
  std::size_t executed = 0;  ///< runs executed this time
  std::size_t failed = 0;    ///< failed ones among all runs
  /// These runs have no result; each says what this machine lacked: a tool, memory, room on a disk,
  /// or that somebody killed it. They are not in the database.
  std::vector<std::string> not_run = {};
};

/// Throws UserError when the database exists and is not to be resumed, is damaged, holds another
/// plan or is in use by another process (a shard waits for that one), and for programs that cannot
/// be compiled; Interrupted when SIGINT, SIGTERM or SIGHUP came. Shows its progress on standard
/// error.
Outcome run_plan(const Plan& plan, const EngineOptions& options);

}  // namespace warpmem::sweeps
