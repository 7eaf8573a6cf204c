// SPDX-License-Identifier: Apache-2.0
// What other tools go on with: a unit as plain Verilog, and a mapped netlist with what belongs to
// it.
#pragma once

#include <filesystem>

#include "synth/synth.hpp"
#include "synth/tools.hpp"

namespace warpmem::synth {

/// Writes the unit of `request` at its parameters to `file` as Verilog-2005: one module of fixed
/// size for each of the RTL, for tools that read no SystemVerilog. Throws UserError as run() does.
void export_verilog(const SynthRequest& request, const std::filesystem::path& file);

/// Writes into `folder`, which is there:
///   UNIT.v        the netlist
///   UNIT_cells.v  the library's cells as simulators take them: their functions, without delays
///   UNIT.sdc      a clock of `period_ns`, and the driving cells and loads that it was timed with
///   UNIT.sdf      delays of its cells as OpenSTA estimates them, without wires
/// `work` holds map<index>.v and lib.lib. Throws UserError when a tool fails.
void write_netlist(const Yosys& yosys, const std::filesystem::path& work, std::size_t index,
                   const std::string& unit, const Liberty& library, double period_ns,
                   const std::filesystem::path& folder);

}  // namespace warpmem::synth
