// SPDX-License-Identifier: Apache-2.0
// Device code of warpmem's own, which a module gets that calls it.
#include "program/ptx/heap_library.hpp"
#include "program/ptx/parser.hpp"

namespace warpmem::program::ptx {

void Parser::add_library(std::string_view text, Library library, unsigned line) {
  std::vector<bool> before;
  for (const Function& f : module_.functions) before.push_back(f.defined);
  lexer_ = Lexer(text, file_);
  advance();
  while (token_.kind != TokenKind::end) module_item();
  for (std::size_t i = 0; i < module_.functions.size(); ++i) {
    Function& f = module_.functions[i];
    if (i < before.size() && (before[i] || !f.defined)) continue;
    f.line = line;
    f.library = library;
    for (VariableDecl& v : f.variables) v.line = line;
    for (Statement& statement : f.statements) statement.line = line;
  }
}

void Parser::add_heap_library() {
  for (const char* name : {"malloc", "free"}) {
    const auto declared = module_.function_index.find(name);
    if (declared == module_.function_index.end()) continue;
    const Function& f = module_.functions[declared->second];
    if (f.defined) continue;  // the program has its own
    // The other one may be the program's.
    return add_library(kHeapLibrary, Library::heap, f.line);
  }
}

}  // namespace warpmem::program::ptx
