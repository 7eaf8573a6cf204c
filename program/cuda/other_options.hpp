// SPDX-License-Identifier: Apache-2.0
// nvcc's options that have no effect here, and those that are refused.
#pragma once

#include <vector>

#include "program/cuda/compile_options.hpp"

namespace warpmem::program::cuda {

/// Returns the options that are accepted without effect.
const std::vector<Option>& options_without_effect();

/// Returns the options that ask for what cannot be made here; taking one throws UserError.
const std::vector<Option>& refused_options();

}  // namespace warpmem::program::cuda
