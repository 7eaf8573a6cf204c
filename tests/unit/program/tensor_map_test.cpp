// SPDX-License-Identifier: Apache-2.0
// Tensor maps: what a tile is made of, where a swizzle puts it, and maps that cannot be.
#include "program/tensor_map.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>

namespace warpmem::program {
namespace {

constexpr Addr kBase = 0x200000000000;

/// 16 x 8 elements of 4 B, in rows of 128 B; boxes of 8 x 4.
TensorMap plane() {
  TensorMap map;
  map.base = kBase;
  map.rank = 2;
  map.element_bytes = 4;
  map.size = {16, 8};
  map.stride = {4, 128};
  map.box = {8, 4};
  return map;
}

void expect_pieces(const TensorMap& map, const TensorMap::Coordinates& at,
                   const std::vector<BulkPiece>& expected) {
  std::vector<BulkPiece> pieces;
  map.cut(at, pieces);
  ASSERT_EQ(pieces.size(), expected.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i].global, expected[i].global) << i;
    EXPECT_EQ(pieces[i].offset, expected[i].offset) << i;
    EXPECT_EQ(pieces[i].bytes, expected[i].bytes) << i;
  }
}

TEST(TensorMap, ATileIsItsRows) {
  expect_pieces(plane(), {4, 2},
                {{kBase + 2 * 128 + 16, 0, 32},
                 {kBase + 3 * 128 + 16, 32, 32},
                 {kBase + 4 * 128 + 16, 64, 32},
                 {kBase + 5 * 128 + 16, 96, 32}});
}

TEST(TensorMap, RowsThatFollowOneAnotherAreOnePiece) {
  TensorMap map = plane();
  map.size = {8, 8};
  map.stride = {4, 32};
  expect_pieces(map, {0, 1}, {{kBase + 32, 0, 128}});
}

TEST(TensorMap, WhatIsOutsideIsNowhere) {
  // Columns 12 to 19 of 16, rows -1 to 2.
  expect_pieces(plane(), {12, -1},
                {{0, 0, 32},
                 {kBase + 48, 32, 16},
                 {0, 48, 16},
                 {kBase + 128 + 48, 64, 16},
                 {0, 80, 16},
                 {kBase + 2 * 128 + 48, 96, 16},
                 {0, 112, 16}});
  expect_pieces(plane(), {-4, 7}, {{0, 0, 16}, {kBase + 7 * 128, 16, 16}, {0, 32, 96}});
  expect_pieces(plane(), {16, 0}, {{0, 0, 128}});
  expect_pieces(plane(), {0, -2147483647 - 1}, {{0, 0, 128}});
}

// Every element of random boxes, one by one.
TEST(TensorMap, RandomTilesHaveEveryElement) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (int round = 0; round < 400; ++round) {
    TensorMap map;
    map.base = kBase;
    map.rank = 1 + below(5);
    map.element_bytes = 1u << below(4);
    map.stride[0] = map.element_bytes;
    std::uint64_t row = 0;
    for (unsigned d = 0; d < map.rank; ++d) {
      map.size[d] = 1 + below(7);
      map.box[d] = d == 0 ? 16 / map.element_bytes * (1 + below(3)) : 1 + below(4);
      if (d != 0) map.stride[d] = row = (row + 15) / 16 * 16 + 16 * below(2);
      row = (d == 0 ? map.element_bytes : map.stride[d]) * map.size[d];
      if (d != 0 && map.stride[d] == 0) map.stride[d] = 16;
    }
    ASSERT_EQ(map.problem(), "");
    TensorMap::Coordinates at{};
    for (unsigned d = 0; d < map.rank; ++d) at[d] = static_cast<std::int32_t>(below(14)) - 5;
    std::vector<BulkPiece> pieces;
    map.cut(at, pieces);

    std::uint32_t offset = 0;
    std::size_t piece = 0;
    std::array<std::uint32_t, TensorMap::kRanks> i{};
    for (bool more = true; more;) {
      bool inside = true;
      Addr address = map.base;
      for (unsigned d = 0; d < map.rank; ++d) {
        const std::int64_t index = std::int64_t(at[d]) + i[d];
        inside &= index >= 0 && index < static_cast<std::int64_t>(map.size[d]);
        address += static_cast<Addr>(index) * map.stride[d];
      }
      while (piece < pieces.size() && pieces[piece].offset + pieces[piece].bytes <= offset) ++piece;
      ASSERT_LT(piece, pieces.size());
      const BulkPiece& p = pieces[piece];
      ASSERT_EQ(p.global == 0 ? 0 : p.global + (offset - p.offset), inside ? address : 0);
      offset += map.element_bytes;
      more = false;
      for (unsigned d = 0; d < map.rank && !more; ++d) {
        more = ++i[d] < map.box[d];
        if (!more) i[d] = 0;
      }
    }
    EXPECT_EQ(offset, map.box_bytes());
    EXPECT_EQ(pieces.back().offset + pieces.back().bytes, offset);
  }
}

