// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/random.hpp"
#include "cache/mha/tsma/steering.hpp"
#include "cosim/lockstep_unit.hpp"
#include "units/htsma_steer/htsma_steer_unit.hpp"
namespace warpmem::cosim::htsma_steer {

using units::HtsmaSteer;
using units::HtsmaSteerIn;

namespace {

// Points 0 to 4 are the branches without a match, 5 to 8 the first four with one, for an s-MSHR
// that is empty has none.
enum Point : std::size_t {
  kMerges = static_cast<std::size_t>(HtsmaSteer::count),
  kLastWay = kMerges + 4,
  kNoVictim,
  kLastWayAndNoVictim,
  kAllWaysShared,
  kHitWithEmptySmall,
  kMatchInEmptySmall,
  kFullAndEmpty
};

CoverPoints cover_points() {
  std::vector<std::string> names;
  const char* const kBranches[] = {"last way", "hit line", "overflow", "compared", "array"};
  for (const char* branch : kBranches) names.push_back(fmt::format("primary miss, {}", branch));
  for (unsigned i = 0; i < 4; ++i) names.push_back(fmt::format("secondary miss, {}", kBranches[i]));
  for (const char* name :
       {"last way: all others are shared", "last way: no victim", "last way: both",
        "all ways shared: not the last way", "hit line with an empty s-MSHR",
        "match in an empty s-MSHR: a primary miss", "s-MSHR full and empty"})
    names.emplace_back(name);
  return CoverPoints(names);
}

/// Returns how many numbers the pins of the share count carry.
std::uint32_t numbers_for(std::uint32_t ways) {
  std::uint32_t numbers = 2;
  while (numbers < ways + 1) numbers *= 2;
  return numbers;
}

HtsmaSteerIn with_flags(std::uint32_t shared, std::uint64_t flags) {
  HtsmaSteerIn in;
  in.shared_count = static_cast<std::uint16_t>(shared);
  in.victim_valid = (flags & 1) != 0;
  in.victim_hit = (flags & 2) != 0;
  in.small_empty = (flags & 4) != 0;
  in.small_full = (flags & 8) != 0;
  in.small_match = (flags & 16) != 0;
  return in;
}

class SteerBench : public BenchOf<units::HtsmaSteerDescription> {
 public:
  static std::string text_of(const Size& s) { return fmt::format("{} ways", s.ways); }
  static CoverPoints coverage_of(const Size&) { return cover_points(); }

  SteerBench(const Size& size, std::uint64_t seed)
      : ways_(size.ways), numbers_(numbers_for(size.ways)), class_(size.ways), random_(seed) {}

  Out eval_class(const In& in) const { return class_.eval(in); }
  void commit_class(const In&) {}
  void reset_class() {}

  std::vector<In> directed() const {
    std::vector<In> list;
    for (std::uint32_t shared = 0; shared < numbers_; ++shared) {
      const bool end = shared < 2 || shared + 2 >= ways_;
      if (ways_ > kMostOfAll && !end) continue;
      for (unsigned flags = 0; flags < 32; ++flags) list.push_back(with_flags(shared, flags));
    }
    return list;
  }

  // The share count is near the number of ways in half of the cycles.
  In random() {
    const std::uint64_t bits = random_.next();
    const std::uint64_t any = (bits >> 8) % numbers_;
    const std::uint64_t near = ways_ - (bits >> 8 & 1);
    return with_flags(static_cast<std::uint32_t>((bits & 32) != 0 ? any : near), bits >> 40);
  }

  static std::string line(const In& in, const Out& out) {
    const char* const to = out.merges ? "merges" : out.to_small ? "s-MSHR" : "TSMA";
    return fmt::format("{:>4} shared, {:<9} s-MSHR{}{}{}: branch {}, {}{}", in.shared_count,
                       !in.victim_valid ? "no victim"
                       : in.victim_hit  ? "hit"
                                        : "not hit",
                       in.small_empty ? " empty" : "", in.small_full ? " full" : "",
                       in.small_match ? " match" : "", static_cast<unsigned>(out.steer), to,
                       out.critical ? ", critical" : "");
  }

  void before_edge(const In& in, const Out& out, CoverPoints& c) {
    const auto branch = static_cast<std::size_t>(out.steer);
    c.hit(out.merges ? kMerges + branch : branch);
    const bool last = in.shared_count == ways_ - 1;
    c.hit_if(last && in.victim_valid, kLastWay);
    c.hit_if(!last && !in.victim_valid, kNoVictim);
    c.hit_if(last && !in.victim_valid, kLastWayAndNoVictim);
    c.hit_if(in.shared_count == ways_ && in.victim_valid, kAllWaysShared);
    c.hit_if(out.steer == HtsmaSteer::small_hit_line && in.small_empty, kHitWithEmptySmall);
    c.hit_if(in.small_match && in.small_empty, kMatchInEmptySmall);
    c.hit_if(in.small_full && in.small_empty, kFullAndEmpty);
  }

 private:
  static constexpr std::uint32_t kMostOfAll = 64;  // ways up to which all inputs are shown

  std::uint32_t ways_;
  std::uint32_t numbers_;
  mha::FastSteering class_;
  Random random_;
};

}  // namespace

std::unique_ptr<HardwareUnit> bench() { return std::make_unique<LockstepUnit<SteerBench>>(); }

}  // namespace warpmem::cosim::htsma_steer
