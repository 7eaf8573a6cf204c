// SPDX-License-Identifier: Apache-2.0
// The results of one run: stats.json (deterministic), config.yaml (every key, resolved) and
// manifest.json (what ran, where and how long; differs from run to run). Bytes that are not UTF-8
// are written as base/text.hpp's as_utf8() does.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace warpmem::app {

struct Manifest {
  std::string command;                 ///< the command line as a shell would read it
  std::vector<std::string> arguments;  ///< arguments of the program
  std::string program;                 ///< file of the program, or the trace, that was run
  std::string program_hash;            ///< SHA-256 of it
  double wall_seconds = 0;             ///< seconds in the simulator, launches only
  double simulated_seconds = 0;
  std::uint64_t warp_instructions = 0;
  std::uint64_t cycles = 0;
  /// Files of RTL that stood in for units, with the SHA-256 of each.
  std::vector<std::pair<std::string, std::string>> own_rtl;
  std::string kernels, ctas;              ///< what was chosen to be timed; empty: everything
  std::uint64_t launches = 0;             ///< launches of the program, timed or not
  std::uint64_t functional_launches = 0;  ///< launches executed without timing
  std::uint64_t partial_launches = 0;  ///< launches of which some CTAs were executed without timing
  std::uint64_t functional_warp_instructions = 0;  ///< CTAs executed without timing, in all
  std::vector<std::string> notes;                  ///< keys that were set without effect
  std::string status = "complete";                 ///< "complete", or the error message
};

/// Names of the files that a run may write into its directory.
const std::vector<std::string>& run_directory_files();

class RunDirectory {
 public:
  /// Creates the directory, for one process at a time. Throws UserError when that fails, when
  /// another process has it, and when it is new to the run and holds results; EnvironmentError when
  /// it cannot be locked.
  RunDirectory(std::string path, bool is_new);
  ~RunDirectory();
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;
  const std::string& path() const { return path_; }
  /// Each file is written beside its name and renamed, so that no reader sees half of it.
  void write(const std::string& file, const std::string& text) const;
  void write_manifest(const Manifest& manifest) const;

 private:
  std::string path_;
  int lock_;  ///< a descriptor of the directory
};

}  // namespace warpmem::app
