// SPDX-License-Identifier: Apache-2.0
// What the trace targets do with a file: everything that its users do.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "program/trace/trace.hpp"

namespace warpmem::fuzz {

/// Returns a folder for the input of this process, removed at its end. TMPDIR decides on what disk.
const std::string& scratch_folder();
/// Writes a file of that name there and returns its path.
std::string scratch_file(const std::string& name, const std::uint8_t* data, std::size_t size);

using Opener = std::function<std::unique_ptr<program::trace::TraceReader>()>;

/// Summarises the trace, executes it as a machine would, copies it to the own format, whose summary
/// must be the same. Throws UserError for a trace that is wrong; one that one of them takes the
/// others must take.
void check_trace(const Opener& open);

}  // namespace warpmem::fuzz
