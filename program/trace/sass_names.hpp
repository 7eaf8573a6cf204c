// SPDX-License-Identifier: Apache-2.0
// Names of SASS for instructions of PTX: what a trace in Accel-Sim's format calls them.
#pragma once

#include <string>

#include "program/program.hpp"

namespace warpmem::program::trace {

/// Returns a mnemonic of `architecture` (70, 75, 80, 86, 90) for an instruction that its source
/// spells `spelling` ("ld.global.v4.f32" becomes "LDG.E.128"). What it accesses, how much of it and
/// which unit executes it are those of the instruction; SASS that the architecture has stays as it
/// is. Divisions have no opcode of their own and become reciprocals, as the first of the
/// instructions that a compiler makes of them. It is empty for what no opcode can say with its
/// addresses: mbarriers, bulk copies, and copies that the architecture does not have.
std::string sass_mnemonic(const InstInfo& inst, const std::string& spelling, unsigned architecture);

}  // namespace warpmem::program::trace
