// SPDX-License-Identifier: Apache-2.0
// A part of a sweep that somebody else's scheduler runs. A run belongs to one shard by its key, so
// that no two shards of one sweep run the same, whatever becomes of them; each has a database of
// its own beside the sweep's.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpmem::sweeps {

struct Shard {
  unsigned index = 1, count = 1;  ///< 1 <= index <= count

  /// Returns whether the run with this key, a SHA-256 in hexadecimal digits, is one of its.
  bool owns(const std::string& key) const;
};

/// Reads "INDEX/COUNT". Throws UserError.
Shard parse_shard(const std::string& text);

/// Returns the folder of the shards of the sweep whose results go into the file `output`: that
/// name, with ".shards".
std::filesystem::path shard_folder(const std::filesystem::path& output);
/// Returns the database of a shard in it.
std::filesystem::path shard_file(const std::filesystem::path& output, const Shard& shard);
/// Returns all databases in it, sorted; none when there is no such folder.
std::vector<std::filesystem::path> shard_files(const std::filesystem::path& output);

}  // namespace warpmem::sweeps
