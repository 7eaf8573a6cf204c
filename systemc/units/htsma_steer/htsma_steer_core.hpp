// SPDX-License-Identifier: Apache-2.0
// Steering of HTSMA (KI 5.2, Listing 5.1; docs/mechanisms.md 2.5), synthesizable core. It decides
// which of s-MSHR and TSMA a miss goes to, and is combinational.
#pragma once

#include "units/htsma_steer/htsma_steer_unit.hpp"

namespace warpmem::units {

/// `ways` is the number of lines of a cache set, at least 1.
constexpr HtsmaSteerOut htsma_steer(unsigned ways, const HtsmaSteerIn& in) {
  HtsmaSteerOut out;
  out.steer = HtsmaSteer::array;
  if (in.shared_count == ways - 1 || !in.victim_valid) {
    out.steer = HtsmaSteer::small_last_way;
  } else if (in.victim_hit) {
    out.steer = in.small_full ? HtsmaSteer::array_overflow : HtsmaSteer::small_hit_line;
  } else if (!in.small_empty) {
    out.steer = HtsmaSteer::array_compared;
  }
  const bool by_small =
      out.steer == HtsmaSteer::small_last_way || out.steer == HtsmaSteer::small_hit_line;
  out.merges = in.small_match && !in.small_empty;
  out.to_small = by_small && !out.merges;
  out.to_array = !by_small && !out.merges;
  out.compares = out.steer != HtsmaSteer::array;
  out.critical = out.to_array && out.compares;
  return out;
}

/// `kWays` is 1..4096.
template <unsigned kWays>
class HtsmaSteerCore {
  static_assert(kWays >= 1 && kWays <= 4096, "htsma_steer: WAYS must be 1 to 4096");

 public:
  using In = HtsmaSteerIn;
  using Out = HtsmaSteerOut;

  void reset() {}
  Out eval(const In& in) const { return htsma_steer(kWays, in); }
  void commit(const In&) {}
  /// There are none.
  template <class V>
  static constexpr void registers(V&&) {}
};

}  // namespace warpmem::units
