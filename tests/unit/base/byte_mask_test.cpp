// SPDX-License-Identifier: Apache-2.0
#include "base/byte_mask.hpp"

#include <gtest/gtest.h>

#include <array>

#include "base/random.hpp"

namespace warpmem {
namespace {

TEST(ByteMask, RangesHaveTheirBytes) {
  for (const unsigned first : {0u, 1u, 63u, 64u, 100u, 127u})
    for (const unsigned count : {0u, 1u, 28u, 64u, 65u, 128u}) {
      if (first + count > kMaxLineBytes) continue;
      const ByteMask mask = ByteMask::range(first, count);
      for (unsigned i = 0; i < kMaxLineBytes; ++i)
        ASSERT_EQ(mask.test(i), i >= first && i < first + count)
            << first << ' ' << count << ' ' << i;
    }
}

TEST(ByteMask, ShortEnablesRepeat) {
  tlm::tlm_generic_payload payload;
  unsigned char enable[] = {TLM_BYTE_ENABLED, TLM_BYTE_DISABLED};
  payload.set_data_length(4);
  payload.set_byte_enable_ptr(enable);
  payload.set_byte_enable_length(2);
  ByteMask expected;
  expected.set(60);
  expected.set(62);
  EXPECT_EQ(ByteMask::of(payload, 60), expected);
}

TEST(ByteMask, EnablesAreReadAlikeHoweverTheyLie) {
  Random random(7);
  std::array<unsigned char, kMaxLineBytes> enable;
  for (int round = 0; round < 500; ++round) {
    const auto offset = static_cast<unsigned>(random.below(kMaxLineBytes));
    const unsigned bytes = 1 + static_cast<unsigned>(random.below(kMaxLineBytes - offset));
    for (unsigned char& e : enable) e = random.below(2) != 0 ? TLM_BYTE_ENABLED : 0;
    if (round % 5 == 0) enable[random.below(bytes)] = 0x7f;  // anything else enables nothing
    tlm::tlm_generic_payload payload;
    payload.set_data_length(bytes);
    payload.set_byte_enable_ptr(enable.data());
    payload.set_byte_enable_length(bytes);
    ByteMask expected;
    for (unsigned i = 0; i < bytes; ++i)
      if (enable[i] == TLM_BYTE_ENABLED) expected.set(offset + i);
    ASSERT_EQ(ByteMask::of(payload, offset), expected) << offset << ' ' << bytes;
  }
}

TEST(ByteMask, UnionsAndSubsets) {
  ByteMask mask = ByteMask::range(0, 60);
  EXPECT_FALSE(mask.contains(ByteMask::range(56, 8)));
  mask |= ByteMask::range(60, 8);
  EXPECT_TRUE(mask.contains(ByteMask::range(56, 8)));
  EXPECT_EQ(mask, ByteMask::range(0, 68));
  EXPECT_TRUE(ByteMask().empty());
  EXPECT_TRUE(mask.contains(ByteMask()));
}

TEST(ByteMask, OnlyItsBytesAreCopied) {
  const std::uint8_t from[] = {1, 2, 3, 4};
  std::uint8_t to[] = {9, 9, 9, 9};
  copy_bytes(ByteMask::range(1, 2), from, to);
  EXPECT_EQ(to[0], 9);
  EXPECT_EQ(to[1], 2);
  EXPECT_EQ(to[2], 3);
  EXPECT_EQ(to[3], 9);
}

}  // namespace
}  // namespace warpmem
