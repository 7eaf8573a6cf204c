// SPDX-License-Identifier: Apache-2.0
// Names of device code for the host's linker. Device code is linked when the program starts, from
// the objects that the host's linker took; so that it takes what only device code needs out of an
// archive, and refuses what nobody defines or two define, it is told of those names.
#pragma once

#include <string>

namespace warpmem::program::cuda {

/// Returns an assembler's text with a hidden symbol `NAME.device` for each function and variable
/// that the unit shares with others: defined where the unit defines it, else needed. What the
/// runtime has itself is left out.
std::string device_symbols(const std::string& unit);

}  // namespace warpmem::program::cuda
