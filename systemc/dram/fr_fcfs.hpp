// SPDX-License-Identifier: Apache-2.0
// First ready, first come, first served (docs/mechanisms.md 1.7). Of the commands that are legal in
// a cycle it chooses the column command of the oldest row hit, or else the PRECHARGE or ACTIVATE
// for the oldest request. Each bank offers one candidate: its oldest row hit or, when it has none,
// what its oldest request needs. So a row with hits waiting stays open, and banks open rows in
// parallel. A request older than the age cap is alone in driving the device until it is served.
#pragma once

#include "dram/scheduler.hpp"

namespace warpmem::dram {

class FrFcfs final : public Scheduler {
 public:
  /// `age_cap` is in DRAM cycles; 0 = no cap.
  explicit FrFcfs(Cycle age_cap) : age_cap_(age_cap) {}
  Decision choose(const RequestQueue& queue, const Device& device, Cycle from,
                  bool columns) const override;

 private:
  Cycle age_cap_;
};

}  // namespace warpmem::dram
