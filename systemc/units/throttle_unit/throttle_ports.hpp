// SPDX-License-Identifier: Apache-2.0
// Ports of the throttling unit, in all its views.
#pragma once

#include <cstdint>

namespace warpmem::units {

struct ThrottleIn {
  bool clear = false;         ///< a kernel is launched
  bool fair = false;          ///< the scheduling policy is the fair one, so nothing is throttled
  bool access_valid = false;  ///< an L1D access that sets or clears its warp's bit
  bool access_intra = false;  ///< it is a hit within the warp; else a miss
  std::uint8_t access_warp = 0;
  std::uint64_t end_warps = 0;  ///< warps that have ended, a bit for each
  bool mshr_full = false;       ///< a primary miss has taken the last free MSHR entry
  std::uint8_t load_count = 0;  ///< warps that hold MSHR entries, 0..WARPS

  bool operator==(const ThrottleIn& o) const {
    return clear == o.clear && fair == o.fair && access_valid == o.access_valid &&
           access_intra == o.access_intra && access_warp == o.access_warp &&
           end_warps == o.end_warps && mshr_full == o.mshr_full && load_count == o.load_count;
  }
};

struct ThrottleOut {
  bool limited = false;
  std::uint8_t limit = 0;  ///< warps that may issue, if limited
  std::uint8_t hit_count = 0;
  std::uint8_t min_count = 0;
  std::uint8_t max_count = 0;
  bool by_divergence = false;  ///< the limit comes from Load_CNT

  bool operator==(const ThrottleOut& o) const {
    return limited == o.limited && limit == o.limit && hit_count == o.hit_count &&
           min_count == o.min_count && max_count == o.max_count && by_divergence == o.by_divergence;
  }
  bool operator!=(const ThrottleOut& o) const { return !(*this == o); }
};

}  // namespace warpmem::units
