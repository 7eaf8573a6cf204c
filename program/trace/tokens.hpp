// SPDX-License-Identifier: Apache-2.0
// Words and numbers of one line, without allocation.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

namespace warpmem::program::trace {

class Tokens {
 public:
  explicit Tokens(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}
  /// Returns the next word; empty at the end.
  std::string_view next() {
    while (at_ != end_ && blank(*at_)) ++at_;
    const char* begin = at_;
    while (at_ != end_ && !blank(*at_)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  /// What has not been read, without leading blanks.
  std::string_view rest() {
    while (at_ != end_ && blank(*at_)) ++at_;
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }
  static bool blank(char c) { return c == ' ' || c == '\t'; }

 private:
  const char* at_;
  const char* end_;
};

/// False unless all of `text` is a decimal number that fits.
template <class Number>
bool parse_decimal(std::string_view text, Number& value) {
  if (text.size() > 1 && text[0] == '+') text.remove_prefix(1);
  const auto r = std::from_chars(text.data(), text.data() + text.size(), value);
  return !text.empty() && r.ec == std::errc() && r.ptr == text.data() + text.size();
}

/// Parses a number in hexadecimal; "0x" is allowed.
template <class Number>
bool parse_hex(std::string_view text, Number& value) {
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    text.remove_prefix(2);
  const auto r = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return !text.empty() && text[0] != '-' && r.ec == std::errc() &&
         r.ptr == text.data() + text.size();
}

}  // namespace warpmem::program::trace
