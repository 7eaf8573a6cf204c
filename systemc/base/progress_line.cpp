// SPDX-License-Identifier: Apache-2.0
#include "base/progress_line.hpp"

#include <unistd.h>

#include <cstdio>

namespace warpmem {

std::string fitted(std::string_view text, std::size_t columns) {
  constexpr std::string_view kGap = "...";
  if (text.size() <= columns) return std::string(text);
  if (columns <= kGap.size()) return std::string(text.substr(0, columns));
  const std::size_t kept = columns - kGap.size();
  const std::size_t end = kept / 2;
  return std::string(text.substr(0, kept - end)) + std::string(kGap) +
         std::string(text.substr(text.size() - end));
}

ProgressLine::ProgressLine(bool enabled, Clock::time_point now, Clock::duration elsewhere)
    : enabled_(enabled),
      terminal_(isatty(STDERR_FILENO) != 0),
      elsewhere_(elsewhere),
      next_(now + interval()) {}

ProgressLine::Clock::duration ProgressLine::interval() const {
  return terminal_ ? Clock::duration(kOnTerminal) : elsewhere_;
}

void ProgressLine::show(std::string_view text, Clock::time_point now) {
  if (!enabled_) return;
  next_ = now + interval();
  if (terminal_) {
    std::fprintf(stderr, "\r\033[K%s", fitted(text, kColumns).c_str());
    std::fflush(stderr);
    shown_ = true;
  } else {
    std::fprintf(stderr, "warpmem: %s\n", fitted(text, kColumns - 9).c_str());
  }
}

void ProgressLine::clear() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace warpmem
