// SPDX-License-Identifier: Apache-2.0
// Control of BUCL (BU section IV, docs/mechanisms.md 3.2), synthesizable core. It compares a load's
// degree with TUCD, and a refused request's surroundings with the limits of L1DHR and UIB. At the
// end of a sampling period it learns the hit rate and, without profiling, moves TUCD by one.
//
// A period without an access teaches nothing.
#pragma once

#include <cstdint>

#include "units/bucl_ctrl/bucl_ctrl_unit.hpp"

namespace warpmem::units {

/// The thresholds of BU Table II. Precondition: row < kBuclProfileRows.
constexpr std::uint8_t bucl_profile_tucd(unsigned row) {
  return static_cast<std::uint8_t>(row < 7    ? row + 2      // 2 to 8
                                   : row < 14 ? 2 * row - 4  // 10 to 22
                                              : 25);
}

/// `kPeriod` is 2..1'000'000 cycles, the limits are 0..kBuclScale, the thresholds 1..32 with
/// `kLeast` <= `kTucd` <= `kMost`. `kProfile` is 0 or 1; with 1 every SM has its own threshold
/// until one is chosen for all.
template <unsigned kPeriod, unsigned kHitLimit, unsigned kUibLimit, unsigned kTucd, unsigned kLeast,
          unsigned kMost, unsigned kProfile>
class BuclCtrlCore {
  static_assert(kPeriod >= 2 && kPeriod <= 1'000'000, "bucl_ctrl: PERIOD must be 2 to 1000000");
  static_assert(kHitLimit <= kBuclScale && kUibLimit <= kBuclScale,
                "bucl_ctrl: HIT_LIMIT and UIB_LIMIT must be 0 to 1000");
  static_assert(kLeast >= 1 && kLeast <= kTucd && kTucd <= kMost && kMost <= 32,
                "bucl_ctrl: LEAST, TUCD and MOST must rise from 1 to 32");
  static_assert(kProfile <= 1, "bucl_ctrl: PROFILE must be 0 or 1");

 public:
  using In = BuclCtrlIn;
  using Out = BuclCtrlOut;

  void reset() {
    cycle_ = accesses_ = hits_ = 0;
    low_ = kHitLimit > 0;  // the hit rate counts as 0 until one is known
    tucd_ = kTucd;
    chosen_ = false;
  }

  Out eval(const In& in) const {
    Out out;
    out.tucd = kProfile != 0 && !chosen_ ? bucl_profile_tucd(in.load_row) : tucd_;
    out.load_bypass = in.load_degree > out.tucd;
    out.low = low_;
    out.refused_bypass = low_ && in.uib < kUibLimit;
    out.period_end = cycle_ == kPeriod - 1;
    return out;
  }

  void commit(const In& in) {
    if (in.clear) {
      reset();
      return;
    }
    if (in.access_valid) {
      ++accesses_;
      hits_ += in.access_hit ? 1 : 0;
    }
    if (cycle_ == kPeriod - 1) {
      if (accesses_ != 0) learn();
      cycle_ = accesses_ = hits_ = 0;
    } else {
      ++cycle_;
    }
    if (kProfile == 0 || !in.choose_valid) return;
    tucd_ = bucl_profile_tucd(in.choose_row);
    chosen_ = true;
  }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("cycle", &BuclCtrlCore::cycle_);
    v("accesses", &BuclCtrlCore::accesses_);
    v("hits", &BuclCtrlCore::hits_);
    v("low", &BuclCtrlCore::low_);
    v("tucd", &BuclCtrlCore::tucd_);
    v("chosen", &BuclCtrlCore::chosen_);
  }

 private:
  void learn() {
    const std::uint64_t rate = std::uint64_t(kBuclScale) * hits_;
    const std::uint64_t limit = std::uint64_t(kHitLimit) * accesses_;
    low_ = rate < limit;
    if (kProfile != 0) return;
    if (rate > limit) {
      if (tucd_ < kMost) ++tucd_;
    } else {
      if (tucd_ > kLeast) --tucd_;
    }
  }

  std::uint32_t cycle_ = 0;                // cycle within the period
  std::uint32_t accesses_ = 0, hits_ = 0;  // accesses and hits of the period
  bool low_ = kHitLimit > 0;
  std::uint8_t tucd_ = kTucd;
  bool chosen_ = false;
};

}  // namespace warpmem::units
