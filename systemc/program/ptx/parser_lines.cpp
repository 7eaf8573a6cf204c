// SPDX-License-Identifier: Apache-2.0
// Directives that tell which line of the source an instruction comes from.
#include "program/ptx/parser.hpp"

namespace warpmem::program::ptx {
namespace {

/// Headers that no user wrote: warpmem's own, by the name that the compile driver gives their
/// folder, and clang's.
bool is_builtin_header(std::string_view path) {
  constexpr std::string_view kOwn = "/<warpmem>/", kClang = "__clang_";
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return path.substr(0, kOwn.size()) == kOwn || name.substr(0, kClang.size()) == kClang;
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
      module_.files[number] = std::string(token_.text.substr(token_.text.rfind('/') + 1));
  }
  while (token_.kind != TokenKind::end && token_.line == line) advance();
}

// What was inlined from files without a name (builtin headers) counts as the line that stands
// before it; .file may come after the code.
void Parser::attribute_lines() {
  for (Function& f : module_.functions) {
    SourceLine last;
    for (Statement& s : f.statements) {
      if (module_.files.count(s.source.file) != 0) last = s.source;
      s.source = last;
    }
  }
}

// .loc FILE LINE COLUMN ...: of what follows; line 0 is code of no line, left to the one before
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
