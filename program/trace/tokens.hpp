// SPDX-License-Identifier: Apache-2.0
// Words and numbers of one line, without allocation. These functions are the inner loop of reading
// a trace; left to itself the compiler calls them.
#pragma once

#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>

namespace warpmem::program::trace {

class Tokens {
 public:
  explicit Tokens(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}
  /// Returns the next word; empty at the end.
  [[gnu::always_inline]] std::string_view next() {
    while (at_ != end_ && blank(*at_)) ++at_;
    const char* begin = at_;
    while (at_ != end_ && !blank(*at_)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  /// What has not been read, without leading blanks.
  [[gnu::always_inline]] std::string_view rest() {
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

/// The value of each character as a hexadecimal digit; 16 for those that are none.
inline constexpr std::array<std::uint8_t, 256> kHexDigits = [] {
  std::array<std::uint8_t, 256> digits{};
  for (auto& digit : digits) digit = 16;
  for (unsigned i = 0; i < 10; ++i) digits['0' + i] = static_cast<std::uint8_t>(i);
  for (unsigned i = 0; i < 6; ++i)
    digits['a' + i] = digits['A' + i] = static_cast<std::uint8_t>(10 + i);
  return digits;
}();

/// Parses an unsigned number in hexadecimal; "0x" is allowed. A trace has hardly anything else, and
/// std::from_chars took a quarter of the time.
template <class Number>
[[gnu::always_inline]] inline bool parse_hex(std::string_view text, Number& value) {
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
    text.remove_prefix(2);
  Number parsed = 0;
  for (const char c : text) {
    const unsigned digit = kHexDigits[static_cast<unsigned char>(c)];
    if (digit > 15 || parsed >> (8 * sizeof(Number) - 4) != 0) return false;
    parsed = parsed << 4 | digit;
  }
  if (!text.empty()) value = parsed;
  return !text.empty();
}

}  // namespace warpmem::program::trace
