// SPDX-License-Identifier: Apache-2.0
// A bounded number of programs runs at a time.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/process.hpp"

namespace warpmem::sweeps {

struct JobEnd {
  std::size_t job = 0;
  int status = 0;           ///< exit status; 128 + n when signal n ended it
  std::string not_started;  ///< why it could not be run; empty: it has run
  bool timed_out = false;
  bool given_back = false;         ///< it was ended since all jobs were to end
  std::size_t too_many_bytes = 0;  ///< memory that it had when it was killed for that; else 0
  double seconds = 0;
};

struct JobLimits {
  std::chrono::seconds time{0};  ///< zero: none
  std::size_t bytes = 0;         ///< memory of a job with all that it starts; zero: none
};

/// A job that runs now.
struct RunningJob {
  std::size_t job;
  double seconds;     ///< so long
  std::size_t bytes;  ///< its memory when that was last looked at
};

/// Runs the jobs that `next` delivers, at most `most` at a time, and calls `ended` for each when it
/// has. `next(job)` returns false when there is no more; jobs are numbered in its order. `waiting`
/// is called some times a second; when it returns false, all jobs end. What they throw ends them,
/// too, without a word. A job that goes beyond a limit is killed.
void run_jobs(unsigned most, const JobLimits& limits, const std::function<bool(Process&)>& next,
              const std::function<void(const JobEnd&)>& ended,
              const std::function<bool(const std::vector<RunningJob>&)>& waiting);

/// Returns the resident memory of all processes below this one, in bytes; pages that they share
/// count for each.
std::size_t memory_below(pid_t process);

}  // namespace warpmem::sweeps
