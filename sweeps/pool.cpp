// SPDX-License-Identifier: Apache-2.0
#include "sweeps/pool.hpp"

#include <memory>
#include <thread>

#include "base/errors.hpp"

namespace warpmem::sweeps {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPoll = std::chrono::milliseconds(5);

struct Running {
  std::size_t job;
  Clock::time_point since;
  std::unique_ptr<RunningProcess> process;
  bool timed_out = false;
};

}  // namespace

void run_jobs(unsigned most, std::chrono::seconds timeout,
              const std::function<bool(Process&)>& next,
              const std::function<void(const JobEnd&)>& ended,
              const std::function<void()>& waiting) {
  std::vector<Running> running;  // those that are left when something throws are ended
  std::size_t started = 0;
  bool more = true;
  while (more || !running.empty()) {
    Process job;
    while (more && running.size() < most && (more = next(job)))
      running.push_back({started++, Clock::now(), std::make_unique<RunningProcess>(job)});
    bool idle = true;
    for (std::size_t i = running.size(); i-- > 0;) {
      Running& r = running[i];
      const double seconds = std::chrono::duration<double>(Clock::now() - r.since).count();
      if (timeout.count() != 0 && seconds >= static_cast<double>(timeout.count())) {
        r.timed_out = true;
        r.process->kill();
      }
      JobEnd end{r.job, 0, "", r.timed_out, seconds};
      try {
        const auto status = r.process->wait(std::chrono::milliseconds(0));
        if (!status) continue;
        end.status = *status;
      } catch (const UserError& error) {
        end.not_started = error.what();
      }
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
      ended(end);
      idle = false;
    }
    if (!idle) continue;
    waiting();
    std::this_thread::sleep_for(kPoll);
  }
}

}  // namespace warpmem::sweeps
