// SPDX-License-Identifier: Apache-2.0
#include "files/pattern.hpp"

#include <regex>

namespace warpmem {

struct Pattern::Engine {
  std::regex regex;
};

Pattern::Pattern(const std::string& expression)
    : engine_(std::make_unique<Engine>(Engine{std::regex(expression)})) {}

Pattern::~Pattern() = default;

bool Pattern::matches(const std::string& text) const {
  return std::regex_match(text, engine_->regex);
}

std::vector<std::string> Pattern::first_in(const std::string& text) const {
  std::smatch match;
  std::regex_search(text, match, engine_->regex);
  return {match.begin(), match.end()};
}

std::string Pattern::replaced(const std::string& text, const std::string& replacement) const {
  return std::regex_replace(text, engine_->regex, replacement);
}

}  // namespace warpmem
