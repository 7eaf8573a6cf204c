// SPDX-License-Identifier: Apache-2.0
// The figures that a configuration implies, as text.
#pragma once

#include <string>

#include "gpu/params.hpp"

namespace warpmem::app {

/// Peak bandwidths in a line, for a list of machines: DRAM, L2, L1D, and what their MSHRs allow.
std::string implied_summary(const gpu::MachineParams& params);

/// Every figure on a line of its own, in columns: name, value, unit, and what limits it. Latencies
/// are those of a load that meets no other traffic, in SM cycles; a figure that the machine does
/// not have is left out. tools/machines_page.py reads it.
std::string implied_figures(const gpu::MachineParams& params);

}  // namespace warpmem::app
