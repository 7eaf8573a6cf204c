// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <utility>

#include "base/random.hpp"
#include "cosim/lockstep_unit.hpp"
#include "sm/laws/throttle_unit.hpp"
#include "units/throttle_unit/throttle_unit_unit.hpp"

namespace warpmem::cosim::throttle_unit {

using units::ThrottleIn;

namespace {

enum Point : std::size_t {
  kFirstHits,
  kBelow,
  kAbove,
  kBetween,
  kSettled,
  kDivergent,
  kManyLoads,
  kNoDivergence,
  kExceeds,
  kExceedsDuringHold,
  kExceedsWhileFair,
  kFullDuringHold,
  kFullWhileFair,
  kFullAsHoldEnds,
  kAtLeastTwo,
  kAllWarps,
  kLocalityToDivergence,
  kLocalityToOff,
  kDivergenceToLocality,
  kDivergenceToOff,
  kEndClearsBit,
  kEndBeatsAccess,
  kClearsLimit,
  kHidden
};

CoverPoints cover_points(const units::ThrottleSize& size) {
  CoverPoints points({
      "decision: first hits",
      "decision: hits below the minimum",
      "decision: hits above the maximum",
      "decision: hits between, not yet stable",
      "decision: stable, the mean",
      "decision: divergence, load_count",
      "decision: no hits, load_count not below",
      "decision: no hits, load_count below, divergence off",
      "hits exceed the limit by divergence",
      "hits exceed the limit by divergence in its hold",
      "hits exceed the limit while fair: no decision",
      "mshr_full in the hold: no decision",
      "mshr_full while fair: no decision",
      "mshr_full in the first cycle after the hold",
      "limit raised to two warps",
      "limit cut to all warps",
      "locality -> divergence",
      "locality -> off",
      "divergence -> locality",
      "divergence -> off",
      "end of a warp takes its bit",
      "end of a warp in the cycle of its hit",
      "clear takes a limit away",
      "limit hidden while fair",
  });
  if (size.by_divergence) {
    points.leave_out(kNoDivergence);
  } else {
    for (const Point p : {kDivergent, kExceeds, kExceedsDuringHold, kExceedsWhileFair, kAtLeastTwo,
                          kLocalityToDivergence, kDivergenceToLocality, kDivergenceToOff})
      points.leave_out(p);
  }
  if (size.warps == 2) {  // every limit is 2: none can be exceeded
    for (const Point p : {kExceeds, kExceedsDuringHold, kExceedsWhileFair}) points.leave_out(p);
  }
  // The hits come one a cycle, and two are needed.
  if (size.hold == 1) points.leave_out(kExceedsDuringHold);
  if (size.stable == 1) points.leave_out(kBetween);  // the first decision between settles
  return points;
}

/// Writes vectors; every method ends with the hold run out.
class Script {
 public:
  explicit Script(const units::ThrottleSize& size) : size_(size) {}

  void step(const ThrottleIn& in) { list_.push_back(in); }
  void wait(std::uint64_t cycles) { list_.insert(list_.end(), cycles, ThrottleIn{}); }
  void access(unsigned warp, bool intra, std::uint64_t end_warps = 0) {
    ThrottleIn in;
    in.access_valid = true;
    in.access_warp = static_cast<std::uint8_t>(warp);
    in.access_intra = intra;
    in.end_warps = end_warps;
    step(in);
  }
  /// The first `count` warps hit their own lines, the others miss.
  void hits(unsigned count, unsigned load_count = 0) {
    for (unsigned w = size_.warps; w-- > count;) access(w, false);
    for (unsigned w = 0; w < count; ++w) access(w, true);
    full(load_count);
  }
  void full(unsigned load_count, bool fair = false) {
    ThrottleIn in;
    in.mshr_full = true;
    in.fair = fair;
    in.load_count = static_cast<std::uint8_t>(load_count);
    step(in);
    wait(size_.hold);
  }
  void fair(std::uint64_t cycles) {
    ThrottleIn in;
    in.fair = true;
    list_.insert(list_.end(), cycles, in);
  }
  void clear() {
    ThrottleIn in;
    in.clear = true;
    in.mshr_full = true;
    in.access_valid = true;
    in.access_intra = true;
    step(in);
  }
  std::vector<ThrottleIn> take() { return std::move(list_); }

 private:
  units::ThrottleSize size_;
  std::vector<ThrottleIn> list_;
};

class ThrottleBench : public BenchOf<units::ThrottleUnitDescription> {
 public:
  static std::string text_of(const Size& s) {
    return fmt::format("{} warps, divergence {}, stable {}, hold {}", s.warps,
                       s.by_divergence ? fmt::format("{}", s.divergence) : "off", s.stable, s.hold);
  }
  static CoverPoints coverage_of(const Size& size) { return cover_points(size); }

