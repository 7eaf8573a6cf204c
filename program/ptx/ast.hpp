// SPDX-License-Identifier: Apache-2.0
// A parsed PTX module: names resolved to registers and variables, instructions still text.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/program.hpp"
#include "program/ptx/inst.hpp"
#include "program/ptx/types.hpp"

namespace warpmem::program::ptx {

/// This is one value of an initialiser: a number, or the address of a variable plus an offset.
struct Initialiser {
  std::uint64_t bits = 0;     ///< pattern of the variable's element type, or the offset
  std::string symbol;         ///< empty: a number
  std::uint64_t element = 0;  ///< its place in the variable; elements without a value are zero
  unsigned line = 0;
};

/// This is a variable of any space: module-level, in a function, or a parameter.
struct VariableDecl {
  std::string_view name;
  Space space = Space::none;
  Type type = Type::none;
  std::uint64_t bytes = 0;
  std::uint32_t alignment = 1;
  bool external = false;  ///< .extern; for shared memory: begins at the dynamic part
  unsigned line = 0;
  std::vector<Initialiser> values;
  std::uint64_t offset = 0;  ///< offset in its parameter block, or in local memory
};

struct Operand {
  enum class Kind : std::uint8_t {
    none,
    reg,              ///< index = register; negate: `!p`
    integer,          ///< bits
    float32,          ///< bits
    float64,          ///< bits
    variable,         ///< index = variable of the function; offset
    module_variable,  ///< index = variable of the module; offset
    special,          ///< text = "%tid.x"
    name,             ///< text = label or function; offset; scope
    address,          ///< elements[0] = base (reg, variable, integer, ...), offset
    vector,           ///< elements, in braces
    list,             ///< elements, in parentheses
    sink,             ///< `_`
  };
  Kind kind = Kind::none;
  bool negate = false;
  std::uint32_t index = 0;
  std::uint32_t scope = 0;
  std::uint64_t bits = 0;
  std::uint64_t offset = 0;  ///< two's complement
  std::string_view text;
  std::vector<Operand> elements;
};

/// This is where the compiler says (.loc) an instruction comes from; line 0: it does not say.
struct SourceLine {
  std::uint32_t file = 0;  ///< number of a .file
  std::uint32_t line = 0;
};

struct Statement {
  unsigned line = 0;
  SourceLine source;
  std::string_view opcode;   ///< opcode with all its modifiers
  std::string_view written;  ///< opcode of the texture instruction that became this call
  std::string_view refusal;  ///< why this form of a known opcode is not supported
  bool guarded = false;
  bool guard_negate = false;
  std::uint32_t guard = 0;  ///< register
  std::vector<Operand> operands;
};

struct RegisterDecl {
  Type type = Type::none;
  std::string_view name;
};

struct Scope {
  std::uint32_t parent = 0;  ///< scope 0 is the function body, its own parent
  std::map<std::string_view, std::uint32_t> labels;  ///< statement that follows the label
  std::map<std::string_view, std::vector<Operand>> branch_targets;
};

struct Function {
  std::string name;
  unsigned line = 0;
  bool entry = false;
  bool defined = false;
  Library library = Library::none;  ///< of another: its faults are those of what calls it
  bool has_address = false;         ///< some `mov` or initial value takes it
  std::uint32_t max_threads = 0;
  std::optional<Dim3> cluster;
  std::vector<VariableDecl> variables;    ///< parameters, results, locals, call arguments
  std::vector<std::uint32_t> parameters;  ///< indices into variables
  std::vector<std::uint32_t> results;     ///< indices into variables
  std::vector<RegisterDecl> registers;
  std::vector<Scope> scopes{1};
  std::vector<Statement> statements;

  /// Returns the statement of a label seen from `scope`, or -1.
  std::int64_t find_label(std::string_view name, std::uint32_t scope) const;
  const std::vector<Operand>* find_branch_targets(std::string_view name, std::uint32_t scope) const;
};

struct ModuleAst {
  std::vector<VariableDecl> variables;
  std::unordered_map<std::string_view, std::uint32_t> variable_index;
  std::vector<Function> functions;
  std::unordered_map<std::string, std::uint32_t> function_index;
  std::map<std::uint32_t, std::string> files;  ///< names without folder, by number
};

/// The parts of a call.
struct CallParts {
  const Operand* results = nullptr;    ///< nullptr: none are named
  const Operand* callee = nullptr;     ///< a function's name, or a register with its address
  const Operand* arguments = nullptr;  ///< nullptr: none are named
  bool whole = false;                  ///< that is all, but for a prototype
  bool indirect() const { return callee != nullptr && callee->kind == Operand::Kind::reg; }
};
CallParts call_parts(const Statement& statement);

/// True for a function that a call through a pointer may enter: one whose address is taken, with
/// parameters and results of the sizes that the call passes.
bool may_enter(const Function& caller, const CallParts& call, const Function& target);

/// Memory that a hostile module may ask for in one variable.
inline constexpr std::uint64_t kMaxVariableBytes = std::uint64_t(1) << 36;

/// Throws UserError "file:line: ..." at the first thing that is not PTX. `text` and `file` must
/// outlive the result.
ModuleAst parse(std::string_view text, const std::string& file);

}  // namespace warpmem::program::ptx
