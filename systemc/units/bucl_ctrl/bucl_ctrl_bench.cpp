// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/errors.hpp"
#include "base/random.hpp"
#include "cosim/lockstep_unit.hpp"
#include "l1d/bypass/bucl_ctrl.hpp"
#include "units/bucl_ctrl/bucl_ctrl_unit.hpp"

namespace warpmem::cosim::bucl_ctrl {

using units::BuclCtrlIn;

namespace {

std::uint32_t thousandths(double limit) { return parameter_value(SizeKind::share, limit); }

/// These are hits and accesses of a period; `accesses` is 0 where there are none such.
struct Period {
  std::uint32_t hits, accesses;
};

/// Returns the shortest one whose hit rate is the very limit.
Period period_at_the_limit(const units::BuclCtrlSize& size) {
  const std::uint32_t limit = thousandths(size.hit_rate_limit);
  for (std::uint32_t n = 1; n <= std::min(size.period, units::kBuclScale); ++n)
    if (n * limit % units::kBuclScale == 0) return {n * limit / units::kBuclScale, n};
  return {0, 0};
}

enum Point : std::size_t {
  kRateBelow,
  kRateAt,
  kRateAbove,
  kNoAccess,
  kLastCycle,
  kRises,
  kFalls,
  kStaysAtMost,
  kStaysAtLeast,
  kLoadBypasses,
  kLoadAtThreshold,
  kRefusedBypasses,
  kUtilisationAtLimit,
  kLocality,
  kClear,
  kClearAtEnd,
  kProfiles,
  kChosen,
  kChosenAgain,
};

CoverPoints cover_points(const units::BuclCtrlSize& size) {
  CoverPoints points({
      "hit rate below the limit",
      "hit rate at the limit",
      "hit rate above the limit",
      "period without an access",
      "access in the last cycle of a period",
      "threshold rises",
      "threshold falls",
      "threshold at its upper bound, hit rate above",
      "threshold at its lower bound, hit rate not above",
      "load above the threshold",
      "load at the threshold",
      "refused request: low hit rate, partition below the limit",
      "refused request: partition at the limit",
      "refused request: hit rate not below the limit",
      "clear",
      "clear at the end of a period",
      "load of an SM with a threshold of its own",
      "best threshold chosen",
      "load with the chosen threshold",
  });
  const auto without = [&points](std::initializer_list<Point> list) {
    for (const Point p : list) points.leave_out(p);
  };
  if (size.profile) {
    without({kRises, kFalls, kStaysAtMost, kStaysAtLeast});
  } else {
    without({kProfiles, kChosen, kChosenAgain});
    if (size.least == size.most) without({kRises, kFalls});
  }
  if (size.hit_rate_limit == 0) without({kRateBelow, kRefusedBypasses, kUtilisationAtLimit});
  if (size.hit_rate_limit == 1) without({kRateAbove, kRises, kStaysAtMost});
  if (size.input_limit == 0) without({kRefusedBypasses});
  if (period_at_the_limit(size).accesses == 0) without({kRateAt});
  return points;
}

class BuclCtrlBench : public BenchOf<units::BuclCtrlDescription> {
 public:
  static std::string text_of(const Size& s) {
    return fmt::format("period {}, limits {} and {}, {}", s.period, s.hit_rate_limit, s.input_limit,
                       s.profile
                           ? std::string("profile")
                           : fmt::format("threshold {} in {} to {}", s.tucd, s.least, s.most));
  }
  static void check(const Size& s, Problems& problems) {
    if (s.least < 1 || s.least > s.tucd || s.tucd > s.most || s.most > 32)
      problems.add("tucd", fmt::format("{} up to {} up to {} do not rise from 1 to 32", s.least,
                                       s.tucd, s.most));
  }
  static CoverPoints coverage_of(const Size& size) { return cover_points(size); }

  BuclCtrlBench(const Size& size, std::uint64_t seed)
      : size_(size),
        hit_limit_(thousandths(size_.hit_rate_limit)),
        uib_limit_(thousandths(size_.input_limit)),
        class_(size),
        random_(seed) {}

  Out eval_class(const In& in) const { return class_.eval(in); }
  void commit_class(const In& in) { class_.commit(in); }
  void reset_class() {
    class_ = l1d::FastBuclCtrl(size_);
    forget();
  }

  // The threshold goes to either bound and beyond, through a period of just the limit and one
  // without an access.
  std::vector<In> directed() const {
    std::vector<In> list;
    const auto period = [&](std::uint32_t hits, std::uint32_t accesses) {
      for (std::uint32_t i = 0; i < size_.period; ++i) {
        In in;
        in.access_valid = i >= size_.period - accesses;  // the period's last cycle is among them
        in.access_hit = i >= size_.period - hits;
        in.load_degree = static_cast<std::uint8_t>(i % 40);
        in.load_row = static_cast<std::uint8_t>(i % units::kBuclProfileRows);
        in.uib = static_cast<std::uint16_t>(i % 2 == 0 ? uib_limit_ : i % 1000);
        list.push_back(in);
      }
    };
    const std::uint32_t all = size_.period;
    for (std::uint32_t t = size_.least; t <= size_.tucd; ++t) period(0, std::min(all, 3u));
    for (std::uint32_t t = size_.least; t <= size_.most; ++t)
      period(std::min(all, 4u), std::min(all, 4u));
    period(0, 0);
    if (const Period p = period_at_the_limit(size_); p.accesses != 0) period(p.hits, p.accesses);
    period(0, all);
    In clear;
    clear.clear = clear.access_valid = true;
    list.push_back(clear);
    period(all, all);
    period(0, 1);
    list.back().clear = true;
    period(0, 1);  // its only access is that of its last cycle
    In choose;
    choose.choose_valid = true;
    choose.choose_row = 9;
    list.push_back(choose);
    period(0, 1);
    return list;
  }

