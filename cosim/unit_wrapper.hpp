// SPDX-License-Identifier: Apache-2.0
// Sources of the libraries with views of units, written from the units' descriptions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cosim/unit_parameters.hpp"
#include "cosim/unit_size.hpp"

namespace warpmem::cosim {

/// This is a port of a unit.
struct UnitPin {
  std::string member;  ///< of the struct of ports
  std::string pin;     ///< in the RTL and the SC_MODULE
  unsigned width = 1;
};

/// This is a unit at one size, without its types.
struct UnitShape {
  std::string name;  ///< folder and top module
  UnitParameters parameters;
  std::vector<UnitPin> inputs, outputs;
  std::vector<std::string> state_pins;  ///< further outputs
  bool shows_state = false;
};

/// This is a source, and what it includes beyond Verilator's: relative to the source tree.
struct Wrapper {
  std::string text;
  std::vector<std::string> headers;
};

/// Returns the source that is compiled behind Verilator's output.
Wrapper rtl_wrapper(const UnitShape& unit);
/// Returns the source around the synthesizable core.
Wrapper core_wrapper(const UnitShape& unit);
/// Returns the source around the SC_MODULE.
Wrapper module_wrapper(const UnitShape& unit);

struct CollectPins {
  std::vector<UnitPin>& pins;
  const char* suffix;

  template <class Member>
  void operator()(const char* name, Member, unsigned width, const char* pin = nullptr) {
    pins.push_back({name, std::string(pin == nullptr ? name : pin) + suffix, width});
  }
};

template <class Unit>
UnitShape shape_of(const typename Unit::Size& size) {
  UnitShape shape;
  shape.name = Unit::kName;
  shape.parameters = parameters_of<Unit>(size);
  Unit::In::fields(CollectPins{shape.inputs, "_i"}, size);
  Unit::Out::fields(CollectPins{shape.outputs, "_o"}, size);
  for (const char* const pin : Unit::kStatePins)
    if (pin != nullptr) shape.state_pins.push_back(std::string(pin) + "_o");
  shape.shows_state = !std::is_same_v<typename Unit::State, units::NoState>;
  return shape;
}

}  // namespace warpmem::cosim
