// SPDX-License-Identifier: Apache-2.0
// Launches whose brackets are apart, `kernel << <grid, block>> >(...)`, as some formatters leave
// them: nvcc takes them, clang does not.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpmem::program::cuda {

/// Returns the source with the brackets of its launches together, every other character in its
/// line and column; std::nullopt when there is nothing to do. What belongs to comments, strings,
/// `operator<<` and templates stays as it is.
std::optional<std::string> with_joined_launches(std::string_view source);

/// Returns the files that a source includes, directly or by others: by `#include "..."` beside the
/// including file, by that or `#include <...>` in one of the folders, and headers of CUDA's C++
/// library (`cuda/...`, `nv/...`) also in the folder `system`. The source is the first one.
std::vector<std::filesystem::path> included_files(const std::filesystem::path& source,
                                                  const std::vector<std::filesystem::path>& folders,
                                                  const std::filesystem::path& system);

/// Returns whether one of the files has one of the words.
bool any_mentions(const std::vector<std::filesystem::path>& files,
                  std::initializer_list<const char*> words);

}  // namespace warpmem::program::cuda
