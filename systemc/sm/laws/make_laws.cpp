// SPDX-License-Identifier: Apache-2.0
#include "base/errors.hpp"
#include "sm/laws/laws.hpp"
#include "sm/laws/unit_factories.hpp"
#include "sm/params.hpp"

namespace warpmem::sm {

namespace {

std::unique_ptr<LawsScore> make_score(const SmParams& params, const UnitFactories& units) {
  LawsScoreSize size;
  size.miss_limit = params.miss_limit;
  if (params.laws_score == View::fast_class) return std::make_unique<FastLawsScore>(size);
  if (!units.laws_score)
    throw UserError("sm.scheduler.laws_score: this program has only the view 'class' of it");
  return units.laws_score(params.laws_score, size);
}

std::unique_ptr<ThrottleUnit> make_throttle_unit(const SmParams& params,
                                                 const UnitFactories& units) {
  ThrottleSize size;
  size.warps = params.warps;
  size.divergence = std::min(params.divergence, params.warps);
  size.stable = params.stable_periods;
  size.hold = params.hold;
  size.by_divergence = params.policy == Policy::laws_th;
  if (params.throttle_unit == View::fast_class) return std::make_unique<FastThrottleUnit>(size);
  if (!units.throttle_unit)
    throw UserError("sm.scheduler.throttle_unit: this program has only the view 'class' of it");
  return units.throttle_unit(params.throttle_unit, size);
}

}  // namespace

std::unique_ptr<Laws> make_laws(const SmParams& params, const UnitFactories& units) {
  if (!params.laws()) return nullptr;
  return std::make_unique<Laws>(make_score(params, units), params.laws_throttles()
                                                               ? make_throttle_unit(params, units)
                                                               : nullptr);
}

}  // namespace warpmem::sm
