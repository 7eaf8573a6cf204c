// SPDX-License-Identifier: Apache-2.0
// Parameters of a unit that is synthesized, as digits.
#pragma once

#include <map>
#include <string>

namespace warpmem::synth {

using ParameterValues = std::map<std::string, std::string>;

/// Returns digits without the zeros before them.
std::string plain_digits(const std::string& number);

/// Returns those of `asked` that differ from the unit's defaults. A unit that Yosys derives from
/// itself for a default has other names inside, by which abc comes to another netlist. Throws
/// UserError for a parameter that the unit lacks.
ParameterValues changed_parameters(const std::string& unit, const ParameterValues& asked,
                                   const ParameterValues& defaults);

}  // namespace warpmem::synth
