// SPDX-License-Identifier: Apache-2.0
// Throttling unit of LAWS-TH (KI 3.3, docs/mechanisms.md 3.4), synthesizable core: how many warps
// of the SM may issue, which is decided whenever the MSHRs have become full.
//
// A bit a warp says whether its last L1D access that counts was a hit within the warp; Hit_CNT is
// the number of ones. A decision:
//   Hit_CNT > 0           Min_CNT and Max_CNT take it in. limit = Hit_CNT + 1 until both have stood
//                         for STABLE decisions, then the mean of Min_CNT and Max_CNT, rounded up
//   else Load_CNT < DIVERGENCE (and divergence is on)   limit = Load_CNT; later, as soon as
//                         Hit_CNT + 1 exceeds it, that is a decision too
//   else                  no limit
// A limit is at least two warps and holds for HOLD cycles. While the policy is fair there is no
// limit.
#pragma once

#include <cstdint>

#include "units/throttle_unit/throttle_unit_unit.hpp"

namespace warpmem::units {

/// `kWarps` is 2..64 warps, `kDivergence` 1..kWarps, `kStable` 1..255, `kHold` 1..65535 cycles.
/// With `kMemory` false memory divergence never sets a limit (LAWS-NMD).
template <unsigned kWarps, unsigned kDivergence, unsigned kStable, unsigned kHold, bool kMemory>
class ThrottleUnitCore {
  static_assert(kWarps >= 2 && kWarps <= 64, "throttle_unit: WARPS must be 2 to 64");
  static_assert(kDivergence >= 1 && kDivergence <= kWarps,
                "throttle_unit: DIVERGENCE must be 1 to WARPS");
  static_assert(kStable >= 1 && kStable <= 255, "throttle_unit: STABLE must be 1 to 255");
  static_assert(kHold >= 1 && kHold <= 65535, "throttle_unit: HOLD must be 1 to 65535");

 public:
  using In = ThrottleIn;
  using Out = ThrottleOut;
  enum class Mode : std::uint8_t { off, locality, divergence };

  void reset() {
    intra_ = 0;
    mode_ = Mode::off;
    limit_ = 0;
    seen_ = false;
    min_ = 0;
    max_ = 0;
    stable_ = 0;
    hold_ = 0;
  }

  Out eval(const In& in) const {
    Out out;
    out.limited = mode_ != Mode::off && !in.fair;
    if (out.limited) out.limit = limit_;
    out.by_divergence = out.limited && mode_ == Mode::divergence;
    out.hit_count = hits();
    out.min_count = min_;
    out.max_count = max_;
    return out;
  }

  void commit(const In& in) {
    if (in.clear) {
      reset();
      return;
    }
    const std::uint8_t hit_count = hits();
    const bool exceeds =
        mode_ == Mode::divergence && hit_count != 0 && warps_for(hit_count + 1u) > limit_;
    const bool decides = in.mshr_full && hold_ == 0;
    if (hold_ != 0) --hold_;
    if (!in.fair && (decides || exceeds)) decide(hit_count, in.load_count);

    if (in.access_valid) mark(in.access_warp, in.access_intra);
    intra_ &= ~in.end_warps;
  }

  /// Visits the registers.
  template <class V>
  static constexpr void registers(V&& v) {
    v("intra", &ThrottleUnitCore::intra_);
    v("mode", &ThrottleUnitCore::mode_);
    v("limit", &ThrottleUnitCore::limit_);
    v("seen", &ThrottleUnitCore::seen_);
    v("min", &ThrottleUnitCore::min_);
    v("max", &ThrottleUnitCore::max_);
    v("stable", &ThrottleUnitCore::stable_);
    v("hold", &ThrottleUnitCore::hold_);
  }

 private:
  static std::uint8_t warps_for(unsigned count) {
    return static_cast<std::uint8_t>(count < 2 ? 2 : count > kWarps ? kWarps : count);
  }

  std::uint8_t hits() const {
    unsigned count = 0;
    for (unsigned w = 0; w < kWarps; ++w) count += static_cast<unsigned>(intra_ >> w & 1);
    return static_cast<std::uint8_t>(count);
  }

  void mark(std::uint8_t warp, bool intra) {
    const std::uint64_t bit = std::uint64_t(1) << warp;
    intra_ = intra ? intra_ | bit : intra_ & ~bit;
  }

  void decide(std::uint8_t hit_count, std::uint8_t load_count) {
    hold_ = kHold;
    if (hit_count != 0) {
      follow(hit_count);
      const bool settled = stable_ == kStable;
      mode_ = Mode::locality;
      limit_ = warps_for(settled ? (unsigned(min_) + max_ + 1) / 2 : hit_count + 1u);
    } else if (kMemory && load_count < kDivergence) {
      mode_ = Mode::divergence;
      limit_ = warps_for(load_count);
    } else {
      mode_ = Mode::off;
      limit_ = 0;
    }
  }

  void follow(std::uint8_t hit_count) {
    const bool moves = !seen_ || hit_count < min_ || hit_count > max_;
    if (!seen_ || hit_count < min_) min_ = hit_count;
    if (!seen_ || hit_count > max_) max_ = hit_count;
    seen_ = true;
    if (moves) {
      stable_ = 0;
    } else if (stable_ != kStable) {
      ++stable_;
    }
  }

  std::uint64_t intra_ = 0;  // a bit for each warp
  Mode mode_ = Mode::off;
  std::uint8_t limit_ = 0;
  bool seen_ = false;  // min_ and max_ hold something
  std::uint8_t min_ = 0;
  std::uint8_t max_ = 0;
  std::uint8_t stable_ = 0;  // decisions since min_ or max_ moved
  std::uint16_t hold_ = 0;   // cycles for which the decision still stands
};

}  // namespace warpmem::units
