// SPDX-License-Identifier: Apache-2.0
#include "program/tensor_map.hpp"

#include <algorithm>
#include <cstring>

#include "program/device_memory.hpp"
#include "program/reduction.hpp"

namespace warpmem::program {
namespace {

constexpr std::uint32_t kMagic = 0x77746d31;
constexpr std::uint64_t kAlignment = 16;

/// The encoded map: what there is in bytes, in the order of TensorMap.
struct Encoded {
  std::uint32_t magic;
  std::uint8_t rank, element_bytes, swizzle;
  std::uint8_t element;  // 0: none, or 1 + Element
  std::uint64_t base;
  std::uint64_t stride[TensorMap::kRanks - 1];  // that of dimension 0 is element_bytes
  std::uint64_t size[TensorMap::kRanks];
  std::uint16_t box[TensorMap::kRanks];
};
static_assert(sizeof(Encoded) <= TensorMap::kBytes);

std::string in_dimension(unsigned d) { return " of dimension " + std::to_string(d); }

// Adds a piece, or makes the last one longer.
void add(std::vector<BulkPiece>& pieces, Addr global, std::uint32_t bytes) {
  if (bytes == 0) return;
  if (!pieces.empty()) {
    BulkPiece& last = pieces.back();
    const bool both_outside = last.global == 0 && global == 0;
    if (both_outside || (last.global != 0 && last.global + last.bytes == global)) {
      last.bytes += bytes;
      return;
    }
  }
  const std::uint32_t offset = pieces.empty() ? 0 : pieces.back().offset + pieces.back().bytes;
  pieces.push_back({global, offset, bytes});
}

}  // namespace

void read_tile(const TileCopy& tile, std::uint8_t* shared, std::uint32_t begin) {
  for (const BulkPiece& piece : tile.pieces)
    for_swizzled(begin + piece.offset, piece.bytes, tile.swizzle,
                 [&](std::uint32_t offset, std::uint32_t to, std::uint32_t bytes) {
                   if (piece.global != 0)
                     std::memcpy(shared + to, DeviceMemory::host(piece.global + offset), bytes);
                   else
                     std::memset(shared + to, 0, bytes);
                 });
}

void write_tile(const TileCopy& tile, const std::uint8_t* shared, std::uint32_t begin) {
  for (const BulkPiece& piece : tile.pieces) {
    if (piece.global == 0) continue;
    for_swizzled(begin + piece.offset, piece.bytes, tile.swizzle,
                 [&](std::uint32_t offset, std::uint32_t from, std::uint32_t bytes) {
                   write_or_reduce(tile.reduction, DeviceMemory::host(piece.global + offset),
                                   shared + from, bytes);
                 });
  }
}

std::string TensorMap::problem() const {
  if (rank < 1 || rank > kRanks)
    return "rank " + std::to_string(rank) + "; allowed: 1 to " + std::to_string(kRanks);
  if (base == 0 || base % kAlignment != 0) return "the address is not aligned to 16 bytes";
  __extension__ using Wide = unsigned __int128;
  Wide extent = element_bytes;
  for (unsigned d = 0; d < rank; ++d) {
    if (size[d] == 0 || size[d] > std::uint64_t(1) << 32)
      return "size " + std::to_string(size[d]) + in_dimension(d) + "; allowed: 1 to 2^32";
    if (d != 0 && (stride[d] == 0 || stride[d] % kAlignment != 0 || stride[d] >> 40 != 0))
      return "stride " + std::to_string(stride[d]) + in_dimension(d) +
             "; allowed: multiples of 16 bytes below 2^40";
    if (box[d] == 0 || box[d] > kMostInBox)
      return "box of " + std::to_string(box[d]) + " elements" + in_dimension(d) +
             "; allowed: 1 to " + std::to_string(kMostInBox);
    extent += Wide(size[d] - 1) * stride[d];
  }
  if (extent >> 47 != 0) return "the tensor is larger than the address space";
  const std::uint32_t row = box[0] * element_bytes;
  if (row % kAlignment != 0)
    return "a row of the box has " + std::to_string(row) + " bytes; allowed: multiples of 16";
  const std::uint32_t most = 16u << static_cast<unsigned>(swizzle);
  if (swizzle != Swizzle::none && row > most)
    return "a row of the box has " + std::to_string(row) + " bytes; this swizzle allows " +
           std::to_string(most);
  std::uint64_t bytes = row;
  for (unsigned d = 1; d < rank; ++d) bytes *= box[d];
  if (bytes > kMostBoxBytes)
    return "the box has " + std::to_string(bytes) + " bytes; allowed: at most " +
           std::to_string(kMostBoxBytes);
  return {};
}

std::uint32_t TensorMap::box_bytes() const {
  std::uint32_t bytes = element_bytes;
  for (unsigned d = 0; d < rank; ++d) bytes *= box[d];
  return bytes;
}

void TensorMap::encode(std::uint8_t* bytes) const {
  Encoded e{};
  e.magic = kMagic;
  e.rank = static_cast<std::uint8_t>(rank);
  e.element_bytes = static_cast<std::uint8_t>(element_bytes);
  e.swizzle = static_cast<std::uint8_t>(swizzle);
  e.element = static_cast<std::uint8_t>(element ? 1 + static_cast<unsigned>(*element) : 0);
  e.base = base;
  std::copy(stride.begin() + 1, stride.end(), e.stride);
  std::copy(size.begin(), size.end(), e.size);
  for (unsigned d = 0; d < kRanks; ++d) e.box[d] = static_cast<std::uint16_t>(box[d]);
  std::memset(bytes, 0, kBytes);
  std::memcpy(bytes, &e, sizeof e);
}

bool TensorMap::decode(const std::uint8_t* bytes, TensorMap& map) {
  Encoded e;
  std::memcpy(&e, bytes, sizeof e);
  if (e.magic != kMagic) return false;
  map.base = e.base;
  map.rank = e.rank;
  map.element_bytes = e.element_bytes;
  map.swizzle = static_cast<Swizzle>(e.swizzle);
  map.element.reset();
  if (e.element != 0) map.element = static_cast<Element>(e.element - 1);
  map.stride[0] = e.element_bytes;
  std::copy(std::begin(e.stride), std::end(e.stride), map.stride.begin() + 1);
  std::copy(std::begin(e.size), std::end(e.size), map.size.begin());
  std::copy(std::begin(e.box), std::end(e.box), map.box.begin());
  return true;
}

void TensorMap::cut(const Coordinates& at, std::vector<BulkPiece>& pieces) const {
  pieces.clear();
  const std::int64_t width = box[0];
  const std::int64_t first = std::clamp<std::int64_t>(-std::int64_t(at[0]), 0, width);
  const std::int64_t end =
      std::clamp<std::int64_t>(static_cast<std::int64_t>(size[0]) - at[0], first, width);
  const auto bytes_of = [this](std::int64_t elements) {
    return static_cast<std::uint32_t>(elements) * element_bytes;
  };
  std::array<std::uint32_t, kRanks> in_box{};
  for (bool more = true; more;) {
    bool inside = first < end;
    Addr row = base;
    for (unsigned d = 1; d < rank; ++d) {
      const std::int64_t index = std::int64_t(at[d]) + in_box[d];
      inside &= index >= 0 && static_cast<std::uint64_t>(index) < size[d];
      row += static_cast<std::uint64_t>(index) * stride[d];
    }
    if (inside) {
      add(pieces, 0, bytes_of(first));
      add(pieces, row + static_cast<std::uint64_t>(at[0] + first) * element_bytes,
          bytes_of(end - first));
      add(pieces, 0, bytes_of(width - end));
    } else {
      add(pieces, 0, bytes_of(width));
    }
    more = false;
    for (unsigned d = 1; d < rank && !more; ++d) {
      more = ++in_box[d] < box[d];
      if (!more) in_box[d] = 0;
    }
  }
}

}  // namespace warpmem::program
