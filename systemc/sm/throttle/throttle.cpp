// SPDX-License-Identifier: Apache-2.0
#include "sm/throttle/throttle.hpp"

#include "sm/throttle/age_limit.hpp"
#include "sm/throttle/ccws.hpp"
#include "sm/throttle/laws_throttle.hpp"

namespace warpmem::sm {

std::unique_ptr<Throttle> make_throttle(const SmParams& params, Laws* laws) {
  switch (params.policy) {
    case Policy::swl:
      return std::make_unique<AgeLimit>(params.warp_limit, params.patience);
    case Policy::laws_th:
    case Policy::laws_nmd:
      return std::make_unique<LawsThrottle>(*laws, params.patience);
    case Policy::ccws:
      return std::make_unique<Ccws>(params.ccws_base, params.ccws_k);
    default:
      return nullptr;
  }
}

}  // namespace warpmem::sm
