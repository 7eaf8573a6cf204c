// SPDX-License-Identifier: Apache-2.0
// A folder for files between two steps, gone at the end of its scope.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/errors.hpp"

namespace warpmem::cosim {

class WorkFolder {
 public:
  /// UserError when the system's folder for temporary files takes none.
  WorkFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "warpmem-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw UserError("cannot create a temporary folder: " + name);
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace warpmem::cosim
