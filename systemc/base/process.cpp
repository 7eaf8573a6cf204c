// SPDX-License-Identifier: Apache-2.0
// Between this process and the program stands a keeper, a fork of this process that runs nothing
// but keep(). The kernel signals it when this process has ended, by whatever signal, and it takes
// the program with it; a program cannot be asked to do that itself, nor can those that it starts.
#include "base/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <ctime>

#include "base/assert.hpp"
#include "base/end_record.hpp"
#include "base/errors.hpp"
#include "base/programs.hpp"
#include "base/text_file.hpp"

namespace warpmem {

/// What comes through the pipe; it is small enough to arrive as a whole.
struct RunningProcess::Report {
  int error;   ///< why the program could not be started; 0: it has ended
  int status;  ///< status as waitpid() tells it
};

namespace {

/// A file of this process, which is closed at the end of its scope and in programs.
class File {
 public:
  /// Moves the descriptor above the standard streams, so that these can be replaced one after the
  /// other.
  explicit File(int fd) : fd_(fd) {
    if (fd_ < 0 || fd_ > STDERR_FILENO) return;
    fd_ = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(fd);
  }
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  int fd_;
};

/// Opens the file and empties it, or throws UserError; returns -1 when there is no name.
int open_output(const std::filesystem::path& path) {
  if (path.empty()) return -1;
  write_text(path, "");
  const int fd = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (fd < 0) throw UserError(path.string() + ": cannot be written");
  return fd;
}

/// Returns the words as pointers, with the null pointer at the end that C wants.
std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment_with(const std::vector<std::string>& extra) {
  std::vector<std::string> all = extra;
  for (char** v = environ; *v != nullptr; ++v) {
    const std::string name(*v, std::strcspn(*v, "=") + 1);
    bool replaced = false;
    for (const std::string& e : extra) replaced = replaced || e.rfind(name, 0) == 0;
    if (!replaced) all.emplace_back(*v);
  }
  return all;
}

constexpr std::ptrdiff_t kPidDigits = 10;

/// Everything that the keeper and the program need. It is made before the fork, since after it
/// nothing may be allocated in a process that had several threads.
struct Start {
  const char* path;
  char* const* argv;
  char* const* environment;
  const char* directory;  ///< null: the directory of this process
  int in, out, err;       ///< -1: the stream of this process
  int report;
  const EndRecord* record;
  char* own_pid;  ///< in the environment, to be filled in
  timespec since;
  bool own_group;
  pid_t parent;
  sigset_t signals;  ///< blocked in the parent, and so in the program
};

// These belong to the keeper, for its handler.
volatile pid_t kept = 0;
volatile bool keeps_group = false;
const Start* volatile started = nullptr;

/// First the record, which outlives whoever reads the report.
void tell_end(const Start& start, int wait_status) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  start.record->write(wait_status, (now.tv_sec - start.since.tv_sec) * std::int64_t{1'000'000'000} +
                                       now.tv_nsec - start.since.tv_nsec);
  const int report[2] = {0, wait_status};
  if (write(start.report, report, sizeof report) < 0) _exit(1);
}

// A program that has ended before is told as such: its results are complete. It may do so until
// the signal that is to end it arrives, which only its status tells.
void end_all(int) {
  int status = 0;
  pid_t ended = waitpid(kept, &status, WNOHANG);
  if (ended < 0) return;  // keep() has its status and is about to tell it
  if (ended == 0) {
    kill(kept, SIGKILL);
    ended = waitpid(kept, &status, 0);
  }
  const bool by_us = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (ended > 0 && !by_us) tell_end(*started, status);
  if (keeps_group) kill(0, SIGKILL);  // kills the keeper, too
  _exit(0);
}

void replace(int from, int to) {
  if (from >= 0) dup2(from, to);
}

[[noreturn]] void become_program(const Start& start, pid_t keeper, void (*on_term)(int),
                                 void (*on_child)(int)) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != keeper) _exit(0);
  std::signal(SIGTERM, on_term);
  std::signal(SIGCHLD, on_child);
  sigprocmask(SIG_SETMASK, &start.signals, nullptr);
  if (const int held = start.record->descriptor(); held >= 0) {
    fcntl(held, F_SETFD, 0);  // the program and all that it starts hold the lock of the record
    long pid = getpid();
    for (char* digit = start.own_pid + kPidDigits; digit != start.own_pid; pid /= 10)
      *--digit = static_cast<char>('0' + pid % 10);
  }
  execve(start.path, start.argv, start.environment);
  const int report[2] = {errno, 0};
  start.record->withdraw();  // nothing has run
  if (write(start.report, report, sizeof report) < 0) _exit(1);
  _exit(0);
}

