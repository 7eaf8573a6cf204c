// SPDX-License-Identifier: Apache-2.0
#include "sm/scheduler/scheduler.hpp"

#include "sm/scheduler/added_policy.hpp"
#include "sm/scheduler/greedy_round_robin.hpp"
#include "sm/scheduler/gto.hpp"
#include "sm/scheduler/laws_scheduler.hpp"
#include "sm/scheduler/round_robin.hpp"
#include "sm/scheduler/starvation_guard.hpp"
#include "sm/scheduler/two_level.hpp"

namespace warpmem::sm {

AddedSchedulers& added_schedulers() {
  static AddedSchedulers added;
  return added;
}

std::unique_ptr<Scheduler> make_policy(const SmParams& params, const WarpObserver& warps) {
  if (!params.added_policy.empty())
    return std::make_unique<AddedPolicy>(
        added_schedulers().who(params.added_policy),
        added_schedulers().make(params.added_policy, params, warps));
  switch (params.policy) {
    case Policy::rr:
      return std::make_unique<RoundRobin>();
    case Policy::gtrr:
      return std::make_unique<GreedyRoundRobin>(false);
    case Policy::gtlr:
      return std::make_unique<GreedyRoundRobin>(true);
    case Policy::gto:
    case Policy::swl:  // this is GTO among the warps that the throttle lets through
    case Policy::ccws:
      return std::make_unique<GreedyThenOldest>(params.warps);
    case Policy::laws:
    case Policy::laws_th:
    case Policy::laws_nmd:
      return std::make_unique<LawsScheduler>(params.warps, warps);
    case Policy::two_level:
      return std::make_unique<TwoLevel>(params, warps);
  }
  return nullptr;
}

std::unique_ptr<Scheduler> make_scheduler(const SmParams& params, const WarpObserver& warps) {
  auto policy = make_policy(params, warps);
  if (!params.may_starve()) return policy;
  return std::make_unique<StarvationGuard>(std::move(policy), params.starvation_bound);
}

}  // namespace warpmem::sm
