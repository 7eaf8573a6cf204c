// SPDX-License-Identifier: Apache-2.0
#include "sm/coalescer.hpp"

#include <algorithm>

#include "base/segment.hpp"

namespace warpmem::sm {

namespace {

// Halves a request as long as all of its lanes are in one half.
void shrink(BlockRequest& request) {
  const Segment part = least_segment(request.sectors, request.bytes);
  request.address += part.offset;
  request.bytes = static_cast<std::uint8_t>(part.bytes);
  request.sectors = static_cast<std::uint8_t>(request.sectors >> part.offset / kSectorBytes);
}

// Returns the bits in which the addresses of a whole warp differ from a row of `step` bytes a lane
// that begins with the first: 0 when they are that row.
Addr off_row(const Addr* address, Addr step) {
  Addr differs = 0;
  for (unsigned lane = 1; lane < kWarpLanes; ++lane)
    differs |= address[lane] ^ (address[0] + lane * step);
  return differs;
}

/// One of 64.
unsigned bucket_of(Addr number) {
  return static_cast<unsigned>((number * 0x9E3779B97F4A7C15ULL) >> 58);
}

}  // namespace

unsigned Coalescer::block_bytes(unsigned bytes) const {
  switch (granularity_) {
    case Granularity::line:
      return line_bytes_;
    case Granularity::sector:
      return kSectorBytes;
    default:
      return std::min(line_bytes_, bytes == 1 ? 32u : bytes == 2 ? 64u : 128u);
  }
}

unsigned Coalescer::coalesce(const Addr* address, LaneMask lanes, unsigned bytes, unsigned word,
                             RequestList& out, unsigned count) {
  const unsigned first = count;
  const unsigned block_size = block_bytes(bytes);
  const Addr mask = ~Addr(block_size - 1);
  // Most accesses of regular programs: all lanes in one block, at one address or in a row.
  const Addr differs = lanes == kAllLanes ? off_row(address, 0) : mask;
  if ((differs & mask) == 0) {
    const Addr block = address[0] & mask;
    unsigned sectors = 0;
    if (differs == 0) {
      sectors = 1u << (address[0] - block) / kSectorBytes;
    } else if (off_row(address, bytes) == 0) {
      const Addr first_sector = (address[0] - block) / kSectorBytes;
      const Addr last_sector = (address[kWarpLanes - 1] - block) / kSectorBytes;
      sectors = (2u << last_sector) - (1u << first_sector);
    } else {
      for (unsigned lane = 0; lane < kWarpLanes; ++lane)
        sectors |= 1u << (address[lane] - block) / kSectorBytes;
    }
    out[count++] = {block, lanes, static_cast<std::uint8_t>(block_size),
                    static_cast<std::uint8_t>(sectors), static_cast<std::uint8_t>(word)};
    if (granularity_ == Granularity::segment) shrink(out[first]);
    return count;
  }
  empty_buckets();
  const int shift = __builtin_ctz(block_size);
  unsigned last = kMaxRequests;  // neighbouring lanes mostly share a block
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    const LaneMask bit = LaneMask(1) << lane;
    const Addr block = address[lane] & mask;
    const auto sector = static_cast<std::uint8_t>(1u << (address[lane] - block) / kSectorBytes);
    if (last == kMaxRequests || out[last].address != block) {
      unsigned bucket = bucket_of(block >> shift);
      while (stamp_[bucket] == generation_ && out[request_[bucket]].address != block) {
        bucket = (bucket + 1) % kBuckets;
      }
      if (stamp_[bucket] != generation_) {
        stamp_[bucket] = generation_;
        request_[bucket] = static_cast<std::uint8_t>(count);
        last = count;
        out[count++] = {block, bit, static_cast<std::uint8_t>(block_size), sector,
                        static_cast<std::uint8_t>(word)};
        continue;
      }
      last = request_[bucket];
    }
    out[last].lanes |= bit;
    out[last].sectors |= sector;
  }
  if (granularity_ == Granularity::segment)
    for (unsigned i = first; i < count; ++i) shrink(out[i]);
  if (by_line_) order_by_line(out, first, count);
  return count;
}

// Returns the lines of requests `first` to count - 1, of which there are at most 32.
unsigned Coalescer::distinct_lines(const RequestList& list, unsigned first, unsigned count) {
  empty_buckets();
  unsigned lines = 0;
  for (unsigned i = first; i < count; ++i) {
    const Addr line = line_of(list[i]);
    if (i != first && line == line_of(list[i - 1])) continue;  // neighbours mostly share one
    unsigned bucket = bucket_of(line);
    while (stamp_[bucket] == generation_ && line_of(list[request_[bucket]]) != line)
      bucket = (bucket + 1) % kBuckets;
    if (stamp_[bucket] == generation_) continue;
    stamp_[bucket] = generation_;
    request_[bucket] = static_cast<std::uint8_t>(i);
    ++lines;
  }
  return lines;
}

// What is scattered has nothing to be ordered; looking at all pairs costs little for the others.
void Coalescer::order_by_line(RequestList& list, unsigned first, unsigned count) {
  if (distinct_lines(list, first, count) == count - first) return;
  for (unsigned placed = first + 1; placed < count; ++placed) {
    const Addr line = line_of(list[placed - 1]);
    unsigned next = placed;
    while (next < count && line_of(list[next]) != line) ++next;
    if (next < count)
      std::rotate(list.begin() + placed, list.begin() + next, list.begin() + next + 1);
  }
}

unsigned Coalescer::requests_in_line(const RequestList& list, unsigned count, unsigned i) {
  const auto same = [&](unsigned k) {
    return list[k].address / kMaxLineBytes == list[i].address / kMaxLineBytes;
  };
  unsigned first = i, end = i + 1;
  while (first > 0 && same(first - 1)) --first;
  while (end < count && same(end)) ++end;
  return std::min(end - first, 4u);
}

unsigned Coalescer::lines(const RequestList& list, unsigned count) {
  if (granularity_ == Granularity::line) return count;
  if (count <= kWarpLanes) return distinct_lines(list, 0, count);
  unsigned lines = 0;  // of several words a lane
  for (unsigned i = 0; i < count; ++i) {
    unsigned before = i;
    while (before > 0 && line_of(list[before - 1]) != line_of(list[i])) --before;
    lines += before == 0;
  }
  return lines;
}

void local_addresses(const Addr* offset, LaneMask lanes, Addr warp_base, Addr* out) {
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
    out[lane] = warp_base + offset[lane] / 4 * kLocalWordStride + lane * 4 + offset[lane] % 4;
  }
}

}  // namespace warpmem::sm
