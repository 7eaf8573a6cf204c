// SPDX-License-Identifier: Apache-2.0
#include "program/device_memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>

#include "base/errors.hpp"

namespace warpmem::program {
namespace {

constexpr std::uint64_t kMega = 1 << 20;

TEST(DeviceMemory, SameCallsGiveSameAddressesInEveryRun) {
  DeviceMemory memory(16 * kMega);
  EXPECT_EQ(memory.allocate(1000), DeviceMemory::kBase);
  EXPECT_EQ(memory.allocate(1), DeviceMemory::kBase + 1024 + 256);
  EXPECT_EQ(memory.allocate(256), DeviceMemory::kBase + 1280 + 512);
}

TEST(DeviceMemory, IsZeroAlsoWhenReused) {
  DeviceMemory memory(64 * kMega);
  const Addr small = memory.allocate(300), big = memory.allocate(3 * kMega),
             last = memory.allocate(8);
  for (const auto& [address, bytes] :
       {std::pair{small, std::uint64_t(300)}, std::pair{big, 3 * kMega}}) {
    std::memset(DeviceMemory::host(address), 0xab, bytes);
    EXPECT_TRUE(memory.release(address));
    ASSERT_EQ(memory.allocate(bytes), address);
    for (std::uint64_t i = 0; i < bytes; ++i) ASSERT_EQ(DeviceMemory::host(address)[i], 0) << i;
  }
  EXPECT_NE(last, Addr(0));
}

TEST(DeviceMemory, ReservedPlacesHaveMemoryOnlyInBetween) {
  DeviceMemory memory(4096);
  EXPECT_EQ(memory.reserve(0), Addr(0));
  const Addr place = memory.reserve(1000), next = memory.allocate(256);
  EXPECT_EQ(next, place + 1024 + 256);
  EXPECT_EQ(memory.find(place, 1), nullptr);
  EXPECT_FALSE(memory.release(place));
  EXPECT_EQ(memory.free_bytes(), 4096u - 256);  // address space, not memory
  EXPECT_FALSE(memory.allocate_reserved(next));
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(memory.allocate_reserved(place));
    EXPECT_FALSE(memory.allocate_reserved(place));
    EXPECT_EQ(memory.free_bytes(), 4096u - 256 - 1024);
    EXPECT_EQ(DeviceMemory::host(place)[999], 0);
    DeviceMemory::host(place)[999] = 1;
    EXPECT_NE(memory.find(place, 1000), nullptr);
    EXPECT_TRUE(memory.release(place));
    EXPECT_EQ(memory.find(place, 1), nullptr);
    EXPECT_EQ(memory.allocate(512), next + 512);  // nobody else gets the place
    EXPECT_TRUE(memory.release(next + 512));
  }
  const Addr all = memory.allocate(3072);
  EXPECT_FALSE(memory.allocate_reserved(place));  // no memory is left
  EXPECT_TRUE(memory.release(all));
  ASSERT_TRUE(memory.allocate_reserved(place));
  memory.unreserve(place);
  EXPECT_NE(memory.find(place, 1000), nullptr);
  EXPECT_TRUE(memory.release(place));
  EXPECT_EQ(memory.allocate(1000), place);
}

TEST(DeviceMemory, AnUnusedReservationGivesItsPlaceBack) {
  DeviceMemory memory(4096);
  const Addr place = memory.reserve(100);
  memory.unreserve(place);
  EXPECT_FALSE(memory.allocate_reserved(place));
  EXPECT_EQ(memory.allocate(100), place);
}

TEST(DeviceMemory, FirstHoleThatFitsIsTaken) {
  DeviceMemory memory(16 * kMega);
  const Addr a = memory.allocate(256), b = memory.allocate(1024), c = memory.allocate(256),
             d = memory.allocate(1024);
  memory.allocate(256);
  memory.release(b);
  memory.release(d);
  EXPECT_EQ(memory.allocate(512), b);
  EXPECT_EQ(memory.allocate(1024), d);
  memory.release(a);
  memory.release(c);
  EXPECT_EQ(memory.allocate(256), a);
}

TEST(DeviceMemory, NeighbouringHolesMerge) {
  DeviceMemory memory(16 * kMega);
  const Addr a = memory.allocate(1024), b = memory.allocate(1024), c = memory.allocate(1024);
  memory.allocate(1);
  memory.release(a);
  memory.release(c);
  memory.release(b);
  EXPECT_EQ(memory.allocate(3 * 1024 + 2 * 256), a);
}

TEST(DeviceMemory, OverrunsHitNoAllocation) {
  DeviceMemory memory(16 * kMega);
  const Addr a = memory.allocate(1024), b = memory.allocate(100);
  EXPECT_NE(memory.find(a, 1024), nullptr);
  EXPECT_EQ(memory.find(a, 1025), nullptr);
  EXPECT_EQ(memory.find(a + 1024, 1), nullptr);
  EXPECT_EQ(memory.find(b - 1, 1), nullptr);
  EXPECT_EQ(memory.find(b - 1, 2), nullptr);
  EXPECT_NE(memory.find(b + 99, 1), nullptr);
  EXPECT_EQ(memory.find(b + 99, 2), nullptr);
  EXPECT_EQ(memory.find(0, 1), nullptr);
  EXPECT_EQ(memory.find(~Addr(0), 8), nullptr);
}

TEST(DeviceMemory, CapacityAndWrongReleases) {
  DeviceMemory memory(1024);
  EXPECT_EQ(memory.allocate(0), Addr(0));
  EXPECT_EQ(memory.allocate(1025), Addr(0));
  EXPECT_EQ(memory.allocate(~std::uint64_t(0)), Addr(0));
  const Addr a = memory.allocate(700);
  EXPECT_EQ(memory.free_bytes(), 1024u - 768u);
  EXPECT_EQ(memory.allocate(257), Addr(0));
  EXPECT_FALSE(memory.release(a + 1));
  EXPECT_FALSE(memory.release(0));
  EXPECT_TRUE(memory.release(a));
  EXPECT_FALSE(memory.release(a));
  EXPECT_EQ(memory.free_bytes(), 1024u);
}

TEST(DeviceMemory, LargerThanTheHost) {  // pages that nobody touches take no memory
  DeviceMemory memory(std::uint64_t(4) << 40);
  const std::uint64_t bytes = std::uint64_t(3) << 40;
  const Addr most = memory.allocate(bytes);
  ASSERT_NE(most, Addr(0));
  *DeviceMemory::host(most + bytes - 1) = 1;
  EXPECT_EQ(*DeviceMemory::host(most + bytes - 1), 1);
  EXPECT_EQ(memory.allocate(bytes), Addr(0));
  EXPECT_TRUE(memory.release(most));
}

TEST(DeviceMemory, OnlyOneAtATime) {
  DeviceMemory memory(1024);
  EXPECT_THROW(DeviceMemory(1024), UserError);
}

TEST(DeviceMemory, RandomUseKeepsAllocationsApart) {
  DeviceMemory memory(8 * kMega);
  std::mt19937 random(7);
  std::map<Addr, std::uint64_t> live;
  for (unsigned step = 0; step < 20000; ++step) {
    if (!live.empty() && random() % 2 == 0) {
      auto it = live.begin();
      std::advance(it, random() % live.size());
      ASSERT_TRUE(memory.release(it->first));
      live.erase(it);
    } else {
      const std::uint64_t bytes = 1 + random() % (random() % 8 == 0 ? 100000 : 1000);
      const Addr a = memory.allocate(bytes);
      if (a == 0) continue;
      ASSERT_EQ(a % DeviceMemory::kAlignment, 0u);
      const auto next = live.upper_bound(a);
      if (next != live.end()) {
        ASSERT_GE(next->first, a + bytes + DeviceMemory::kAlignment);
      }
      if (next != live.begin()) {
        const auto before = std::prev(next);
        ASSERT_GE(a, before->first + before->second + DeviceMemory::kAlignment);
      }
      live[a] = bytes;
    }
  }
  for (const auto& entry : live) memory.release(entry.first);
  EXPECT_EQ(memory.free_bytes(), memory.capacity());
  EXPECT_EQ(memory.allocate(1), DeviceMemory::kBase);  // everything merged back
}

}  // namespace
}  // namespace warpmem::program
