// SPDX-License-Identifier: Apache-2.0
// Splits PTX text into tokens. Identifiers keep their dots: `ld.global.f32`, `%tid.x` and `.reg`
// are one token each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpmem::program::ptx {

enum class TokenKind : std::uint8_t { end, identifier, integer, float32, float64, string, symbol };

struct Token {
  TokenKind kind = TokenKind::end;
  unsigned line = 1;
  std::string_view text;   ///< text as written; of a string the part between the quotes
  std::uint64_t bits = 0;  ///< value of a number: two's complement, or the pattern of the float
  bool is(std::string_view word) const {
    return (kind == TokenKind::symbol || kind == TokenKind::identifier) && text == word;
  }
};

class Lexer {
 public:
  /// `file` is for messages. The text must outlive the lexer and its tokens.
  Lexer(std::string_view text, const std::string& file) : text_(text), file_(&file) {}
  /// Throws UserError for a character or a number that PTX does not have.
  Token next();

 private:
  void skip_blanks();
  Token number();
  [[noreturn]] void fail(const std::string& what) const;

  std::string_view text_;
  const std::string* file_;
  std::size_t at_ = 0;
  unsigned line_ = 1;
};

}  // namespace warpmem::program::ptx
