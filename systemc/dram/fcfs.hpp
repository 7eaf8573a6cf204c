// SPDX-License-Identifier: Apache-2.0
// With first come, first served only the oldest request drives the device.
#pragma once

#include "dram/scheduler.hpp"

namespace warpmem::dram {

class Fcfs final : public Scheduler {
 public:
  Decision choose(const RequestQueue& queue, const Device& device, Cycle from,
                  bool columns) const override {
    if (queue.empty()) return {};
    return next_command(queue, device, queue.oldest(), from, columns);
  }
};

}  // namespace warpmem::dram
