// SPDX-License-Identifier: Apache-2.0
// When the edges of a clock are, exactly: edge c of a clock of f hertz is at floor(c * S / f)
// femtoseconds, S being those of a second, so that rounding never accumulates.
#pragma once

#include "base/types.hpp"

namespace warpmem {

namespace detail {
__extension__ typedef unsigned __int128 WideTime;  // products of cycles and frequencies
}  // namespace detail

/// Returns the time of edge `c`.
inline Femtoseconds time_of_edge(Cycle c, std::uint64_t hertz) {
  return static_cast<Femtoseconds>(detail::WideTime(c) * kFemtosecondsPerSecond / hertz);
}

/// Returns the number of the last edge at or before `t`.
inline Cycle edge_at(Femtoseconds t, std::uint64_t hertz) {
  // This is the largest c with floor(c * S / f) <= t, that is c * S < (t + 1) * f.
  return static_cast<Cycle>((detail::WideTime(t + 1) * hertz - 1) / kFemtosecondsPerSecond);
}

}  // namespace warpmem
