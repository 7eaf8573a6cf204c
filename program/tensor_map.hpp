// SPDX-License-Identifier: Apache-2.0
// Tensor maps: what cp.async.bulk.tensor (PTX ISA 8 sections 5.5 and 9.7.8.25.5) copies tiles by. A
// map says where a tensor of up to five dimensions lies in global memory, how large the box of
// elements is that one instruction copies, and how the tile is laid out in shared memory. CUDA
// leaves its 128 bytes opaque; encode() has our own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "program/reduction.hpp"

namespace warpmem::program {

/// How a tile lies in shared memory: rows of 32, 64 or 128 B, whose units of 16 B are permuted so
/// that a column of them meets all banks.
enum class Swizzle : std::uint8_t { none, bytes_32, bytes_64, bytes_128 };

/// Returns where the byte goes that a tile without swizzle has at `address` of shared memory: bits
/// 4, 4 and 5, or 4 to 6 are XORed with those three places higher.
inline std::uint32_t swizzled(std::uint32_t address, Swizzle swizzle) {
  const std::uint32_t unit_bits = ((1u << static_cast<unsigned>(swizzle)) - 1) << 4;
  return address ^ (address >> 3 & unit_bits);
}

/// Calls part(offset, address, bytes) for each part of [address, address + bytes) in shared memory
/// that stays in one piece: `offset` in the range, `address` where it goes.
template <class Part>
void for_swizzled(std::uint32_t address, std::uint32_t bytes, Swizzle swizzle, Part&& part) {
  constexpr std::uint32_t kUnit = 16;
  if (swizzle == Swizzle::none) return part(std::uint32_t(0), address, bytes);
  for (std::uint32_t done = 0; done < bytes;) {
    const std::uint32_t begin = address + done;
    const std::uint32_t n =
        bytes - done < kUnit - begin % kUnit ? bytes - done : kUnit - begin % kUnit;
    part(done, swizzled(begin, swizzle), n);
    done += n;
  }
}

/// A part of a bulk copy that is in one piece in global memory, and in shared memory but for the
/// swizzle.
struct BulkPiece {
  Addr global = 0;           ///< 0: elements outside the tensor, which are read as zeros
  std::uint32_t offset = 0;  ///< in the copy
  std::uint32_t bytes = 0;
};

struct TensorMap {
  static constexpr unsigned kRanks = 5;
  static constexpr unsigned kBytes = 128;      ///< of the encoded map
  static constexpr unsigned kMostInBox = 256;  ///< elements of a box in each dimension
  /// Bytes of a box; no shared memory is larger.
  static constexpr std::uint32_t kMostBoxBytes = 1u << 24;
  using Coordinates = std::array<std::int32_t, kRanks>;

  Addr base = 0;
  unsigned rank = 0;                           ///< 1 to 5
  unsigned element_bytes = 0;                  ///< 1, 2, 4 or 8
  std::optional<Element> element;              ///< what reductions take them for; none: nothing
  std::array<std::uint64_t, kRanks> size{};    ///< of the tensor, in elements
  std::array<std::uint64_t, kRanks> stride{};  ///< bytes from one element to the next
  std::array<std::uint32_t, kRanks> box{};     ///< elements
  Swizzle swizzle = Swizzle::none;

  /// Returns what is wrong with it, after the rules of cuTensorMapEncodeTiled; empty: nothing.
  std::string problem() const;
  /// Bytes of a tile.
  std::uint32_t box_bytes() const;
  void encode(std::uint8_t* bytes) const;
  /// Returns whether encode() has written these bytes, and the map.
  static bool decode(const std::uint8_t* bytes, TensorMap& map);
  /// Sets `pieces` to those of the box whose first element is at `at`.
  void cut(const Coordinates& at, std::vector<BulkPiece>& pieces) const;
};

/// What a lane copies by a tensor map: the pieces in ascending order of `offset`, and what they
/// were cut by.
struct TileCopy {
  std::vector<BulkPiece> pieces;
  Swizzle swizzle = Swizzle::none;
  std::uint8_t reduction = 0;  ///< code of what a store does with the bytes (Reduction); 0: writes
  TensorMap map;
  TensorMap::Coordinates at{};

  /// Cuts the box whose first element is at `first` out of the tensor.
  void cut(const TensorMap& by, const TensorMap::Coordinates& first) {
    map = by;
    at = first;
    swizzle = by.swizzle;
    reduction = 0;
    by.cut(first, pieces);
  }
};

/// Copies between global memory and a tile at `begin` of shared memory. What is outside the tensor
/// is read as zeros and not written.
void read_tile(const TileCopy& tile, std::uint8_t* shared, std::uint32_t begin);
void write_tile(const TileCopy& tile, const std::uint8_t* shared, std::uint32_t begin);

}  // namespace warpmem::program
