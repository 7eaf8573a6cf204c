// SPDX-License-Identifier: Apache-2.0
// Checks of a unit that a user brings (files/own_rtl.hpp), before anything runs.
#pragma once

#include <string>
#include <vector>

#include "cosim/unit_library.hpp"

namespace warpmem::cosim {

/// Elaborates the user's RTL of a unit at one size beside warpmem's and throws one UserError, with
/// a sentence for each thing that is wrong: a parameter or port that is missing or not of the unit,
/// a width, a direction, a latch, a loop without a register, a ready that depends on its own valid
/// where warpmem's does not, text that Verilator or Yosys does not read. Returns Verilator's
/// warnings, "dau.sv:12: Bits of signal are not used: 'x' (UNUSEDSIGNAL)".
/// Precondition: places.own has the unit.
std::vector<std::string> check_own_unit(const UnitShape& shape, const UnitPlaces& places);

/// Does what check_own_unit() does for the ports alone and returns which of shape.state_pins the
/// user's RTL has. Each size is looked at once in a process.
std::vector<std::string> own_state_pins(const UnitShape& shape, const UnitPlaces& places);

}  // namespace warpmem::cosim
