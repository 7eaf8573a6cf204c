// SPDX-License-Identifier: Apache-2.0
// What a trace holds, counted in one pass.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "program/trace/trace.hpp"

namespace warpmem::program::trace {

struct KernelSummary {
  std::string name;
  Dim3 grid, block;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  ///< lanes that executed, summed
};

struct Summary {
  static constexpr unsigned kLineBytes = kMaxLineBytes;

  std::vector<KernelSummary> kernels;
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::array<std::uint64_t, kOpClasses> by_class{};
  /// These are warp instructions by mnemonic, class and space of access.
  std::map<std::tuple<std::string, OpClass, Space>, std::uint64_t> by_mnemonic;
  /// degree[n] counts the global accesses of a warp that touch n lines; at most 32 lanes touch two
  /// lines each.
  std::array<std::uint64_t, 2 * kWarpLanes + 1> degree{};
  std::uint64_t allocated_bytes = 0;  ///< bytes that the program allocated, freed or not
  std::unordered_set<std::uint64_t> footprint_lines;  ///< lines of global memory
  std::vector<std::string> notes;                     ///< unknown opcodes among them
};

/// Reads the rest of a trace. Memory grows with the footprint, not with the length.
Summary summarize(TraceReader& reader);

const char* name_of(OpClass op_class);
const char* name_of(Space space);

}  // namespace warpmem::program::trace
