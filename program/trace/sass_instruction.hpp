// SPDX-License-Identifier: Apache-2.0
// The part of an instruction line that is the same each time the instruction executes:
//   ndst [R<d>]*ndst opcode nsrc [R<s>]*nsrc mem_width
#pragma once

#include "program/trace/line_reader.hpp"
#include "program/trace/notes.hpp"
#include "program/trace/sass_opcodes.hpp"

namespace warpmem::program::trace {

/// Registers R0..R254 need a scoreboard bit; R255 (RZ) is no dependence.
inline constexpr unsigned kSassRegisters = 256;

struct SassInstruction {
  InstInfo info;
  std::uint32_t pc = 0;  ///< in the file, where others may have it, too
  std::string mnemonic;
  std::string text;             ///< text as the file spells it, for recognising it again
  bool memory_operand = false;  ///< addr_mode and addresses follow
  bool has_immediate = false;   ///< `text` ends with the immediate, which matters
  SassRole role = SassRole::plain;
  LaneMask address_lanes = ~LaneMask(0);  ///< whose addresses count
  Notes::Entry* note = nullptr;           ///< counts executions worth telling the user
  Notes::Entry* unaligned = nullptr;  ///< counts accesses at no multiple of their size, once used
  Notes::Entry* mixed = nullptr;      ///< counts accesses to several spaces, once used
};

/// Parses `rest`, the line after its mask. Registers beyond what InstInfo holds are an error.
SassInstruction parse_sass_instruction(std::string_view rest, std::uint32_t pc,
                                       unsigned binary_version, const LineReader& lines,
                                       Notes& notes);

}  // namespace warpmem::program::trace
