// SPDX-License-Identifier: Apache-2.0
// What SASS has no words for, as lines of the header of a kernel trace that warpmem has exported:
// with them it reads back the very kernel that it wrote. Readers of Accel-Sim's format skip lines
// of the header that they do not know. docs/trace-format.md describes them.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "program/program.hpp"
#include "program/trace/line_reader.hpp"
#include "program/trace/trace.hpp"

namespace warpmem::program::trace {

struct ExactInstruction {
  InstInfo info;
  std::string mnemonic;  ///< as the source spells it
};

struct ExactKernel {
  bool known = false;  ///< the header has such lines
  std::uint32_t registers_per_thread = 0;
  std::uint64_t local_bytes = 0;
  std::uint32_t scoreboard_registers = 0;
  std::unordered_map<std::uint32_t, ExactInstruction> instructions;  ///< by the PC in the trace
};

/// Keys of the lines.
inline constexpr std::string_view kExactKernelKey = "warpmem kernel";
inline constexpr std::string_view kExactInstructionKey = "warpmem instruction";

/// Return what stands behind the keys.
std::string exact_kernel(const KernelTraits& traits);
std::string exact_instruction(std::uint32_t pc_in_trace, const InstInfo& inst,
                              const std::string& mnemonic);

/// Read it. Throw UserError (file, line) for what exact_kernel() and exact_instruction() do not
/// write, for a PC that comes twice, and for an instruction before its kernel.
void read_exact_kernel(const LineReader& lines, std::string_view text, ExactKernel& kernel);
void read_exact_instruction(const LineReader& lines, std::string_view text, ExactKernel& kernel);

/// Returns the immediate of a barrier instruction, which says what one execution of it does.
std::uint64_t exact_barrier(const Step& step);
/// Reads it; false when no block has so many warps.
bool read_exact_barrier(std::uint64_t immediate, Step& step);

}  // namespace warpmem::program::trace
