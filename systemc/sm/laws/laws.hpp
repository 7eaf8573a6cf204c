// SPDX-License-Identifier: Apache-2.0
// LAWS and LAWS-TH in an SM (KI chapters 2 and 3). The locality events of L1D go to the score and
// to the throttling unit, which say what policy the schedulers follow and how many warps may issue.
// An event takes effect in the next cycle.
#pragma once

#include <array>
#include <memory>

#include "base/clock_domain.hpp"
#include "base/locality.hpp"
#include "base/stats.hpp"
#include "sm/laws/laws_score.hpp"
#include "sm/laws/throttle_unit.hpp"

namespace warpmem::sm {

class Laws {
 public:
  /// `throttle` is nullptr for LAWS without throttling.
  Laws(std::unique_ptr<LawsScore> score, std::unique_ptr<ThrottleUnit> throttle);

  /// A kernel is launched; its first cycle is `now`.
  void launch(Cycle now);
  /// `ended` says that the warp of the access has ended.
  void l1d_accessed(const LocalityEvent& event, bool ended, Cycle now);
  void warp_ended(unsigned slot, Cycle now);

  /// Returns what holds in cycle `now`, after all events before it.
  bool fair(Cycle now);
  /// Number of warps that may issue; kUnlimited without throttling.
  unsigned limit(Cycle now);
  static constexpr unsigned kUnlimited = 64;
  /// Returns whether the next cycle may differ from `now` without a further event.
  bool settling(Cycle now) const { return throttle_ && now <= last_event_ + 1; }

  void register_stats(StatGroup& group, const ClockDomain& clock);

 private:
  void settle(Cycle now);
  void update_throttle();
  void account(Cycle until);
  unsigned warps_bucket() const;

  // Limits by which the time is distributed (KI Fig 3.9): 2, 3, ... 7, 8 or more, none.
  static constexpr unsigned kFewestWarps = 2, kManyWarps = 8;
  static constexpr unsigned kAllWarps = kManyWarps - kFewestWarps + 1;

  std::unique_ptr<LawsScore> score_;
  std::unique_ptr<ThrottleUnit> throttle_;
  // The inputs of cycle open_, collected while it lasts. The units have been clocked up to it.
  Cycle open_ = 0;
  units::LawsScoreIn score_in_;
  units::ThrottleIn throttle_in_;
  // The outputs of the units in cycle open_.
  units::LawsScoreOut score_out_;
  units::ThrottleOut throttle_out_;

  Cycle last_event_ = 0;
  Cycle accounted_ = 0;
  std::uint64_t fair_cycles_ = 0, unfair_cycles_ = 0, switches_ = 0;
  std::array<std::uint64_t, kAllWarps + 1> warps_cycles_{};
  std::uint64_t throttled_cycles_ = 0, divergence_cycles_ = 0, limit_changes_ = 0;
  TimeSeries score_series_, fair_series_, limit_series_, hits_series_, min_series_, max_series_,
      loading_series_;
  unsigned loading_ = 0;
};

}  // namespace warpmem::sm
