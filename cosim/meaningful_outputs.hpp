// SPDX-License-Identifier: Apache-2.0
// Outputs that mean something only while another one is 1, as a unit's description says
// (units::UnitDefaults::kValidWith).
#pragma once

#include <string>

namespace warpmem::cosim {

/// Returns `seen` with the values of `expected` in the outputs that mean nothing beside that.
template <class Unit>
typename Unit::Out where_meaningful(const typename Unit::Out& expected, typename Unit::Out seen) {
  using Out = typename Unit::Out;
  // Calls `visit` for the field of an output pin.
  const auto field_of = [](const std::string& output, const auto& visit) {
    const auto look = [&](const char* name, auto field, unsigned, const char* pin = nullptr) {
      if (output == std::string(pin == nullptr ? name : pin) + "_o") visit(field);
    };
    Out::fields(look, Unit::kSizes[0]);
  };
  if constexpr (Unit::kValidWith[0][0] != nullptr) {
    for (const auto& [output, valid] : Unit::kValidWith) {
      bool means = true;
      field_of(valid,
               [&](auto field) { means = static_cast<std::uint64_t>(expected.*field) != 0; });
      if (!means) field_of(output, [&](auto field) { seen.*field = expected.*field; });
    }
  }
  return seen;
}

}  // namespace warpmem::cosim
