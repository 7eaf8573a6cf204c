// SPDX-License-Identifier: Apache-2.0
// Makers of the SM's hardware units in views other than the class. They come from outside, since
// those views need tools (Verilated RTL, compiled SystemC).
#pragma once

#include <functional>
#include <memory>

#include "cache/mha/params.hpp"
#include "sm/laws/laws_score.hpp"
#include "sm/laws/throttle_unit.hpp"

namespace warpmem::sm {

/// An empty function means that only the class is available. Each throws UserError when its view
/// cannot be built.
struct UnitFactories {
  std::function<std::unique_ptr<LawsScore>(View view, const LawsScoreSize& size)> laws_score;
  std::function<std::unique_ptr<ThrottleUnit>(View view, const ThrottleSize& size)> throttle_unit;
};

class Laws;
struct SmParams;
/// Makes what a LAWS policy needs, or returns nullptr for another policy. Throws UserError when a
/// view cannot be built.
std::unique_ptr<Laws> make_laws(const SmParams& params, const UnitFactories& units);

}  // namespace warpmem::sm
