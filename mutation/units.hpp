// SPDX-License-Identifier: Apache-2.0
// The units that can be attacked, each at one small size, and how it is compared with its class.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cosim/lockstep.hpp"

namespace warpmem::mutation {

struct AttackedUnit {
  std::string name;
  cosim::UnitParameters parameters;  ///< parameters of the RTL and of its wrapper
  /// These are outputs that mean something only while another one is 1, and that one.
  std::map<std::string, std::string> valid_with;
  /// Runs the views in lockstep; `options` has everything but the size.
  cosim::LockstepResult (*lockstep)(const cosim::LockstepOptions& options);
};

/// Returns the units in the order in which they are shown.
const std::vector<AttackedUnit>& attacked_units();

/// Returns the unit. Throws UserError that names the units when there is none of that name.
const AttackedUnit& attacked_unit(const std::string& name);

}  // namespace warpmem::mutation
