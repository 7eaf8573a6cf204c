// SPDX-License-Identifier: Apache-2.0
#include "cosim/laws_library.hpp"

#include <algorithm>

namespace warpmem::cosim {

namespace {

const UnitFiles kScore = {"laws_score", {"laws_score/laws_score.sv"}};
const UnitFiles kThrottle = {"throttle_unit", {"throttle_unit/throttle_unit.sv"}};

std::uint32_t bits_for(std::uint32_t value) {
  std::uint32_t bits = 1;
  while ((std::uint64_t(1) << bits) <= value) ++bits;
  return bits;
}

class LoadedLawsScore final : public sm::LawsScore {
 public:
  explicit LoadedLawsScore(std::unique_ptr<LibraryLawsScore> unit) : unit_(std::move(unit)) {}
  units::LawsScoreOut eval() const override { return unit_->eval({}); }
  void commit(const units::LawsScoreIn& in) override { unit_->commit(in); }

 private:
  std::unique_ptr<LibraryLawsScore> unit_;
};

class LoadedThrottle final : public sm::ThrottleUnit {
 public:
  LoadedThrottle(std::unique_ptr<LibraryThrottle> unit, Cycle hold)
      : unit_(std::move(unit)), hold_(hold) {}
  units::ThrottleOut eval(bool fair) const override {
    units::ThrottleIn in;
    in.fair = fair;
    return unit_->eval(in);
  }
  void commit(const units::ThrottleIn& in) override { unit_->commit(in); }
  // One cycle may decide, and then the hold runs out; after that nothing changes.
  void idle(Cycle cycles, bool fair) override {
    units::ThrottleIn in;
    in.fair = fair;
    for (Cycle c = 0; c < std::min(cycles, hold_ + 1); ++c) unit_->commit(in);
  }

 private:
  std::unique_ptr<LibraryThrottle> unit_;
  Cycle hold_;
};

UnitParameters parameters_of(const sm::LawsScoreSize& size) {
  return {{"SCORE_BITS", size.score_bits},
          {"MISS_BITS", bits_for(size.miss_limit)},
          {"MISS_LIMIT", size.miss_limit}};
}

UnitParameters parameters_of(const sm::ThrottleSize& size) {
  return {{"WARPS", size.warps},
          {"DIVERGENCE", size.divergence},
          {"STABLE", size.stable},
          {"HOLD", size.hold},
          {"MEMORY", size.by_divergence ? 1 : 0}};
}

}  // namespace

std::unique_ptr<LibraryLawsScore> make_library_laws_score(View view, const sm::LawsScoreSize& size,
                                                          const UnitPlaces& places, bool waves) {
  return std::make_unique<LibraryLawsScore>(
      build_unit(view, kScore, parameters_of(size), places, waves));
}

std::unique_ptr<LibraryThrottle> make_library_throttle(View view, const sm::ThrottleSize& size,
                                                       const UnitPlaces& places, bool waves) {
  return std::make_unique<LibraryThrottle>(
      build_unit(view, kThrottle, parameters_of(size), places, waves));
}

std::unique_ptr<sm::LawsScore> make_laws_score(View view, const sm::LawsScoreSize& size,
                                               UnitRecordings* recordings) {
  auto unit = make_library_laws_score(view, size, default_places());
  unit->watch(recordings, kScore.name, parameters_of(size));
  return std::make_unique<LoadedLawsScore>(std::move(unit));
}

std::unique_ptr<sm::ThrottleUnit> make_throttle_unit(View view, const sm::ThrottleSize& size,
                                                     UnitRecordings* recordings) {
  auto unit = make_library_throttle(view, size, default_places());
  unit->watch(recordings, kThrottle.name, parameters_of(size));
  return std::make_unique<LoadedThrottle>(std::move(unit), size.hold);
}

sm::LawsScoreSize laws_score_size(const UnitParameters& p) {
  return {parameter(p, "SCORE_BITS"), parameter(p, "MISS_LIMIT")};
}

sm::ThrottleSize throttle_size(const UnitParameters& p) {
  return {parameter(p, "WARPS"), parameter(p, "DIVERGENCE"), parameter(p, "STABLE"),
          parameter(p, "HOLD"), parameter(p, "MEMORY") != 0};
}

}  // namespace warpmem::cosim
