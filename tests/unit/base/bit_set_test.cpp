// SPDX-License-Identifier: Apache-2.0
// The set of small numbers against std::set, at sizes of one word and of several.
#include "base/bit_set.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "base/random.hpp"

namespace warpmem {
namespace {

template <unsigned kMembers>
std::vector<unsigned> members(const BitSet<kMembers>& bits) {
  std::vector<unsigned> found;
  bits.for_each([&](unsigned i) { found.push_back(i); });
  return found;
}

/// As BitSet::next(), by looking at every number.
unsigned next_by_search(const std::set<unsigned>& bits, unsigned size, unsigned from,
                        const std::set<unsigned>& except) {
  for (unsigned step = 0; step < size; ++step) {
    const unsigned i = (from + step) % size;
    if (bits.count(i) != 0 && except.count(i) == 0) return i;
  }
  return BitSet<1>::kNone;
}

template <unsigned kMembers>
void compare_at_random(unsigned share) {
  Random random(kMembers + share);
  BitSet<kMembers> bits, other;
  std::set<unsigned> reference, other_reference;
  for (int step = 0; step < 4000; ++step) {
    const unsigned i = static_cast<unsigned>(random.below(kMembers));
    const bool second = random.chance(50);
    auto& b = second ? other : bits;
    auto& r = second ? other_reference : reference;
    if (random.chance(share)) {
      b.set(i);
      r.insert(i);
    } else {
      b.clear(i);
      r.erase(i);
    }
    ASSERT_EQ(b.test(i), r.count(i) != 0);
    ASSERT_EQ(bits.none(), reference.empty());
    ASSERT_EQ(bits.count(), reference.size());
    ASSERT_EQ(bits.first(), reference.empty() ? bits.kNone : *reference.begin());
    const unsigned from = static_cast<unsigned>(random.below(kMembers));
    ASSERT_EQ(bits.next(from, other), next_by_search(reference, kMembers, from, other_reference));
    ASSERT_EQ(bits.any_besides(other),
              next_by_search(reference, kMembers, 0, other_reference) != bits.kNone);
    if (step % 64 == 0) {
      ASSERT_EQ(members(bits), std::vector<unsigned>(reference.begin(), reference.end()));
    }
  }
}

TEST(BitSet, AgreesWithASet) {
  compare_at_random<1>(50);
  compare_at_random<64>(10);
  compare_at_random<64>(90);
  compare_at_random<100>(50);
  compare_at_random<1024>(20);
  compare_at_random<4096>(50);
}

TEST(BitSet, BelowAndRanges) {
  const auto bits = BitSet<256>::below(130);
  EXPECT_EQ(bits.count(), 130u);
  EXPECT_TRUE(bits.any_of(128, 2));
  EXPECT_FALSE(bits.any_of(130, 2));
  EXPECT_FALSE(bits.any_of(132, 4));
  EXPECT_TRUE(bits.any_of(128, 128));
  EXPECT_FALSE(bits.any_of(192, 64));
  EXPECT_TRUE(bits.any_of(0, 256));
}

// A walk may remove the member that it is at.
TEST(BitSet, MembersLeaveDuringAWalk) {
  auto bits = BitSet<300>::below(300);
  unsigned seen = 0;
  bits.for_each([&](unsigned i) {
    ++seen;
    if (i % 3 != 0) bits.clear(i);
  });
  EXPECT_EQ(seen, 300u);
  EXPECT_EQ(bits.count(), 100u);
}

// Nor does it matter when the last of a later word leaves.
TEST(BitSet, AWordEmptiesAheadOfAWalk) {
  BitSet<300> bits;
  for (const unsigned i : {1u, 70u, 140u, 299u}) bits.set(i);
  std::vector<unsigned> seen;
  bits.for_each([&](unsigned i) {
    seen.push_back(i);
    bits.clear(140);
  });
  EXPECT_EQ(seen, (std::vector<unsigned>{1, 70, 299}));
}

TEST(BitSet, AWordAtOnce) {
  BitSet<256> set;
  set.set(3);
  set.set_word(0, 0x11);
  set.set_word(3, std::uint64_t{1} << 63);
  EXPECT_EQ(set.count(), 3u);
  EXPECT_EQ(set.first(), 0u);
  EXPECT_TRUE(set.test(4) && set.test(255) && !set.test(3));
  set.set_word(0, 0);
  EXPECT_EQ(set.first(), 255u);
  set.set_word(3, 0);
  EXPECT_TRUE(set.none());
}

}  // namespace
}  // namespace warpmem
