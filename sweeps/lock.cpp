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

namespace warpmem::sweeps {

namespace {

constexpr std::chrono::milliseconds kLockPoll(200);

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

}  // namespace

bool DatabaseLock::is_held(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool held = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(descriptor);
  return held;
}

DatabaseLock::DatabaseLock(const std::string& path, Patience patience) {
  struct stat named = {}, open_one = {};
  const auto cannot = [&path] {
    return UserError(path + ": cannot be used: " + std::strerror(errno));
  };
  bool said = false;
  for (;;) {
    throw_if_interrupted();
    new_ = stat(path.c_str(), &named) != 0;
    if (!new_ && !S_ISREG(named.st_mode))
      throw UserError(path + ": not a regular file; give another file");
    descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) throw cannot();
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      const bool held = errno == EWOULDBLOCK;
      fstat(descriptor_, &open_one);
      close(descriptor_);
      if (!held) throw cannot();
      const std::string holder = holder_of(open_one.st_ino);
      const std::string works = fmt::format("{}: another sweep works on it{}", path,
                                            holder.empty() ? "" : fmt::format(" (pid {})", holder));
      if (patience == Patience::none)
        throw UserError(works + "; wait for its end, or give another file");
      if (!said) fmt::print(stderr, "warpmem: {}; waiting for its end\n", works);
      said = true;
      std::this_thread::sleep_for(kLockPoll);
      continue;
    }
    // A holder that ends without results removes its new file, so this one may be nameless by now.
    if (fstat(descriptor_, &open_one) == 0 && stat(path.c_str(), &named) == 0 &&
        named.st_ino == open_one.st_ino && named.st_dev == open_one.st_dev) {
      path_ = std::filesystem::canonical(path);
      return;
    }
    close(descriptor_);
  }
}

DatabaseLock::~DatabaseLock() {
  if (new_ && !kept_) unlink(path_.c_str());
  close(descriptor_);
}

}  // namespace warpmem::sweeps
