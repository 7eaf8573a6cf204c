// SPDX-License-Identifier: Apache-2.0
// The CUDA compile driver with this installation's places filled in.
#pragma once

#include <string>
#include <vector>

namespace warpmem::app {

/// Compiles and links as `warpmem cc ARGUMENTS` does; returns the exit status.
int compile_cuda(const std::vector<std::string>& arguments);

}  // namespace warpmem::app
