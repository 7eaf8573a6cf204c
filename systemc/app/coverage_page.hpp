// SPDX-License-Identifier: Apache-2.0
// What lockstep runs of a unit went through, as an HTML page: situations, states and transitions at
// each size, and the RTL with its lines and toggles. The page is made by tools/report.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cosim_units.hpp"

namespace warpmem::app {

/// Writes the page of one unit's runs to `file`. Throws UserError when that cannot be done.
void write_coverage_page(const std::string& file, const std::string& unit,
                         const std::vector<CosimOutcome>& outcomes);

}  // namespace warpmem::app
