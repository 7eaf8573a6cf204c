// SPDX-License-Identifier: Apache-2.0
#include "gpu/monitor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/errors.hpp"

namespace warpmem::gpu {

namespace {

// It sees what all others have done in a cycle: a launch that ends in its last one has ended.
constexpr unsigned kRank = std::numeric_limits<unsigned>::max();

}  // namespace

Monitor::Monitor(ClockDomain& domain, const Limits& limits, Hooks hooks)
    : Clocked(domain, kRank), limits_(limits), hooks_(std::move(hooks)) {}

void Monitor::begin_launch() {
  start_ = last_progress_ = domain().next_cycle();
  last_work_ = hooks_.work_done();
  next_check_ = next_look(start_);
  wake_at(next_check_);
}

// What a look reads changes nothing, so when they come is free.
Cycle Monitor::next_look(Cycle now) const {
  Cycle next = now + kCheckCycles;
  if (limits_.without_progress != 0)
    next = std::min(next, last_progress_ + limits_.without_progress);
  const Cycle end = start_ + limits_.launch;
  return now < end ? std::min(next, end) : next;
}

Cycle Monitor::tick(Cycle now) {
  if (!hooks_.running() || now < next_check_) return kNever;
  const std::uint64_t work = hooks_.work_done();
  if (work != last_work_ || hooks_.waits_for_host()) {
    last_work_ = work;
    last_progress_ = now;
  } else if (limits_.without_progress != 0 && now - last_progress_ >= limits_.without_progress) {
    fail(fmt::format("no progress for {} cycles (deadlock), the limit being watchdog = {}",
                     now - last_progress_, limits_.without_progress),
         now);
  }
  if (limits_.launch != 0 && now - start_ >= limits_.launch && hooks_.has_ctas())
    fail(fmt::format("the launch takes more than max_cycles = {}", limits_.launch), now);
  hooks_.progress(now);
  next_check_ = next_look(now);
  return next_check_;
}

void Monitor::fail(const std::string& what, Cycle now) const {
  throw SimulationError(
      fmt::format("{} at cycle {}; state of the machine:\n{}", what, now, hooks_.describe()));
}

}  // namespace warpmem::gpu
