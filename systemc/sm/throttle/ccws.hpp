// SPDX-License-Identifier: Apache-2.0
// Cache-conscious warp scheduling (Rogers, O'Connor, Aamodt, MICRO 2012; KI 3.2): warps that lose
// their lines to others get scores, and the warps with the lowest ones may not load.
//
//   A warp misses on one of its victim tags:
//     score := victim tag hits x K / instructions issued x cutoff, at least the base score
//   Each cycle a score falls by 1 down to the base score. cutoff = base score x unfinished warps.
//   From the highest score down, warps may load while the sum of their scores stays within cutoff.
//
// The order is taken anew every kPeriod cycles, and when a warp starts, ends or loses a line.
// Scores fall, so nobody is held back for ever.
#pragma once

#include <array>
#include <vector>

#include "sm/throttle/throttle.hpp"

namespace warpmem::sm {

class Ccws : public Throttle {
 public:
  /// `base` >= 1; `k` is K above.
  Ccws(unsigned base, unsigned k) : base_(base), k_(k) {
    by_age_.reserve(64);
    pending_.reserve(64);
  }

  void launch() override;
  void started(unsigned slot, Cycle now) override;
  void finished(unsigned slot, Cycle now) override;
  void at_barrier(unsigned, bool, Cycle) override {}
  void issued(Cycle) override { ++instructions_; }
  bool l1d_accessed(const LocalityEvent& event, Cycle now) override;
  void catch_up(Cycle now) override { apply(now); }
  void begin_cycle(Cycle now) override;
  Cycle next_change(Cycle now, bool ready) const override;
  void register_stats(StatGroup& group) override;

  std::uint64_t score(unsigned slot, Cycle now) const;

 private:
  static constexpr Cycle kPeriod = 16;
  void apply(Cycle before);
  void order(Cycle now);

  std::uint64_t base_;
  std::uint64_t k_;
  std::vector<unsigned> by_age_;
  std::array<std::uint64_t, 64> value_{};  // score at set_at_, before it falls
  std::array<Cycle, 64> set_at_{};
  std::uint64_t hits_ = 0;
  std::uint64_t instructions_ = 0;
  // Who lost lines in cycle pending_at_, which are not in the scores yet; L1D has up to a line a
  // bank.
  std::vector<unsigned> pending_;
  Cycle pending_at_ = 0;
  Cycle changed_at_ = 0;
  Cycle ordered_at_ = kNever;
  std::uint64_t total_hits_ = 0;
};

}  // namespace warpmem::sm
