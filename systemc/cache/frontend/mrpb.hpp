// SPDX-License-Identifier: Apache-2.0
// The memory request prioritization buffer as a front end: one request enters its queues and one
// leaves them a cycle (mrpb_queues.hpp).
#pragma once

#include <string>

#include "cache/frontend/frontend.hpp"
#include "cache/frontend/mrpb_queues.hpp"
#include "cache/frontend/registry.hpp"

namespace warpmem::cache {

class Mrpb : public Frontend {
 public:
  /// Throws UserError when the view of the drain selector cannot be built.
  Mrpb(const MrpbParams& params, const FrontendSite& site, const FrontendFactories& units);

  void fill(Cycle now) override;
  Waiting* select(Cycle now) override;
  void accepted(Cycle now) override;
  bool refused(Cycle now, Stall cause) override;
  Cycle next_work(Cycle now) const override;
  const Payload* head() const override { return queues_.head(); }
  bool empty() const override { return queues_.empty(); }
  void register_stats(StatGroup& group, const ClockDomain& clock) override;
  std::string describe() const override { return queues_.describe(); }

 private:
  MrpbQueues queues_;
  Waiting head_;  // the request that stands at the cache
  Cycle acted_ = kNever;
};

}  // namespace warpmem::cache
