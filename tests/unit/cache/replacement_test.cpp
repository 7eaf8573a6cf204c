// SPDX-License-Identifier: Apache-2.0
// Replacement policies: worked examples, and what holds for every policy under random traffic.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "cache/replacement/lru.hpp"
#include "cache/replacement/random.hpp"
#include "cache/replacement/srrip.hpp"
#include "cache/replacement/tree_plru.hpp"
#include "cache/tag_array.hpp"

namespace warpmem::cache {
namespace {

const WayMask kFour = WayMask::below(4);

/// Ways `first` to 3.
WayMask from(unsigned first) {
  WayMask ways = kFour;
  for (unsigned way = 0; way < first; ++way) ways.clear(way);
  return ways;
}

TEST(TreePlru, PointsAwayFromWhatWasUsed) {
  TreePlru plru({1, 4});
  for (const LineId way : {0, 1, 2, 3}) plru.inserted(way);
  EXPECT_EQ(plru.victim(0, kFour), 0u);
  plru.touched(0);  // least recently used is way 1, but its half holds the line just used
  EXPECT_EQ(plru.victim(0, kFour), 2u);
  plru.touched(2);
  EXPECT_EQ(plru.victim(0, kFour), 1u);
  plru.touched(1);
  EXPECT_EQ(plru.victim(0, kFour), 3u);
}

TEST(TreePlru, LeavesAHalfInWhichNothingMayGo) {
  TreePlru plru({2, 4});
  for (const LineId line : {4, 5, 6, 7}) plru.inserted(line);  // the second set
  EXPECT_EQ(plru.victim(1, kFour), 0u);
  EXPECT_EQ(plru.victim(1, from(1)), 1u);
  EXPECT_EQ(plru.victim(1, from(2)), 2u);
  EXPECT_EQ(plru.victim(1, from(3)), 3u);
}

TEST(TreePlru, AnyNumberOfWays) {
  Random random(3);
  for (std::uint32_t ways = 1; ways <= kMaxWays; ways += ways < 66 ? 1 : 19) {
    TreePlru plru({1, ways});
    std::set<unsigned> victims;
    for (unsigned i = 0; i < 40 * ways; ++i) {
      const unsigned victim = plru.victim(0, WayMask::below(ways));
      ASSERT_LT(victim, ways);
      victims.insert(victim);
      plru.inserted(victim);
      if (random.chance(30)) plru.touched(static_cast<LineId>(random.below(ways)));
    }
    EXPECT_EQ(victims.size(), ways);
  }
}

// This is the figure of section 4 of Jaleel et al., ISCA 2010: a1 a2 a2 a1 b1 b2 b3 b4 a1 a2 with
// four ways. The scan b1..b4 does not push out what was used again.
TEST(Srrip, AScanPasses) {
  TagArray tags(1, 4, 128, IndexHash::linear, {ReplacementKind::srrip, {}});
  constexpr Addr a1 = 0x1000, a2 = 0x2000, b1 = 0x3000, b2 = 0x4000, b3 = 0x5000, b4 = 0x6000;
  std::vector<bool> hits;
  for (const Addr block : {a1, a2, a2, a1, b1, b2, b3, b4, a1, a2}) {
    const LineId line = tags.find(block, block);
    hits.push_back(line != kNoLine);
    if (line != kNoLine) {
      tags.touch(line);
    } else {
      tags.install(tags.victim(block), block);
    }
  }
  EXPECT_EQ(hits,
            (std::vector<bool>{false, false, true, true, false, false, false, false, true, true}));
  EXPECT_EQ(tags.find(b1, b1), kNoLine);  // the first of the scan went for b3
  EXPECT_EQ(tags.find(b2, b2), kNoLine);  // the second for b4
}

TEST(RandomReplacement, DrawsAnewAtAnEvictionOnly) {
  RandomReplacement policy({1, 4});
  WayMask only_way_2;
  only_way_2.set(2);
  std::set<unsigned> victims;
  for (int i = 0; i < 100; ++i) {
    const unsigned victim = policy.victim(0, kFour);
    EXPECT_EQ(policy.victim(0, kFour), victim);
    policy.touched(2);
    policy.inserted(1);
    EXPECT_EQ(policy.victim(0, kFour), victim);
    EXPECT_EQ(policy.victim(0, only_way_2), 2u);
    victims.insert(victim);
    policy.evicting(victim);
  }
  EXPECT_EQ(victims.size(), 4u);
}

class EveryPolicy : public testing::TestWithParam<ReplacementKind> {};

// Invalid lines first, reserved ones never, and asking changes nothing.
TEST_P(EveryPolicy, KeepsTheRulesOfTheTagArray) {
  constexpr unsigned kSets = 4, kWays = 6;
  TagArray tags(kSets, kWays, 128, IndexHash::linear, {GetParam(), {}});
  Random random(11);
  for (int i = 0; i < 20000; ++i) {
    const Addr block = random.below(64) * 128;
    const LineId line = tags.find(block, block);
    if (line != kNoLine) {
      if (tags.state(line) == LineState::reserved) {
        tags.install(line, block);
      } else if (random.chance(5)) {
        tags.invalidate(line);
      } else {
        tags.touch(line);
      }
      continue;
    }
    const LineId victim = tags.victim(block);
    ASSERT_EQ(tags.victim(block), victim);
    unsigned invalid = 0, valid = 0;
    for (LineId l = tags.set_of(block) * kWays; l < (tags.set_of(block) + 1) * kWays; ++l) {
      invalid += tags.state(l) == LineState::invalid;
      valid += tags.state(l) == LineState::valid;
    }
    if (victim == kNoLine) {
      ASSERT_EQ(invalid + valid, 0u);
      continue;
    }
    ASSERT_EQ(victim / kWays, tags.set_of(block));
    ASSERT_EQ(tags.state(victim), invalid != 0 ? LineState::invalid : LineState::valid);
    if (random.chance(60)) {
      tags.reserve(victim, block);
    } else {
      tags.install(victim, block);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryPolicy,
                         testing::Values(ReplacementKind::lru, ReplacementKind::plru,
                                         ReplacementKind::srrip, ReplacementKind::random));

class Mine : public Replacement {
 public:
  void touched(LineId) override {}
  void inserted(LineId) override {}
  unsigned victim(std::uint32_t, const WayMask& candidates) const override {
    unsigned last = 0;
    candidates.for_each([&](unsigned way) { last = way; });
    return last;
  }
};

TEST(AddedReplacement, IsMadeByName) {
  added_replacements().add("last_way", [](const CacheShape&) { return std::make_unique<Mine>(); });
  TagArray tags(1, 4, 128, IndexHash::linear, {ReplacementKind::lru, "last_way"});
  for (Addr block = 0; block < 4 * 128; block += 128) tags.install(tags.victim(block), block);
  EXPECT_EQ(tags.victim(0x1000), 3u);
  EXPECT_THROW(added_replacements().add("last_way", {}), UserError);
  EXPECT_THROW(added_replacements().add("Last way", {}), UserError);

  ReplacementParams params;
  Schema schema;
  params.describe(schema);
  const Param& key = *schema.find("replacement");
  EXPECT_EQ(key.set("last_way"), "");
  EXPECT_EQ(params.added, "last_way");
  EXPECT_EQ(key.get(), "last_way");
  EXPECT_EQ(key.set("srrip"), "");
  EXPECT_EQ(params.added, "");
  EXPECT_EQ(key.get(), "srrip");
  EXPECT_NE(key.set("last_wy").find("did you mean"), std::string::npos) << key.set("last_wy");
}

TEST(AddedReplacement, DoesNotHideOneOfTheTree) {
  added_replacements().add("lru", [](const CacheShape&) { return std::make_unique<Mine>(); });
  ReplacementParams params;
  Schema schema;
  EXPECT_THROW(params.describe(schema), UserError);
}

}  // namespace
}  // namespace warpmem::cache
