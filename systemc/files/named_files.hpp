// SPDX-License-Identifier: Apache-2.0
// Source files with everything that they include, for names of cached results.
#pragma once

#include <filesystem>
#include <vector>

#include "files/sha256.hpp"

namespace warpmem {

/// Returns the files and, through any number of steps, every file that one of them names in quotes
/// or angle brackets, as C++, SystemVerilog's `include and $readmemh do. A name is looked for below
/// the folder of the file that has it, and below each of `folders`. A name in a comment or behind a
/// condition counts as well, and so does a file that another folder's hides: more than the compiler
/// reads does no harm, less would. An empty file counts as none. Each file is returned once, in
/// sorted order. Throws UserError when one of `files` cannot be read.
std::vector<std::filesystem::path> with_named_files(
    const std::vector<std::filesystem::path>& files,
    const std::vector<std::filesystem::path>& folders);

/// Adds the names, relative to `root`, and the texts of with_named_files().
void hash_with_named_files(Sha256& hash, const std::filesystem::path& root,
                           const std::vector<std::filesystem::path>& files,
                           const std::vector<std::filesystem::path>& folders);

}  // namespace warpmem
