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

/// Hash of texts, as 32 hexadecimal digits (two FNV-1a sums: a name, no protection).
class ContentHash {
 public:
  /// Adds the length before the text, so that neighbouring texts cannot run into each other.
  void add(const std::string& text);
  std::string hex() const;

 private:
  void byte(unsigned char b);
  std::uint64_t a_ = 0xcbf29ce484222325ULL;
  std::uint64_t b_ = 0x84222325cbf29ce4ULL;
};

/// The file `name`-HASH`suffix` of the cache. When it is missing, `build` gets an empty folder and
/// returns the path of the result in it; the folder is deleted afterwards. Throws UserError when
/// the cache cannot be written, and whatever `build` throws.
std::filesystem::path cached_file(
    const std::string& name, const ContentHash& hash, const std::string& suffix,
    const std::function<std::filesystem::path(const std::filesystem::path& folder)>& build);

/// Whole file as text; UserError when it cannot be read.
std::string read_file(const std::filesystem::path& file);

}  // namespace warpmem::cosim
