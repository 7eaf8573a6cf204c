// SPDX-License-Identifier: Apache-2.0
#include "gpu/monitor.hpp"

#include <fmt/format.h>

#include "base/errors.hpp"

namespace warpmem::gpu {

Monitor::Monitor(ClockDomain& domain, Cycle limit, Hooks hooks)
    : Clocked(domain), limit_(limit), hooks_(std::move(hooks)) {}

void Monitor::begin_launch() {
  last_progress_ = domain().next_cycle();
  last_work_ = hooks_.work_done();
  next_check_ = last_progress_ + kCheckCycles;
  wake_at(next_check_);
}

Cycle Monitor::tick(Cycle now) {
  if (!hooks_.running() || now < next_check_) return kNever;
  next_check_ = now + kCheckCycles;
  const std::uint64_t work = hooks_.work_done();
  if (work != last_work_) {
    last_work_ = work;
    last_progress_ = now;
  } else if (limit_ != 0 && now - last_progress_ >= limit_) {
    throw SimulationError(
        fmt::format("no progress for {} cycles (deadlock or livelock) at cycle {}; state of the "
                    "machine:\n{}",
                    now - last_progress_, now, hooks_.describe()));
  }
  hooks_.progress(now);
  return next_check_;
}

}  // namespace warpmem::gpu
