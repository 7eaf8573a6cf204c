// SPDX-License-Identifier: Apache-2.0
// docs/lockstep.md: how far the views of every unit have been compared.
#pragma once

#include <string>
#include <vector>

#include "app/cosim_units.hpp"

namespace warpmem::app {

/// Returns the page `earlier` (empty: none) with rows for each of these units, usual size and
/// corners, instead of its old ones; `units` are all there are, in the order of the rows. Only runs
/// from seeds have a place there.
std::string cosim_page(const std::vector<std::string>& units,
                       const std::vector<CosimOutcome>& outcomes, const std::string& earlier);

}  // namespace warpmem::app
