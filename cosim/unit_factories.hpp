// SPDX-License-Identifier: Apache-2.0
// Every view of the hardware units, for miss handlers (mha/registry.hpp), SMs (sm/laws), L2
// (l2/frontend) and L1D.
#pragma once

#include "cosim/unit_recording.hpp"
#include "l1d/unit_factories.hpp"
#include "l2/frontend/unit_factories.hpp"
#include "mha/registry.hpp"
#include "sm/laws/unit_factories.hpp"

namespace warpmem::cosim {

/// Build a view of a unit when one is asked for. `recordings`: of the inputs of some of them;
/// outlives factories and units, or nullptr.
mha::UnitFactories unit_factories(UnitRecordings* recordings = nullptr);
sm::UnitFactories sm_unit_factories(UnitRecordings* recordings = nullptr);
l2::UnitFactories l2_unit_factories(UnitRecordings* recordings = nullptr);
l1d::UnitFactories l1d_unit_factories(UnitRecordings* recordings = nullptr);

}  // namespace warpmem::cosim
