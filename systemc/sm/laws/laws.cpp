// SPDX-License-Identifier: Apache-2.0
#include "sm/laws/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/assert.hpp"

namespace warpmem::sm {

Laws::Laws(std::unique_ptr<LawsScore> score, std::unique_ptr<ThrottleUnit> throttle)
    : score_(std::move(score)), throttle_(std::move(throttle)) {
  score_out_ = score_->eval();
  if (throttle_) throttle_out_ = throttle_->eval(score_out_.fair);
}

// Clocks the units up to the beginning of cycle `now`. After an event one more cycle can change the
// outputs (Hit_CNT takes over from Load_CNT); then they stand.
void Laws::settle(Cycle now) {
  if (now <= open_) return;
  const bool was_fair = score_out_.fair;
  account(open_ + 1);
  throttle_in_.fair = was_fair;
  score_->commit(score_in_);
  score_out_ = score_->eval();
  if (score_out_.fair != was_fair) ++switches_;
  if (throttle_) {
    throttle_->commit(throttle_in_);
    update_throttle();
    if (now > open_ + 1) {
      account(open_ + 2);
      throttle_->idle(now - open_ - 1, score_out_.fair);
      update_throttle();
    }
  }
  score_in_ = {};
  throttle_in_ = {};
  open_ = now;
  account(now);
}

void Laws::update_throttle() {
  const units::ThrottleOut before = throttle_out_;
  throttle_out_ = throttle_->eval(score_out_.fair);
  if (throttle_out_.limited && throttle_out_.limit != before.limit) ++limit_changes_;
}

// Accounts for the cycles from accounted_ to `until`, in which the outputs have held.
void Laws::account(Cycle until) {
  if (until <= accounted_) return;
  const Cycle cycles = until - accounted_;
  (score_out_.fair ? fair_cycles_ : unfair_cycles_) += cycles;
  score_series_.add_level(accounted_, until, score_out_.score);
  fair_series_.add_level(accounted_, until, score_out_.fair ? 1 : 0);
  if (throttle_) {
    if (throttle_out_.limited) throttled_cycles_ += cycles;
    warps_cycles_[warps_bucket()] += cycles;
    if (throttle_out_.by_divergence) divergence_cycles_ += cycles;
    limit_series_.add_level(accounted_, until,
                            throttle_out_.limited ? throttle_out_.limit : kUnlimited);
    hits_series_.add_level(accounted_, until, throttle_out_.hit_count);
    min_series_.add_level(accounted_, until, throttle_out_.min_count);
    max_series_.add_level(accounted_, until, throttle_out_.max_count);
    loading_series_.add_level(accounted_, until, loading_);
  }
  accounted_ = until;
}

unsigned Laws::warps_bucket() const {
  if (!throttle_out_.limited) return kAllWarps;
  return std::min<unsigned>(throttle_out_.limit, kManyWarps) - kFewestWarps;
}

// The units are clear in the launch's first cycle, so the clear belongs to the cycle before.
void Laws::launch(Cycle now) {
  assert(now > 0);
  settle(now - 1);
  score_in_ = {};
  throttle_in_ = {};
  score_in_.clear = true;
  throttle_in_.clear = true;
  settle(now);
  accounted_ = now;
}

void Laws::l1d_accessed(const LocalityEvent& event, bool ended, Cycle now) {
  settle(now);
  last_event_ = now;
  const bool hit = event.kind == Locality::intra || event.kind == Locality::inter;
  const bool intra = event.kind == Locality::intra || event.kind == Locality::intra_m;
  if (hit) {
    score_in_.l1d_hit = true;
    score_in_.l1d_intra = intra;
  } else {
    score_in_.mshr_valid = true;
    score_in_.mshr_hit = event.kind != Locality::miss;
    score_in_.mshr_intra = intra;
  }
  // A hit between warps says nothing about the requester's own lines, and the bit of a warp that
  // has ended stays clear (KI 3.3.1), also when a load that nobody waited for hits.
  throttle_in_.access_valid =
      event.kind != Locality::inter && !(ended && event.kind == Locality::intra);
  throttle_in_.access_intra = event.kind == Locality::intra;
  throttle_in_.access_warp = event.warp;
  throttle_in_.mshr_full = event.mshr_full;
  throttle_in_.load_count = event.loading_warps;
  loading_ = event.loading_warps;
}

void Laws::warp_ended(unsigned slot, Cycle now) {
  settle(now);
  last_event_ = now;
  throttle_in_.end_warps |= std::uint64_t(1) << slot;
}

bool Laws::fair(Cycle now) {
  settle(now);
  return score_out_.fair;
}

unsigned Laws::limit(Cycle now) {
  settle(now);
  return throttle_ && throttle_out_.limited ? throttle_out_.limit : kUnlimited;
}

void Laws::register_stats(StatGroup& g, const ClockDomain& clock) {
  g.before_snapshot([this, &clock] { settle(clock.now()); });
  g.counter("laws.fair_cycles", fair_cycles_, "cycles", "cycles with policy GTLR (score below 0)");
  g.counter("laws.unfair_cycles", unfair_cycles_, "cycles", "cycles with policy GTO");
  g.counter("laws.switches", switches_, "switches", "changes of the policy");
  g.series("laws.score", score_series_, "score x cycles", "locality score, over time");
  g.series("laws.fair", fair_series_, "cycles", "cycles with policy GTLR, over time");
  if (!throttle_) return;
  g.counter("throttle.cycles", throttled_cycles_, "cycles", "cycles with a limit on the warps");
  g.counter("throttle.divergence_cycles", divergence_cycles_, "cycles",
            "cycles with a limit on the warps that memory divergence (Load_CNT) has set");
  g.counter("throttle.limit_changes", limit_changes_, "changes",
            "changes of the limit on the warps");
  for (unsigned bucket = 0; bucket < kAllWarps; ++bucket) {
    const unsigned warps = kFewestWarps + bucket;
    const bool last = warps == kManyWarps;
    g.counter(fmt::format("throttle.warps.{}{}.cycles", warps, last ? "_up" : ""),
              warps_cycles_[bucket], "cycles",
              fmt::format("cycles with a limit of {}{} warps", warps, last ? " or more" : ""));
  }
  g.counter("throttle.warps.all.cycles", warps_cycles_[kAllWarps], "cycles",
            "cycles without a limit on the warps");
  g.law("cycles by limit = cycles by policy", [this] {
    return expect_equal(
        "throttle.warps.*.cycles",
        std::accumulate(warps_cycles_.begin(), warps_cycles_.end(), std::uint64_t(0)),
        "laws.fair_cycles + laws.unfair_cycles", fair_cycles_ + unfair_cycles_);
  });
  g.series("throttle.limit", limit_series_, "warps x cycles",
           "warps that may issue, over time (64: no limit)");
  g.series("throttle.hit_count", hits_series_, "warps x cycles", "Hit_CNT over time");
  g.series("throttle.min_count", min_series_, "warps x cycles", "Min_CNT over time");
  g.series("throttle.max_count", max_series_, "warps x cycles", "Max_CNT over time");
  g.series("throttle.load_count", loading_series_, "warps x cycles", "Load_CNT over time");
}

}  // namespace warpmem::sm
