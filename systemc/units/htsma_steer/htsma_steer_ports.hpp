// SPDX-License-Identifier: Apache-2.0
// Ports of HTSMA's steering, in all its views.
#pragma once

#include <cstdint>

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

struct HtsmaSteerIn {
  std::uint16_t shared_count = 0;  ///< lines of the set whose tags are shared
  bool victim_valid = false;       ///< there is a line to be replaced
  bool victim_hit = false;         ///< that line has been hit since it came
  bool small_empty = false;        ///< no entry of the s-MSHR is in use
  bool small_full = false;         ///< all entries of the s-MSHR are in use
  bool small_match = false;        ///< an entry of the s-MSHR has the address: a secondary miss

  bool operator==(const HtsmaSteerIn& o) const {
    return shared_count == o.shared_count && victim_valid == o.victim_valid &&
           victim_hit == o.victim_hit && small_empty == o.small_empty &&
           small_full == o.small_full && small_match == o.small_match;
  }
};

struct HtsmaSteerOut {
  bool to_small = false;  ///< a primary miss goes to the s-MSHR
  bool to_array = false;  ///< a primary miss goes to TSMA
  bool merges = false;    ///< a secondary miss in the s-MSHR
  bool compares = false;  ///< the comparators of the s-MSHR are needed
  bool critical = false;  ///< the s-MSHR comes first, then TSMA
  HtsmaSteer steer = HtsmaSteer::small_last_way;

  bool operator==(const HtsmaSteerOut& o) const {
    return to_small == o.to_small && to_array == o.to_array && merges == o.merges &&
           compares == o.compares && critical == o.critical && steer == o.steer;
  }
  bool operator!=(const HtsmaSteerOut& o) const { return !(*this == o); }
};

}  // namespace warpmem::units
