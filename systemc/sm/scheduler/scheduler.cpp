// SPDX-License-Identifier: Apache-2.0
#include "sm/scheduler/scheduler.hpp"

#include "sm/scheduler/gto.hpp"
#include "sm/scheduler/round_robin.hpp"

namespace warpmem::sm {

std::unique_ptr<Scheduler> make_scheduler(Policy policy, unsigned slots) {
  switch (policy) {
    case Policy::rr:
      return std::make_unique<RoundRobin>();
    case Policy::gto:
      return std::make_unique<GreedyThenOldest>(slots);
  }
  return nullptr;
}

}  // namespace warpmem::sm
