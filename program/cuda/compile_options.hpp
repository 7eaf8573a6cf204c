// SPDX-License-Identifier: Apache-2.0
// nvcc's options and what each does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "program/cuda/compile_arguments.hpp"

namespace warpmem::program::cuda {

enum class Operand { none, one };

struct Option {
  std::vector<std::string> names;  ///< the operand follows, or is attached with =
  Operand operand;
  std::function<void(CompileArguments&, const std::string&)> act;  ///< empty: without effect
};

/// Returns all options in the order of the help.
const std::vector<Option>& options();

/// Takes an option of the host compiler.
void add_host_option(CompileArguments& arguments, const std::string& option);

}  // namespace warpmem::program::cuda
