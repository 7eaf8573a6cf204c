// SPDX-License-Identifier: Apache-2.0
// A sweep file, read and checked: which runs it asks for.
//
//   base: ../configs/gu-dlmshr.yaml     # relative to this file; without it every key's default
//   set: {check_data: false}            # applied to every run
//   observe: {per_pc: true}             # kept beside the statistics (sweeps/watched.hpp)
//   axes:                               # every point of one axis with every point of the others
//     mshr:
//       base: {}
//       dl: {l1d.mshr.kind: dl}
//   workloads:
//     - {name: atax, size: small}       # of workloads/catalogue.yaml
//     - {name: atax, args: "64"}
//     - {file: mine.cu, args: "64"}     # or a program, or a trace; relative to this file
#pragma once

#include <string>
#include <vector>

#include "app/catalogue.hpp"
#include "sweeps/watched.hpp"

namespace warpmem::sweeps {

/// A sweep has at most so many points; each is checked, which takes about a millisecond.
inline constexpr double kMostPoints = 1'000'000;

struct PlannedRun {
  std::vector<std::string> points;  ///< a label for each axis, in the order of Plan::axes
  std::string workload;  ///< what tables call it: its name, with the arguments where it comes twice
  std::string program;   ///< path of the source, program or trace
  std::vector<std::string> arguments;  ///< arguments of the program
  std::string config;                  ///< every key, resolved (YAML)
  Watched watched;                     ///< what it keeps beside its statistics
};

struct Plan {
  std::string file;
  std::vector<std::string> files;  ///< that one, its base and what that includes
  std::vector<std::string> axes;
  std::vector<PlannedRun> runs;  ///< the last axis varies fastest; workloads slowest
};

/// Reads a sweep file. `known` are the workloads that a name may mean, `folder` is where their
/// files are; `others` are top-level keys that somebody else reads. Throws UserError with every
/// problem of the file, one a line as "file:line: ...", each resulting configuration included.
Plan read_plan(const std::string& file, const std::vector<app::Workload>& known,
               const std::string& folder, const std::vector<std::string>& others = {});
/// Does the same with the text that the file is to have.
Plan plan_of(const std::string& text, const std::string& file,
             const std::vector<app::Workload>& known, const std::string& folder,
             const std::vector<std::string>& others = {});

}  // namespace warpmem::sweeps
