// SPDX-License-Identifier: Apache-2.0
#include "program/ptx/lexer.hpp"

#include <charconv>
#include <cstring>
#include <system_error>

#include "base/errors.hpp"

namespace warpmem::program::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool starts_name(char c) { return is_letter(c) || c == '_' || c == '$' || c == '%' || c == '.'; }
bool continues_name(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '.';
}

/// Returns the value of a digit in bases up to 16, or 99.
unsigned digit_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<unsigned>(c - 'A') + 10;
  return 99;
}

}  // namespace

void Lexer::fail(const std::string& what) const {
  throw UserError(*file_ + ":" + std::to_string(line_) + ": " + what);
}

void Lexer::skip_blanks() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c == '\n') {
      ++line_;
      ++at_;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++at_;
    } else if (text_.substr(at_, 2) == "//") {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (text_.substr(at_, 2) == "/*") {
      const std::size_t close = text_.find("*/", at_ + 2);
      if (close == std::string_view::npos) fail("comment without an end");
      for (; at_ < close + 2; ++at_)
        if (text_[at_] == '\n') ++line_;
    } else {
      return;
    }
  }
}

Token Lexer::number() {
  Token token;
  token.line = line_;
  const std::size_t begin = at_;
  const auto done = [&](TokenKind kind, std::uint64_t bits) {
    token.kind = kind;
    token.text = text_.substr(begin, at_ - begin);
    token.bits = bits;
    if (at_ < text_.size() && continues_name(text_[at_]) && text_[at_] != '.')
      fail("malformed number `" + std::string(text_.substr(begin, at_ + 1 - begin)) + "`");
    return token;
  };
  const auto digits = [&](unsigned base, unsigned at_most) {
    std::uint64_t value = 0;
    unsigned count = 0;
    while (at_ < text_.size() && digit_value(text_[at_]) < base) {
      const unsigned d = digit_value(text_[at_]);
      if (value > (~std::uint64_t(0) - d) / base) fail("integer does not fit in 64 bits");
      value = value * base + d;
      ++at_;
      ++count;
    }
    if (count == 0 || (at_most != 0 && count != at_most)) fail("malformed number");
    return value;
  };
  const char second = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
  if (text_[at_] == '0' && (second == 'f' || second == 'F')) {
    at_ += 2;
    return done(TokenKind::float32, digits(16, 8));
  }
  if (text_[at_] == '0' && (second == 'd' || second == 'D')) {
    at_ += 2;
    return done(TokenKind::float64, digits(16, 16));
  }
  unsigned base = 10;
  if (text_[at_] == '0' && (second == 'x' || second == 'X')) {
    base = 16;
    at_ += 2;
  } else if (text_[at_] == '0' && (second == 'b' || second == 'B')) {
    base = 2;
    at_ += 2;
  } else {
    std::size_t end = at_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    const bool fraction = end < text_.size() && text_[end] == '.';
    const bool exponent = end < text_.size() && (text_[end] == 'e' || text_[end] == 'E');
    if (fraction || exponent) {
      if (fraction) ++end;
      while (end < text_.size() && is_digit(text_[end])) ++end;
      if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
        ++end;
        if (end < text_.size() && (text_[end] == '+' || text_[end] == '-')) ++end;
        while (end < text_.size() && is_digit(text_[end])) ++end;
      }
      // Not strtod: the program whose process this is may have set a locale with decimal commas.
      double value = 0;
      const char* const last = text_.data() + end;
      const auto [stop, error] = std::from_chars(text_.data() + at_, last, value);
      if (error == std::errc::result_out_of_range) fail("number does not fit in 64 bits");
      if (stop != last) fail("malformed number");
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      at_ = end;
      return done(TokenKind::float64, bits);
    }
    if (text_[at_] == '0' && is_digit(second)) base = 8;
  }
  const std::uint64_t value = digits(base, 0);
  if (at_ < text_.size() && text_[at_] == 'U') ++at_;
  return done(TokenKind::integer, value);
}

Token Lexer::next() {
  skip_blanks();
  Token token;
  token.line = line_;
  if (at_ >= text_.size()) return token;
  const char c = text_[at_];
  if (is_digit(c)) return number();
  const std::size_t begin = at_;
  if (starts_name(c)) {
    ++at_;
    for (;;) {
      while (at_ < text_.size() && continues_name(text_[at_])) ++at_;
      // Modifiers have parts: .shared::cta, .L2::128B.
      if (at_ + 2 >= text_.size() || text_.substr(at_, 2) != "::" ||
          !continues_name(text_[at_ + 2]))
        break;
      at_ += 2;
    }
    token.kind = TokenKind::identifier;
    token.text = text_.substr(begin, at_ - begin);
    return token;
  }
  if (c == '"') {
    // A backslash and what it escapes stay in the token's text.
    std::size_t close = at_ + 1;
    while (close < text_.size() && text_[close] != '"' && text_[close] != '\n')
      close += text_[close] == '\\' ? 2 : 1;
    if (close >= text_.size() || text_[close] != '"') fail("string without an end");
    token.kind = TokenKind::string;
    token.text = text_.substr(begin + 1, close - begin - 1);
    at_ = close + 1;
    return token;
  }
  if (std::strchr("{}()[]<>,;:=+-*/|@!&^~?", c) == nullptr || c == '\0') {
    const bool printable = c > 32 && c < 127;
    fail(printable ? std::string("unexpected character `") + c + "`"
                   : "unexpected byte (not PTX text?)");
  }
  ++at_;
  token.kind = TokenKind::symbol;
  token.text = text_.substr(begin, 1);
  return token;
}

}  // namespace warpmem::program::ptx
