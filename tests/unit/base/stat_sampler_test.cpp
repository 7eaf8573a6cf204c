// SPDX-License-Identifier: Apache-2.0
#include "base/stat_sampler.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace warpmem {
namespace {

/// Two caches with a counter, a ratio, a level and an amount each.
class StatSamplerTest : public testing::Test {
 protected:
  struct Cache {
    std::uint64_t hits = 0, accesses = 0, queued = 0, bytes = 0, lazy = 0, due = 0;
  };
  StatSamplerTest() {
    for (unsigned i = 0; i < 2; ++i) {
      StatGroup& g = registry_.group("l1d", i == 0 ? 0 : 5);
      Cache& c = caches_[i];
      g.before_snapshot([&c] { c.lazy = c.due; });
      g.level(
          "queued", [&c] { return c.queued; }, "requests", "");
      g.counter("hits", c.hits, "requests", "");
      g.counter("lazy", c.lazy, "cycles", "");
      g.ratio("hit_rate", c.hits, c.accesses, "");
      g.amount(
          "bytes", [&c] { return c.bytes; }, "bytes", "");
    }
  }
  double all(const StatSampler& sampler, const char* name) {
    return sampler.value(*sampler.find("l1d", name));
  }

  Cache caches_[2];
  StatRegistry registry_;
};

TEST_F(StatSamplerTest, WhatAnIntervalAddsAndHowThingsStandAtItsEnd) {
  StatSampler sampler(registry_);
  caches_[0] = {100, 100, 7, 1000, 0, 50};  // what was before does not count
  sampler.begin();
  caches_[0] = {103, 110, 2, 1600, 0, 60};
  caches_[1] = {1, 2, 4, 100, 0, 9};
  sampler.end(2.0);
  EXPECT_EQ(all(sampler, "hits"), 4);
  EXPECT_EQ(all(sampler, "lazy"), 19);
  EXPECT_EQ(all(sampler, "queued"), 6);
  EXPECT_EQ(all(sampler, "bytes"), 350);
  EXPECT_DOUBLE_EQ(all(sampler, "hit_rate"), 4.0 / 12);
  EXPECT_EQ(sampler.value(*sampler.find("l1d", "hits"), 0), 3);
  EXPECT_EQ(sampler.value(*sampler.find("l1d", "hit_rate"), 1), 0.5);
  caches_[1].queued = 0;
  sampler.end(1.0);
  EXPECT_EQ(all(sampler, "hits"), 0);
  EXPECT_EQ(all(sampler, "queued"), 2);
  EXPECT_TRUE(std::isnan(all(sampler, "hit_rate")));
}

// It stands before the others by name, and is in the results from the first launch on.
TEST_F(StatSamplerTest, APathThatIsUsedAtLastMovesNoColumn) {
  std::uint64_t requests = 0;
  StatGroup& host = registry_.group("host");
  host.counter("requests", requests, "requests", "");
  host.only_when_used(requests);
  StatSampler sampler(registry_);
  const StatSampler::Column* const column = sampler.find("host", "requests");
  ASSERT_NE(column, nullptr);
  sampler.begin();
  registry_.begin_kernel("k");
  requests = 3;
  caches_[0].hits = 5;
  registry_.end_kernel();
  sampler.end(1.0);
  EXPECT_EQ(sampler.value(*column), 3);
  EXPECT_EQ(all(sampler, "hits"), 5);
}

TEST_F(StatSamplerTest, ColumnsSayWhatTheyAre) {
  const StatSampler sampler(registry_);
  const StatSampler::Column* const bytes = sampler.find("l1d", "bytes");
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ(bytes->unit, "bytes/s");
  EXPECT_EQ(bytes->kind, StatSampler::Kind::amount);
  EXPECT_EQ(bytes->instances, 2U);
  EXPECT_EQ(sampler.find("l1d", "misses"), nullptr);
  EXPECT_EQ(sampler.find("l2", "hits"), nullptr);
  EXPECT_EQ(sampler.columns().size(), 5U);
}

}  // namespace
}  // namespace warpmem
