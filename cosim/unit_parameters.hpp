// SPDX-License-Identifier: Apache-2.0
// Parameters of a unit as its RTL names them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/errors.hpp"

namespace warpmem::cosim {

using UnitParameters = std::vector<std::pair<std::string, std::uint32_t>>;

/// Returns the value of a parameter. Throws UserError when it is not there.
inline std::uint32_t parameter(const UnitParameters& parameters, const char* name) {
  for (const auto& [known, value] : parameters)
    if (known == name) return value;
  throw UserError(std::string("the parameter ") + name + " is missing");
}

}  // namespace warpmem::cosim
