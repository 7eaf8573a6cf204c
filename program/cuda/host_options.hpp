// SPDX-License-Identifier: Apache-2.0
// Options of the host compiler, which people write with GCC in mind.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "program/cuda/compile_arguments.hpp"

namespace warpmem::program::cuda {

/// Returns the words in the operand of -Xcompiler.
std::vector<std::string> host_words(const std::string& operand);

/// Takes an option of the host compiler.
void add_host_option(CompileArguments& arguments, const std::string& option);

/// Returns the options without those of code generation that clang does not have; one line on
/// standard error names each. The folder is for clang's answer.
std::vector<std::string> known_host_options(const std::string& clang,
                                            const std::vector<std::string>& options,
                                            const std::filesystem::path& folder);

}  // namespace warpmem::program::cuda
