// SPDX-License-Identifier: Apache-2.0
#include "base/end_record.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "base/errors.hpp"

namespace warpmem {

namespace fs = std::filesystem;

namespace {

std::string open_name(const fs::path& name) { return name.string() + ".open"; }
std::string said_name(const fs::path& name) { return name.string() + ".said"; }

std::int64_t nanoseconds_now() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

/// What this program is to say, and where.
struct OwnEnd {
  pid_t pid;
  std::int64_t began;
  std::string draft, said;
};
// Null while nobody asks. It is there before all constructors and behind all destructors.
const OwnEnd* own_end = nullptr;

/// Writes the digits of a number that is not negative in front of `end`; returns the first.
char* digits_before(char* end, std::int64_t number) {
  do {
    *--end = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return end;
}

bool write_end(int descriptor, int wait_status, std::int64_t nanoseconds) {
  std::array<char, 64> text{};
  constexpr char kEnd[] = " end\n";
  char* const end = text.data() + text.size();
  char* at = end - (sizeof kEnd - 1);
  std::memcpy(at, kEnd, sizeof kEnd - 1);
  at = digits_before(at, nanoseconds);
  *--at = ' ';
  at = digits_before(at, wait_status);
  return ::write(descriptor, at, static_cast<std::size_t>(end - at)) == end - at;
}

std::optional<RecordedEnd> read_one(const std::string& file) {
  std::ifstream in(file);
  int wait_status = 0;
  std::int64_t nanoseconds = 0;
  std::string end;
  // A crash of the machine may leave a file with a name and without its bytes.
  if (!(in >> wait_status >> nanoseconds >> end) || end != "end") return std::nullopt;
  return RecordedEnd{exit_status(wait_status), static_cast<double>(nanoseconds) * 1e-9};
}

}  // namespace

void say_end_at_exit() {
  const char* const asked = std::getenv(kEndVariable);
  if (asked == nullptr) return;
  char* name = nullptr;
  const long pid = std::strtol(asked, &name, 10);
  // A script may stand between the keeper and us; the end of the script is not ours to say.
  if (pid != getpid() || *name != ' ') return;
  const std::string said = said_name(name + 1);
  own_end = new OwnEnd{getpid(), nanoseconds_now(), said + ".draft", said};
  on_exit([](int status, void*) { say_end(status); }, nullptr);
}

void say_end(int status) {
  if (own_end == nullptr || own_end->pid != getpid()) return;  // a fork of us ends
  const int file = open(own_end->draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return;
  const bool written =
      write_end(file, W_EXITCODE(status & 0xff, 0), nanoseconds_now() - own_end->began);
  close(file);
  if (written) std::rename(own_end->draft.c_str(), own_end->said.c_str());
}

int exit_status(int wait_status) {
  return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

std::optional<RecordedEnd> read_end(const fs::path& name) {
  const auto end = read_one(name.string());
  return end ? end : read_one(said_name(name));
}

bool lives(const fs::path& name) {
  for (const std::string& file : {open_name(name), name.string()}) {
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) continue;  // The second name is there if it was renamed in between.
    // A shared lock, so that two who look at the same time do not take each other for the program.
    const bool held = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    close(descriptor);
    return held;
  }
  return false;
}

EndRecord::EndRecord(const fs::path& name) {
  if (name.empty()) return;
  name_ = fs::absolute(name).string();
  open_ = open_name(name_);
  const auto cannot = [this] {
    return UserError(open_ + ": cannot be written: " + std::strerror(errno));
  };
  for (const std::string& file : {name_, open_, said_name(name_)}) std::remove(file.c_str());
  const int opened = open(open_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (opened < 0) throw cannot();
  // The keeper replaces the standard streams, which may be closed here.
  descriptor_ = fcntl(opened, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(opened);
  if (descriptor_ < 0) throw cannot();
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const UserError error = cannot();
  close(descriptor_);
  throw error;
}

EndRecord::~EndRecord() {
  if (descriptor_ >= 0) close(descriptor_);
}

void EndRecord::write(int wait_status, std::int64_t nanoseconds) const {
  if (descriptor_ < 0) return;
  // Without room for it there is no record, and the program counts as one that was killed.
  if (write_end(descriptor_, wait_status, nanoseconds)) std::rename(open_.c_str(), name_.c_str());
}

void EndRecord::withdraw() const {
  if (descriptor_ >= 0) unlink(open_.c_str());
}

}  // namespace warpmem
