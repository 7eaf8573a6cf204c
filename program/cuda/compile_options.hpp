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
  std::function<void(CompileArguments&, const std::string&)> act;
};

/// Returns the options that have an effect, in the order of the help.
const std::vector<Option>& options();

}  // namespace warpmem::program::cuda
