// SPDX-License-Identifier: Apache-2.0
#include "sweeps/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpmem::sweeps {

std::string duration_text(double seconds) {
  if (seconds < 300) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string progress_text(const ProgressState& state) {
  std::string line = fmt::format("{}/{} runs, {} failed", state.done, state.total, state.failed);
  if (state.left) line += fmt::format(", about {} left", duration_text(*state.left));
  if (!state.running.empty()) {
    const auto longest = std::max_element(
        state.running.begin(), state.running.end(),
        [](const RunningPoint& a, const RunningPoint& b) { return a.seconds < b.seconds; });
    line += fmt::format("; now: {} ({}, {} MiB)", longest->name, duration_text(longest->seconds),
                        longest->bytes >> 20);
    std::size_t bytes = 0;
    for (const RunningPoint& point : state.running) bytes += point.bytes;
    if (state.running.size() > 1)
      line += fmt::format(" and {} more, {} MiB in all", state.running.size() - 1, bytes >> 20);
  }
  return line;
}

}  // namespace warpmem::sweeps
