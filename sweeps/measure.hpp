// SPDX-License-Identifier: Apache-2.0
// What the workloads of a sweep contribute to the rows of an experiment.
#pragma once

#include <vector>

#include "sweeps/database.hpp"
#include "sweeps/verdict.hpp"

namespace warpmem::sweeps {

/// Returns the measured rows, for judge(). Throws UserError for labels, workloads or statistics
/// that the sweep does not have, and for a row that leaves out an axis with several labels.
std::vector<MeasuredRow> measure(const Experiment& experiment, const Database& results);

/// Returns for each point of the sweep whether a row asks for its run. Throws as measure() does.
std::vector<bool> asked_for(const Experiment& experiment, const Database& results);

}  // namespace warpmem::sweeps
