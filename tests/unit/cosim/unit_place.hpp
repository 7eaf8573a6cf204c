// SPDX-License-Identifier: Apache-2.0
// Units and their sizes as the parameters of a test.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "cosim/hardware_unit.hpp"

namespace warpmem::cosim {

/// This is one size of a unit.
struct Place {
  std::string unit;
  std::size_t index;
};

inline void PrintTo(const Place& place, std::ostream* out) {
  const HardwareUnit& unit = hardware_unit(place.unit);
  *out << place.unit << ", " << unit.text_of(unit.sizes()[place.index]);
}

/// Returns every size of the units of a group, or of all units.
inline std::vector<Place> places(const std::string& group = "") {
  std::vector<Place> list;
  for (const auto& unit : hardware_units()) {
    if (!group.empty() && unit->group() != group) continue;
    for (std::size_t i = 0; i < unit->sizes().size(); ++i) list.push_back({unit->name(), i});
  }
  return list;
}

}  // namespace warpmem::cosim
