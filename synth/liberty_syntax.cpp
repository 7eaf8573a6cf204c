// SPDX-License-Identifier: Apache-2.0
#include "synth/liberty_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/errors.hpp"

namespace warpmem::synth {
namespace {

class LibertyParser {
 public:
  LibertyParser(std::string_view text, const std::string& where) : text_(text), where_(where) {}

  std::unique_ptr<LibertyGroup> library() {
    auto top = std::make_unique<LibertyGroup>();
    while (peek() != '\0') statement(*top, 0);
    if (top->groups.size() != 1 || top->groups[0]->kind != "library") {
      throw UserError(where_ + ": not a liberty file: no library group");
    }
    return std::move(top->groups[0]);
  }

 private:
  static constexpr int kDeepest = 64;  ///< deepest nesting; real libraries need six levels

  [[noreturn]] void fail(const std::string& what) const {
    const auto line = std::count(text_.begin(), text_.begin() + static_cast<long>(at_), '\n') + 1;
    throw UserError(fmt::format("{}:{}: {}", where_, line, what));
  }

  /// Returns the next character that is neither blank, comment nor line continuation; '\0' at the
  /// end.
  char peek() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (std::isspace(static_cast<unsigned char>(c)) || c == '\\') {
        ++at_;
      } else if (text_.compare(at_, 2, "/*") == 0) {
        const auto end = text_.find("*/", at_ + 2);
        if (end == std::string_view::npos) fail("comment without end");
        at_ = end + 2;
      } else if (text_.compare(at_, 2, "//") == 0) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return c;
      }
    }
    return '\0';
  }

  void expect(char c) {
    if (peek() != c) fail(fmt::format("'{}' expected", c));
    ++at_;
  }

  /// Returns a quoted string without its quotes, or everything up to a delimiter.
  std::string value(std::string_view delimiters) {
    if (peek() == '"') {
      const auto end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) fail("string without end");
      std::string quoted(text_.substr(at_ + 1, end - at_ - 1));
      quoted.erase(std::remove_if(quoted.begin(), quoted.end(),
                                  [](char c) { return c == '\\' || c == '\n'; }),
                   quoted.end());
      at_ = end + 1;
      return quoted;
    }
    const auto end = std::min(text_.find_first_of(delimiters, at_), text_.size());
    std::string plain(text_.substr(at_, end - at_));
    at_ = end;
    while (!plain.empty() && std::isspace(static_cast<unsigned char>(plain.back()))) {
      plain.pop_back();
    }
    return plain;
  }

  void statement(LibertyGroup& parent, int depth) {
    if (depth > kDeepest) fail("groups nested too deeply");
    if (peek() == ';') {
      ++at_;
      return;
    }
    const std::size_t begin = at_;
    std::string name;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) {
      name += text_[at_++];
    }
    if (name.empty()) fail("name of an attribute or group expected");
    if (peek() == ':') {
      ++at_;
      parent.attributes.push_back({name, {value(";\n}")}});
      if (peek() == ';') ++at_;
      return;
    }
    expect('(');
    std::vector<std::string> arguments;
    while (peek() != ')') {
      arguments.push_back(value(",)"));
      if (peek() == ',') {
        ++at_;
      } else if (peek() != ')' && peek() != '"') {
        fail("',' or ')' expected");
      }
    }
    expect(')');
    if (peek() != '{') {
      if (peek() == ';') ++at_;
      parent.attributes.push_back({name, std::move(arguments)});
      return;
    }
    expect('{');
    auto group = std::make_unique<LibertyGroup>();
    group->kind = name;
    group->arguments = std::move(arguments);
    while (peek() != '}') {
      if (peek() == '\0') fail("'}' expected");
      statement(*group, depth + 1);
    }
    expect('}');
    group->begin = begin;
    group->end = at_;
    parent.groups.push_back(std::move(group));
  }

  std::string_view text_;
  const std::string& where_;
  std::size_t at_ = 0;
};

}  // namespace

const LibertyGroup::Attribute* LibertyGroup::find(std::string_view name) const {
  for (const auto& a : attributes) {
    if (a.name == name) return &a;
  }
  return nullptr;
}

std::string LibertyGroup::text(std::string_view name) const {
  const auto* a = find(name);
  return a && !a->values.empty() ? a->values[0] : std::string();
}

double LibertyGroup::number(std::string_view name, double fallback) const {
  const std::string word = text(name);
  char* rest = nullptr;
  const double number = std::strtod(word.c_str(), &rest);
  return rest == word.c_str() ? fallback : number;
}

std::unique_ptr<LibertyGroup> parse_liberty_syntax(std::string_view text,
                                                   const std::string& where) {
  return LibertyParser(text, where).library();
}

}  // namespace warpmem::synth
