// SPDX-License-Identifier: Apache-2.0
// What a library with a view of the DAU offers. Such libraries are compiled when a run asks for
// them (dau_library.hpp), for one size each.
#pragma once

#include <cstdint>

#include "cache/mha/dl/dau.hpp"

namespace warpmem::cosim {

struct DauAbi {
  mha::DauSize size;
  void* (*create)();
  void (*destroy)(void* unit);
  void (*reset)(void* unit);
  void (*eval)(void* unit, const mha::DauIn* in, mha::DauOut* out);
  void (*commit)(void* unit, const mha::DauIn* in);
  /// The arrays are valid until the next commit or reset.
  void (*inspect)(void* unit, mha::DauSets* sets);
  /// Returns the first check of the RTL that failed in this process, or nullptr.
  const char* (*failure)();
  /// Records a waveform from now on until destroy(). Returns false when the library was built
  /// without waveforms.
  bool (*open_waves)(void* unit, const char* file);
  /// Writes the coverage that Verilator counted in this unit. Returns false when the library was
  /// built without counters.
  bool (*write_coverage)(void* unit, const char* file);
};

/// This is the name of the library's one function, `const DauAbi* warpmem_dau()`.
inline constexpr const char* kDauEntry = "warpmem_dau";

}  // namespace warpmem::cosim
