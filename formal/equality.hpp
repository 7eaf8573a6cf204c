// SPDX-License-Identifier: Apache-2.0
// Two implementations of a unit side by side, with equal outputs as the properties.
#pragma once

#include <map>
#include <string>

namespace warpmem::formal {

/// Ports of a unit, from what Yosys' write_json has written of a design with the unit alone.
struct UnitPorts {
  std::map<std::string, unsigned> inputs, outputs;  ///< widths
};
UnitPorts read_ports(const std::string& json, const std::string& unit);

/// Throws UserError that names the first port of `ours` that `own` has in another width or not at
/// all; those that show the state may be missing. Yosys itself would pad or cut them in silence.
void check_ports(const std::string& unit, const UnitPorts& ours, const UnitPorts& own);

/// Returns a module `UNIT_equal` with the unit's inputs around the modules `gold` and `gate`. Its
/// property NAME_is_equal says of an output that both have the same, in every cycle out of reset in
/// which it means something; those that show the state have none.
std::string equality_module(const std::string& unit, const UnitPorts& ports);

}  // namespace warpmem::formal
