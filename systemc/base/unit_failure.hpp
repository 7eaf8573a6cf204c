// SPDX-License-Identifier: Apache-2.0
// The failure of a check inside a hardware unit while the machine was running.
#pragma once

#include <string>

#include "base/errors.hpp"

namespace warpmem {

/// The unit throws it. The clock domain fills in whom it was ticking, and the machine says when.
class UnitFailure : public SimulationError {
 public:
  UnitFailure(const std::string& unit_, const std::string& what)
      : SimulationError(what), unit(unit_) {}
  std::string unit;
  std::string instance;  ///< the module that has the unit ("gpu.memory.l1d3"); empty: not known
};

}  // namespace warpmem
