// SPDX-License-Identifier: Apache-2.0
// Header of an Accel-Sim kernel trace.
#pragma once

#include "program/program.hpp"
#include "program/trace/exact_lines.hpp"
#include "program/trace/line_reader.hpp"
#include "program/trace/notes.hpp"

namespace warpmem::program::trace {

struct AccelsimHeader {
  std::string name;
  Dim3 grid, block;
  std::uint64_t shared_bytes = 0;
  std::uint32_t registers = 0;
  std::uint32_t binary_version = 0;
  Addr shared_window = 0, local_window = 0;  ///< starts of the generic windows; 0: not known
  std::uint32_t tracer_version = 0;
  bool line_numbers = false;
  ExactKernel exact;  ///< of a trace that warpmem has exported
};

/// Reads up to and including the first line that begins with '#'. Throws UserError (file, line).
AccelsimHeader read_accelsim_header(LineReader& lines, Notes& notes);

}  // namespace warpmem::program::trace
