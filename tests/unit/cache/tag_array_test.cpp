// SPDX-License-Identifier: Apache-2.0
#include "cache/tag_array.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <vector>

#include "base/random.hpp"

namespace warpmem::cache {
namespace {

TEST(TagArray, FindsWhatWasInstalled) {
  TagArray tags(4, 2, 128, IndexHash::linear);
  const Addr block = 5 * 128;
  EXPECT_EQ(tags.find(block, block), kNoLine);
  const LineId line = tags.victim(block);
  tags.install(line, block);
  EXPECT_EQ(tags.find(block, block), line);
  EXPECT_EQ(tags.state(line), LineState::valid);
  EXPECT_EQ(tags.block(line), block);
  EXPECT_FALSE(tags.dirty(line));
  tags.invalidate(line);
  EXPECT_EQ(tags.find(block, block), kNoLine);
}

// With many ways lines are found in a table, which must say what the tags say.
TEST(TagArray, FindsInManyWaysWhatTheTagsSay) {
  TagArray tags(3, 64, 128, IndexHash::linear);
  Random random(7);
  for (unsigned step = 0; step < 5000; ++step) {
    const Addr block = random.below(400) * 128;
    const LineId line = tags.find(block, block);
    if (line == kNoLine) {
      tags.install(tags.victim(block), block);
    } else if (random.below(4) == 0) {
      tags.invalidate(line);
    }
    const Addr other = random.below(400) * 128;
    LineId expected = kNoLine;
    for (LineId l = 0; l < tags.lines(); ++l)
      if (tags.block(l) == other) expected = l;
    ASSERT_EQ(tags.find(other, other), expected);
  }
  tags.invalidate_all();
  EXPECT_EQ(tags.find(0, 0), kNoLine);
}

TEST(TagArray, ReservedLinesAreNoVictims) {
  TagArray tags(1, 2, 128, IndexHash::linear);
  tags.reserve(tags.victim(0), 0);
  const LineId second = tags.victim(128);
  tags.reserve(second, 128);
  EXPECT_EQ(tags.victim(256), kNoLine);
  tags.install(second, 128);
  EXPECT_EQ(tags.victim(256), second);
}

TEST(TagArray, LinesMayBeKeptOutOfSomeWays) {
  for (const ReplacementKind kind : {ReplacementKind::lru, ReplacementKind::plru,
                                     ReplacementKind::srrip, ReplacementKind::random}) {
    ReplacementParams replacement;
    replacement.kind = kind;
    TagArray tags(2, 5, 128, IndexHash::linear, replacement);
    EXPECT_EQ(tags.used_ways(), 5u);
    tags.use_ways(3);
    for (unsigned i = 0; i < 100; ++i) {
      const Addr block = i * 256;  // of set 0
      const LineId line = tags.victim(block);
      ASSERT_LT(line, 3u);
      tags.install(line, block);
      ASSERT_EQ(tags.find(block, block), line);
    }
    tags.invalidate_all();
    tags.use_ways(5);
    for (unsigned i = 0; i < 5; ++i) tags.install(tags.victim(0), i * 256);
    EXPECT_EQ(tags.find(4 * 256, 4 * 256), 4u);
  }
}

TEST(TagArray, LeastRecentlyUsedAgainstAList) {
  constexpr unsigned kSets = 8, kWays = 4;
  TagArray tags(kSets, kWays, 128, IndexHash::linear);
  std::map<unsigned, std::list<Addr>> reference;  // lines by set, most recent first
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const Addr block = random.below(64) * 128;
    std::list<Addr>& set = reference[block / 128 % kSets];
    const LineId line = tags.find(block, block);
    const auto in_list = std::find(set.begin(), set.end(), block);
    ASSERT_EQ(line != kNoLine, in_list != set.end());
    if (line != kNoLine) {
      tags.touch(line);
      set.erase(in_list);
    } else {
      const LineId victim = tags.victim(block);
      if (set.size() == kWays) {
        ASSERT_EQ(tags.block(victim), set.back());
        set.pop_back();
      } else {
        ASSERT_EQ(tags.state(victim), LineState::invalid);
      }
      tags.install(victim, block);
    }
    set.push_front(block);
  }
}

// With 32 sets the index is bits 7..11 XOR bits 12..16.
TEST(TagArray, XorOfFiveBits) {
  TagArray tags(32, 1, 128, IndexHash::xor5);
  const auto set_of = [&](Addr address) { return tags.victim(address); };  // the set has one way
  EXPECT_EQ(set_of(3 * 128), 3u);
  EXPECT_EQ(set_of((Addr{5} << 12) | (3 * 128)), 3u ^ 5u);
  EXPECT_EQ(set_of(Addr{1} << 17), 0u);  // above both
  // The addresses are a multiple of sets x line apart, which linear indexing puts into one set.
  std::map<LineId, int> used;
  for (Addr i = 0; i < 32; ++i) ++used[set_of(i * 32 * 128)];
  EXPECT_EQ(used.size(), 32u);
}

TEST(TagArray, XorWithMoreAndFewerSetsThanFiveBits) {
  TagArray many(64, 1, 128, IndexHash::xor5);
  EXPECT_EQ(many.victim((Addr{3} << 13) | (40 * 128)), 40u ^ 3u);
  TagArray few(4, 1, 128, IndexHash::xor5);
  EXPECT_EQ(few.victim((Addr{6} << 9) | (1 * 128)), 1u ^ (6u & 3u));
}

// 96 sets, as 12 slices of some GPUs have: set = line number mod 96.
TEST(TagArray, AnyNumberOfSets) {
  TagArray tags(96, 1, 128, IndexHash::linear);
  EXPECT_EQ(tags.victim(95 * 128), 95u);
  EXPECT_EQ(tags.victim(96 * 128), 0u);
  EXPECT_EQ(tags.victim(Addr{1000} * 128), 1000u % 96);
  TagArray mixed(96, 1, 128, IndexHash::xor5);  // the five bits above seven
  EXPECT_EQ(mixed.victim(((Addr{3} << 7) + 40) * 128), (3 * 128 + (40 ^ 3)) % 96);
}

// With 8 sets the polynomial is x^3 + x + 1: x^3 = x + 1, x^4 = x^2 + x.
TEST(TagArray, PolynomialIndex) {
  TagArray tags(8, 1, 128, IndexHash::polynomial);
  for (Addr line = 0; line < 8; ++line) EXPECT_EQ(tags.victim(line * 128), line);
  EXPECT_EQ(tags.victim(8 * 128), 3u);
  EXPECT_EQ(tags.victim(16 * 128), 6u);
  EXPECT_EQ(tags.victim((16 + 8 + 1) * 128), 6u ^ 3u ^ 1u);
}

// Eight lines of each set would be even. Lines a power of two apart meet in one set with the linear
// index; the polynomial spreads them evenly over a power of two of sets, and within a quarter over
// any other number.
TEST(TagArray, PolynomialIndexSpreadsStrides) {
  for (const std::uint32_t sets : {32u, 48u, 64u, 80u, 512u, 1000u}) {
    const bool power_of_two = (sets & (sets - 1)) == 0;
    TagArray tags(sets, 1, 128, IndexHash::polynomial);
    for (unsigned shift = 0; shift <= 16; ++shift) {
      const unsigned each = power_of_two ? 8 : 256;
      std::vector<unsigned> used(sets);
      for (Addr i = 0; i < Addr{sets} * each; ++i) ++used[tags.victim((i << shift) * 128)];
      const auto [least, most] = std::minmax_element(used.begin(), used.end());
      EXPECT_GE(*least, power_of_two ? each : each * 3 / 4) << sets << " sets, 2^" << shift;
      EXPECT_LE(*most, power_of_two ? each : each * 5 / 4) << sets << " sets, 2^" << shift;
    }
  }
}

TEST(TagArray, TwoHundredAndFiftySixWays) {
  TagArray tags(3, kMaxWays, 32, IndexHash::linear);
  for (Addr i = 0; i < 3 * kMaxWays; ++i) tags.install(tags.victim(i * 32), i * 32);
  for (Addr i = 0; i < 3 * kMaxWays; ++i) ASSERT_NE(tags.find(i * 32, i * 32), kNoLine) << i;
  tags.touch(tags.find(32, 32));
  EXPECT_EQ(tags.block(tags.victim(32)), Addr{4} * 32);  // the next older one of set 1
}

TEST(TagArray, KeyOtherThanTheBlock) {
  TagArray tags(4, 1, 128, IndexHash::linear);
  const Addr block = 8 * 128, key = 3 * 128;  // the address within an L2 partition
  tags.install(tags.victim(key), block);
  EXPECT_EQ(tags.find(block, key), 3u);
  EXPECT_EQ(tags.find(key, key), kNoLine);  // another block, of which that is the address
}

TEST(TagArray, InvalidateAll) {
  TagArray tags(2, 2, 64, IndexHash::linear);
  for (Addr i = 0; i < 4; ++i) tags.install(tags.victim(i * 64), i * 64);
  tags.set_dirty(tags.find(64, 64));
  EXPECT_TRUE(tags.dirty(tags.find(64, 64)));
  tags.invalidate_all();
  for (Addr i = 0; i < 4; ++i) EXPECT_EQ(tags.find(i * 64, i * 64), kNoLine);
}

}  // namespace
}  // namespace warpmem::cache
