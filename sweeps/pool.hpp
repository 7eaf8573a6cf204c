// SPDX-License-Identifier: Apache-2.0
// A bounded number of programs runs at a time.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "base/process.hpp"

namespace warpmem::sweeps {

struct JobEnd {
  std::size_t job = 0;
  int status = 0;           ///< exit status; 128 + n when signal n ended it
  std::string not_started;  ///< why it could not be run; empty: it has run
  bool timed_out = false;
  double seconds = 0;
};

/// Runs the jobs that `next` delivers, at most `most` at a time, and calls `ended` for each when it
/// has. `next(job)` returns false when there is no more; jobs are numbered in its order. `waiting`
/// is called some times a second. A job that takes longer than `timeout` is killed (zero: never).
void run_jobs(unsigned most, std::chrono::seconds timeout,
              const std::function<bool(Process&)>& next,
              const std::function<void(const JobEnd&)>& ended,
              const std::function<void()>& waiting);

}  // namespace warpmem::sweeps
