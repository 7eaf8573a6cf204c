// SPDX-License-Identifier: Apache-2.0
// Every view of the hardware units, for miss handlers (mha/registry.hpp).
#pragma once

#include "mha/registry.hpp"

namespace warpmem::cosim {

/// Builds a view of a unit when one is asked for. Lives as long as the program.
const mha::UnitFactories& unit_factories();

}  // namespace warpmem::cosim
