// SPDX-License-Identifier: Apache-2.0
// Ports of BUCL's control, in all its views.
#pragma once

#include <cstdint>

namespace warpmem::units {

/// Resolution of the hit rate, of the utilisation, and of their limits.
inline constexpr unsigned kBuclScale = 1000;
/// Rows of BU Table II: the thresholds of SMs 0, 1, ... while profiling.
inline constexpr unsigned kBuclProfileRows = 15;

struct BuclCtrlIn {
  bool clear = false;            ///< a kernel is launched: its first cycle is the next one
  bool access_valid = false;     ///< the observed L1D had an access
  bool access_hit = false;       ///< that access hit
  bool choose_valid = false;     ///< profiling: the best SM is known
  std::uint8_t choose_row = 0;   ///< row of the best SM, below kBuclProfileRows
  std::uint8_t load_degree = 0;  ///< requests of a load, up to 63
  std::uint8_t load_row = 0;     ///< row of the load's SM
  std::uint16_t uib = 0;         ///< utilisation of a refused request's partition, in 1/kBuclScale

  bool operator==(const BuclCtrlIn& o) const {
    return clear == o.clear && access_valid == o.access_valid && access_hit == o.access_hit &&
           choose_valid == o.choose_valid && choose_row == o.choose_row &&
           load_degree == o.load_degree && load_row == o.load_row && uib == o.uib;
  }
};

struct BuclCtrlOut {
  std::uint8_t tucd = 0;        ///< threshold of the load's SM
  bool load_bypass = false;     ///< load_degree is above the threshold
  bool low = false;             ///< the hit rate was below its limit
  bool refused_bypass = false;  ///< low, and uib is below its limit
  bool period_end = false;      ///< last cycle of a sampling period

  bool operator==(const BuclCtrlOut& o) const {
    return tucd == o.tucd && load_bypass == o.load_bypass && low == o.low &&
           refused_bypass == o.refused_bypass && period_end == o.period_end;
  }
  bool operator!=(const BuclCtrlOut& o) const { return !(*this == o); }
};

}  // namespace warpmem::units
