// SPDX-License-Identifier: Apache-2.0
#include "l1d/block_reuse.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "files/stats_json.hpp"
#include "unit/l1d/l1d_bench.hpp"

namespace warpmem::l1d {
namespace {

TEST(BlockReuse, CountsLinesThatLeaveByTheDegreeOfTheirLoad) {
  BlockReuse reuse(4);
  StatRegistry registry;
  reuse.register_stats(registry.group("l1d", 0));
  registry.begin_kernel("k");
  reuse.installed(0, 1);
  reuse.hit(0);
  reuse.hit(0);
  reuse.gone(0);
  reuse.gone(0);  // nothing is there any more
  reuse.installed(0, 1);
  reuse.gone(0);
  reuse.installed(1, 32);
  reuse.installed(2, 17);
  reuse.hit(2);
  reuse.installed(3, 4);  // stays
  reuse.gone(1);
  reuse.gone(2);
  registry.end_kernel();
  const auto stats = nlohmann::json::parse(stats_json(registry))["total"]["stats"];
  EXPECT_EQ(stats["l1d.reuse.degree_1.blocks"], 2);
  EXPECT_EQ(stats["l1d.reuse.degree_1.ratio"], 0.5);
  EXPECT_EQ(stats["l1d.reuse.degree_17_up.blocks"], 2);
  EXPECT_EQ(stats["l1d.reuse.degree_17_up.ratio"], 0.5);
  EXPECT_EQ(stats["l1d.reuse.degree_3_4.blocks"], 0);
}

TEST(BlockReuse, WhatALaunchLeavesInTheCacheIsOfThisLaunch) {
  L1d::Params params = small();
  params.observe_reuse = true;
  Bench b("b", params);
  b.fill(0, 2 * kLine);
  b.script({load(0), load(0, 100), load(kLine, 200)});
  b.step(500);
  b.cache->end_launch();
  b.settle();
  const auto stats = nlohmann::json::parse(stats_json(b.stats))["total"]["stats"];
  EXPECT_EQ(stats["l1d.fills"], 2);
  EXPECT_EQ(stats["l1d.reuse.degree_1.blocks"], 2);
  EXPECT_EQ(stats["l1d.reuse.degree_1.ratio"], 0.5);
  b.stats.begin_kernel("next");
  b.cache->invalidate_all();
  b.cache->end_launch();
  b.stats.end_kernel();
  const auto both = nlohmann::json::parse(stats_json(b.stats))["total"]["stats"];
  EXPECT_EQ(both["l1d.reuse.degree_1.blocks"], 2);
}

TEST(DegreeClass, Bounds) {
  const unsigned first[] = {1, 2, 3, 5, 9, 17}, last[] = {1, 2, 4, 8, 16, 32};
  for (unsigned c = 0; c < kDegreeClasses; ++c) {
    EXPECT_EQ(degree_class(first[c]), c);
    EXPECT_EQ(degree_class(last[c]), c);
  }
}

}  // namespace
}  // namespace warpmem::l1d
