// SPDX-License-Identifier: Apache-2.0
// Shards of a sweep put together, and how far they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpmem::sweeps {

/// A shard that somebody works on now.
struct Worker {
  std::string shard;                ///< name of its file
  std::string host;                 ///< empty: it has not begun a run
  std::vector<std::string> points;  ///< those that run
};

struct SweepState {
  std::string plan;  ///< hash; empty: nobody has planned yet
  std::size_t points = 0;
  std::size_t runs = 0;      ///< distinct ones
  std::size_t complete = 0;  ///< of them
  std::size_t failed = 0;    ///< of them
  std::size_t twice = 0;     ///< runs that two shards have executed
  std::size_t shards = 0;    ///< files
  std::vector<Worker> workers;
  std::optional<double> left;  ///< seconds of one process for the missing runs, estimated
  std::size_t missing() const { return runs - complete - failed; }
};

/// Looks at the database `output`, if there is one, and at its shards, also while they are at work.
/// Throws UserError when there are neither, or when they are of different plans.
SweepState state_of(const std::string& output);

/// Puts all shards into `output`, or the file behind a link, which appears or changes as a whole,
/// whatever crashes; what it has it keeps.
/// Returns the state afterwards. Throws UserError when there are no shards, when they are of
/// different plans, or when a run came out differently in two of them.
SweepState merge_shards(const std::string& output);

}  // namespace warpmem::sweeps
