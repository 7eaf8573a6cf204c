// SPDX-License-Identifier: Apache-2.0
// Programs of one source file, compiled once and kept in the cache (files/kept_files.hpp).
#pragma once

#include <filesystem>

namespace warpmem::app {

/// Puts the program that `source`, an absolute path, makes to `executable`: one that was made from
/// the same files by the same tools, or with `anew` in any case a new one. What the compiler warned
/// of is not said again. Returns 0, or the exit status of the compile driver, which has said why.
int compile_once(const std::filesystem::path& source, const std::filesystem::path& executable,
                 bool anew);

}  // namespace warpmem::app
