// SPDX-License-Identifier: Apache-2.0
// The units that can be attacked, each at the one small size that its description names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cosim/hardware_unit.hpp"

namespace warpmem::mutation {

struct AttackedUnit {
  explicit AttackedUnit(const cosim::HardwareUnit& unit);

  std::string name;
  cosim::UnitShape shape;
  cosim::UnitParameters parameters;  ///< parameters of the RTL
  /// These are outputs that mean something only while another one is 1, and that one.
  std::map<std::string, std::string> valid_with;
  const cosim::HardwareUnit* unit;

  /// Runs the views in lockstep.
  cosim::LockstepResult lockstep(const cosim::LockstepOptions& options) const {
    return unit->run(unit->attacked(), options);
  }
};

/// Returns the units in the order in which they are shown.
const std::vector<AttackedUnit>& attacked_units();

/// Returns the unit. Throws UserError that names the units when there is none of that name.
const AttackedUnit& attacked_unit(const std::string& name);

}  // namespace warpmem::mutation
