// SPDX-License-Identifier: Apache-2.0
// The throttling unit, described once for all its views.
#pragma once

#include <cstdint>

#include "units/bits_for.hpp"
#include "units/unit_fields.hpp"

namespace warpmem::units {

struct ThrottleSize {
  std::uint32_t warps = 32;
  std::uint32_t divergence = 8;  ///< 1..warps: a Load_CNT below it means divergence
  std::uint32_t stable = 8;      ///< decisions
  std::uint32_t hold = 1000;     ///< cycles
  bool by_divergence = true;     ///< false: LAWS-NMD
};

struct ThrottleIn {
  bool clear = false;         ///< a kernel is launched
  bool fair = false;          ///< the scheduling policy is the fair one, so nothing is throttled
  bool access_valid = false;  ///< an L1D access that sets or clears its warp's bit
  bool access_intra = false;  ///< it is a hit within the warp; else a miss
  std::uint8_t access_warp = 0;
  std::uint64_t end_warps = 0;  ///< warps that have ended, a bit for each
  bool mshr_full = false;       ///< a primary miss has taken the last free MSHR entry
  std::uint8_t load_count = 0;  ///< warps that hold MSHR entries, 0..WARPS

  using Size = ThrottleSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("clear", &ThrottleIn::clear, 1);
    v("fair", &ThrottleIn::fair, 1);
    v("access_valid", &ThrottleIn::access_valid, 1);
    v("access_intra", &ThrottleIn::access_intra, 1);
    v("access_warp", &ThrottleIn::access_warp, bits_for(size.warps));
    v("end_warps", &ThrottleIn::end_warps, size.warps);
    v("mshr_full", &ThrottleIn::mshr_full, 1);
    v("load_count", &ThrottleIn::load_count, bits_for(size.warps + 1));
  }
};

struct ThrottleOut {
  bool limited = false;
  std::uint8_t limit = 0;  ///< warps that may issue, if limited
  std::uint8_t hit_count = 0;
  std::uint8_t min_count = 0;
  std::uint8_t max_count = 0;
  bool by_divergence = false;  ///< the limit comes from Load_CNT

  using Size = ThrottleSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    const unsigned count_bits = bits_for(size.warps + 1);
    v("limited", &ThrottleOut::limited, 1);
    v("limit", &ThrottleOut::limit, count_bits);
    v("hit_count", &ThrottleOut::hit_count, count_bits);
    v("min_count", &ThrottleOut::min_count, count_bits);
    v("max_count", &ThrottleOut::max_count, count_bits);
    v("by_divergence", &ThrottleOut::by_divergence, 1);
  }
};

struct ThrottleUnitDescription : UnitDefaults {
  using In = ThrottleIn;
  using Out = ThrottleOut;
  using Size = ThrottleSize;

  static constexpr const char* kName = "throttle_unit";
  static constexpr const char* kGroup = "laws";
  static constexpr const char* kViewKey = "scheduler.throttle_unit";
  static constexpr unsigned kPlace = 5;
  static constexpr unsigned kProofPlace = 12;

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"WARPS", "warps", "--warps", "warps of the SM", 2, 64}, size.warps);
    v(SizeField{"DIVERGENCE", "divergence", "--divergence", "divergence factor", 1, size.warps},
      size.divergence);
    v(SizeField{"STABLE", "stable", "--stable", "decisions until the mean counts", 1, 255},
      size.stable);
    v(SizeField{"HOLD", "hold", "--hold", "cycles that a decision stands", 1, 65535}, size.hold);
    v(SizeField{"MEMORY", "by_divergence", "--no-divergence",
                "memory divergence does not throttle"},
      size.by_divergence);
  }
  // The usual hold of 1000 cycles would leave few decisions, so it is one of the corners.
  static constexpr Size kSizes[] = {
      {32, 8, 8, 20, true},  {2, 1, 1, 1, true},     {3, 3, 2, 2, true},    {5, 5, 2, 2, true},
      {12, 5, 3, 40, false}, {64, 64, 255, 1, true}, {48, 8, 8, 100, true}, {32, 8, 8, 1000, true}};
  static constexpr Size kAttacked = {6, 3, 2, 5, true};
  static constexpr UnitProof kProofs[] = {{"WARPS=4 DIVERGENCE=3 STABLE=2 HOLD=3", true},
                                          {"WARPS=8 DIVERGENCE=3 STABLE=2 HOLD=3"}};
};

}  // namespace warpmem::units
