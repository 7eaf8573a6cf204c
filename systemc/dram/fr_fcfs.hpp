// SPDX-License-Identifier: Apache-2.0
// First ready, first come, first served (docs/mechanisms.md 1.7). In every cycle, of the commands
// that are legal: the column command of the oldest row hit; else the PRECHARGE or ACTIVATE for the
// oldest request. Each bank offers one candidate: its oldest row hit, or, when it has none, what
// its oldest request needs; so a row with hits waiting stays open, and banks open rows in parallel.
// A request older than the age cap is alone in driving the device until it is served.
#pragma once

#include "dram/scheduler.hpp"

namespace warpmem::dram {

class FrFcfs final : public Scheduler {
 public:
  /// `age_cap` in DRAM cycles, 0 = none.
  explicit FrFcfs(Cycle age_cap) : age_cap_(age_cap) {}
  Decision choose(const RequestQueue& queue, const Device& device, Cycle from,
                  bool columns) const override;

 private:
  Cycle age_cap_;
};

}  // namespace warpmem::dram
