// SPDX-License-Identifier: Apache-2.0
#include "cosim/build_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
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

void ContentHash::byte(unsigned char b) {
  constexpr std::uint64_t kPrime = 0x100000001b3ULL;
  a_ = (a_ ^ b) * kPrime;
  b_ = (b_ ^ static_cast<unsigned char>(b + 0x5b)) * kPrime;
  b_ ^= b_ >> 29;
}

void ContentHash::add(const std::string& text) {
  for (unsigned shift = 0; shift < 64; shift += 8)
    byte(static_cast<unsigned char>(std::uint64_t{text.size()} >> shift));
  for (const char c : text) byte(static_cast<unsigned char>(c));
}

std::string ContentHash::hex() const { return fmt::format("{:016x}{:016x}", a_, b_); }

fs::path cached_file(const std::string& name, const ContentHash& hash, const std::string& suffix,
                     const std::function<fs::path(const fs::path& folder)>& build) {
  const fs::path folder = cache_folder();
  const fs::path file = folder / (name + "-" + hash.hex() + suffix);
  if (fs::exists(file)) return file;
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

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw UserError(fmt::format("{}: cannot be read", file.string()));
  return std::string(std::istreambuf_iterator<char>(in), {});
}

}  // namespace warpmem::cosim
