// SPDX-License-Identifier: Apache-2.0
// Intra-warp coalescing: the lanes of one memory instruction become one request for each distinct
// block that they touch, in order of the first lane that touches it. A block is an L1D line, a 32 B
// sector, or a segment whose size depends on the bytes of an access; a segment shrinks to what its
// lanes need, so that several requests of an instruction may be for one line. The number of lines
// is the un-coalescing degree (BU II).
#pragma once

#include <array>
#include <cstdint>

#include "base/types.hpp"
#include "program/program.hpp"

namespace warpmem::sm {

/// What the lanes of a warp are merged into.
enum class Granularity : std::uint8_t { line, sector, segment };

struct BlockRequest {
  Addr address = 0;          ///< where the request begins, a multiple of its bytes
  LaneMask lanes = 0;        ///< lanes that the request serves
  std::uint8_t bytes = 0;    ///< 32, 64 or 128
  std::uint8_t sectors = 0;  ///< sectors of the request that they touch, a bit for each 32 B
  std::uint8_t word = 0;     ///< local memory: which 4 B word of the lanes' access (0 elsewhere)
};

/// The most requests of one instruction: one a lane for global memory, four words a lane for local.
inline constexpr unsigned kMaxRequests = 4 * kWarpLanes;
using RequestList = std::array<BlockRequest, kMaxRequests>;

class Coalescer {
 public:
  /// `line_bytes` is a power of two in 32..kMaxLineBytes. With `by_line` the requests for a line
  /// come one after the other, where the first lane that touches the line has its place.
  Coalescer(Granularity granularity, unsigned line_bytes, bool by_line = false)
      : granularity_(granularity),
        line_bytes_(line_bytes),
        line_shift_(static_cast<unsigned>(__builtin_ctz(line_bytes))),
        by_line_(by_line) {}

  /// Appends the requests of `lanes` (not empty), each of which accesses `bytes` (1..16), after the
  /// `count` in `out`; returns the new count. An access never straddles a block: lanes are aligned
  /// to their size.
  unsigned coalesce(const Addr* address, LaneMask lanes, unsigned bytes, unsigned word,
                    RequestList& out, unsigned count);
  /// Returns how many of the `count` requests in `list` that are next to each other, number `i`
  /// among them, are in the same 128 B: 1 to 4.
  static unsigned requests_in_line(const RequestList& list, unsigned count, unsigned i);
  /// Returns in how many lines of L1D the `count` requests in `list` are.
  unsigned lines(const RequestList& list, unsigned count);
  /// Bytes of the blocks into which accesses of `bytes` are merged.
  unsigned block_bytes(unsigned bytes) const;

 private:
  Addr line_of(const BlockRequest& request) const { return request.address >> line_shift_; }
  void empty_buckets() {
    if (++generation_ != 0) return;
    stamp_.fill(0);
    generation_ = 1;
  }
  unsigned distinct_lines(const RequestList& list, unsigned first, unsigned count);
  void order_by_line(RequestList& list, unsigned first, unsigned count);

  static constexpr unsigned kBuckets = 64;  // for the requests of a lane each
  Granularity granularity_;
  unsigned line_bytes_;
  unsigned line_shift_;
  bool by_line_;
  std::array<std::uint32_t, kBuckets> stamp_{};   // generation that filled the bucket
  std::array<std::uint8_t, kBuckets> request_{};  // index into the list
  std::uint32_t generation_ = 0;
};

/// Turns thread-private offsets into addresses. Local memory is interleaved by 4 B words, so lanes
/// that use one offset touch one line: word w of lane l of a warp lies at base + (w * 32 + l) * 4.
void local_addresses(const Addr* offset, LaneMask lanes, Addr warp_base, Addr* out);
/// Distance in memory between consecutive words of one lane.
inline constexpr Addr kLocalWordStride = 4 * kWarpLanes;

}  // namespace warpmem::sm
