// SPDX-License-Identifier: Apache-2.0
// What a load that goes straight to L2 asks for. It fills no line, so it need not bring a whole
// one. Chips since Fermi serve it by 32 B sectors (CUDA C++ Programming Guide, compute capability
// 2.x), and the simulators of MR and BU halve its line as long as no lane is in the other half.
#pragma once

#include "base/types.hpp"

namespace warpmem::l1d {

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

}  // namespace warpmem::l1d
