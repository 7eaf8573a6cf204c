// SPDX-License-Identifier: Apache-2.0
// A decoded instruction and the program of one kernel: flat arrays that the interpreter walks.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "program/program.hpp"
#include "program/ptx/types.hpp"

namespace warpmem::program::ptx {

struct Warp;
struct Inst;
/// Executes one instruction for the lanes in Warp::lanes.
using Handler = void (*)(Warp&, const Inst&);

/// Place of an operand: bits 31..2 are a byte offset (a multiple of 4), bit 0 the bank (0 registers
/// of the frame, 1 constants of the program), bit 1 negates a predicate.
using Ref = std::uint32_t;
inline constexpr Ref kConstantBank = 1;
inline constexpr Ref kNegate = 2;
inline constexpr Ref kNoRef = ~Ref(0);

enum class Rounding : std::uint8_t { nearest, zero, down, up };

struct Inst {
  static constexpr unsigned kRefs = 6;

  Handler run = nullptr;
  Ref ref[kRefs] = {kNoRef, kNoRef, kNoRef, kNoRef, kNoRef, kNoRef};  ///< meaning: see the handler
  Ref guard = kNoRef;
  std::int32_t target = -1;      ///< instruction a branch goes to, or function a call enters
  std::int32_t reconverge = -1;  ///< where the lanes of a branch meet again; -1: the function's end
  std::uint32_t aux = 0;         ///< index into a table of the program
  std::uint64_t imm = 0;
  bool control = false;  ///< sets Warp::pc itself
  bool ftz = false;
  bool saturate = false;
  Rounding rounding = Rounding::nearest;
  Type type = Type::none;    ///< type of the result or the element in memory
  Type source = Type::none;  ///< type of the source, where it differs
  std::uint8_t count = 1;    ///< vector elements
  std::uint8_t option = 0;   ///< mode, space, comparison: see the handler
};

/// Inst::option of a branch whose other way waits for this one (lane_locks.hpp).
inline constexpr std::uint8_t kTakenFirst = 1;
/// ... and whose lanes that go first do not meet the others before they return.
inline constexpr std::uint8_t kFirstReturns = 2;

/// Slots from here on are in Program::matrix_operands, at the instruction's `aux`; the one before
/// is the guard's.
inline constexpr unsigned kMatrixSlot = Inst::kRefs + 1;
inline constexpr unsigned kMatrixRefs = 14;
using MatrixOperands = std::array<Ref, kMatrixRefs>;

/// Which of warpmem's own device code a function belongs to.
enum class Library : std::uint8_t { none, texture, heap };

/// Where a function's data lies in a call frame.
struct FrameLayout {
  std::string name;
  std::uint32_t first_pc = 0;         ///< instruction index
  std::uint32_t register_bytes = 0;   ///< register bytes of a warp
  std::uint32_t parameter_bytes = 0;  ///< a thread's parameters, results and call arguments
  std::uint32_t local_bytes = 0;      ///< local bytes of a thread
  std::uint32_t live_registers = 0;   ///< 32-bit registers, maximum
  std::uint32_t scoreboard_registers = 0;
  Library library = Library::none;
};

/// This is one argument or result of a call: `bytes` copied between the caller's and the callee's
/// area.
struct Transfer {
  std::uint32_t caller = 0;
  std::uint32_t callee = 0;
  std::uint32_t bytes = 0;
};

enum class Builtin : std::uint8_t { none, vprintf, assertfail };

struct CallSite {
  std::uint32_t function = 0;
  Builtin builtin = Builtin::none;
  bool keeps_lock = false;  ///< lanes go on that have returned, with a lock (lane_locks.hpp)
  /// Where these meet the others; none: where the calling function ends.
  std::uint32_t meeting = ~std::uint32_t(0);
  std::vector<Transfer> arguments;
  std::vector<Transfer> results;
};

/// One constant fills all 32 lanes.
struct alignas(64) ConstantLanes {
  std::uint8_t bytes[kWarpLanes * 8];
};

/// Where a call through a pointer may go: functions' addresses, and the call that enters each.
struct IndirectTarget {
  std::uint64_t address = 0;
  std::uint32_t call = 0;  ///< of Program::calls
};

/// A kernel and every function it reaches, ready to run.
struct Program {
  std::string kernel;  ///< demangled
  std::string file;
  std::map<std::uint32_t, std::string> source_names;  ///< names by source_file
  std::vector<Inst> code;
  std::vector<InstInfo> infos;             ///< parallel to code
  std::vector<std::string_view> spelling;  ///< opcode as written, parallel to code
  std::vector<std::uint32_t> source_file;  ///< file of InstInfo::source_line, parallel to code
  std::vector<ConstantLanes> constants;
  std::vector<FrameLayout> functions;  ///< [0] is the kernel
  std::vector<CallSite> calls;
  std::vector<std::vector<std::uint32_t>> branch_tables;
  std::vector<std::vector<IndirectTarget>> call_tables;  ///< by address
  std::vector<MatrixOperands> matrix_operands;
  std::uint64_t static_shared_bytes = 0;
  unsigned registers_per_thread = 0;
  std::uint64_t local_bytes = 0;
  unsigned scoreboard_registers = 0;
  std::string bulk_copy;  ///< KernelTraits::bulk_copy
};

/// Returns "FILE:LINE (PTX line N)" of an instruction, or its line in `ptx` where the PTX does not
/// tell of a source. `sources`: names by number.
std::string place_of(const std::map<std::uint32_t, std::string>& sources, std::uint32_t file,
                     std::uint32_t source_line, const std::string& ptx, std::uint32_t line);

/// Parameter addresses below this are in the kernel's parameter block, those above it in the
/// frame's own area.
inline constexpr std::uint32_t kFrameParameters = 1u << 20;

}  // namespace warpmem::program::ptx
