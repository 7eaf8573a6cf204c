// SPDX-License-Identifier: Apache-2.0
#include "cosim/laws_library.hpp"

#include <algorithm>

namespace warpmem::cosim {

using mha::View;

namespace {

const UnitFiles kScore = {
    "laws_score",
    {"laws_score/laws_score.sv"},
    {"cosim/wrappers/unit_abi.hpp", "cosim/wrappers/core_unit.hpp", "cosim/wrappers/rtl_unit.hpp",
     "cosim/wrappers/verilated_top.hpp", "systemc/units/laws_score/laws_score_ports.hpp",
     "systemc/units/laws_score/laws_score_core.hpp"}};
const UnitFiles kThrottle = {
    "throttle_unit",
    {"throttle_unit/throttle_unit.sv"},
    {"cosim/wrappers/unit_abi.hpp", "cosim/wrappers/core_unit.hpp", "cosim/wrappers/rtl_unit.hpp",
     "cosim/wrappers/verilated_top.hpp", "systemc/units/throttle_unit/throttle_ports.hpp",
     "systemc/units/throttle_unit/throttle_core.hpp"}};

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

}  // namespace

std::unique_ptr<LibraryLawsScore> make_library_laws_score(View view, const sm::LawsScoreSize& size,
                                                          const UnitPlaces& places, bool waves) {
  const UnitParameters parameters = {{"SCORE_BITS", size.score_bits},
                                     {"MISS_BITS", bits_for(size.miss_limit)},
                                     {"MISS_LIMIT", size.miss_limit}};
  return std::make_unique<LibraryLawsScore>(build_unit(view, kScore, parameters, places, waves));
}

std::unique_ptr<LibraryThrottle> make_library_throttle(View view, const sm::ThrottleSize& size,
                                                       const UnitPlaces& places, bool waves) {
  const UnitParameters parameters = {{"WARPS", size.warps},
                                     {"DIVERGENCE", size.divergence},
                                     {"STABLE", size.stable},
                                     {"HOLD", size.hold},
                                     {"MEMORY", size.by_divergence ? 1 : 0}};
  return std::make_unique<LibraryThrottle>(build_unit(view, kThrottle, parameters, places, waves));
}

std::unique_ptr<sm::LawsScore> make_laws_score(View view, const sm::LawsScoreSize& size) {
  return std::make_unique<LoadedLawsScore>(make_library_laws_score(view, size, default_places()));
}

std::unique_ptr<sm::ThrottleUnit> make_throttle_unit(View view, const sm::ThrottleSize& size) {
  return std::make_unique<LoadedThrottle>(make_library_throttle(view, size, default_places()),
                                          size.hold);
}

}  // namespace warpmem::cosim
