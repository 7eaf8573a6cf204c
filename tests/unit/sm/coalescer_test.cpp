// SPDX-License-Identifier: Apache-2.0
#include "sm/coalescer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/random.hpp"
#include "sm/atomic_groups.hpp"
#include "sm/shared_memory.hpp"

namespace warpmem::sm {
namespace {

using Addresses = std::array<Addr, kWarpLanes>;

Addresses strided(Addr base, Addr stride) {
  Addresses a;
  for (unsigned lane = 0; lane < kWarpLanes; ++lane) a[lane] = base + lane * stride;
  return a;
}

unsigned degree(Granularity granularity, const Addresses& a, LaneMask lanes = ~LaneMask(0)) {
  Coalescer coalescer(granularity, 128);
  RequestList list;
  return coalescer.coalesce(a.data(), lanes, 4, 0, list, 0);
}

TEST(Coalescer, AlignedConsecutiveWordsAreOneLineOrFourSectors) {
  EXPECT_EQ(degree(Granularity::line, strided(0x1000, 4)), 1u);
  EXPECT_EQ(degree(Granularity::sector, strided(0x1000, 4)), 4u);
}

// The un-coalescing degree of a load (BU II), whatever its requests are.
TEST(Coalescer, LinesOfTheRequests) {
  for (const Granularity granularity :
       {Granularity::line, Granularity::sector, Granularity::segment}) {
    Coalescer coalescer(granularity, 128);
    RequestList list;
    const auto lines = [&](const Addresses& a) {
      return coalescer.lines(list, coalescer.coalesce(a.data(), kAllLanes, 4, 0, list, 0));
    };
    EXPECT_EQ(lines(strided(0x1000, 4)), 1u);
    EXPECT_EQ(lines(strided(0x1060, 4)), 2u);
    EXPECT_EQ(lines(strided(0x1000, 64)), 16u);
    EXPECT_EQ(lines(strided(0x1000, 128)), 32u);
    Addresses apart;  // neighbouring lanes are in different lines
    for (unsigned lane = 0; lane < kWarpLanes; ++lane)
      apart[lane] = 0x1000 + lane % 3 * 128 + lane / 8 * 32;
    EXPECT_EQ(lines(apart), 3u);
  }
}

TEST(Coalescer, RequestsOfOneLineNextToEachOther) {
  Coalescer coalescer(Granularity::sector, 128);
  RequestList list;
  const auto in_line = [&](Addr base, Addr stride) {
    const Addresses a = strided(base, stride);
    const unsigned count = coalescer.coalesce(a.data(), kAllLanes, 4, 0, list, 0);
    std::vector<unsigned> found;
    for (unsigned i = 0; i < count; ++i)
      found.push_back(Coalescer::requests_in_line(list, count, i));
    return found;
  };
  EXPECT_EQ(in_line(0x1000, 4), (std::vector<unsigned>{4, 4, 4, 4}));
  EXPECT_EQ(in_line(0x1060, 4), (std::vector<unsigned>{1, 3, 3, 3}));
  EXPECT_EQ(in_line(0x1000, 0), (std::vector<unsigned>{1}));
  EXPECT_EQ(in_line(0x1000, 64), std::vector<unsigned>(32, 2));
  EXPECT_EQ(in_line(0x1000, 128), std::vector<unsigned>(32, 1));
}

TEST(Coalescer, RequestsForALineComeTogetherOnDemand) {
  Addresses a;  // lane i touches line i % 3, and with it another sector each 8 lanes
  for (unsigned lane = 0; lane < kWarpLanes; ++lane)
    a[lane] = 0x1000 + lane % 3 * 128 + lane / 8 * 32;
  const auto addresses = [&](bool by_line) {
    Coalescer coalescer(Granularity::sector, 128, by_line);
    RequestList list;
    const unsigned count = coalescer.coalesce(a.data(), kAllLanes, 4, 0, list, 0);
    std::vector<Addr> found;
    for (unsigned i = 0; i < count; ++i) found.push_back(list[i].address - 0x1000);
    return found;
  };
  EXPECT_EQ(addresses(false),
            (std::vector<Addr>{0, 128, 256, 288, 32, 160, 192, 320, 64, 96, 224, 352}));
  EXPECT_EQ(addresses(true),
            (std::vector<Addr>{0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352}));
}

TEST(Coalescer, MisalignedWordsTouchTwoLines) {
  EXPECT_EQ(degree(Granularity::line, strided(0x1040, 4)), 2u);
}

TEST(Coalescer, RowsOf4KiBApartAreOneRequestALane) {  // MR Fig 2: atax kernel 1
  EXPECT_EQ(degree(Granularity::line, strided(0x10000, 4096)), 32u);
}

TEST(Coalescer, BroadcastIsOneRequestWithAllLanes) {
  Coalescer coalescer(Granularity::line, 128);
  RequestList list;
  const Addresses a = strided(0x2004, 0);
  ASSERT_EQ(coalescer.coalesce(a.data(), 0x0000ffffu, 4, 0, list, 0), 1u);
  EXPECT_EQ(list[0].address, 0x2000u);
  EXPECT_EQ(list[0].lanes, 0x0000ffffu);
  EXPECT_EQ(list[0].sectors, 1u);
}

TEST(Coalescer, RandomAddressesMatchTheDefinition) {
  Random random(7);
  Coalescer coalescer(Granularity::line, 128);
  for (int round = 0; round < 2000; ++round) {
    Addresses a;
    for (Addr& address : a) address = 0x4000 + 4 * random.below(32 + 64 * (round % 64));
    const LaneMask lanes = static_cast<LaneMask>(random.next()) | 1;
    RequestList list;
    const unsigned count = coalescer.coalesce(a.data(), lanes, 4, 0, list, 0);
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

/// The requests (address, bytes) of accesses of `bytes` under the rule of compute capability 1.2.
using Requests = std::vector<std::pair<Addr, unsigned>>;
Requests segments(unsigned bytes, const Addresses& a, LaneMask lanes = ~LaneMask(0),
                  unsigned line = 128) {
  Coalescer coalescer(Granularity::segment, line);
  RequestList list;
  const unsigned count = coalescer.coalesce(a.data(), lanes, bytes, 0, list, 0);
  Requests result;
  for (unsigned i = 0; i < count; ++i) result.emplace_back(list[i].address, list[i].bytes);
  return result;
}

TEST(Coalescer, SegmentsOfBytesHave32Bytes) {
  EXPECT_EQ(segments(1, strided(0x1000, 1)), (Requests{{0x1000, 32}}));
  // Structures of three bytes: three requests to one line for each member.
  EXPECT_EQ(segments(1, strided(0x1001, 3)), (Requests{{0x1000, 32}, {0x1020, 32}, {0x1040, 32}}));
}

TEST(Coalescer, SegmentsOfTwoBytesHave64) {
  EXPECT_EQ(segments(2, strided(0x1000, 2)), (Requests{{0x1000, 64}}));
  EXPECT_EQ(segments(2, strided(0x1000, 2), 0x0000ffff), (Requests{{0x1000, 32}}));
  EXPECT_EQ(segments(2, strided(0x1000, 4)), (Requests{{0x1000, 64}, {0x1040, 64}}));
}

TEST(Coalescer, SegmentsOfWordsHave128AndAreHalvedTwice) {
  EXPECT_EQ(segments(4, strided(0x1000, 4)), (Requests{{0x1000, 128}}));
  EXPECT_EQ(segments(4, strided(0x1000, 4), 0x0000ffff), (Requests{{0x1000, 64}}));
  EXPECT_EQ(segments(4, strided(0x1000, 4), 0x0000ff00), (Requests{{0x1020, 32}}));
  EXPECT_EQ(segments(4, strided(0x1000, 4), 0x00000ff0), (Requests{{0x1000, 64}}));
  EXPECT_EQ(segments(4, strided(0x1000, 4), 0x00ffff00), (Requests{{0x1000, 128}}));
  EXPECT_EQ(segments(4, strided(0x1040, 4)), (Requests{{0x1040, 64}, {0x1080, 64}}));
  EXPECT_EQ(segments(8, strided(0x1000, 8)), (Requests{{0x1000, 128}, {0x1080, 128}}));
  EXPECT_EQ(segments(16, strided(0x1000, 4096), 0x1), (Requests{{0x1000, 32}}));
  EXPECT_EQ(segments(4, strided(0x1000, 4), ~LaneMask(0), 64),
            (Requests{{0x1000, 64}, {0x1040, 64}}));  // a line bounds them
}

TEST(Coalescer, RandomSegmentsMatchTheDefinition) {
  Random random(11);
  Coalescer coalescer(Granularity::segment, 128);
  for (int round = 0; round < 2000; ++round) {
    const unsigned bytes = 1u << random.below(5);
    const unsigned segment = bytes == 1 ? 32 : bytes == 2 ? 64 : 128;
    Addresses a;
    for (Addr& address : a) address = 0x4000 + bytes * random.below(32 + 64 * (round % 64));
    const LaneMask lanes = static_cast<LaneMask>(random.next()) | 1;
    RequestList list;
    const unsigned count = coalescer.coalesce(a.data(), lanes, bytes, 0, list, 0);
    LaneMask served = 0;
    std::map<Addr, unsigned> seen;  // segments, each once
    for (unsigned i = 0; i < count; ++i) {
      const BlockRequest& r = list[i];
      EXPECT_EQ(r.address % r.bytes, 0u);
      EXPECT_EQ(++seen[r.address / segment], 1u);
      EXPECT_EQ(served & r.lanes, 0u);
      served |= r.lanes;
      Addr low = ~Addr(0), high = 0;
      unsigned sectors = 0;
      for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!(r.lanes >> lane & 1)) continue;
        low = std::min(low, a[lane]);
        high = std::max(high, a[lane] + bytes);
        sectors |= 1u << (a[lane] - r.address) / 32;
      }
      EXPECT_LE(r.address, low);
      EXPECT_LE(high, r.address + r.bytes);
      EXPECT_EQ(r.sectors, sectors);
      const Addr middle = r.address + r.bytes / 2;  // a request that could be halved would be
      EXPECT_TRUE(r.bytes == 32 || (low < middle && middle < high));
    }
    EXPECT_EQ(served, lanes);
  }
}

TEST(Coalescer, LocalMemoryInterleavesWords) {
  Addresses offset;
  offset.fill(8);
  Addresses address;
  local_addresses(offset.data(), ~LaneMask(0), 0x100000, address.data());
  EXPECT_EQ(address[0], 0x100000u + 2 * 128);
  EXPECT_EQ(address[5], 0x100000u + 2 * 128 + 5 * 4);
  EXPECT_EQ(degree(Granularity::line, address), 1u);
}

TEST(AtomicGroups, LanesOnOneWordGoTogetherInGroups) {
  const LaneMask all = ~LaneMask(0);
  const auto of = [](const Addresses& a, LaneMask lanes, unsigned together) {
    const AtomicGroups found = atomic_groups(a.data(), lanes, 4, together);
    return std::make_pair(found.groups, found.chain);
  };
  EXPECT_EQ(of(strided(0x1000, 0), all, 1), std::make_pair(32u, 32u));
  // 163840 threads on one word are 5120 warps of two operations: the 10240 of a Quadro GV100.
  EXPECT_EQ(of(strided(0x1000, 0), all, 16), std::make_pair(2u, 2u));
  EXPECT_EQ(of(strided(0x1000, 0), 0x1ffff, 16), std::make_pair(2u, 2u));
  EXPECT_EQ(of(strided(0x1000, 4), all, 1), std::make_pair(32u, 1u));
  EXPECT_EQ(of(strided(0x1000, 2), all, 1), std::make_pair(32u, 2u));  // halves of 16 words
  Addresses a = strided(0x1000, 4);
  a[3] = a[9] = a[30] = 0x1000;  // four on one word, 28 alone
  EXPECT_EQ(of(a, all, 1), std::make_pair(32u, 4u));
  EXPECT_EQ(of(a, all, 2), std::make_pair(30u, 2u));
  EXPECT_EQ(of(a, all, 16), std::make_pair(29u, 1u));
}

TEST(AtomicGroups, RequestsAreSplitSoThatNoWordHasTooManyLanes) {
  Addresses a = strided(0x1000, 4);
  a[3] = a[9] = a[30] = 0x1000;  // with lane 0, four lanes on one word
  Coalescer coalescer(Granularity::line, 128);
  const auto split = [&](unsigned together) {
    RequestList list;
    unsigned count = coalescer.coalesce(a.data(), ~LaneMask(0), 4, 0, list, 0);
    EXPECT_EQ(count, 1u);
    count = split_by_word(a.data(), 4, together, list, count);
    return std::vector<BlockRequest>(list.begin(), list.begin() + count);
  };
  const auto one = split(1);
  ASSERT_EQ(one.size(), 4u);
  EXPECT_EQ(one[0].lanes, ~LaneMask(0) & ~(1u << 3 | 1u << 9 | 1u << 30));
  EXPECT_EQ(one[0].sectors, 0xf);
  EXPECT_EQ(one[1].lanes, 1u << 3);
  EXPECT_EQ(one[1].sectors, 1u);  // so it carries 32 B
  EXPECT_EQ(one[2].lanes, 1u << 9);
  EXPECT_EQ(one[3].lanes, 1u << 30);
  const auto two = split(2);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1].lanes, 1u << 9 | 1u << 30);
  EXPECT_EQ(split(4).size(), 1u);
}

