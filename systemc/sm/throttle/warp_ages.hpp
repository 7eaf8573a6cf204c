// SPDX-License-Identifier: Apache-2.0
// The unfinished warps of an SM from oldest to youngest, for throttling.
#pragma once

#include <algorithm>
#include <vector>

#include "sm/scheduler/scheduler.hpp"

namespace warpmem::sm {

class WarpAges {
 public:
  WarpAges() { by_age_.reserve(64); }

  void started(unsigned slot) { by_age_.push_back(slot); }
  void finished(unsigned slot) {
    by_age_.erase(std::find(by_age_.begin(), by_age_.end(), slot));
    at_barrier_ &= ~(WarpMask(1) << slot);
  }
  void at_barrier(unsigned slot, bool waiting) {
    const WarpMask bit = WarpMask(1) << slot;
    at_barrier_ = waiting ? at_barrier_ | bit : at_barrier_ & ~bit;
  }

  WarpMask all() const {
    WarpMask mask = 0;
    for (unsigned slot : by_age_) mask |= WarpMask(1) << slot;
    return mask & ~at_barrier_;
  }
  /// Returns the `count` oldest warps that do not wait at a barrier.
  WarpMask oldest(unsigned count) const {
    WarpMask mask = 0;
    for (unsigned slot : by_age_) {
      if (count == 0) break;
      if (at_barrier_ >> slot & 1) continue;
      mask |= WarpMask(1) << slot;
      --count;
    }
    return mask;
  }
  /// Returns the next younger warp after `last` that is neither in `inside` nor at a barrier; after
  /// the youngest comes the oldest again. Precondition: there is one.
  unsigned next_outside(WarpMask inside, unsigned last) const {
    const WarpMask out = all() & ~inside;
    const auto start = std::find(by_age_.begin(), by_age_.end(), last);
    const auto outside = [out](unsigned slot) { return (out >> slot & 1) != 0; };
    if (start != by_age_.end()) {
      const auto next = std::find_if(start + 1, by_age_.end(), outside);
      if (next != by_age_.end()) return *next;
    }
    return *std::find_if(by_age_.begin(), by_age_.end(), outside);
  }

 private:
  std::vector<unsigned> by_age_;
  WarpMask at_barrier_ = 0;
};

}  // namespace warpmem::sm
