// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "cosim/hardware_unit.hpp"

namespace warpmem::cosim {

/// Returns what the function NAME::bench() of each units/NAME/NAME_bench.cpp makes: each bench has
/// a namespace of its own, so that one unit's names are not another's. CMake writes its source from
/// the list of these files.
std::vector<std::unique_ptr<HardwareUnit>> unit_benches();

}  // namespace warpmem::cosim
