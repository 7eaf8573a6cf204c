// SPDX-License-Identifier: Apache-2.0
// The part of a request that its lanes need: its block, halved as long as no lane is in the other
// half, as devices of compute capability 1.2 to 2.x and the simulators of MR and BU do. Requests of
// the coalescer may be such segments, and so is what a load that fills no line or a store moves.
#pragma once

#include "base/types.hpp"

namespace warpmem {

/// A part of a request: `bytes` is a power of two, and `offset` a multiple of it from the request's
/// address.
struct Segment {
  unsigned offset = 0;
  unsigned bytes = 0;
};

/// Returns the least segment of a request of `bytes` (a power of two) that holds all of `sectors`,
/// a bit for each kSectorBytes of the request from the lowest. Without a bit nobody knows what is
/// wanted, so the segment is the whole request.
inline Segment least_segment(std::uint8_t sectors, unsigned bytes) {
  Segment s{0, bytes};
  if (sectors == 0) return s;
  while (s.bytes > kSectorBytes) {
    const unsigned half = s.bytes / 2;
    const unsigned low = ((1u << half / kSectorBytes) - 1) << s.offset / kSectorBytes;
    const unsigned high = low << half / kSectorBytes;
    if ((sectors & low) != 0 && (sectors & high) != 0) break;
    if ((sectors & low) == 0) s.offset += half;
    s.bytes = half;
  }
  return s;
}

}  // namespace warpmem
