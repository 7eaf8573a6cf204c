// SPDX-License-Identifier: Apache-2.0
// Questions to the compile driver: its version, its options, its folders, the architectures; and
// what it has to say unasked.
#pragma once

#include "program/cuda/compile_arguments.hpp"
#include "program/cuda/compiler.hpp"

namespace warpmem::program::cuda {

/// Prints the answer if the command line is such a question; returns whether it is.
bool answer(const CompileArguments& arguments, const CompilerPaths& paths);
/// Prints what the user should know of the options.
void tell_notes(const CompileArguments& arguments);

}  // namespace warpmem::program::cuda
