// SPDX-License-Identifier: Apache-2.0
// What follows from the configuration of a miss handler without making one.
#pragma once

#include <cstdint>

#include "cache/mha/params.hpp"

namespace warpmem::mha {

/// Cycles of an access to the DL pool (DL 6.3).
inline constexpr unsigned kDlAccessCycles = 2;

/// Returns the cycles from the lookup of a primary miss until its fetch leaves, while no other miss
/// is outstanding.
inline unsigned access_cycles(const MhaParams& params) {
  if (params.kind == Kind::dl) return kDlAccessCycles;
  return params.kind == Kind::htsma && params.pipelined ? 2 : 1;
}

/// Returns the most primary misses that can be outstanding at a time. The lines of the cache may
/// allow fewer.
inline std::uint32_t most_misses(const MhaParams& params) {
  switch (params.kind) {
    case Kind::dl:
      return params.dl_sets();
    case Kind::htsma:
      return params.entries + params.small_entries;
    default:
      return params.entries;
  }
}

}  // namespace warpmem::mha