  // The periods have any hit rate; in half of them it is near the limit.
  In random() {
    if (phase_left_ == 0) {
      phase_left_ = 1 + random_.below(3 * std::uint64_t(size_.period));
      busy_ = static_cast<unsigned>(random_.below(101));
      if (random_.chance(10)) busy_ = 0;
      const std::uint32_t around = hit_limit_ / 10;
      hits_ = random_.chance(50) ? around + static_cast<unsigned>(random_.below(7)) - 3
                                 : static_cast<unsigned>(random_.below(101));
      if (hits_ > 100) hits_ = random_.chance(50) ? 100 : 0;
    }
    --phase_left_;
    In in;
    in.clear = random_.below(50 * std::uint64_t(size_.period)) == 0;
    in.access_valid = random_.chance(busy_);
    in.access_hit = random_.chance(hits_);
    in.load_degree = static_cast<std::uint8_t>(random_.below(64));
    in.load_row = static_cast<std::uint8_t>(random_.below(units::kBuclProfileRows));
    in.uib = static_cast<std::uint16_t>(random_.chance(30) ? uib_limit_
                                                           : random_.below(units::kBuclScale + 1));
    in.choose_valid = random_.below(8 * std::uint64_t(size_.period)) == 0;
    in.choose_row = static_cast<std::uint8_t>(random_.below(units::kBuclProfileRows));
    return in;
  }

  static std::string line(const In& in, const Out& out) {
    return fmt::format("{:<6} load {:>2} of row {:>2} tucd {:>2}{} uib {:>4}{}{}{}{}{}",
                       !in.access_valid ? "-"
                       : in.access_hit  ? "hit"
                                        : "miss",
                       in.load_degree, in.load_row, out.tucd,
                       out.load_bypass ? " bypass" : "       ", in.uib,
                       out.refused_bypass ? " bypass" : "       ", out.low ? " low" : "    ",
                       in.choose_valid ? fmt::format(" choose {}", in.choose_row) : "",
                       in.clear ? " clear" : "", out.period_end ? " end" : "");
  }

  void before_edge(const In& in, const Out& out, CoverPoints& c) {
    c.hit_if(out.load_bypass, kLoadBypasses);
    c.hit_if(in.load_degree == out.tucd, kLoadAtThreshold);
    c.hit_if(out.refused_bypass, kRefusedBypasses);
    c.hit_if(out.low && in.uib == uib_limit_, kUtilisationAtLimit);
    c.hit_if(!out.low && in.uib < uib_limit_, kLocality);
    c.hit_if(!out.low && uib_limit_ == 0, kLocality);
    if (size_.profile) c.hit(chosen_ ? kChosenAgain : kProfiles);
    if (in.clear) {
      c.hit(out.period_end ? kClearAtEnd : kClear);
      forget();
      return;
    }
    hits_seen_ += in.access_valid && in.access_hit;
    accesses_ += in.access_valid;
    if (out.period_end) cover_period(in, out, c);
    c.hit_if(size_.profile && in.choose_valid, kChosen);
    chosen_ = chosen_ || in.choose_valid;
  }

 private:
  void forget() {
    hits_seen_ = accesses_ = 0;
    chosen_ = false;
  }
  void cover_period(const In& in, const Out& out, CoverPoints& c) {
    const std::uint64_t rate = hits_seen_ * units::kBuclScale, limit = accesses_ * hit_limit_;
    c.hit_if(in.access_valid, kLastCycle);
    if (accesses_ == 0) {
      c.hit(kNoAccess);
    } else {
      c.hit(rate < limit ? kRateBelow : rate == limit ? kRateAt : kRateAbove);
      if (!size_.profile) {
        const bool up = rate > limit, stays = out.tucd == (up ? size_.most : size_.least);
        c.hit(up ? (stays ? kStaysAtMost : kRises) : (stays ? kStaysAtLeast : kFalls));
      }
    }
    hits_seen_ = accesses_ = 0;
  }

  Size size_;
  std::uint32_t hit_limit_, uib_limit_;  // thousandths
  l1d::FastBuclCtrl class_;
  Random random_;
  // The coverage counts by these.
  std::uint64_t hits_seen_ = 0, accesses_ = 0;
  bool chosen_ = false;
  std::uint64_t phase_left_ = 0;
  unsigned busy_ = 0, hits_ = 0;  // percent
};

}  // namespace

std::unique_ptr<HardwareUnit> bench() { return std::make_unique<LockstepUnit<BuclCtrlBench>>(); }

}  // namespace warpmem::cosim::bucl_ctrl
