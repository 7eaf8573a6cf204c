// SPDX-License-Identifier: Apache-2.0
#include "synth/unit_parameters.hpp"

#include <vector>

#include "base/errors.hpp"
#include "base/nearest.hpp"

namespace warpmem::synth {

std::string plain_digits(const std::string& number) {
  const auto first = number.find_first_not_of('0');
  return first == std::string::npos ? "0" : number.substr(first);
}

ParameterValues changed_parameters(const std::string& unit, const ParameterValues& asked,
                                   const ParameterValues& defaults) {
  ParameterValues changed;
  for (const auto& [name, value] : asked) {
    const auto own = defaults.find(name);
    if (own == defaults.end()) {
      const std::string problem = "unit " + unit + " has no parameter";
      std::vector<std::string> known;
      for (const auto& [parameter, unused] : defaults) known.push_back(parameter);
      throw UserError(known.empty() ? problem + "s"
                                    : unknown_word(problem, name, "Parameters", known));
    }
    if (plain_digits(value) != own->second) changed[name] = value;
  }
  return changed;
}

}  // namespace warpmem::synth
