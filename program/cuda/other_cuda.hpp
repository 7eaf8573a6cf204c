// SPDX-License-Identifier: Apache-2.0
// Another CUDA toolkit in the folders of headers that a command line names.
#pragma once

#include "program/cuda/compile_arguments.hpp"
#include "program/cuda/compiler.hpp"

namespace warpmem::program::cuda {

/// Leaves out the folders of its headers, which would stand before ours and are none for clang's
/// mode, and says so.
void leave_out_other_cuda(CompileArguments& arguments, const CompilerPaths& paths);

}  // namespace warpmem::program::cuda
