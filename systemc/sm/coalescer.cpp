// SPDX-License-Identifier: Apache-2.0
#include "sm/coalescer.hpp"

namespace warpmem::sm {

unsigned Coalescer::coalesce(const Addr* address, LaneMask lanes, unsigned word, RequestList& out,
                             unsigned count) {
  ++generation_;
  const Addr mask = ~Addr(block_bytes_ - 1);
  unsigned last = kMaxRequests;  // neighbouring lanes mostly share a block
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    const LaneMask bit = LaneMask(1) << lane;
    const Addr block = address[lane] & mask;
    const auto sector = static_cast<std::uint8_t>(1u << (address[lane] - block) / kSectorBytes);
    if (last == kMaxRequests || out[last].address != block) {
      unsigned bucket = static_cast<unsigned>((block / block_bytes_ * 0x9E3779B97F4A7C15ULL) >> 58);
      while (stamp_[bucket] == generation_ && out[request_[bucket]].address != block) {
        bucket = (bucket + 1) % kBuckets;
      }
      if (stamp_[bucket] != generation_) {
        stamp_[bucket] = generation_;
        request_[bucket] = static_cast<std::uint8_t>(count);
        last = count;
        out[count++] = {block, bit, sector, static_cast<std::uint8_t>(word)};
        continue;
      }
      last = request_[bucket];
    }
    out[last].lanes |= bit;
    out[last].sectors |= sector;
  }
  return count;
}

void local_addresses(const Addr* offset, LaneMask lanes, Addr warp_base, Addr* out) {
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    out[lane] = warp_base + offset[lane] / 4 * kLocalWordStride + lane * 4 + offset[lane] % 4;
  }
}

}  // namespace warpmem::sm
