// SPDX-License-Identifier: Apache-2.0
#include "app/sweep/pool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <map>
#include <thread>

#include "base/errors.hpp"

namespace warpmem::app::sweep {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPoll = std::chrono::milliseconds(5);
constexpr int kNotStarted = 127;

std::vector<std::string> merged(const std::vector<std::string>& extra) {
  std::vector<std::string> all = extra;
  for (char** v = environ; *v != nullptr; ++v) {
    const std::string name(*v, std::strcspn(*v, "=") + 1);
    bool replaced = false;
    for (const std::string& e : extra) replaced = replaced || e.rfind(name, 0) == 0;
    if (!replaced) all.emplace_back(*v);
  }
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  for (const std::string& s : strings) out.push_back(const_cast<char*>(s.c_str()));
  out.push_back(nullptr);
  return out;
}

// Between fork and exec only what may be called there.
pid_t start(const Job& job) {
  const std::vector<std::string> variables = merged(job.environment);
  const std::vector<char*> argv = pointers(job.argv);
  const std::vector<char*> environment = pointers(variables);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) throw UserError(fmt::format("cannot start a run: {}", std::strerror(errno)));
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(kNotStarted);  // it died before the line above
  const int log = open(job.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int null = open("/dev/null", O_RDONLY);
  if (log < 0 || null < 0 || dup2(null, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0)
    _exit(kNotStarted);
  execve(argv[0], argv.data(), environment.data());
  _exit(kNotStarted);
}

struct Running {
  std::size_t job;
  Clock::time_point since;
  bool timed_out = false;
};

}  // namespace

void run_jobs(unsigned most, std::chrono::seconds timeout, const std::function<bool(Job&)>& next,
              const std::function<void(const JobEnd&)>& ended,
              const std::function<void()>& waiting) {
  std::map<pid_t, Running> running;
  std::size_t started = 0;
  bool more = true;
  const auto stop_all = [&running] {
    for (const auto& [pid, r] : running) kill(pid, SIGKILL);
    for (const auto& [pid, r] : running) waitpid(pid, nullptr, 0);
  };
  try {
    while (more || !running.empty()) {
      Job job;
      while (more && running.size() < most && (more = next(job)))
        running[start(job)] = {started++, Clock::now()};
      int status = 0;
      const pid_t pid = waitpid(-1, &status, WNOHANG);
      const auto found = running.find(pid);
      if (pid > 0 && found != running.end()) {
        const Running r = found->second;
        running.erase(found);
        ended({r.job, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
               r.timed_out, std::chrono::duration<double>(Clock::now() - r.since).count()});
        continue;
      }
      for (auto& [child, r] : running) {
        if (timeout.count() == 0 || r.timed_out || Clock::now() - r.since < timeout) continue;
        r.timed_out = true;
        kill(child, SIGKILL);
      }
      waiting();
      std::this_thread::sleep_for(kPoll);
    }
  } catch (...) {
    stop_all();
    throw;
  }
}

}  // namespace warpmem::app::sweep
