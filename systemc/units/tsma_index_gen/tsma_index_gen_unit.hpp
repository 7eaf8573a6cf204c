// SPDX-License-Identifier: Apache-2.0
// TSMA's index generator, described once for all its views.
#pragma once

#include <cstdint>

#include "units/bits_for.hpp"
#include "units/unit_fields.hpp"

namespace warpmem::units {

struct TsmaIndexGenSize {
  std::uint32_t entries = 48;
};

struct TsmaIndexGenIn {
  bool take = false;              ///< a primary miss takes idx; without effect while full
  bool release = false;           ///< entry release_idx is free again; it must be taken before
  std::uint16_t release_idx = 0;  ///< 0 .. entries - 1

  using Size = TsmaIndexGenSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("take", &TsmaIndexGenIn::take, 1);
    v("release", &TsmaIndexGenIn::release, 1);
    v("release_idx", &TsmaIndexGenIn::release_idx, bits_for(size.entries));
  }
};

struct TsmaIndexGenOut {
  std::uint16_t idx = 0;  ///< the next available index; 0 while full
  bool full = false;      ///< no index is available

  using Size = TsmaIndexGenSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("idx", &TsmaIndexGenOut::idx, bits_for(size.entries));
    v("full", &TsmaIndexGenOut::full, 1);
  }
};

struct TsmaIndexGenState {
  const std::uint32_t* available = nullptr;  ///< a bit for each entry

  template <class V>
  static void signals(V&& v, const TsmaIndexGenSize& size) {
    for (std::uint32_t i = 0; i < size.entries; i += 32) {
      const std::uint32_t last = i + 32 < size.entries ? i + 31 : size.entries - 1;
      v("entries_from", i, "available", last - i + 1,
        [i](const TsmaIndexGenState& s) { return s.available[i / 32]; });
    }
  }
};

struct TsmaIndexGenDescription : UnitDefaults {
  using In = TsmaIndexGenIn;
  using Out = TsmaIndexGenOut;
  using Size = TsmaIndexGenSize;
  using State = TsmaIndexGenState;

  static constexpr const char* kName = "tsma_index_gen";
  static constexpr const char* kViewKey = "mshr.index_gen";
  static constexpr const char* const kStatePins[] = {"available"};
  static constexpr unsigned kPlace = 2;
  static constexpr unsigned kProofPlace = 3;

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"ENTRIES", "entries", "--entries", "entries of the array", 1, 4096}, size.entries);
  }
  // The first is L1D of configs/kim-tsma-200.yaml; 64, 96 and 128 are the other arrays of
  // kim-tsma-*.yaml.
  static constexpr Size kSizes[] = {{48}, {1}, {2}, {5}, {33}, {64}, {65}, {96}, {128}};
  static constexpr Size kAttacked = {6};
  static constexpr UnitProof kProofs[] = {
      {"ENTRIES=5", true},
      {"ENTRIES=1", true},
      // Of many entries without covers: one that fills and empties 16 takes 34 cycles.
      {"ENTRIES=16", false, ProofMethod::pdr, 0, false},
      {"ENTRIES=48", false, ProofMethod::pdr, 0, false}};
};

}  // namespace warpmem::units
