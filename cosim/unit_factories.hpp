// SPDX-License-Identifier: Apache-2.0
// Every view of the hardware units, for miss handlers (mha/registry.hpp) and SMs (sm/laws).
#pragma once

#include "mha/registry.hpp"
#include "sm/laws/unit_factories.hpp"

namespace warpmem::cosim {

/// Build a view of a unit when one is asked for. They live as long as the program.
const mha::UnitFactories& unit_factories();
const sm::UnitFactories& sm_unit_factories();

}  // namespace warpmem::cosim
