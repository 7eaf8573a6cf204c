// SPDX-License-Identifier: Apache-2.0
#include "sweeps/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace warpmem::sweeps {

namespace {

constexpr std::chrono::milliseconds kOnTerminal(500);
constexpr std::size_t kColumns = 160;  // where the width is unknown

std::size_t columns_of_terminal() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
  return known ? size.ws_col - 1u : kColumns;
}

}  // namespace

std::string duration_text(double seconds) {
  if (seconds < 300) return fmt::format("{:.0f} s", seconds);
  if (seconds < 100 * 60) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string progress_line(const ProgressState& state, std::size_t columns) {
  std::string line = fmt::format("{}/{} runs, {} failed", state.done, state.total, state.failed);
  if (state.left) line += fmt::format(", about {} left", duration_text(*state.left));
  if (!state.running.empty()) {
    const auto longest = std::max_element(
        state.running.begin(), state.running.end(),
        [](const RunningPoint& a, const RunningPoint& b) { return a.seconds < b.seconds; });
    line += fmt::format("; now: {} ({}, {} MiB)", longest->name, duration_text(longest->seconds),
                        longest->bytes >> 20);
    if (state.running.size() > 1) line += fmt::format(" and {} more", state.running.size() - 1);
  }
  return line.substr(0, columns);
}

Progress::Progress(std::chrono::seconds period)
    : terminal_(isatty(STDERR_FILENO) != 0),
      period_(terminal_ ? kOnTerminal : std::chrono::milliseconds(period)),
      next_(std::chrono::steady_clock::now() + period_) {}

Progress::~Progress() {
  if (shown_ && terminal_) fmt::print(stderr, "\r\033[K");
}

bool Progress::due() const {
  return period_.count() != 0 && std::chrono::steady_clock::now() >= next_;
}

void Progress::show(const ProgressState& state) {
  next_ = std::chrono::steady_clock::now() + period_;
  if (terminal_)
    fmt::print(stderr, "\r\033[K{}", progress_line(state, columns_of_terminal()));
  else
    fmt::print(stderr, "{}\n", progress_line(state, kColumns));
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace warpmem::sweeps
