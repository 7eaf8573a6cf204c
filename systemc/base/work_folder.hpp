// SPDX-License-Identifier: Apache-2.0
// A folder for files between two steps, which is gone at the end of its scope if nobody keeps it.
#pragma once

#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <system_error>

#include "base/environment_error.hpp"

namespace warpmem {

/// Returns the folder for files that last as long as a process. Throws EnvironmentError that names
/// what asks for one that is not there.
inline std::filesystem::path temporary_folder() {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (!error) return folder;
  for (const char* const name : {"TMPDIR", "TMP", "TEMP", "TEMPDIR"})  // the first that is set
    if (const char* const value = std::getenv(name))
      throw EnvironmentError(std::string(name) + "=" + value +
                             ": no folder for temporary files: " + error.message());
  throw EnvironmentError("/tmp: no folder for temporary files: " + error.message());
}

class WorkFolder {
 public:
  /// Makes a new folder whose name begins with `prefix` (a path) and ends at random, so that it is
  /// nobody else's. Throws EnvironmentError when there is no room for one.
  explicit WorkFolder(const std::filesystem::path& prefix = temporary_folder() / "warpmem-") {
    std::string name = prefix.string() + "XXXXXX";
    if (mkdtemp(name.data()) == nullptr) fail(name, errno);
    path_ = name;
  }
  /// Tells `named` the path before the folder is there, so that it is known even to who comes after
  /// a process that was killed between any two steps.
  WorkFolder(const std::filesystem::path& prefix,
             const std::function<void(const std::filesystem::path&)>& named) {
    std::random_device random;
    int error = 0;
    do {
      path_ = prefix.string() + std::to_string(random());
      named(path_);
      error = mkdir(path_.c_str(), S_IRWXU) == 0 ? 0 : errno;
    } while (error == EEXIST);  // it is somebody else's
    if (error != 0) fail(path_.string(), error);
  }
  ~WorkFolder() {
    std::error_code ignored;
    if (!kept_) std::filesystem::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Lets the folder stay, for whoever wants to see what went wrong in it.
  void keep() { kept_ = true; }

 private:
  [[noreturn]] static void fail(const std::string& name, int error) {
    throw EnvironmentError(name + ": cannot create a folder: " + std::strerror(error));
  }

  std::filesystem::path path_;
  bool kept_ = false;
};

}  // namespace warpmem
