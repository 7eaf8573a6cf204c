// SPDX-License-Identifier: Apache-2.0
// Calls in the parsed module: their parts, and which functions a call through a pointer may enter.
#include "program/ptx/parser.hpp"

namespace warpmem::program::ptx {

CallParts call_parts(const Statement& statement) {
  // call (results), callee, (arguments), prototype: all but the callee optional
  CallParts parts;
  const auto& operands = statement.operands;
  std::size_t at = 0;
  if (at < operands.size() && operands[at].kind == Operand::Kind::list)
    parts.results = &operands[at++];
  if (at < operands.size()) parts.callee = &operands[at++];
  if (at < operands.size() && operands[at].kind == Operand::Kind::list)
    parts.arguments = &operands[at++];
  // A prototype says no more than the arguments do; a list of targets is a promise.
  if (parts.indirect() && at < operands.size() && operands[at].kind == Operand::Kind::name) ++at;
  parts.whole = parts.callee != nullptr && at == operands.size();
  return parts;
}

bool may_enter(const Function& caller, const CallParts& call, const Function& target) {
  if (!target.has_address || target.entry) return false;
  const auto fits = [&](const Operand* given, const std::vector<std::uint32_t>& formals) {
    if ((given != nullptr ? given->elements.size() : 0) != formals.size()) return false;
    for (std::size_t i = 0; i < formals.size(); ++i) {
      const Operand& o = given->elements[i];
      if (o.kind != Operand::Kind::variable ||
          caller.variables[o.index].bytes != target.variables[formals[i]].bytes)
        return false;
    }
    return true;
  };
  return fits(call.arguments, target.parameters) && fits(call.results, target.results);
}

void Parser::mark_addresses() {
  const auto mark = [&](const std::string& name) {
    const auto f = module_.function_index.find(name);
    if (f != module_.function_index.end()) module_.functions[f->second].has_address = true;
  };
  for (const VariableDecl& v : module_.variables)
    for (const Initialiser& value : v.values)
      if (!value.symbol.empty()) mark(value.symbol);
  for (const Function& f : module_.functions)
    for (const Statement& s : f.statements) {
      if (s.opcode.substr(0, 3) != "mov") continue;
      for (const Operand& o : s.operands)
        if (o.kind == Operand::Kind::name) mark(std::string(o.text));
    }
}

}  // namespace warpmem::program::ptx
