// SPDX-License-Identifier: Apache-2.0
// Measures what the programs of experiments cost (sweeps/stored_costs.hpp).
#pragma once

#include <string>
#include <vector>

#include "sweeps/reproduce.hpp"
#include "sweeps/stored_costs.hpp"

namespace warpmem::sweeps {

struct MeasuredCosts {
  std::vector<StoredCost> costs;
  Outcome outcome;
};

/// Runs each program of the experiments with each of its arguments of which the databases in
/// `folder` have no run, once, with the configuration that the experiments give it most often; the
/// runs are costs.sqlite. Returns the geometric mean over a program's runs in `folder`: of CPU
/// time, or of wall time for runs of a warpmem that did not tell it. A program whose run failed has
/// no row. Throws UserError when runs have no result for reasons of this machine.
MeasuredCosts measure_costs(const std::vector<LoadedExperiment>& loaded, const std::string& folder,
                            EngineOptions options);

}  // namespace warpmem::sweeps
