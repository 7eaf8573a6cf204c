// SPDX-License-Identifier: Apache-2.0
#include "app/rtl_parameter.hpp"

#include <algorithm>

#include "app/places.hpp"
#include "base/text.hpp"
#include "base/text_file.hpp"
#include "cosim/hardware_unit.hpp"
#include "files/pattern.hpp"

namespace warpmem::app {

namespace {

/// Returns the parameters of warpmem's own RTL of a unit with their defaults, which are digits.
cosim::UnitParameters rtl_defaults(const std::string& unit) {
  static const Pattern kParameter("parameter int unsigned (\\w+) *= ([0-9]+)");
  cosim::UnitParameters defaults;
  for (const std::string& line : lines_of(read_text(places().rtl / unit / (unit + ".sv")))) {
    const std::vector<std::string> found = kParameter.first_in(line);
    if (!found.empty())
      defaults.emplace_back(found[1], static_cast<std::uint32_t>(std::stoul(found[2])));
  }
  return defaults;
}

}  // namespace

void check_rtl_limits(const std::string& unit,
                      const std::map<std::string, std::string>& parameters) {
  const auto& units = cosim::hardware_units();
  const auto found = std::find_if(units.begin(), units.end(),
                                  [&unit](const auto& one) { return one->name() == unit; });
  if (found == units.end() || parameters.empty()) return;
  cosim::UnitParameters all = rtl_defaults(unit);
  for (auto& [name, value] : all)
    if (const auto given = parameters.find(name); given != parameters.end())
      value = static_cast<std::uint32_t>(std::stoul(given->second));
  Problems problems;
  (*found)->check((*found)->size_of(all), problems);
  problems.throw_if_any();
}

}  // namespace warpmem::app
