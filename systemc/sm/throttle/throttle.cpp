// SPDX-License-Identifier: Apache-2.0
#include "sm/throttle/throttle.hpp"

#include "sm/throttle/static_limit.hpp"

namespace warpmem::sm {

std::unique_ptr<Throttle> make_throttle(const SmParams& params) {
  if (params.policy == Policy::swl)
    return std::make_unique<StaticLimit>(params.warp_limit, params.patience);
  return nullptr;
}

}  // namespace warpmem::sm
