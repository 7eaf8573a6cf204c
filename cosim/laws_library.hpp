// SPDX-License-Identifier: Apache-2.0
// The LAWS score and the throttling unit as synthesizable SystemC and as RTL.
#pragma once

#include <memory>

#include "cosim/unit_library.hpp"
#include "sm/laws/laws_score.hpp"
#include "sm/laws/throttle_unit.hpp"

namespace warpmem::cosim {

using LibraryLawsScore = LibraryUnit<units::LawsScoreIn, units::LawsScoreOut>;
using LibraryThrottle = LibraryUnit<units::ThrottleIn, units::ThrottleOut>;

/// These return the units in the view `systemc` or `rtl`, bare. They throw UserError when one
/// cannot be built.
std::unique_ptr<LibraryLawsScore> make_library_laws_score(View view, const sm::LawsScoreSize& size,
                                                          const UnitPlaces& places,
                                                          bool waves = false);
std::unique_ptr<LibraryThrottle> make_library_throttle(View view, const sm::ThrottleSize& size,
                                                       const UnitPlaces& places,
                                                       bool waves = false);

/// These return the units as the SM uses them. `recordings` takes their inputs and may be nullptr.
std::unique_ptr<sm::LawsScore> make_laws_score(View view, const sm::LawsScoreSize& size,
                                               UnitRecordings* recordings);
std::unique_ptr<sm::ThrottleUnit> make_throttle_unit(View view, const sm::ThrottleSize& size,
                                                     UnitRecordings* recordings);

sm::LawsScoreSize laws_score_size(const UnitParameters& parameters);
sm::ThrottleSize throttle_size(const UnitParameters& parameters);

}  // namespace warpmem::cosim
