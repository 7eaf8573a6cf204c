// SPDX-License-Identifier: Apache-2.0
#include "app/rtl_parameter.hpp"

#include <algorithm>

#include "cosim/hardware_unit.hpp"

namespace warpmem::app {

// The limits of one parameter may follow from another one. Those that are not given stay as they
// are in the RTL, whose values have no say here.
void check_rtl_limits(const std::string& unit,
                      const std::map<std::string, std::string>& parameters) {
  const auto& units = cosim::hardware_units();
  const auto found = std::find_if(units.begin(), units.end(),
                                  [&unit](const auto& one) { return one->name() == unit; });
  if (found == units.end()) return;
  cosim::SizeValues size = (*found)->sizes().front();
  const std::vector<cosim::SizeEntry> usual = (*found)->entries_of(size);
  std::vector<std::size_t> given;
  for (std::size_t i = 0; i < usual.size(); ++i) {
    const auto parameter = parameters.find(usual[i].field.parameter);
    if (parameter == parameters.end() || usual[i].kind != cosim::SizeKind::number) continue;
    size[i] = std::stod(parameter->second);
    given.push_back(i);
  }
  const std::vector<cosim::SizeEntry> asked = (*found)->entries_of(size);
  std::vector<cosim::SizeEntry> checked;
  for (const std::size_t i : given) checked.push_back(asked[i]);
  Problems problems;
  cosim::check_limits(checked, problems);
  problems.throw_if_any();
}

}  // namespace warpmem::app
