// SPDX-License-Identifier: Apache-2.0
#include "cosim/build_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "base/environment_error.hpp"
#include "base/work_folder.hpp"

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

}  // namespace

fs::path cached_file(const std::string& name, const std::string& hash, const std::string& suffix,
                     const std::function<fs::path(const fs::path& folder)>& build, bool anew) {
  const fs::path folder = cache_folder();
  const fs::path file = folder / (name + "-" + hash + suffix);
  if (!anew && fs::exists(file)) return file;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw EnvironmentError(
        fmt::format("{}: cannot create the cache: {}", folder.string(), error.message()));
  const WorkFolder work(folder / "work-");
  const fs::path result = build(work.path());
  fs::rename(result, file, error);
  if (error) throw EnvironmentError(fmt::format("{}: {}", file.string(), error.message()));
  return file;
}

}  // namespace warpmem::cosim
