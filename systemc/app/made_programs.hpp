// SPDX-License-Identifier: Apache-2.0
// What earlier compilations of sources made: what has not changed since is not compiled again.
// A header that is new, in a folder where the compiler would have found it before another one of
// its name, does not count as a change.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace warpmem::app {

class MadePrograms {
 public:
  /// Reads what text() gave; nothing of what is not that.
  explicit MadePrograms(const std::string& text = "");
  std::string text() const;

  /// Returns the hash of the program that `source` makes; nothing when it was not compiled, or when
  /// a file that went into it, the compiler, what the environment tells that (CPATH, LIBRARY_PATH,
  /// NVCC_APPEND_FLAGS and their like) or warpmem is another one since.
  std::string hash_of(const std::string& source) const;
  /// Remembers that `source` makes a program of this hash from itself and the files of a list of
  /// dependencies, as compilers write it for make; unless one of them has changed since the
  /// compilation began.
  void made(const std::string& source, const std::string& hash,
            const std::filesystem::path& dependencies,
            std::filesystem::file_time_type compilation_began);

 private:
  struct Made {
    std::string hash;
    std::vector<std::string> files;
    std::string state;  ///< of the files and the tools
  };
  std::map<std::string, Made> made_;  ///< by source
};

}  // namespace warpmem::app
