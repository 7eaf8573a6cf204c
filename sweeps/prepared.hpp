// SPDX-License-Identifier: Apache-2.0
// A plan whose programs are there, so that each of its runs has a key.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "app/made_programs.hpp"
#include "sweeps/database.hpp"
#include "sweeps/plan.hpp"

namespace warpmem::sweeps {

/// This is what is executed for a workload.
struct Program {
  std::string path;  ///< empty: not compiled, since its hash is known
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

/// Takes the programs that the file `list` names (empty: none), and the hashes of those that
/// `made` knows, compiles the other sources of the plan into `folder`, and computes the keys.
/// Throws UserError for a program that cannot be compiled.
PreparedPlan prepare(const Plan& plan, const std::filesystem::path& folder,
                     const std::filesystem::path& list, app::MadePrograms& made);

/// Computes the keys again, of programs whose hashes have changed.
void set_keys(const Plan& plan, PreparedPlan& prepared);

/// Compiles a source of the plan which prepare() did not, into the same folder. Returns false when
/// the program's hash has changed, as of a source that has the time in it.
bool compile_known(PreparedPlan& prepared, const std::string& source,
                   const std::filesystem::path& folder, app::MadePrograms& made);

/// Prepares a plan whose programs stay in `folder`, with the list of them that prepare() reads: it
/// compiles those that an earlier call has not left there, and those whose sources have changed.
/// Throws UserError for a program that cannot be compiled.
PreparedPlan prepare_kept(const Plan& plan, const std::filesystem::path& folder);
/// Returns the path of that list.
std::filesystem::path list_of_programs(const std::filesystem::path& folder);

/// Returns a point's name for people: "bfs scheme=dl".
std::string name_of(const Point& point);

}  // namespace warpmem::sweeps
