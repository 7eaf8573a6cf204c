// SPDX-License-Identifier: Apache-2.0
// The option -p of commands on units: a parameter of the RTL and its value.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <map>
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

/// Splits NAME=NUMBER, decimal digits of a number below 2^32, which parameters of RTL are. Throws
/// UserError for another form.
inline std::pair<std::string, std::string> rtl_number(const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == assignment.size() ||
      assignment.find_first_not_of("0123456789", equals + 1) != std::string::npos)
    throw UserError("-p " + assignment + ": not of the form NAME=NUMBER");
  errno = 0;
  if (std::strtoull(assignment.c_str() + equals + 1, nullptr, 10) > 0xffffffffu || errno == ERANGE)
    throw UserError("-p " + assignment + ": allowed: a number below 2^32");
  return rtl_parameter(assignment);
}

/// Throws UserError for numbers that `warpmem cosim` would refuse for parameters of this unit, too,
/// where the others are as in warpmem's RTL: tools work on for hours, or end in the middle. Other
/// modules have no limits.
void check_rtl_limits(const std::string& unit,
                      const std::map<std::string, std::string>& parameters);

}  // namespace warpmem::app
