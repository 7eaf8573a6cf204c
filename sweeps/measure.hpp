// SPDX-License-Identifier: Apache-2.0
// What the workloads of a sweep contribute to the rows of an experiment.
#pragma once

#include <vector>

#include "sweeps/database.hpp"
#include "sweeps/verdict.hpp"

namespace warpmem::sweeps {

/// Returns the measured rows, for judge(). Throws UserError for labels, workloads or statistics
/// that the sweep does not have.
std::vector<MeasuredRow> measure(const Experiment& experiment, const Database& results);

}  // namespace warpmem::sweeps
