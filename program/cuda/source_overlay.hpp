// SPDX-License-Identifier: Apache-2.0
// Sources that clang reads in other words than the program has them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmem::program::cuda {

/// Returns clang's options by which copies of those files that have launches, assembly or pragmas
/// that clang does not read stand in their places; the copies go to the folder.
std::vector<std::string> overlay_options(const std::vector<std::filesystem::path>& files,
                                         const std::filesystem::path& folder);

}  // namespace warpmem::program::cuda
