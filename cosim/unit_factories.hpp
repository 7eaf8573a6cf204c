// SPDX-License-Identifier: Apache-2.0
// Every view of the hardware units, for miss handlers (cache/mha), front ends (cache/frontend), SMs
// (sm/laws) and L1D.
#pragma once

#include "cache/frontend/unit_factories.hpp"
#include "cache/mha/registry.hpp"
#include "cosim/unit_library.hpp"
#include "cosim/unit_recording.hpp"
#include "l1d/unit_factories.hpp"
#include "sm/laws/unit_factories.hpp"

namespace warpmem::cosim {

/// These build a view of a unit when one is asked for, from `places`. `recordings` takes the inputs
/// of some of them; it outlives factories and units, or is nullptr.
mha::UnitFactories unit_factories(const UnitPlaces& places, UnitRecordings* recordings = nullptr);
sm::UnitFactories sm_unit_factories(const UnitPlaces& places, UnitRecordings* recordings = nullptr);
cache::FrontendFactories frontend_unit_factories(const UnitPlaces& places,
                                                 UnitRecordings* recordings = nullptr);
l1d::UnitFactories l1d_unit_factories(const UnitPlaces& places,
                                      UnitRecordings* recordings = nullptr);

}  // namespace warpmem::cosim
