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
  bool retry_failed = false;        ///< and what has failed in it
  bool new_plan = false;            ///< although its points are not all in the plan
  std::vector<std::string> others;  ///< databases whose complete runs are taken over
  std::chrono::seconds timeout{0};  ///< a run; zero: none
};

struct Outcome {
  std::size_t points = 0;
  std::size_t runs = 0;      ///< distinct
  std::size_t executed = 0;  ///< this time
  std::size_t failed = 0;    ///< of all of them
  /// Runs without a result, each with what this machine lacked: a tool, memory, room on a disk, or
  /// somebody killed them. They are not in the database.
  std::vector<std::string> not_run = {};
};

/// The key of a run: everything that decides its results.
std::string run_key(const std::string& config, const std::string& program_hash,
                    const std::vector<std::string>& arguments, const std::string& simulator_hash);

/// Throws UserError when the database exists and is not to be resumed, is damaged, holds another
/// plan or is in use by another process, and for programs that cannot be compiled. Shows its
/// progress on standard error if that is a terminal.
Outcome run_plan(const Plan& plan, const EngineOptions& options);

}  // namespace warpmem::sweeps
