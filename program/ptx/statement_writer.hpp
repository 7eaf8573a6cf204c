// SPDX-License-Identifier: Apache-2.0
// Writes the statements that stand for one instruction, with its guard and its line.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "program/ptx/ast.hpp"

namespace warpmem::program::ptx {

class StatementWriter {
 protected:
  /// `register_name` is what messages call the registers that are made here.
  StatementWriter(Function& function, const Statement& instruction, std::string_view register_name)
      : function_(function), instruction_(instruction), register_name_(register_name) {}

  static Operand named(Operand::Kind kind, std::uint32_t index, std::string_view text) {
    Operand o;
    o.kind = kind;
    o.index = index;
    o.text = text;
    return o;
  }
  static Operand number(std::uint64_t bits) {
    Operand o;
    o.kind = Operand::Kind::integer;
    o.bits = bits;
    return o;
  }
  static Operand at(Operand base, std::uint64_t offset = 0) {
    Operand o;
    o.kind = Operand::Kind::address;
    o.elements.push_back(std::move(base));
    o.offset = offset;
    return o;
  }
  static Operand braces(std::vector<Operand> elements) {
    Operand o;
    o.kind = Operand::Kind::vector;
    o.elements = std::move(elements);
    return o;
  }

  Operand new_register(Type type) {
    function_.registers.push_back({type, register_name_});
    return named(Operand::Kind::reg, static_cast<std::uint32_t>(function_.registers.size() - 1),
                 register_name_);
  }
  /// `opcode` must outlive the module.
  void add(std::string_view opcode, std::vector<Operand> operands) {
    Statement s = instruction_;
    s.opcode = opcode;
    s.operands = std::move(operands);
    function_.statements.push_back(std::move(s));
  }
  /// The same for what faults and traces call by the instruction's own name.
  void add_as_written(std::string_view opcode, std::vector<Operand> operands) {
    add(opcode, std::move(operands));
    function_.statements.back().written = instruction_.opcode;
  }

  Function& function_;
  const Statement& instruction_;

 private:
  std::string_view register_name_;
};

}  // namespace warpmem::program::ptx
