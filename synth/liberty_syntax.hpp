// SPDX-License-Identifier: Apache-2.0
// Syntax of liberty files: nested groups with simple and complex attributes.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warpmem::synth {

struct LibertyGroup {
  std::string kind;                    ///< "cell"
  std::vector<std::string> arguments;  ///< names in parentheses, quotes removed
  struct Attribute {
    std::string name;
    std::vector<std::string> values;  ///< one for `a : v;`, any number for `a (v, …);`
  };
  std::vector<Attribute> attributes;
  std::vector<std::unique_ptr<LibertyGroup>> groups;
  std::size_t begin = 0;  ///< place at which its text starts and ends in the file
  std::size_t end = 0;

  /// Returns the first value of the attribute; empty when there is none.
  std::string text(std::string_view name) const;
  /// Returns that value as a number; `fallback` when there is none or it is not a number.
  double number(std::string_view name, double fallback) const;
  const Attribute* find(std::string_view name) const;
};

/// Parses the text. Throws UserError with `where` and the line number when it is malformed.
std::unique_ptr<LibertyGroup> parse_liberty_syntax(std::string_view text, const std::string& where);

}  // namespace warpmem::synth