/// What the keeper does. All signals are blocked; of those only the parent's death and the like get
/// through.
[[noreturn]] void keep(const Start& start) {
  // A program keeps ignoring what its parent ignored, and nothing else; a handler is the parent's
  // affair.
  const auto inherited = [](void (*old)(int)) { return old == SIG_IGN ? SIG_IGN : SIG_DFL; };
  const auto on_term = inherited(std::signal(SIGTERM, end_all));
  const auto on_child = inherited(std::signal(SIGCHLD, SIG_DFL));
  keeps_group = start.own_group && setpgid(0, 0) == 0;
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != start.parent) _exit(0);  // the parent died before the line above
  replace(start.in, STDIN_FILENO);
  replace(start.out, STDOUT_FILENO);
  replace(start.err, STDERR_FILENO);
  if (start.own_group) {
    // Otherwise the pipes of programs that other threads run would stay open here.
    const int held = start.record->descriptor() < 0 ? start.report : start.record->descriptor();
    const auto first = static_cast<unsigned>(std::min(start.report, held));
    const auto last = static_cast<unsigned>(std::max(start.report, held));
    close_range(STDERR_FILENO + 1, first - 1, 0);
    close_range(first + 1, last - 1, 0);
    close_range(last + 1, UINT_MAX, 0);
  }
  const int error = start.directory != nullptr && chdir(start.directory) != 0 ? errno : 0;
  const pid_t self = getpid();
  const pid_t program = error == 0 ? fork() : -1;
  if (program == 0) become_program(start, self, on_term, on_child);
  if (program > 0) {
    kept = program;
    started = &start;
    sigset_t term;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_UNBLOCK, &term, nullptr);
    int status = 0;
    while (waitpid(program, &status, 0) < 0 && errno == EINTR) {
    }
    tell_end(start, status);
  } else {
    const int report[2] = {error == 0 ? errno : error, 0};
    if (write(start.report, report, sizeof report) < 0) _exit(1);
  }
  if (keeps_group) kill(0, SIGKILL);
  _exit(0);
}

}  // namespace

RunningProcess::RunningProcess(const Process& process) {
  assert(!process.argv.empty());
  program_ = process.argv[0];
  const std::filesystem::path path = find_program(program_);
  for (const std::string& other : process.needs) find_program(other);
  if (!process.directory.empty() && !std::filesystem::is_directory(process.directory))
    throw UserError(fmt::format("{}: no such folder", process.directory.string()));
  const bool quiet = !process.log.empty() || !process.output.empty();
  // Only the foreground group of a terminal may read from it.
  own_group_ = quiet || isatty(STDIN_FILENO) == 0;
  const File in(quiet ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1);
  const File log(open_output(process.log));
  const File output(open_output(process.output));
  const EndRecord record(process.record);
  if (!process.record.empty()) record_ = std::filesystem::absolute(process.record);
  const std::vector<char*> argv = pointers(process.argv);
  std::vector<std::string> added = process.environment;
  if (!record_.empty())
    added.push_back(
        fmt::format("{}={} {}", kEndVariable, std::string(kPidDigits, '0'), record_.string()));
  const std::vector<std::string> variables = environment_with(added);
  const std::vector<char*> environment = pointers(variables);
  char* const own_pid =
      record_.empty() ? nullptr : environment[added.size() - 1] + sizeof kEndVariable;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    throw UserError(fmt::format("{}: cannot be run: {}", program_, std::strerror(errno)));
  report_ = ends[0];
  const File report(ends[1]);
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);

  Start start{path.c_str(),
              argv.data(),
              environment.data(),
              process.directory.empty() ? nullptr : process.directory.c_str(),
              in.fd(),
              process.output.empty() ? log.fd() : output.fd(),
              log.fd(),
              report.fd(),
              &record,
              own_pid,
              now,
              own_group_,
              getpid(),
              {}};
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &start.signals);
  keeper_ = fork();
  if (keeper_ == 0) keep(start);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &start.signals, nullptr);
  if (keeper_ < 0) {
    keeper_ = 0;
    close(report_);
    throw UserError(fmt::format("{}: cannot be run: {}", program_, std::strerror(error)));
  }
  // The keeper does the same, so whoever is first, nobody looks for the group before it is there.
  if (own_group_) setpgid(keeper_, keeper_);
}

