// SPDX-License-Identifier: Apache-2.0
// Turns the statements of one function into decoded instructions. Each instruction family has a
// file ops_*.cpp with its handlers and the functions that choose among them; this is what they
// share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/ptx/inst.hpp"
#include "program/ptx/lanes.hpp"
#include "program/ptx/module_data.hpp"

namespace warpmem::program::ptx {

/// A register that an instruction names; resolved to a place once registers are allocated.
struct RegisterUse {
  static constexpr std::uint8_t kGuardSlot = Inst::kRefs;
  std::uint32_t inst = 0;
  std::uint32_t reg = 0;
  std::uint8_t slot = 0;
  bool def = false;
};

/// This is one function on its way into a program.
struct LoweredFunction {
  std::vector<Inst> code;
  std::vector<InstInfo> infos;
  std::vector<std::string_view> spelling;
  std::vector<std::uint32_t> source_file;
  std::vector<bool> reads_clock;  ///< parallel to code
  std::vector<RegisterUse> uses;  ///< uses of each instruction
  std::vector<Type> registers;
  std::vector<std::uint32_t> first_inst;       ///< first instruction of each statement
  std::vector<std::uint64_t> variable_offset;  ///< parallel to Function::variables
  std::uint64_t parameter_bytes = 0;           ///< bytes of the frame's own area
  std::uint64_t local_bytes = 0;
};

/// The statement being lowered and everything it may ask for.
class Lowering {
 public:
  Lowering(const detail::ModuleData& module, const Reach& reach, const Function& function,
           Program& program);
  LoweredFunction run();

  // ---- what the instruction families use ----
  Inst& inst() { return out_.code.back(); }
  InstInfo& info() { return out_.infos.back(); }
  const Function& function() const { return function_; }
  const Statement& statement() const { return *statement_; }
  Program& program() { return program_; }
  const detail::ModuleData& module() const { return module_; }
  const Reach& reach() const { return reach_; }
  std::uint64_t variable_offset(std::uint32_t variable) const {
    return out_.variable_offset[variable];
  }

  /// Removes a modifier; false when it is not there.
  bool take(std::string_view modifier);
  /// Removes and returns the first modifier that is a type; unsupported() when there is none.
  Type take_type();
  Type take_type_or_none();
  /// Removes .rn/.rz/.rm/.rp; nearest when there is none. `found` tells whether there was one.
  Rounding take_rounding(bool* found = nullptr);
  const std::vector<std::string_view>& modifiers() const { return modifiers_; }

  std::size_t operands() const { return statement_->operands.size(); }
  const Operand& operand(std::size_t i) const;
  void want_operands(std::size_t n);

  void set(Handler handler, OpClass op_class) {
    inst().run = handler;
    info().op_class = op_class;
  }
  /// The instruction reads the time, so that others stay before or behind it.
  void set_reads_clock() { out_.reads_clock.back() = true; }
  /// Puts the destination into a slot; `_` writes a register that nobody reads.
  void def(unsigned slot, const Operand& o, Type type);
  /// Puts a source into a slot: a register of the type's size, a number, or the address of a
  /// variable.
  void use(unsigned slot, const Operand& o, Type type);
  /// As def and use, for instructions whose register may be wider than the type (ld, st, cvt).
  RegClass def_any(unsigned slot, const Operand& o, Type type);
  RegClass use_any(unsigned slot, const Operand& o, Type type);
  /// Does a common shape: d, a, b, ... in slots 0, 1, 2, ...
  void def_use(Type d, std::initializer_list<Type> sources);

  /// Returns the constant address of a variable or symbol, for `mov` and addresses.
  std::uint64_t address_of(const Operand& o);
  /// Returns the bits of a number read as `type`.
  std::uint64_t number(const Operand& o, Type type);
  Ref constant(std::uint64_t bits, RegClass register_class);

  [[noreturn]] void unsupported() const;
  [[noreturn]] void bad(const std::string& what) const;

 private:
  void layout_variables();
  void lower(const Statement& statement);
  Ref& ref(unsigned slot);
  void add_use(unsigned slot, std::uint32_t reg, bool is_def);

  const detail::ModuleData& module_;
  const Reach& reach_;
  const Function& function_;
  Program& program_;
  const Statement* statement_ = nullptr;
  std::vector<std::string_view> modifiers_;
  LoweredFunction out_;
  std::unordered_map<std::uint64_t, Ref> constants_[3];
};

using LowerFunction = void (*)(Lowering&);
using LowerTable = std::unordered_map<std::string_view, LowerFunction>;

// There is one function per ops_*.cpp that adds its opcodes.
void add_integer(LowerTable& table);
void add_wide_integer(LowerTable& table);
void add_bits(LowerTable& table);
void add_fields(LowerTable& table);
void add_float(LowerTable& table);
void add_sfu(LowerTable& table);
void add_compare(LowerTable& table);
void add_convert(LowerTable& table);
void add_move(LowerTable& table);
void add_memory(LowerTable& table);
void add_async_copy(LowerTable& table);
void add_mbarrier(LowerTable& table);
void add_atomic(LowerTable& table);
void add_control(LowerTable& table);
void add_call(LowerTable& table);
void add_barrier(LowerTable& table);
void add_warp(LowerTable& table);
void add_cluster(LowerTable& table);
void add_matrix(LowerTable& table);
void add_load_matrix(LowerTable& table);
const LowerTable& lower_table();

}  // namespace warpmem::program::ptx
