// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/random.hpp"
#include "cosim/lockstep_unit.hpp"
#include "sm/laws/laws_score.hpp"
#include "units/laws_score/laws_score_unit.hpp"

namespace warpmem::cosim::laws_score {

using units::LawsScoreIn;

namespace {

constexpr std::uint32_t kReachableBits = 18;  // bits of a score whose ends can be reached

// Points 0 to 11 are what L1D reports (3) times what the MSHRs report (4).
enum Point : std::size_t {
  kClear = 12,
  kClearWithEvents,
  kReachesMost,
  kHeldAtMost,
  kReachesLeast,
  kCutAtLeast,
  kMissLimitReached,
  kMissLimitHeld,
  kHitAtMissLimit,
  kTurnsFair,
  kTurnsUnfair,
  kPoints
};

CoverPoints cover_points(const units::LawsScoreSize& size) {
  std::vector<std::string> names;
  for (const char* l1d : {"-", "intra", "inter"})
    for (const char* mshr : {"-", "primary miss", "intra", "inter"})
      names.push_back(fmt::format("l1d {}, mshr {}", l1d, mshr));
  const std::int64_t most = (std::int64_t{1} << (size.score_bits - 1)) - 1;
  for (const std::string& name :
       {std::string("clear"), std::string("clear with other events"),
        fmt::format("score reaches {:+}", most), fmt::format("score held at {:+}", most),
        fmt::format("score reaches {}", -most - 1), fmt::format("score cut at {}", -most - 1),
        fmt::format("miss_count reaches its limit {}", size.miss_limit),
        std::string("primary miss with miss_count at its limit"),
        std::string("hit between warps with miss_count at its limit"),
        std::string("policy turns fair"), std::string("policy turns unfair")})
    names.push_back(name);
  CoverPoints points(names);
  if (size.score_bits > kReachableBits)
    for (const Point p : {kReachesMost, kHeldAtMost, kReachesLeast, kCutAtLeast})
      points.leave_out(p);
  return points;
}

/// Returns what L1D reports: nothing, a hit within the warp, one between warps.
unsigned l1d_event(const LawsScoreIn& in) { return !in.l1d_hit ? 0 : in.l1d_intra ? 1 : 2; }
/// Returns what the MSHRs report: nothing, a primary miss, a hit within the warp, one between
/// warps.
unsigned mshr_event(const LawsScoreIn& in) {
  return !in.mshr_valid ? 0 : !in.mshr_hit ? 1 : in.mshr_intra ? 2 : 3;
}

LawsScoreIn events(unsigned l1d, unsigned mshr) {
  LawsScoreIn in;
  in.l1d_hit = l1d != 0;
  in.l1d_intra = l1d == 1;
  in.mshr_valid = mshr != 0;
  in.mshr_hit = mshr >= 2;
  in.mshr_intra = mshr == 2;
  return in;
}

class LawsScoreBench : public BenchOf<units::LawsScoreDescription> {
 public:
  static std::string text_of(const Size& s) {
    return fmt::format("{} bits, miss limit {}", s.score_bits, s.miss_limit);
  }
  static CoverPoints coverage_of(const Size& size) { return cover_points(size); }

  LawsScoreBench(const Size& size, std::uint64_t seed) : size_(size), class_(size), random_(seed) {}

  Out eval_class(const In&) const { return class_.eval(); }
  void commit_class(const In& in) { class_.commit(in); }
  void reset_class() { class_ = sm::FastLawsScore(size_); }

  std::vector<In> directed() const {
    std::vector<In> list;
    const auto repeat = [&list](std::uint64_t times, const In& in) {
      list.insert(list.end(), times, in);
    };
    In clear;
    clear.clear = true;
    repeat(2, {});
    for (unsigned l1d = 0; l1d < 3; ++l1d)
      for (unsigned mshr = 0; mshr < 4; ++mshr) repeat(2, events(l1d, mshr));
    repeat(1, clear);
    // Miss_CNT goes to its limit and beyond, until a hit takes it away.
    repeat(size_.miss_limit + 2, events(0, 1));
    repeat(1, events(2, 0));
    repeat(size_.miss_limit + 2, events(0, 1));
    repeat(1, events(0, 3));
    if (size_.score_bits <= kReachableBits) {
      const std::uint64_t half = std::uint64_t{1} << (size_.score_bits - 1);
      repeat(half / 2 + size_.miss_limit + 4, events(1, 2));  // this goes to the upper end
      repeat(1, events(2, 0));
      repeat(3, events(1, 0));
      repeat(half + 4, events(2, 3));  // this goes to the lower end
      repeat(2, events(2, 1));
      repeat(4, events(0, 1));  // off the end by less than the next weight
      repeat(2, events(2, 0));
      repeat(half / 2 + 4, events(1, 2));  // this goes through zero
    }
    In everything = events(2, 3);
    everything.clear = true;
    repeat(1, everything);
    return list;
  }

