// SPDX-License-Identifier: Apache-2.0
// Runs a plan: programs are compiled once, points that mean the same run share it, results go into
// the database run by run.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "sweeps/database.hpp"
#include "sweeps/plan.hpp"

namespace warpmem::sweeps {

struct EngineOptions {
  std::string output;               ///< the database
  unsigned jobs = 2;                ///< runs at a time, 1..256
  bool resume = false;              ///< go on with an existing database: run what it lacks
  bool retry_failed = false;        ///< also run what has failed in it
  bool new_plan = false;            ///< resume it although not all its points are in the plan
  std::vector<std::string> others;  ///< databases whose complete runs are taken over
  std::chrono::seconds timeout{0};  ///< limit for one run; zero: none
};

struct Outcome {
  std::size_t points = 0;
  std::size_t runs = 0;      ///< distinct runs of the plan
  std::size_t executed = 0;  ///< runs executed this time
  std::size_t failed = 0;    ///< failed ones among all runs
  /// These runs have no result; each says what this machine lacked: a tool, memory, room on a disk,
  /// or that somebody killed it. They are not in the database.
  std::vector<std::string> not_run = {};
};

/// Returns the key of a run, which covers everything that decides its results.
std::string run_key(const std::string& config, const std::string& program_hash,
                    const std::vector<std::string>& arguments, const std::string& simulator_hash);

/// Throws UserError when the database exists and is not to be resumed, is damaged, holds another
/// plan or is in use by another process, and for programs that cannot be compiled. Shows its
/// progress on standard error if that is a terminal.
Outcome run_plan(const Plan& plan, const EngineOptions& options);

}  // namespace warpmem::sweeps
