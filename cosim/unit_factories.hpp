// SPDX-License-Identifier: Apache-2.0
// Every view of the hardware units, for miss handlers (mha/registry.hpp), SMs (sm/laws), L2
// (l2/frontend) and L1D.
#pragma once

#include "l1d/unit_factories.hpp"
#include "l2/frontend/unit_factories.hpp"
#include "mha/registry.hpp"
#include "sm/laws/unit_factories.hpp"

namespace warpmem::cosim {

/// Build a view of a unit when one is asked for. They live as long as the program.
const mha::UnitFactories& unit_factories();
const sm::UnitFactories& sm_unit_factories();
const l2::UnitFactories& l2_unit_factories();
const l1d::UnitFactories& l1d_unit_factories();

}  // namespace warpmem::cosim
