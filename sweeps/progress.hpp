// SPDX-License-Identifier: Apache-2.0
// What a sweep says while it runs, on standard error: one line that changes on a terminal, else a
// line now and then.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace warpmem::sweeps {

struct RunningPoint {
  std::string name;
  double seconds;     ///< so long it has run
  std::size_t bytes;  ///< memory that it has now
};

struct ProgressState {
  std::size_t total, done, failed;  ///< runs
  std::optional<double> left;       ///< seconds, estimated
  std::vector<RunningPoint> running;
};

/// Returns a line like "12/100 runs, 1 failed, about 6 min left; now: bfs scheme=dl (35 s, 210 MiB)
/// and 1 more", of at most `columns`, with the point that has run longest.
std::string progress_line(const ProgressState& state, std::size_t columns);

/// Returns a text like "35 s", "12 min" or "3.4 h".
std::string duration_text(double seconds);

class Progress {
 public:
  /// `period` is the time between two lines where standard error is no terminal; zero: no lines.
  explicit Progress(std::chrono::seconds period);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Returns whether it is time to show something, which costs something to find out.
  bool due() const;
  void show(const ProgressState& state);

 private:
  const bool terminal_;
  const std::chrono::milliseconds period_;
  std::chrono::steady_clock::time_point next_;
  bool shown_ = false;
};

}  // namespace warpmem::sweeps
