// SPDX-License-Identifier: Apache-2.0
// What a Module holds.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "program/ptx/ast.hpp"
#include "program/ptx/inst.hpp"
#include "program/ptx/module.hpp"

namespace warpmem::program::ptx {

/// Functions a kernel reaches by calls, by name or through pointers, and where its shared variables
/// lie.
struct Reach {
  std::vector<std::uint32_t> functions;  ///< indices into ModuleAst::functions; [0] is the kernel
  std::map<std::uint32_t, std::uint64_t> shared_offset;  ///< offset of each module variable
  std::uint64_t static_shared_bytes = 0;
};
Reach reach(const ModuleAst& ast, std::uint32_t kernel);

/// Decodes, allocates registers and links. Throws UserError for what is not supported.
std::unique_ptr<Program> build_program(const detail::ModuleData& module, std::uint32_t kernel);

namespace detail {

struct ModuleData {
  std::string text;
  std::string name;
  ModuleAst ast;
  std::vector<Entry> entries;
  std::vector<std::uint32_t> entry_function;  ///< parallel to entries
  std::vector<Variable> variables;            ///< parallel to ast.variables
  std::vector<Variable> device_variables;     ///< those in device memory
  std::vector<Addr> function_address;         ///< parallel to ast.functions; 0: not taken
  bool bound = false;
  bool early_loads = false;
  /// Filled at the first use of a kernel.
  mutable std::vector<std::unique_ptr<Program>> programs;

  const Program& program(std::size_t entry) const;
};

}  // namespace detail
}  // namespace warpmem::program::ptx
