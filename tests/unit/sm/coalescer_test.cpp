// SPDX-License-Identifier: Apache-2.0
#include "sm/coalescer.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/random.hpp"
#include "sm/shared_memory.hpp"

namespace warpmem::sm {
namespace {

using Addresses = std::array<Addr, kWarpLanes>;

Addresses strided(Addr base, Addr stride) {
  Addresses a;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) a[lane] = base + lane * stride;
  return a;
}

unsigned degree(unsigned block_bytes, const Addresses& a, LaneMask lanes = ~LaneMask(0)) {
  Coalescer coalescer(block_bytes);
  RequestList list;
  return coalescer.coalesce(a.data(), lanes, 0, list, 0);
}

TEST(Coalescer, AlignedConsecutiveWordsAreOneLineOrFourSectors) {
  EXPECT_EQ(degree(128, strided(0x1000, 4)), 1u);
  EXPECT_EQ(degree(32, strided(0x1000, 4)), 4u);
}

TEST(Coalescer, MisalignedWordsTouchTwoLines) { EXPECT_EQ(degree(128, strided(0x1040, 4)), 2u); }

TEST(Coalescer, RowsOf4KiBApartAreOneRequestALane) {  // MR Fig 2: atax kernel 1
  EXPECT_EQ(degree(128, strided(0x10000, 4096)), 32u);
}

TEST(Coalescer, BroadcastIsOneRequestWithAllLanes) {
  Coalescer coalescer(128);
  RequestList list;
  const Addresses a = strided(0x2004, 0);
  ASSERT_EQ(coalescer.coalesce(a.data(), 0x0000ffffu, 0, list, 0), 1u);
  EXPECT_EQ(list[0].address, 0x2000u);
  EXPECT_EQ(list[0].lanes, 0x0000ffffu);
  EXPECT_EQ(list[0].sectors, 1u);
}

TEST(Coalescer, RandomAddressesMatchTheDefinition) {
  Random random(7);
  Coalescer coalescer(128);
  for (int round = 0; round < 2000; ++round) {
    Addresses a;
    for (Addr& address : a) address = 0x4000 + 4 * random.below(32 + 64 * (round % 64));
    const LaneMask lanes = static_cast<LaneMask>(random.next()) | 1;
    RequestList list;
    const unsigned count = coalescer.coalesce(a.data(), lanes, 0, list, 0);
    std::map<Addr, LaneMask> expected;
    std::map<Addr, unsigned> sectors;
    std::vector<Addr> order;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
      if (!(lanes >> lane & 1)) continue;
      if (expected.count(a[lane] & ~Addr(127)) == 0) order.push_back(a[lane] & ~Addr(127));
      expected[a[lane] & ~Addr(127)] |= LaneMask(1) << lane;
      sectors[a[lane] & ~Addr(127)] |= 1u << a[lane] % 128 / 32;
    }
    ASSERT_EQ(count, order.size());
    for (unsigned i = 0; i < count; ++i) {
      EXPECT_EQ(list[i].address, order[i]);
      EXPECT_EQ(list[i].lanes, expected[order[i]]);
      EXPECT_EQ(list[i].sectors, sectors[order[i]]);
    }
  }
}

TEST(Coalescer, LocalMemoryInterleavesWords) {
  Addresses offset;
  offset.fill(8);
  Addresses address;
  local_addresses(offset.data(), ~LaneMask(0), 0x100000, address.data());
  EXPECT_EQ(address[0], 0x100000u + 2 * 128);
  EXPECT_EQ(address[5], 0x100000u + 2 * 128 + 5 * 4);
  EXPECT_EQ(degree(128, address), 1u);
}

TEST(SharedMemory, ConflictsAreDistinctWordsOfOneBank) {
  const LaneMask all = ~LaneMask(0);
  EXPECT_EQ(shared_passes(strided(0, 4).data(), all, 4, 32), 1u);
  EXPECT_EQ(shared_passes(strided(0, 8).data(), all, 4, 32), 2u);
  EXPECT_EQ(shared_passes(strided(0, 128).data(), all, 4, 32), 32u);
  EXPECT_EQ(shared_passes(strided(0, 132).data(), all, 4, 32), 1u);  // padded rows
  EXPECT_EQ(shared_passes(strided(64, 0).data(), all, 4, 32), 1u);   // broadcast
  EXPECT_EQ(shared_passes(strided(0, 128).data(), 0x3, 4, 32), 2u);
}

TEST(SharedMemory, WideAccessesGoByHalfAndQuarterWarps) {
  const LaneMask all = ~LaneMask(0);
  EXPECT_EQ(shared_passes(strided(0, 8).data(), all, 8, 32), 2u);
  EXPECT_EQ(shared_passes(strided(0, 16).data(), all, 16, 32), 4u);
}

}  // namespace
}  // namespace warpmem::sm
