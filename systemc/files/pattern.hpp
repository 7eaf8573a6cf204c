// SPDX-License-Identifier: Apache-2.0
// Regular expressions. <regex> is a template that takes seconds to compile wherever it is used, so
// it is used here only.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace warpmem {

/// This is an expression in the syntax of ECMAScript.
class Pattern {
 public:
  /// Throws std::exception for what is no expression.
  explicit Pattern(const std::string& expression);
  ~Pattern();

  /// Returns whether the text as a whole matches.
  bool matches(const std::string& text) const;
  /// Returns the first match, and after it the text of each group; nothing where none matches.
  std::vector<std::string> first_in(const std::string& text) const;
  /// Returns the text with `replacement` in the place of each match.
  std::string replaced(const std::string& text, const std::string& replacement) const;

 private:
  struct Engine;
  std::unique_ptr<const Engine> engine_;
};

}  // namespace warpmem
