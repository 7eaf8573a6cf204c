// SPDX-License-Identifier: Apache-2.0
#include "mutation/units.hpp"

#include "base/errors.hpp"
#include "base/nearest.hpp"

namespace warpmem::mutation {

AttackedUnit::AttackedUnit(const cosim::HardwareUnit& attacked)
    : name(attacked.name()),
      shape(attacked.shape_of(attacked.attacked())),
      parameters(shape.parameters),
      valid_with(attacked.valid_with()),
      unit(&attacked) {}

const std::vector<AttackedUnit>& attacked_units() {
  static const std::vector<AttackedUnit> kUnits = [] {
    std::vector<AttackedUnit> units;
    for (const auto& unit : cosim::hardware_units()) units.emplace_back(*unit);
    return units;
  }();
  return kUnits;
}

const AttackedUnit& attacked_unit(const std::string& name) {
  std::vector<std::string> names;
  for (const AttackedUnit& unit : attacked_units()) {
    if (unit.name == name) return unit;
    names.push_back(unit.name);
  }
  throw UserError(unknown_word("no faults for a unit", name, "Units", names));
}

}  // namespace warpmem::mutation
