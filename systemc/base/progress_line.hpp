// SPDX-License-Identifier: Apache-2.0
// A line on standard error that says how far a long task is: on a terminal written over twice a
// second and taken away at the end, elsewhere (a log) a line a minute.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace warpmem {

/// Returns `text` in at most `columns` columns: what is too long loses its middle. For text of one
/// byte a column.
std::string fitted(std::string_view text, std::size_t columns);

class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::size_t kColumns = 79;  ///< in the 80th some terminals begin a new line
  static constexpr std::chrono::milliseconds kOnTerminal{500};
  static constexpr std::chrono::seconds kElsewhere{60};

  /// `enabled` is whether anything is shown at all; the first line is due one interval from `now`.
  /// `elsewhere` is the interval where there is no terminal.
  explicit ProgressLine(bool enabled, Clock::time_point now = Clock::now(),
                        Clock::duration elsewhere = kElsewhere);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  /// Returns whether the next line may be shown now; cheap.
  bool due(Clock::time_point now = Clock::now()) const { return enabled_ && now >= next_; }
  /// Shows a line, whether due or not; the next one is due an interval later.
  void show(std::string_view text, Clock::time_point now = Clock::now());
  /// Takes the line away from a terminal, before something else is printed.
  void clear();

 private:
  Clock::duration interval() const;

  bool enabled_;
  bool terminal_;
  Clock::duration elsewhere_;
  bool shown_ = false;
  Clock::time_point next_;
};

}  // namespace warpmem