TEST(Swizzle, PermutesUnitsWithinTheirRows) {
  // Row r of 128 B has unit u at u XOR r; of 64 B two rows share one r, of 32 B four do.
  for (std::uint32_t row = 0; row < 16; ++row) {
    for (std::uint32_t unit = 0; unit < 8; ++unit) {
      const std::uint32_t address = row * 128 + unit * 16 + 5;
      EXPECT_EQ(swizzled(address, Swizzle::bytes_128), row * 128 + (unit ^ row % 8) * 16 + 5);
      EXPECT_EQ(swizzled(address, Swizzle::bytes_64), row * 128 + (unit ^ row % 4) * 16 + 5);
      EXPECT_EQ(swizzled(address, Swizzle::bytes_32), row * 128 + (unit ^ row % 2) * 16 + 5);
      EXPECT_EQ(swizzled(address, Swizzle::none), address);
    }
  }
}

TEST(Swizzle, AColumnMeetsAllBanks) {
  std::set<std::uint32_t> places;
  for (std::uint32_t row = 0; row < 8; ++row)
    places.insert(swizzled(row * 128, Swizzle::bytes_128) % 128);
  EXPECT_EQ(places.size(), 8u);
}

TEST(Swizzle, RangesAreCutWhereTheirUnitsPart) {
  std::vector<std::array<std::uint32_t, 3>> parts;
  const auto keep = [&](std::uint32_t offset, std::uint32_t address, std::uint32_t bytes) {
    parts.push_back({offset, address, bytes});
  };
  for_swizzled(1024 + 128 + 8, 20, Swizzle::bytes_128, keep);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0], (std::array<std::uint32_t, 3>{0, 1024 + 128 + 16 + 8, 8}));
  EXPECT_EQ(parts[1], (std::array<std::uint32_t, 3>{8, 1024 + 128, 12}));
  parts.clear();
  for_swizzled(8, 20, Swizzle::none, keep);
  ASSERT_EQ(parts.size(), 1u);
}

TEST(TensorMap, IsTheSameWhenDecoded) {
  TensorMap map = plane();
  map.swizzle = Swizzle::bytes_32;
  alignas(64) std::uint8_t bytes[TensorMap::kBytes];
  map.encode(bytes);
  TensorMap again;
  ASSERT_TRUE(TensorMap::decode(bytes, again));
  EXPECT_EQ(again.base, map.base);
  EXPECT_EQ(again.rank, map.rank);
  EXPECT_EQ(again.element_bytes, map.element_bytes);
  EXPECT_EQ(again.size, map.size);
  EXPECT_EQ(again.stride, map.stride);
  EXPECT_EQ(again.box, map.box);
  EXPECT_EQ(again.swizzle, map.swizzle);
  std::memset(bytes, 0, sizeof bytes);
  EXPECT_FALSE(TensorMap::decode(bytes, again));
}

TEST(TensorMap, SaysWhatItCannotBe) {
  const auto problem = [](auto&& change) {
    TensorMap map = plane();
    change(map);
    return map.problem();
  };
  EXPECT_EQ(problem([](TensorMap&) {}), "");
  EXPECT_EQ(problem([](TensorMap& m) { m.rank = 6; }), "rank 6; allowed: 1 to 5");
  EXPECT_EQ(problem([](TensorMap& m) { m.base += 8; }), "the address is not aligned to 16 bytes");
  EXPECT_EQ(problem([](TensorMap& m) { m.size[1] = 0; }),
            "size 0 of dimension 1; allowed: 1 to 2^32");
  EXPECT_EQ(problem([](TensorMap& m) { m.stride[1] = 72; }),
            "stride 72 of dimension 1; allowed: multiples of 16 bytes below 2^40");
  EXPECT_EQ(problem([](TensorMap& m) { m.box[1] = 257; }),
            "box of 257 elements of dimension 1; allowed: 1 to 256");
  EXPECT_EQ(problem([](TensorMap& m) { m.box[0] = 5; }),
            "a row of the box has 20 bytes; allowed: multiples of 16");
  EXPECT_EQ(problem([](TensorMap& m) { m.swizzle = Swizzle::bytes_32, m.box[0] = 16; }),
            "a row of the box has 64 bytes; this swizzle allows 32");
  EXPECT_EQ(problem([](TensorMap& m) {  // 2^32, of which 32 bits leave nothing
              m.rank = 4;
              m.size = {256, 256, 256, 64};
              m.stride = {4, 1024, 1 << 18, 1 << 26};
              m.box = {256, 256, 256, 64};
            }),
            "the box has 4294967296 bytes; allowed: at most 16777216");
  EXPECT_EQ(problem([](TensorMap& m) {
              m.rank = 3;
              m.size[2] = std::uint64_t(1) << 32;
              m.stride[2] = (std::uint64_t(1) << 40) - 16;
              m.box[2] = 1;
            }),
            "the tensor is larger than the address space");
}

}  // namespace
}  // namespace warpmem::program
