// SPDX-License-Identifier: Apache-2.0
// What a library with a view of a unit offers whose inputs, outputs and state are plain structs.
// Such libraries are compiled when a run asks for them (unit_library.hpp), for one set of
// parameters each.
#pragma once

namespace warpmem::cosim {

template <class In, class Out>
struct UnitAbi {
  void* (*create)();
  void (*destroy)(void* unit);
  void (*reset)(void* unit);
  void (*eval)(void* unit, const In* in, Out* out);
  void (*commit)(void* unit, const In* in);
  /// The first check of the RTL that failed in this process, or nullptr.
  const char* (*failure)();
  /// Records a waveform from now on until destroy(). False when the library was built without.
  bool (*open_waves)(void* unit, const char* file);
};

/// Name of the library's one function, which returns a `const UnitAbi<In, Out>*`.
inline constexpr const char* kUnitEntry = "warpmem_unit";

}  // namespace warpmem::cosim
