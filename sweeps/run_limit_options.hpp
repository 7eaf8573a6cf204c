// SPDX-License-Identifier: Apache-2.0
// The options of all commands that run many programs: limits of one run, and how often they say how
// far they are.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>

#include "sweeps/engine.hpp"

namespace warpmem::sweeps {

struct RunLimitOptions {
  long timeout = 0;    ///< seconds; 0: none
  long memory = 0;     ///< MiB; 0: none
  long progress = 60;  ///< seconds

  void apply(EngineOptions& engine) const {
    engine.limits.time = std::chrono::seconds(timeout);
    engine.limits.bytes = static_cast<std::size_t>(memory) << 20;
    engine.progress = std::chrono::seconds(progress);
  }
};

struct AddedRunLimits {
  CLI::Option *timeout, *memory, *progress;
};

inline AddedRunLimits add_run_limits(CLI::App& command, RunLimitOptions& options) {
  AddedRunLimits added{};
  added.timeout =
      command
          .add_option("--timeout", options.timeout, "seconds a run may take (default: no limit)")
          ->check(CLI::Range(1L, 1'000'000L));
  added.memory =
      command
          .add_option("--max-memory", options.memory,
                      "MiB that a run may have, with all that it starts (default: no limit)")
          ->check(CLI::Range(1L, 100'000'000L));
  added.progress =
      command
          .add_option("--progress", options.progress,
                      "seconds between lines of progress where there is no terminal; 0: none")
          ->check(CLI::Range(0L, 1'000'000L))
          ->capture_default_str();
  return added;
}

}  // namespace warpmem::sweeps
