// SPDX-License-Identifier: Apache-2.0
// Recursive-descent parser behind ptx::parse(). Declarations are in parser.cpp, statements and
// their operands in parser_statement.cpp.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "program/ptx/ast.hpp"
#include "program/ptx/lexer.hpp"

namespace warpmem::program::ptx {

struct FragmentForm;

class Parser {
 public:
  Parser(std::string_view text, const std::string& file);
  ModuleAst run();

 private:
  struct Linkage {
    bool external = false;
  };
  struct RegisterRange {
    std::uint64_t count = 0;
    Type type = Type::none;
  };
  struct Symbol {
    Operand::Kind kind = Operand::Kind::none;
    std::uint32_t index = 0;
  };
  /// These are names that one pair of braces declares.
  struct Names {
    std::uint32_t scope = 0;
    std::map<std::string_view, Symbol> symbols;
    std::map<std::string_view, RegisterRange> ranges;
  };

  // These read tokens.
  void advance();
  bool at(std::string_view word) const { return token_.is(word); }
  bool accept(std::string_view word);
  void expect(std::string_view word);
  std::string_view expect_name(const char* what);
  std::uint64_t expect_integer(const char* what);
  void skip_line();
  void file_directive();
  void loc_directive();
  void attribute_lines();
  void mark_addresses();
  void skip_to_semicolon();
  [[noreturn]] void fail(const std::string& what) const;
  [[noreturn]] void fail_here(const std::string& wanted) const;

  // These read declarations.
  void module_item();
  void skip_section();
  void function(Linkage linkage, bool entry);
  void parameter_list(Function& f, std::vector<std::uint32_t>& into);
  VariableDecl variable(Space space, Linkage linkage);
  void dimensions(std::vector<std::uint64_t>& dims, bool& open_first);
  void initialiser(VariableDecl& v, const std::vector<std::uint64_t>& dims, unsigned level,
                   std::uint64_t limit, std::uint64_t& element);
  Initialiser initial_value(Type type);
  void module_variable(Space space, Linkage linkage);
  static Space parse_space(std::string_view directive);

  // These read function bodies.
  void body();
  void register_declaration();
  void local_declaration(Space space);
  void label(std::string_view name, unsigned line);
  void statement();
  /// Writes the call that stands for a texture instruction. Returns false when it is none, or of a
  /// form that is not supported, for which Statement::refusal may give the reason.
  bool texture_call(Statement& instruction);
  /// Returns why a texture instruction with these operands is refused; empty: it is not.
  /// `further`: operands after the coordinates, of `each` numbers.
  std::string_view refuse_texture(const Statement& instruction, unsigned coordinates,
                                  unsigned further, unsigned each) const;
  /// The same for [texture, coordinates] alone.
  std::string_view refuse_texture_address(const Operand& address, unsigned coordinates) const;
  /// The same as texture_call() for suld.b and sust.b (surface_call.cpp).
  bool surface_call(Statement& instruction);
  /// The same for wmma.load, wmma.store and wmma.mma, which become ordinary instructions.
  bool fragment_operation(Statement& instruction);
  std::string_view refuse_fragments(const Statement& instruction, const FragmentForm& form) const;
  bool is_word(const Operand& o) const;
  void add_texture_library();
  void add_heap_library();
  /// Reads one of warpmem's libraries; its functions are as if they stood at `line`.
  void add_library(std::string_view text, Library library, unsigned line);
  Operand operand();
  Operand address();
  Operand list(std::string_view close, Operand::Kind kind);
  Operand number(bool negative);
  Operand named();
  Symbol lookup(std::string_view name);
  Names& names() { return names_.back(); }

  const std::string& file_;
  Lexer lexer_;
  Token token_;
  ModuleAst module_;
  Function* function_ = nullptr;
  SourceLine source_;
  std::vector<Names> names_;
  unsigned texture_line_ = 0;  ///< line of the first texture instruction, 0: none
  unsigned depth_ = 0;         ///< nesting of operands and initialisers
};

}  // namespace warpmem::program::ptx
