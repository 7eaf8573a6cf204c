// SPDX-License-Identifier: Apache-2.0
// Questions to the compile driver: its version, its options, its folders, the architectures.
#pragma once

#include "program/cuda/compile_arguments.hpp"
#include "program/cuda/compiler.hpp"

namespace warpmem::program::cuda {

/// Prints the answer if the command line is such a question; returns whether it is.
bool answer(const CompileArguments& arguments, const CompilerPaths& paths);

}  // namespace warpmem::program::cuda
