// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include "base/environment_error.hpp"
#include "base/errors.hpp"

namespace warpmem {

namespace fs = std::filesystem;

namespace {

/// Returns a name that nobody uses: hidden, and short enough beside any other.
fs::path draft_name(const fs::path& target) {
  std::random_device random;
  return target.parent_path() / fmt::format(".warpmem-{:08x}{:08x}", random(), random());
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Returns what a file is known by, there or not; nothing, with the reason, for a path that no file
/// can have.
std::optional<std::string> place_of(const fs::path& path, std::error_code& error) {
  const fs::path absolute = fs::absolute(path, error);
  if (error) return std::nullopt;
  const fs::path place = fs::weakly_canonical(behind_links(absolute), error);
  if (error) return std::nullopt;
  // A file that has several names is known by its number.
  struct stat found = {};
  if (stat(place.c_str(), &found) == 0) return fmt::format("{}:{}", found.st_dev, found.st_ino);
  return place.string();
}

}  // namespace

fs::path behind_links(fs::path path) {
  constexpr int kMostLinks = 40;  // as many as the kernel follows
  std::error_code none;
  for (int i = 0; i < kMostLinks && fs::is_symlink(path, none); ++i)
    path = path.parent_path() / fs::read_symlink(path, none);
  return path;
}

OutputFile::OutputFile(fs::path path) : path_(std::move(path)) {
  struct stat found = {};
  const bool there = stat(path_.c_str(), &found) == 0;
  if (!there && errno != ENOENT) fail(errno);
  if (there && S_ISDIR(found.st_mode)) fail(EISDIR);
  if (there && is_standard_stream(found)) return;
  if (there && !S_ISREG(found.st_mode)) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  if (there && faccessat(AT_FDCWD, path_.c_str(), W_OK, AT_EACCESS) != 0) fail(errno);
  target_ = behind_links(path_);
  if (!target_.has_filename()) fail(target_.empty() ? ENOENT : EISDIR);
  open_draft(there, found.st_mode);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!draft_.empty()) unlink(draft_.c_str());
}

// Returns whether the file is that of a standard stream, as /dev/stdout is or a file to which a
// shell redirects it: another descriptor would write from another place in it.
bool OutputFile::is_standard_stream(const struct stat& found) {
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat open_one = {};
    if (fstat(stream, &open_one) != 0 || open_one.st_dev != found.st_dev ||
        open_one.st_ino != found.st_ino)
      continue;
    std::fflush(stdout);
    descriptor_ = fcntl(stream, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail(errno);
    return true;
  }
  return false;
}

// A draft without a name leaves nothing when this process is killed. Not all file systems can do
// that.
void OutputFile::open_draft(bool replaces, mode_t mode) {
  descriptor_ = open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (descriptor_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL)) {
    const fs::path named = draft_name(target_);
    descriptor_ = open(named.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ >= 0) draft_ = named;
  }
  if (descriptor_ < 0) fail(errno);
  // That of another owner may not be kept: no error.
  if (replaces) fchmod(descriptor_, mode & 07777);
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail(errno);
    if (done == 0) fail(EIO);  // It is no error of the call, and would come again for ever.
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

void OutputFile::commit() {
  // A file system over a network says only at a close that it had no room.
  const int last = fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (last < 0 || close(last) != 0) fail(errno);
  if (!target_.empty()) {
    if (draft_.empty()) {
      const fs::path named = draft_name(target_);
      const std::string open_one = fmt::format("/proc/self/fd/{}", descriptor_);
      if (linkat(AT_FDCWD, open_one.c_str(), AT_FDCWD, named.c_str(), AT_SYMLINK_FOLLOW) != 0)
        fail(errno);
      draft_ = named;
    }
    if (std::rename(draft_.c_str(), target_.c_str()) != 0) fail(errno);
    draft_.clear();
  }
  close(descriptor_);
  descriptor_ = -1;
}

void OutputFile::fail(int error) const {
  throw EnvironmentError(
      fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(error)));
}

void check_output(const fs::path& file) {
  std::error_code none;
  const bool never = fs::is_directory(file, none);
  if (never || fs::is_regular_file(file, none) || !fs::exists(file, none)) OutputFile{file};
}

void check_apart(const std::vector<fs::path>& outputs, const std::vector<fs::path>& inputs) {
  std::map<std::string, const char*> taken;
  for (const fs::path& input : inputs) {
    std::error_code error;  // whoever reads it says why it cannot be read
    if (input.empty()) continue;
    if (const auto place = place_of(input, error))
      taken.emplace(*place, "input and output are the same file");
  }
  for (const fs::path& output : outputs) {
    std::error_code error;
    if (output.empty() || (fs::exists(output, error) && !fs::is_regular_file(output, error)))
      continue;
    const auto place = place_of(output, error);
    if (!place)
      throw EnvironmentError(
          fmt::format("{}: cannot be written: {}", output.string(), error.message()));
    const auto [first, is_new] = taken.emplace(*place, "two outputs are the same file");
    if (!is_new) throw UserError(fmt::format("{}: {}", output.string(), first->second));
  }
}

void remove_output(const fs::path& file) {
  std::error_code none;
  if (fs::is_regular_file(file, none)) fs::remove(behind_links(file), none);
}

}  // namespace warpmem