  ThrottleBench(const Size& size, std::uint64_t seed)
      : size_(size),
        all_(size_.warps == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size_.warps) - 1),
        class_(size),
        random_(seed) {}

  Out eval_class(const In& in) const { return class_.eval(in.fair); }
  void commit_class(const In& in) { class_.commit(in); }
  void reset_class() {
    class_ = sm::FastThrottleUnit(size_);
    hold_ = stable_ = 0;
    held_ = decides_ = false;
  }

  std::vector<In> directed() const {
    const unsigned warps = size_.warps, middle = (warps + 1) / 2, two_fewer = warps - 1;
    Script s(size_);
    s.hits(0, warps);  // no hits, many loads: no limit
    s.hits(0, 0);      // divergence, raised to two
    s.full(warps);     // there is no locality and no divergence: no limit
    s.hits(middle);
    s.hits(warps, 0);  // above; the limit cannot be warps + 1
    s.hits(1);         // below
    for (unsigned i = 0; i <= size_.stable; ++i) s.hits(middle);  // between, then stable
    s.hits(0, 0);                                                 // locality -> divergence
    for (unsigned w = 0; w < two_fewer; ++w) s.access(w, true);   // Hit_CNT + 1 exceeds two
    s.wait(size_.hold + 1);
    s.hits(0, warps);  // locality -> off
    // The hits exceed the limit while it stands, and then while the policy is fair.
    for (const bool fair : {false, true}) {
      s.hits(0, warps);
      ThrottleIn in;
      in.mshr_full = true;
      s.step(in);
      in = {};
      in.fair = fair;
      in.access_valid = true;
      in.access_intra = true;
      for (unsigned w = 0; w < two_fewer; ++w) {
        in.access_warp = static_cast<std::uint8_t>(w);
        s.step(in);
      }
      if (fair) s.fair(3);
      s.wait(size_.hold + 1);
    }
    ThrottleIn in;
    // An MSHR is full all the time, so the decisions are a hold apart.
    in.mshr_full = true;
    in.load_count = 1;
    for (unsigned i = 0; i < 2 * size_.hold + 4; ++i) s.step(in);
    s.wait(size_.hold);
    s.full(0, true);
    s.access(0, true, 1);  // ends in the cycle of its hit
    s.access(1, true);
    s.access(0, true);
    in = {};
    in.end_warps = 1;
    s.step(in);
    s.hits(middle);
    s.clear();
    s.wait(2);
    s.full(0);
    s.clear();
    for (unsigned i = 0; i <= size_.stable + 1; ++i) s.hits(warps);  // all, and their mean
    s.clear();
    return s.take();
  }

  // There are phases of locality, of divergence and of neither, in which MSHRs are full now and
  // then.
  In random() {
    if (phase_left_ == 0) {
      phase_left_ = 1 + random_.below(40 * size_.hold + 200);
      locality_ = static_cast<unsigned>(random_.chance(40) ? 0 : random_.below(257));
      warps_ = static_cast<unsigned>(1 + random_.below(size_.warps));
      full_ = static_cast<unsigned>(random_.chance(30) ? 256 : 1 + random_.below(64));
      fair_ = random_.chance(20) ? 200u : 4u;
      loads_ = static_cast<unsigned>(1 + random_.below(size_.warps + 1));
    }
    --phase_left_;
    const std::uint64_t bits = random_.next();
    const auto chance = [bits](unsigned field, unsigned of_256) {
      return ((bits >> (8 * field)) & 255) < of_256;
    };
    In in;
    in.access_valid = chance(0, 90);
    in.access_intra = chance(1, locality_);
    in.access_warp = static_cast<std::uint8_t>(
        (((bits >> 16) & 1023) * (in.access_intra ? warps_ : size_.warps)) >> 10);
    in.mshr_full = chance(4, full_);
    in.fair = chance(5, fair_);
    in.load_count = static_cast<std::uint8_t>((((bits >> 48) & 255) * loads_) >> 8);
    if (chance(7, 6)) in.end_warps = random_.next() & random_.next() & random_.next() & all_;
    in.clear = ((bits >> 26) & 63) == 0 && chance(7, 3);
    return in;
  }

