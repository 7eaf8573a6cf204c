// SPDX-License-Identifier: Apache-2.0
// The characters of a C++ source that are code, for those who look for what clang does not read.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace warpmem::program::cuda {

inline bool is_space(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }
inline bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Walks a source from one character of code to the next.
class Code {
 public:
  explicit Code(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  std::size_t at() const { return at_; }
  void go_to(std::size_t at) { at_ = at; }

  /// Moves behind the character, or behind the comment, string or character literal that begins
  /// here.
  void advance() {
    if (text_.substr(at_, 2) == "//") return skip_to("\n", at_ + 2);
    if (text_.substr(at_, 2) == "/*") return skip_to("*/", at_ + 2);
    const bool after_word = at_ > 0 && is_word(text_[at_ - 1]);
    if (text_[at_] == '"') {
      if (after_word && text_[at_ - 1] == 'R') return skip_raw();
      return skip_quoted('"');
    }
    // 1'000'000 has no character in it.
    if (text_[at_] == '\'' && !after_word) return skip_quoted('\'');
    ++at_;
  }

 private:
  void skip_to(std::string_view mark, std::size_t from) {
    const std::size_t found = text_.find(mark, from);
    at_ = found == std::string_view::npos ? text_.size() : found + mark.size();
  }
  void skip_quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n'; ++at_)
      if (text_[at_] == '\\') ++at_;
    at_ = std::min(at_ + 1, text_.size());
  }
  void skip_raw() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) return go_to(text_.size());
    skip_to(")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"", open);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace warpmem::program::cuda
