// SPDX-License-Identifier: Apache-2.0
// SASS mnemonics from Kepler to Hopper: what the model makes of them.
#pragma once

#include <string_view>

#include "program/program.hpp"

namespace warpmem::program::trace {

/// How an opcode is treated beyond its class.
enum class SassRole : std::uint8_t {
  plain,
  exit,         ///< retires its lanes
  copy,         ///< LDGSTS
  close_group,  ///< LDGDEPBAR
  wait_group,   ///< DEPBAR
  untraced      ///< moves data whose addresses no trace has: fixed latency, no traffic
};

/// This is one opcode, the first component of a mnemonic.
struct SassOpcode {
  OpClass op_class = OpClass::int_alu;
  MemOp mem = MemOp::none;
  Space space = Space::none;
  SassRole role = SassRole::plain;
  std::uint16_t from = 0, to = 0;  ///< `binary version` (sm_NN) that have it
  bool exists_in(unsigned version) const { return from <= version && version <= to; }
};

/// Returns the opcode; nullptr: no architecture has it.
const SassOpcode* find_sass_opcode(std::string_view name);

/// Returns "Volta" for 70; nullptr for a version without a table of its own.
const char* sass_architecture(unsigned binary_version);

/// Whether a dotted mnemonic has this component (not counting the first).
bool has_component(std::string_view mnemonic, std::string_view component);

/// Returns the bytes a lane that the mnemonic's suffixes give (".U8" 1, ".F16" 2, ".64" 8, ...); 0:
/// none does.
unsigned sass_width(std::string_view mnemonic);

}  // namespace warpmem::program::trace