  static std::string line(const In& in, const Out& out) {
    const std::string access = in.access_valid ? fmt::format("warp {} {}", in.access_warp,
                                                             in.access_intra ? "intra" : "miss")
                                               : "-";
    const std::string limit =
        out.limited ? fmt::format("limit {}{}", out.limit, out.by_divergence ? " by loads" : "")
                    : "no limit";
    return fmt::format("{:<14} {:<14} ends {:x}{}{} {} hits, {} to {}, {}", access,
                       in.mshr_full ? fmt::format("full, {} loads", in.load_count) : "-",
                       in.end_warps, in.fair ? " fair" : "", in.clear ? " clear" : "",
                       out.hit_count, out.min_count, out.max_count, limit);
  }

  void before_edge(const In& in, const Out& out, CoverPoints& c) {
    before_ = class_.eval(false);
    c.hit_if(in.fair && before_.limited, kHidden);
    if (in.clear) c.hit_if(before_.limited, kClearsLimit);
    const bool was_held = std::exchange(held_, false);
    decides_ = false;
    if (in.clear) {
      hold_ = 0;
      return;
    }
    const unsigned next = std::clamp(out.hit_count + 1u, 2u, size_.warps);
    const bool exceeds = before_.by_divergence && out.hit_count != 0 && next > before_.limit;
    const bool full = in.mshr_full && hold_ == 0;
    c.hit_if(in.mshr_full && hold_ != 0 && !in.fair && !exceeds, kFullDuringHold);
    c.hit_if(full && in.fair, kFullWhileFair);
    c.hit_if(full && !in.fair && was_held, kFullAsHoldEnds);
    c.hit_if(exceeds && !in.fair, kExceeds);
    c.hit_if(exceeds && !in.fair && hold_ != 0, kExceedsDuringHold);
    c.hit_if(exceeds && in.fair, kExceedsWhileFair);
    held_ = hold_ == 1;
    if (hold_ != 0) --hold_;
    decides_ = !in.fair && (full || exceeds);
    if (decides_) {
      hold_ = size_.hold;
      held_ = false;
      cover_decision(in, c);
    }
  }

  void after_edge(const In& in, CoverPoints& c) {
    if (in.clear) return;
    const Out after = class_.eval(false);
    const bool hit = in.access_valid && in.access_intra;
    const bool own_end = (in.end_warps >> in.access_warp & 1) != 0;
    c.hit_if(hit && own_end, kEndBeatsAccess);
    c.hit_if(!in.access_valid && after.hit_count < before_.hit_count, kEndClearsBit);
    if (!decides_) return;
    const bool locality = before_.limited && !before_.by_divergence;
    c.hit_if(locality && after.by_divergence, kLocalityToDivergence);
    c.hit_if(locality && !after.limited, kLocalityToOff);
    c.hit_if(before_.by_divergence && after.limited && !after.by_divergence, kDivergenceToLocality);
    c.hit_if(before_.by_divergence && !after.limited, kDivergenceToOff);
    c.hit_if(after.by_divergence && in.load_count < 2, kAtLeastTwo);
    c.hit_if(after.limited && !after.by_divergence && before_.hit_count == size_.warps, kAllWarps);
  }

 private:
  /// `stable` follows what the outputs do not show.
  void cover_decision(const In& in, CoverPoints& c) {
    const unsigned hits = before_.hit_count;
    if (hits == 0) {
      const bool below = in.load_count < size_.divergence;
      c.hit(!below ? kManyLoads : size_.by_divergence ? kDivergent : kNoDivergence);
      return;
    }
    const bool first = before_.min_count == 0;
    c.hit_if(first, kFirstHits);
    c.hit_if(!first && hits < before_.min_count, kBelow);
    c.hit_if(!first && hits > before_.max_count, kAbove);
    const bool moves = first || hits < before_.min_count || hits > before_.max_count;
    stable_ = moves ? 0 : std::min(stable_ + 1, size_.stable);
    if (!moves) c.hit(stable_ == size_.stable ? kSettled : kBetween);
  }

  Size size_;
  std::uint64_t all_;
  sm::FastThrottleUnit class_;
  Random random_;
  std::uint64_t phase_left_ = 0;
  unsigned locality_ = 0, warps_ = 1, full_ = 0, fair_ = 0, loads_ = 1;

  Out before_;  // outputs as if the policy were not fair
  std::uint32_t hold_ = 0;
  std::uint32_t stable_ = 0;
  bool held_ = false;  // the hold ended with the last cycle
  bool decides_ = false;
};

}  // namespace

std::unique_ptr<HardwareUnit> bench() { return std::make_unique<LockstepUnit<ThrottleBench>>(); }

}  // namespace warpmem::cosim::throttle_unit
