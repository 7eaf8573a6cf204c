// SPDX-License-Identifier: Apache-2.0
#include "sweeps/pool.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <memory>
#include <thread>

#include "base/errors.hpp"

namespace warpmem::sweeps {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPoll = std::chrono::milliseconds(5);
constexpr auto kLookAtMemory = std::chrono::milliseconds(200);

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

/// Returns the process above the program that this thread has started last (base/process.hpp); the
/// kernel lists children in the order of their beginning.
pid_t youngest_child() {
  std::ifstream children("/proc/thread-self/children");
  pid_t last = 0;
  for (pid_t child = 0; children >> child;) last = child;
  return last;
}

struct Running {
  std::size_t job;
  Clock::time_point since;
  std::unique_ptr<RunningProcess> process;
  pid_t keeper;
  std::size_t bytes = 0;
  bool timed_out = false;
  bool too_large = false;
};

void enforce(const JobLimits& limits, Running& r) {
  const double most = static_cast<double>(limits.time.count());
  r.timed_out = r.timed_out || (most != 0 && seconds_since(r.since) >= most);
  r.too_large = r.too_large || (limits.bytes != 0 && r.bytes > limits.bytes);
  if (r.timed_out || r.too_large) r.process->kill();
}

}  // namespace

std::size_t memory_below(pid_t process) {
  std::size_t bytes = 0;
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", process));
  for (pid_t child = 0; children >> child;) {
    std::ifstream pages(fmt::format("/proc/{}/statm", child));
    std::size_t all = 0, resident = 0;
    if (pages >> all >> resident)
      bytes += resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    bytes += memory_below(child);
  }
  return bytes;
}

void run_jobs(unsigned most, const JobLimits& limits, const std::function<bool(Process&)>& next,
              const std::function<void(const JobEnd&)>& ended,
              const std::function<bool(const std::vector<RunningJob>&)>& waiting) {
  std::vector<Running> running;  // those that are left when something throws are ended
  std::size_t started = 0;
  bool more = true;
  Clock::time_point looked = Clock::now();
  bool stop = false;
  while (more || !running.empty()) {
    Process job;
    while (more && running.size() < most && (more = next(job))) {
      running.push_back({started++, Clock::now(), std::make_unique<RunningProcess>(job), 0});
      running.back().keeper = youngest_child();
    }
    const bool look = Clock::now() - looked >= kLookAtMemory;
    if (look) looked = Clock::now();
    bool idle = true;
    for (std::size_t i = running.size(); i-- > 0;) {
      Running& r = running[i];
      if (look) r.bytes = memory_below(r.keeper);
      enforce(limits, r);
      if (stop) r.process->kill();
      JobEnd end{
          r.job, 0, "", r.timed_out, false, r.too_large ? r.bytes : 0, seconds_since(r.since)};
      try {
        const auto status = r.process->wait(std::chrono::milliseconds(0));
        if (!status) continue;
        end.status = *status;
        end.given_back = stop && *status == 128 + SIGKILL;
      } catch (const UserError& error) {
        end.not_started = error.what();
      }
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      ended(end);
      idle = false;
    }
    if (!idle) continue;
    std::vector<RunningJob> now;
    for (const Running& r : running) now.push_back({r.job, seconds_since(r.since), r.bytes});
    stop = !waiting(now);
    more = more && !stop;
    if (!stop) std::this_thread::sleep_for(kPoll);
  }
}

}  // namespace warpmem::sweeps