RunningProcess::~RunningProcess() {
  kill();
  close(report_);
}

void RunningProcess::reap(bool told) {
  // Somebody has killed a keeper that tells nothing, and perhaps nothing but that. Its number is
  // nobody else's before it is reaped.
  if (!told && own_group_) ::kill(-keeper_, SIGKILL);
  int ignored = 0;
  while (waitpid(keeper_, &ignored, 0) < 0 && errno == EINTR) {
  }
  keeper_ = 0;
}

void RunningProcess::kill() {
  if (keeper_ == 0) return;
  ::kill(keeper_, SIGTERM);
  ::kill(keeper_, SIGCONT);  // in case somebody has stopped it
  Report report{};
  ssize_t got = 0;
  while ((got = read(report_, &report, sizeof report)) < 0 && errno == EINTR) {
  }
  reap(got == sizeof report);
  const bool has_ended = got == sizeof report && report.error == 0;
  status_ = has_ended ? status_of(report) : status_without_report();
}

int RunningProcess::status_of(const Report& report) const {
  if (report.error != 0)
    throw UserError(fmt::format("{}: cannot be run: {}", program_, std::strerror(report.error)));
  return exit_status(report.status);
}

// A keeper that was killed may have written its record before.
int RunningProcess::status_without_report() const {
  const auto recorded = record_.empty() ? std::nullopt : read_end(record_);
  return recorded ? recorded->status : 128 + SIGKILL;
}

std::optional<int> RunningProcess::wait(std::chrono::milliseconds at_most) {
  if (keeper_ == 0) return status_;
  pollfd wanted{report_, POLLIN, 0};
  const int ready = poll(&wanted, 1, static_cast<int>(at_most.count()));
  if (ready == 0 || (ready < 0 && errno == EINTR)) return std::nullopt;
  Report report{};
  const ssize_t got = read(report_, &report, sizeof report);
  if (got < 0 && errno == EINTR) return std::nullopt;
  reap(got == sizeof report);
  status_ = got == sizeof report ? status_of(report) : status_without_report();
  return status_;
}

int RunningProcess::wait() {
  for (;;)
    if (const auto status = wait(std::chrono::hours(1))) return *status;
}

int run_process(const Process& process) {
  assert(process.limit.count() == 0 || !process.log.empty() || !process.output.empty());
  using Clock = std::chrono::steady_clock;
  RunningProcess running(process);
  if (process.limit.count() == 0) return running.wait();
  const Clock::time_point end = Clock::now() + process.limit;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (const auto status = running.wait(std::max(left, std::chrono::milliseconds(0))))
      return *status;
    if (Clock::now() >= end) return kOutOfTime;
  }
}

std::string ending(const Process& process, int status) {
  const std::string& program = process.argv[0];
  const std::string package = debian_package_of(program);
  std::string text =
      package.empty() ? program : fmt::format("{} (Debian package {})", program, package);
  if (status == kOutOfTime)
    return text + fmt::format(" took more than {} s", process.limit.count());
  if (status > 128) return text + fmt::format(" was ended by signal {}", status - 128);
  return text + fmt::format(" ended with exit status {}", status);
}

}  // namespace warpmem
