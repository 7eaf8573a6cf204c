// SPDX-License-Identifier: Apache-2.0
#include "cosim/hardware_unit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/errors.hpp"
#include "base/nearest.hpp"
#include "cosim/unit_benches.hpp"

namespace warpmem::cosim {

const std::vector<std::unique_ptr<HardwareUnit>>& hardware_units() {
  static const std::vector<std::unique_ptr<HardwareUnit>> kUnits = [] {
    std::vector<std::unique_ptr<HardwareUnit>> units = unit_benches();
    std::sort(units.begin(), units.end(),
              [](const auto& a, const auto& b) { return a->place() < b->place(); });
    return units;
  }();
  return kUnits;
}

const HardwareUnit& hardware_unit(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& unit : hardware_units()) {
    if (unit->name() == name) return *unit;
    names.push_back(unit->name());
  }
  throw UserError(unknown_word("no unit", name, "Units", names));
}

void check_limits(const std::vector<SizeEntry>& entries, Problems& problems) {
  for (const SizeEntry& entry : entries) {
    const units::SizeField& field = entry.field;
    if (field.most == 0 || (entry.value >= field.least && entry.value <= field.most)) continue;
    problems.add(field.key,
                 fmt::format("{} is not {} to {}", entry.value, field.least, field.most));
  }
}

}  // namespace warpmem::cosim
