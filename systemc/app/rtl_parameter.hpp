// SPDX-License-Identifier: Apache-2.0
// The option -p of commands on units: a parameter of the RTL and its value.
#pragma once

#include <string>
#include <utility>

#include "base/errors.hpp"

namespace warpmem::app {

/// Splits NAME=VALUE. Throws UserError for another form.
inline std::pair<std::string, std::string> rtl_parameter(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw UserError("-p " + assignment + ": not of the form NAME=VALUE");
  return {assignment.substr(0, equals), assignment.substr(equals + 1)};
}

/// Splits NAME=NUMBER, decimal digits of any length. Throws UserError for another form.
inline std::pair<std::string, std::string> rtl_number(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == assignment.size() ||
      assignment.find_first_not_of("0123456789", equals + 1) != std::string::npos)
    throw UserError("-p " + assignment + ": not of the form NAME=NUMBER");
  return rtl_parameter(assignment);
}

}  // namespace warpmem::app
