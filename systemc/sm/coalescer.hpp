// SPDX-License-Identifier: Apache-2.0
// Intra-warp coalescing: the lanes of one memory instruction become one request for each distinct
// block (L1D line or 32 B sector) that they touch, in order of the first lane that touches it. The
// number of requests is the un-coalescing degree (BU II).
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"
#include "program/program.hpp"

namespace warpmem::sm {

struct BlockRequest {
  Addr address = 0;          ///< address of the block
  LaneMask lanes = 0;        ///< lanes that the request serves
  std::uint8_t sectors = 0;  ///< sectors of the block that they touch, a bit for each 32 B
  std::uint8_t word = 0;     ///< local memory: which 4 B word of the lanes' access (0 elsewhere)
};

/// The most requests of one instruction: one a lane for global memory, four words a lane for local.
inline constexpr unsigned kMaxRequests = 4 * kWarpLanes;
using RequestList = std::array<BlockRequest, kMaxRequests>;

class Coalescer {
 public:
  /// `block_bytes` is a power of two in 32..kMaxLineBytes and at least as large as any lane's
  /// access.
  explicit Coalescer(unsigned block_bytes) : block_bytes_(block_bytes) {}

  /// Appends the requests of `lanes` (not empty) after the `count` in `out`; returns the new count.
  /// An access never straddles a block: lanes are aligned to their size.
  unsigned coalesce(const Addr* address, LaneMask lanes, unsigned word, RequestList& out,
                    unsigned count);
  unsigned block_bytes() const { return block_bytes_; }

 private:
  static constexpr unsigned kBuckets = 64;
  unsigned block_bytes_;
  std::array<std::uint32_t, kBuckets> stamp_{};   // generation in which the bucket was filled
  std::array<std::uint8_t, kBuckets> request_{};  // index into `out`
  std::uint32_t generation_ = 0;
};

/// Turns thread-private offsets into addresses. Local memory is interleaved by 4 B words, so lanes
/// that use one offset touch one line: word w of lane l of a warp lies at base + (w * 32 + l) * 4.
void local_addresses(const Addr* offset, LaneMask lanes, Addr warp_base, Addr* out);
/// Distance in memory between consecutive words of one lane.
inline constexpr Addr kLocalWordStride = 4 * kWarpLanes;

}  // namespace warpmem::sm
