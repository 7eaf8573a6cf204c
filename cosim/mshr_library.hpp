// SPDX-License-Identifier: Apache-2.0
// The MSHR files of rtl/ as Verilated units. Their miss handlers in the simulator are classes;
// these are for their tests and for measurements.
#pragma once

#include <memory>
#include <string>

#include "cosim/unit_library.hpp"
#include "cosim/wrappers/mshr_ports.hpp"

namespace warpmem::cosim {

using LibraryMshr = LibraryUnit<MshrIn, MshrOut>;

/// Makes `unit`: mshr_conventional, mshr_set_assoc, tsma or dl_mshr. `parameters` are all of the
/// module's; ADDR_BITS and SLOT_BITS are at most 32. Throws UserError when it cannot be built.
std::unique_ptr<LibraryMshr> make_library_mshr(const std::string& unit,
                                               const UnitParameters& parameters,
                                               const UnitPlaces& places, bool waves = false);

/// Returns the path of the library that such a file is loaded from, built when first asked for.
std::filesystem::path mshr_library(const std::string& unit, const UnitParameters& parameters,
                                   const UnitPlaces& places, bool waves = false);

}  // namespace warpmem::cosim
