// SPDX-License-Identifier: Apache-2.0
// Errors that a user can cause. Everything else is an assertion.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace warpmem {

/// One message for the user: what was wrong, where, and what is allowed. The command line prints
/// it after "warpmem: error: " and exits with status 2.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The simulation contradicted itself (a conservation law, the data check, a protocol rule) or
/// stopped making progress. The command line prints it and exits with status 3.
class SimulationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Collects every problem of one input, so that a user sees all of them at once.
class Problems {
 public:
  /// `where` is a key path or file:line; `what` is a sentence that names the allowed values.
  void add(const std::string& where, const std::string& what) {
    list_.push_back(where + ": " + what);
  }
  bool empty() const { return list_.empty(); }
  const std::vector<std::string>& list() const { return list_; }
  /// Throws one UserError with a line for each problem, or does nothing when there is none.
  void throw_if_any() const {
    if (list_.empty()) return;
    std::string text;
    for (const auto& line : list_) text += (text.empty() ? "" : "\n") + line;
    throw UserError(text);
  }

 private:
  std::vector<std::string> list_;
};

}  // namespace warpmem
