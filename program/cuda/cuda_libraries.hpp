// SPDX-License-Identifier: Apache-2.0
// CUDA's libraries by the names of the linker's -l.
#pragma once

#include <optional>
#include <string>

namespace warpmem::program::cuda {

/// Returns the library to link for that name; nothing for what the runtime library, which every
/// program is linked with, has in it. Those of CUDA's other libraries that are there lie where
/// programs of other linkers find them, too. Throws UserError for one that is not.
std::optional<std::string> linked_library(const std::string& name);

}  // namespace warpmem::program::cuda
