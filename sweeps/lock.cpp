// SPDX-License-Identifier: Apache-2.0
#include "sweeps/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/errors.hpp"
#include "base/interrupt.hpp"
#include "base/output_file.hpp"

namespace warpmem::sweeps {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds kLockPoll(200);
constexpr std::chrono::milliseconds kLook(100);  // longer than anybody looks

/// Returns who holds the lock on a file, from the kernel's list, which has lines like "1: FLOCK
/// ADVISORY WRITE PID DEVICE:INODE 0 EOF". The text is empty when the holder cannot be seen from
/// here.
std::string holder_of(ino_t inode) {
  std::ifstream list("/proc/locks");
  for (std::string line; std::getline(list, line);) {
    std::istringstream words(line);
    std::string number, kind, mode, access, pid, file;
    if (!(words >> number >> kind >> mode >> access >> pid >> file) || kind != "FLOCK") continue;
    if (file.substr(file.rfind(':') + 1) == std::to_string(inode) && pid != "0") return pid;
  }
  return "";
}

std::string lock_file(const std::string& database) { return database + ".lock"; }

UserError unusable(const std::string& path, int error) {
  return UserError(path + ": cannot be used: " + std::strerror(error));
}

/// Returns the one path of the database that all its names lead to, whether or not it is there.
/// Throws UserError for what can be none.
std::string one_path(const std::string& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode))
    throw UserError(path + ": not a regular file; give another file");
  std::error_code error;
  const fs::path absolute = path.empty() ? "" : fs::absolute(path, error);
  const fs::path one = error ? "" : fs::weakly_canonical(behind_links(absolute), error);
  if (error) throw unusable(path, error.value());
  if (!one.has_filename()) throw unusable(path, one.empty() ? ENOENT : EISDIR);
  if (!fs::is_directory(one.parent_path(), error))
    throw unusable(path, error ? error.value() : ENOTDIR);
  return one.string();
}

/// Returns whether the path is that of the open file.
bool is_at(const std::string& path, int descriptor) {
  struct stat named = {}, open_one = {};
  return fstat(descriptor, &open_one) == 0 && stat(path.c_str(), &named) == 0 &&
         named.st_ino == open_one.st_ino && named.st_dev == open_one.st_dev;
}

std::string held_text(const std::string& path, int descriptor) {
  struct stat open_one = {};
  const std::string holder =
      fstat(descriptor, &open_one) == 0 ? holder_of(open_one.st_ino) : std::string();
  return fmt::format("{}: another sweep works on it{}", path,
                     holder.empty() ? "" : fmt::format(" (pid {})", holder));
}

}  // namespace

bool DatabaseLock::is_held(const std::string& path) {
  const int descriptor = open(lock_file(one_path(path)).c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  // A shared lock, so that two who look at the same time do not take each other for a sweep.
  const bool held = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(descriptor);
  return held;
}

DatabaseLock::DatabaseLock(const std::string& path, Patience patience) : path_(one_path(path)) {
  take(path, patience);
  new_ = access(path_.c_str(), F_OK) != 0;
  const int database = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (database >= 0) {
    close(database);
    return;
  }
  const UserError error = unusable(path, errno);
  release();
  throw error;
}

void DatabaseLock::take(const std::string& path, Patience patience) {
  const std::string file = lock_file(path_);
  bool said = false;
  for (bool first = true;; first = false) {
    throw_if_interrupted();
    descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw unusable(file, errno);
    const int error = flock(descriptor_, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    // Who had the lock before removes the file, so that this one may be nameless by now.
    if (error == 0 && is_at(file, descriptor_)) return;
    const std::string held = error == EWOULDBLOCK ? held_text(path, descriptor_) : "";
    close(descriptor_);
    if (error == 0 || error == ESTALE) continue;  // ESTALE: the same, of a file on a server
    if (held.empty()) throw unusable(file, error);
    // Whoever only looks, with is_held(), has it for a moment.
    if (patience == Patience::none && !first)
      throw UserError(held + "; wait for its end, or give another file");
    if (patience == Patience::wait && !first && !said) {
      fmt::print(stderr, "warpmem: {}; waiting for its end\n", held);
      said = true;
    }
    std::this_thread::sleep_for(first ? kLook : kLockPoll);
  }
}

void DatabaseLock::release() {
  unlink(lock_file(path_).c_str());  // before the lock is free: the name is still this file's
  close(descriptor_);
}

DatabaseLock::~DatabaseLock() {
  if (new_ && !kept_) unlink(path_.c_str());
  release();
}

}  // namespace warpmem::sweeps