  // Phases favour hits within the warp, hits between warps, or primary misses; the meaning of pins
  // whose valid is low is left to chance.
  In random() {
    if (phase_left_ == 0) {
      // Some phases are long enough to take the score of KI's 16 bits from end to end.
      phase_left_ = 1 + random_.below(random_.chance(10) ? 100'000 : 400);
      intra_ = static_cast<unsigned>(random_.below(257));
      hits_ = static_cast<unsigned>(random_.below(257));
      busy_ = static_cast<unsigned>(64 + random_.below(193));
    }
    --phase_left_;
    const std::uint64_t bits = random_.next();
    const auto chance = [bits](unsigned field, unsigned of_256) {
      return ((bits >> (8 * field)) & 255) < of_256;
    };
    In in;
    in.l1d_hit = chance(0, busy_) && chance(1, hits_);
    in.l1d_intra = chance(2, intra_);
    in.mshr_valid = chance(3, busy_);
    in.mshr_hit = chance(4, hits_);
    in.mshr_intra = chance(5, intra_);
    in.clear = ((bits >> 48) & 0xFFFF) < 2;
    return in;
  }

  static std::string line(const In& in, const Out& out) {
    static const char* const kL1d[] = {"-", "intra", "inter"};
    static const char* const kMshr[] = {"-", "primary", "intra", "inter"};
    return fmt::format("l1d {:<6} mshr {:<8}{} score {:>7} miss_count {:>3}{}", kL1d[l1d_event(in)],
                       kMshr[mshr_event(in)], in.clear ? " clear" : "      ", out.score,
                       out.miss_count, out.fair ? " fair" : "");
  }

  void before_edge(const In& in, const Out& out, CoverPoints& c) {
    before_ = out;
    const unsigned l1d = l1d_event(in), mshr = mshr_event(in);
    if (in.clear) {
      c.hit(l1d != 0 || mshr != 0 ? kClearWithEvents : kClear);
      return;
    }
    c.hit(l1d * 4 + mshr);
    const bool at_limit = out.miss_count == size_.miss_limit;
    c.hit_if(at_limit && mshr == 1 && l1d != 2, kMissLimitHeld);
    c.hit_if(at_limit && (mshr == 3 || l1d == 2), kHitAtMissLimit);
  }
  void after_edge(const In& in, CoverPoints& c) {
    if (in.clear) return;
    const Out after = class_.eval();
    const std::int64_t most = (std::int64_t{1} << (size_.score_bits - 1)) - 1;
    const unsigned l1d = l1d_event(in), mshr = mshr_event(in);
    c.hit_if(after.score == most && before_.score != most, kReachesMost);
    c.hit_if(after.score == most && before_.score == most && (l1d == 1 || mshr == 1 || mshr == 2),
             kHeldAtMost);
    c.hit_if(after.score == -most - 1 && before_.score != -most - 1, kReachesLeast);
    // A single hit between warps makes its weight known.
    const bool one_inter = (l1d == 2 && mshr == 0) || (l1d == 0 && mshr == 3);
    c.hit_if(one_inter && before_.score - before_.miss_count - 1 < -most - 1, kCutAtLeast);
    c.hit_if(after.miss_count == size_.miss_limit && before_.miss_count != size_.miss_limit,
             kMissLimitReached);
    c.hit_if(after.fair && !before_.fair, kTurnsFair);
    c.hit_if(!after.fair && before_.fair, kTurnsUnfair);
  }

 private:
  Size size_;
  sm::FastLawsScore class_;
  Random random_;
  std::uint64_t phase_left_ = 0;
  unsigned intra_ = 0, hits_ = 0, busy_ = 0;  // probabilities in 1/256
  Out before_;
};

}  // namespace

std::unique_ptr<HardwareUnit> bench() { return std::make_unique<LockstepUnit<LawsScoreBench>>(); }

}  // namespace warpmem::cosim::laws_score
