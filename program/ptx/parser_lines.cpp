// SPDX-License-Identifier: Apache-2.0
// Directives that tell which line of the source an instruction comes from.
#include <algorithm>

#include "base/text.hpp"
#include "program/ptx/parser.hpp"

namespace warpmem::program::ptx {
namespace {

/// Returns whether no user wrote the header: it is warpmem's own, by the name that the compile
/// driver gives their folder, or clang's.
bool is_builtin_header(std::string_view path) {
  constexpr std::string_view kOwn = "/<warpmem>/", kClang = "__clang_";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return path.substr(0, kOwn.size()) == kOwn || name.substr(0, kClang.size()) == kClang;
}

/// Returns a string's text without the escapes that clang writes: \" \\ \n and the like, \OOO of a
/// byte.
std::string unescaped(std::string_view text) {
  constexpr std::string_view kLetters = "bfnrt", kMeanings = "\b\f\n\r\t";
  const auto octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    ++i;
    if (i + 2 < text.size() && octal(text[i]) && octal(text[i + 1]) && octal(text[i + 2])) {
      out += static_cast<char>((text[i] - '0') * 64 + (text[i + 1] - '0') * 8 + text[i + 2] - '0');
      i += 2;
    } else {
      const std::size_t letter = kLetters.find(text[i]);
      out += letter == std::string_view::npos ? text[i] : kMeanings[letter];
    }
  }
  return out;
}

}  // namespace

// .file NUMBER "name" [, time, size]
void Parser::file_directive() {
  const unsigned line = token_.line;
  advance();
  if (token_.line == line && token_.kind == TokenKind::integer) {
    const auto number = static_cast<std::uint32_t>(token_.bits);
    advance();
    const bool named = token_.line == line && token_.kind == TokenKind::string;
    if (named && !is_builtin_header(token_.text))
      module_.files[number] = as_line(unescaped(token_.text.substr(token_.text.rfind('/') + 1)));
  }
  while (token_.kind != TokenKind::end && token_.line == line) advance();
}

// What was inlined from files without a name (builtin headers) counts as the line that stands
// before it, or after it at the head of a function; .file may come after the code.
void Parser::attribute_lines() {
  for (Function& f : module_.functions) {
    const auto named = [&](const Statement& s) { return module_.files.count(s.source.file) != 0; };
    const auto first = std::find_if(f.statements.begin(), f.statements.end(), named);
    SourceLine last = first != f.statements.end() ? first->source : SourceLine();
    for (Statement& s : f.statements) {
      if (named(s)) last = s.source;
      s.source = last;
    }
  }
}

// .loc FILE LINE COLUMN ... tells of what follows; line 0 is code of no line, left to the one
// before.
void Parser::loc_directive() {
  const unsigned line = token_.line;
  std::uint64_t value[2] = {0, 0};
  unsigned n = 0;
  advance();
  for (; token_.kind != TokenKind::end && token_.line == line; advance())
    if (n < 2 && token_.kind == TokenKind::integer) value[n++] = token_.bits;
  if (value[1] != 0)
    source_ = {static_cast<std::uint32_t>(value[0]), static_cast<std::uint32_t>(value[1])};
}

}  // namespace warpmem::program::ptx
