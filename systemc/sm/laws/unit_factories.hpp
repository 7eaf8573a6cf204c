// SPDX-License-Identifier: Apache-2.0
// Views of the SM's hardware units other than the class; they come from outside, since they need
// tools (Verilated RTL, compiled SystemC).
#pragma once

#include <functional>
#include <memory>

#include "cache/mha/params.hpp"
#include "sm/laws/laws_score.hpp"
#include "sm/laws/throttle_unit.hpp"

namespace warpmem::sm {

/// Empty functions: only the class is available. Each throws UserError when its view cannot be
/// built.
struct UnitFactories {
  std::function<std::unique_ptr<LawsScore>(View view, const LawsScoreSize& size)> laws_score;
  std::function<std::unique_ptr<ThrottleUnit>(View view, const ThrottleSize& size)> throttle_unit;
};

class Laws;
struct SmParams;
/// nullptr for another policy. Throws UserError when a view cannot be built.
std::unique_ptr<Laws> make_laws(const SmParams& params, const UnitFactories& units);

}  // namespace warpmem::sm
