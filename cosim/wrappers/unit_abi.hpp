// SPDX-License-Identifier: Apache-2.0
// What a library with a view of a unit offers whose inputs, outputs and state are plain structs.
// Such libraries are compiled when a run asks for them (unit_library.hpp), for one set of
// parameters each.
#pragma once

#include <cstdint>

namespace warpmem::cosim {

template <class In, class Out>
struct UnitAbi {
  void* (*create)();
  void (*destroy)(void* unit);
  void (*reset)(void* unit);
  void (*eval)(void* unit, const In* in, Out* out);
  void (*commit)(void* unit, const In* in);
  /// Returns the first check of the RTL that failed in this process, or nullptr.
  const char* (*failure)();
  /// Records a waveform from now on until destroy(). Returns false when the library was built
  /// without waveforms.
  bool (*open_waves)(void* unit, const char* file);
  /// Gives what the unit shows beyond its outputs, as 32-bit words in the layout of its port;
  /// nullptr for a unit that shows nothing else. `words` has room for all of it.
  void (*state)(void* unit, std::uint32_t* words);
  /// Writes the coverage that Verilator counted in this unit. Returns false when the library was
  /// built without counters.
  bool (*write_coverage)(void* unit, const char* file);
};

/// This is the name of the library's one function, which returns a `const UnitAbi<In, Out>*`.
inline constexpr const char* kUnitEntry = "warpmem_unit";

}  // namespace warpmem::cosim
