// SPDX-License-Identifier: Apache-2.0
#include "cosim/build_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "base/errors.hpp"

namespace warpmem::cosim {

namespace fs = std::filesystem;

namespace {

fs::path cache_folder() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg != nullptr && *xdg != '\0') return fs::path(xdg) / "warpmem";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return fs::path(home) / ".cache" / "warpmem";
  return fs::temp_directory_path() / fmt::format("warpmem-{}", getuid());
}

/// A new folder, deleted with everything in it at the end.
class WorkFolder {
 public:
  explicit WorkFolder(const fs::path& parent) {
    std::string name = (parent / "work-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw UserError(fmt::format("{}: cannot create a folder in the cache", parent.string()));
    path_ = name;
  }
  ~WorkFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

fs::path cached_file(const std::string& name, const std::string& hash, const std::string& suffix,
                     const std::function<fs::path(const fs::path& folder)>& build, bool anew) {
  const fs::path folder = cache_folder();
  const fs::path file = folder / (name + "-" + hash + suffix);
  if (!anew && fs::exists(file)) return file;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw UserError(
        fmt::format("{}: cannot create the cache: {}", folder.string(), error.message()));
  const WorkFolder work(folder);
  const fs::path result = build(work.path());
  fs::rename(result, file, error);
  if (error) throw UserError(fmt::format("{}: {}", file.string(), error.message()));
  return file;
}

}  // namespace warpmem::cosim
