// SPDX-License-Identifier: Apache-2.0
// What a library with a view of a unit offers. Such libraries are written and compiled when a run
// asks for them (unit_library.hpp), for one size each.
#pragma once

#include <cstdint>

#include "units/unit_fields.hpp"

namespace warpmem::cosim {

/// `Unit` is the unit's description.
template <class Unit>
struct UnitAbi {
  using In = typename Unit::In;
  using Out = typename Unit::Out;
  using State = typename Unit::State;

  void* (*create)();
  void (*destroy)(void* unit);
  void (*reset)(void* unit);
  void (*eval)(void* unit, const In* in, Out* out);
  void (*commit)(void* unit, const In* in);
  /// Gives what the unit shows beyond its outputs; valid until the next call.
  void (*state)(void* unit, State* state);
  /// Returns the first check of the RTL that failed in this process, or nullptr.
  const char* (*failure)();
  /// Records a waveform from now on until destroy(). Returns false when the library was built
  /// without waveforms.
  bool (*open_waves)(void* unit, const char* file);
  /// Writes the coverage that Verilator counted in this unit. Returns false when the library was
  /// built without counters.
  bool (*write_coverage)(void* unit, const char* file);
};

/// This reads the state of a unit that shows none.
template <class State>
struct NoStateReader {
  template <class Top, class Bits>
  State of_pins(const Top&, const Bits&) {
    return {};
  }
  template <class Core>
  State of_core(const Core&) {
    return {};
  }
};

/// This is the name of the library's one function, which returns a `const UnitAbi<Unit>*`.
inline constexpr const char* kUnitEntry = "warpmem_unit";

}  // namespace warpmem::cosim
