// SPDX-License-Identifier: Apache-2.0
// Files that are built once and kept, by the hash of everything that goes into them, in the cache:
// $XDG_CACHE_HOME/warpmem, else ~/.cache/warpmem, else a folder of this user in the system's
// temporary one. Any number of processes may build the same file at once: each works in a folder of
// its own and moves the result to its place in one step.
//
// The cache holds $WARPMEM_CACHE_MIB mebibytes, 4096 without that variable: what has not been used
// for the longest time leaves when something new comes. What has been used within half an hour
// stays, since a step that goes on may need it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace warpmem {

std::filesystem::path cache_folder();

/// Returns the file `name`-HASH`suffix` of the cache. When it is missing, `build` gets an empty
/// folder and returns the path of the result in it; the folder is deleted afterwards. With `anew`
/// it is built even if it is there, and replaces it. Throws EnvironmentError when the cache cannot
/// be written, UserError for a limit that is no number, and whatever `build` throws.
std::filesystem::path cached_file(
    const std::string& name, const std::string& hash, const std::string& suffix,
    const std::function<std::filesystem::path(const std::filesystem::path& folder)>& build,
    bool anew = false);

/// A file of the cache has been used, which counts for how long it stays.
void used_from_cache(const std::filesystem::path& file);

/// Deletes files of a folder that were not used for half an hour, the least recently used first,
/// until those that are left have `most_bytes` in all. Folders of the name work-* are being worked
/// in and stay; those that are a day old were left by a process that was killed, and go.
void limit_cache(const std::filesystem::path& folder, std::uintmax_t most_bytes);
/// The same for the cache and its limit.
void limit_cache();

}  // namespace warpmem