TEST(AtomicGroups, RandomRequestsKeepEveryLaneOnce) {
  Random random(3);
  Coalescer coalescer(Granularity::segment, 128);
  for (int round = 0; round < 1000; ++round) {
    const unsigned together = 1 + static_cast<unsigned>(random.below(5));
    Addresses a;
    for (Addr& address : a) address = 0x4000 + 4 * random.below(1 + round % 80);
    const LaneMask lanes = static_cast<LaneMask>(random.next()) | 1;
    RequestList list;
    unsigned count = coalescer.coalesce(a.data(), lanes, 4, 0, list, 0);
    unsigned groups = 0;
    for (unsigned i = 0; i < count; ++i)
      groups += atomic_groups(a.data(), list[i].lanes, 4, together).groups;
    count = split_by_word(a.data(), 4, together, list, count);
    LaneMask served = 0;
    for (unsigned i = 0; i < count; ++i) {
      EXPECT_NE(list[i].lanes, 0u);
      EXPECT_EQ(served & list[i].lanes, 0u);
      served |= list[i].lanes;
      const AtomicGroups found = atomic_groups(a.data(), list[i].lanes, 4, together);
      EXPECT_EQ(found.chain, 1u);
      groups -= found.groups;
    }
    EXPECT_EQ(served, lanes);
    EXPECT_EQ(groups, 0u);  // as many operations, in more requests
  }
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
  // That is no conflict.
  EXPECT_EQ(shared_groups(all, 4), 1u);
  EXPECT_EQ(shared_groups(all, 8), 2u);
  EXPECT_EQ(shared_groups(all, 16), 4u);
  EXPECT_EQ(shared_groups(LaneMask(0xff), 16), 1u);
  EXPECT_EQ(shared_groups(LaneMask(0x10001), 8), 2u);
}

}  // namespace
}  // namespace warpmem::sm
