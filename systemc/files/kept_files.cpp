// SPDX-License-Identifier: Apache-2.0
#include "files/kept_files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

#include "base/environment_error.hpp"
#include "base/errors.hpp"
#include "base/work_folder.hpp"

namespace warpmem {

namespace fs = std::filesystem;

namespace {

constexpr char kWork[] = "work-";
constexpr char kLimit[] = "WARPMEM_CACHE_MIB";
constexpr std::chrono::minutes kInUse{30};
constexpr std::chrono::hours kLongestWork{24};
constexpr std::uintmax_t kDefaultMebibytes = 4096, kMebibyte = std::uintmax_t(1) << 20;

std::uintmax_t cache_limit() {
  const char* const text = std::getenv(kLimit);
  if (text == nullptr || *text == '\0') return kDefaultMebibytes * kMebibyte;
  std::uintmax_t mebibytes = 0;
  const char* const end = text + std::strlen(text);
  const auto [read, error] = std::from_chars(text, end, mebibytes);
  constexpr std::uintmax_t kMost = std::uintmax_t(1) << 40;
  if (error != std::errc() || read != end || mebibytes == 0 || mebibytes > kMost)
    throw UserError(
        fmt::format("{}={}: not a number of mebibytes from 1 to {}", kLimit, text, kMost));
  return mebibytes * kMebibyte;
}

struct Kept {
  fs::file_time_type used;
  std::uintmax_t bytes;
  fs::path path;
};

std::vector<Kept> kept_files(const fs::path& folder) {
  std::vector<Kept> files;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error), end;
  while (!error && at != end) {
    const fs::directory_entry& entry = *at;
    // Other processes delete files meanwhile.
    std::error_code gone;
    if (entry.is_directory(gone) && entry.path().filename().string().rfind(kWork, 0) == 0)
      at.disable_recursion_pending();
    else if (entry.is_regular_file(gone))
      files.push_back({entry.last_write_time(gone), entry.file_size(gone), entry.path()});
    if (gone && !files.empty() && files.back().path == entry.path()) files.pop_back();
    at.increment(error);
  }
  return files;
}

/// Deletes the folders of processes that were killed at their work.
void delete_abandoned_work(const fs::path& folder) {
  const auto since = fs::file_time_type::clock::now() - kLongestWork;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->path().filename().string().rfind(kWork, 0) == 0 && at->is_directory(ignored) &&
        at->last_write_time(ignored) < since && !ignored)
      fs::remove_all(at->path(), ignored);
  }
}

}  // namespace

fs::path cache_folder() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg != nullptr && *xdg == '/') return fs::path(xdg) / "warpmem";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0') return fs::path(home) / ".cache" / "warpmem";
  return temporary_folder() / fmt::format("warpmem-{}", getuid());
}

fs::path cached_file(const std::string& name, const std::string& hash, const std::string& suffix,
                     const std::function<fs::path(const fs::path& folder)>& build, bool anew) {
  const fs::path folder = cache_folder();
  const fs::path file = folder / (name + "-" + hash + suffix);
  if (!anew && fs::exists(file)) return used_from_cache(file), file;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw EnvironmentError(
        fmt::format("{}: cannot create the cache: {}", folder.string(), error.message()));
  const WorkFolder work(folder / kWork);
  const fs::path result = build(work.path());
  fs::rename(result, file, error);
  if (error) throw EnvironmentError(fmt::format("{}: {}", file.string(), error.message()));
  used_from_cache(file);
  limit_cache();
  return file;
}

void used_from_cache(const fs::path& file) {
  std::error_code ignored;  // of another user, who keeps it as he likes
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
}

void limit_cache(const fs::path& folder, std::uintmax_t most_bytes) {
  delete_abandoned_work(folder);
  std::vector<Kept> files = kept_files(folder);
  std::uintmax_t sum = 0;
  for (const Kept& file : files) sum += file.bytes;
  if (sum <= most_bytes) return;
  std::sort(files.begin(), files.end(),
            [](const Kept& a, const Kept& b) { return a.used < b.used; });
  const auto in_use = fs::file_time_type::clock::now() - kInUse;
  for (const Kept& file : files) {
    if (sum <= most_bytes || file.used >= in_use) return;
    std::error_code ignored;
    if (fs::remove(file.path, ignored)) sum -= file.bytes;
  }
}

void limit_cache() { limit_cache(cache_folder(), cache_limit()); }

}  // namespace warpmem
