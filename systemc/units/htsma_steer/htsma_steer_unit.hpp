// SPDX-License-Identifier: Apache-2.0
// HTSMA's steering, described once for all its views.
#pragma once

#include <cstdint>

#include "units/bits_for.hpp"
#include "units/unit_fields.hpp"

namespace warpmem::units {

/// The branches of Listing 5.1, after a block was looked for in the s-MSHR.
enum class HtsmaSteer : std::uint8_t {
  small_last_way,  ///< shared_cnt == ways-1: only the s-MSHR will do
  small_hit_line,  ///< the line to be replaced was hit: the s-MSHR rather than an early eviction
  array_overflow,  ///< the line to be replaced was hit, but the s-MSHR is full
  array_compared,  ///< after a miss in the s-MSHR: the critical path
  array,           ///< the s-MSHR is empty
  count
};

struct HtsmaSteerSize {
  std::uint32_t ways = 8;  ///< lines of a cache set
};

struct HtsmaSteerIn {
  std::uint16_t shared_count = 0;  ///< lines of the set whose tags are shared
  bool victim_valid = false;       ///< there is a line to be replaced
  bool victim_hit = false;         ///< that line has been hit since it came
  bool small_empty = false;        ///< no entry of the s-MSHR is in use
  bool small_full = false;         ///< all entries of the s-MSHR are in use
  bool small_match = false;        ///< an entry of the s-MSHR has the address: a secondary miss

  using Size = HtsmaSteerSize;
  template <class V>
  static constexpr void fields(V&& v, const Size& size) {
    v("shared_count", &HtsmaSteerIn::shared_count, bits_for(size.ways + 1));
    v("victim_valid", &HtsmaSteerIn::victim_valid, 1);
    v("victim_hit", &HtsmaSteerIn::victim_hit, 1);
    v("small_empty", &HtsmaSteerIn::small_empty, 1);
    v("small_full", &HtsmaSteerIn::small_full, 1);
    v("small_match", &HtsmaSteerIn::small_match, 1);
  }
};

struct HtsmaSteerOut {
  bool to_small = false;  ///< a primary miss goes to the s-MSHR
  bool to_array = false;  ///< a primary miss goes to TSMA
  bool merges = false;    ///< a secondary miss in the s-MSHR
  bool compares = false;  ///< the comparators of the s-MSHR are needed
  bool critical = false;  ///< the s-MSHR comes first, then TSMA
  HtsmaSteer steer = HtsmaSteer::small_last_way;

  using Size = HtsmaSteerSize;
  template <class V>
  static constexpr void fields(V&& v, const Size&) {
    v("to_small", &HtsmaSteerOut::to_small, 1);
    v("to_array", &HtsmaSteerOut::to_array, 1);
    v("merges", &HtsmaSteerOut::merges, 1);
    v("compares", &HtsmaSteerOut::compares, 1);
    v("critical", &HtsmaSteerOut::critical, 1);
    v("steer", &HtsmaSteerOut::steer, 3);
  }
};

struct HtsmaSteerDescription : UnitDefaults {
  using In = HtsmaSteerIn;
  using Out = HtsmaSteerOut;
  using Size = HtsmaSteerSize;

  static constexpr const char* kName = "htsma_steer";
  static constexpr const char* kViewKey = "mshr.steer";
  static constexpr unsigned kPlace = 3;
  static constexpr unsigned kProofPlace = 5;

  template <class V, class S>
  static constexpr void sizes(V&& v, S& size) {
    v(SizeField{"WAYS", "ways", "--ways", "lines of a cache set", 1, 4096}, size.ways);
  }
  static constexpr Size kSizes[] = {{8}, {1}, {2}, {3}, {4}, {6}, {16}, {100}};
  static constexpr Size kAttacked = {8};
  static constexpr UnitProof kProofs[] = {{"WAYS=8", true}, {"WAYS=5"}, {"WAYS=16"}};
};

}  // namespace warpmem::units
