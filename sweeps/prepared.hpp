// SPDX-License-Identifier: Apache-2.0
// A plan whose programs are there, so that each of its runs has a key.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "sweeps/database.hpp"
#include "sweeps/plan.hpp"

namespace warpmem::sweeps {

/// This is what is executed for a workload.
struct Program {
  std::string path;
  std::string hash;
  bool trace = false;
};

struct PreparedPlan {
  std::map<std::string, Program> programs;  ///< by the path in the plan
  std::vector<Point> points;                ///< one for each run of the plan
  std::string hash;                         ///< of all points: equal plans have equal hashes
};

/// Returns the key of a run, which covers everything that decides its results, and what it keeps of
/// them.
std::string run_key(const PlannedRun& run, const std::string& program_hash,
                    const std::string& simulator_hash);

/// Compiles the sources of the plan into `folder`, or takes the programs that the file `made` lists
/// (empty: none), and computes the keys. Throws UserError for a program that cannot be compiled.
PreparedPlan prepare(const Plan& plan, const std::filesystem::path& folder,
                     const std::filesystem::path& made = {});

/// Writes the list of programs that `made` is.
void write_programs(const PreparedPlan& prepared, const std::filesystem::path& file);

/// Returns a point's name for people: "bfs scheme=dl".
std::string name_of(const Point& point);

}  // namespace warpmem::sweeps
