// SPDX-License-Identifier: Apache-2.0
// Files that are built once and kept, by the hash of everything that goes into them, in
// $XDG_CACHE_HOME/warpmem, else ~/.cache/warpmem, else a folder of this user in the system's
// temporary one. Any number of processes may build the same file at once: each works in a folder of
// its own and moves the result to its place in one step.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace warpmem::cosim {

/// Returns the file `name`-HASH`suffix` of the cache. When it is missing, `build` gets an empty
/// folder and returns the path of the result in it; the folder is deleted afterwards. With `anew`
/// it is built even if it is there, and replaces it. Throws UserError when the cache cannot be
/// written, and whatever `build` throws.
std::filesystem::path cached_file(
    const std::string& name, const std::string& hash, const std::string& suffix,
    const std::function<std::filesystem::path(const std::filesystem::path& folder)>& build,
    bool anew = false);

}  // namespace warpmem::cosim
