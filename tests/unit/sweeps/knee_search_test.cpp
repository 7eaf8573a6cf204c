// SPDX-License-Identifier: Apache-2.0
// The knee of curves, and which of their points were looked at.
#include "sweeps/knee_search.hpp"

#include <gtest/gtest.h>

#include <random>

namespace warpmem::sweeps {
namespace {

/// Looks at a curve until the knee is known; returns the values in the order of looking.
std::vector<std::size_t> look(KneeSearch& search, const std::vector<double>& curve) {
  std::vector<std::size_t> order;
  for (std::vector<std::size_t> next = search.wanted(); !next.empty(); next = search.wanted()) {
    for (std::size_t v : next) {
      EXPECT_FALSE(search.result(v).has_value()) << v;
      search.measured(v, curve[v]);
      order.push_back(v);
    }
  }
  return order;
}

TEST(KneeSearch, BisectsBetweenTheEnds) {
  KneeSearch search(8, 0.05, true);
  EXPECT_EQ(look(search, {1, 2, 4, 7, 8, 8, 8, 8}), (std::vector<std::size_t>{0, 7, 3, 5, 4}));
  EXPECT_EQ(search.knee(), 4u);
  EXPECT_TRUE(search.monotone());
  EXPECT_EQ(search.runs(), 5u);
  EXPECT_DOUBLE_EQ(search.share(3), 7.0 / 8);
}

TEST(KneeSearch, AFlatCurveNeedsItsEndsAlone) {
  KneeSearch search(6, 0.05, true);
  EXPECT_EQ(look(search, {1.0, 1, 1, 1, 1, 1.04}), (std::vector<std::size_t>{0, 5}));
  EXPECT_EQ(search.knee(), 0u);
}

TEST(KneeSearch, ACurveThatRisesToItsEndHasItsKneeThere) {
  KneeSearch search(5, 0.05, true);
  EXPECT_EQ(look(search, {1, 2, 3, 4, 5}), (std::vector<std::size_t>{0, 4, 2, 3}));
  EXPECT_EQ(search.knee(), 4u);
}

TEST(KneeSearch, LessMayBeBetter) {
  KneeSearch search(4, 0.1, false);
  look(search, {100, 50, 41, 40});
  EXPECT_EQ(search.knee(), 2u);
  EXPECT_EQ(search.best(), 3u);
}

// In the middle it is better than at the end, so nothing is known of what lies between: all run.
TEST(KneeSearch, WhereMoreHurtsEverythingIsLookedAt) {
  KneeSearch search(7, 0.05, true);
  EXPECT_EQ(look(search, {1, 2, 8, 9, 7, 6, 5}), (std::vector<std::size_t>{0, 6, 3, 1, 2, 4, 5}));
  EXPECT_FALSE(search.monotone());
  EXPECT_EQ(search.knee(), 3u);
  EXPECT_EQ(search.best(), 3u);
}

TEST(KneeSearch, EverythingOnDemand) {
  KneeSearch search(4, 0.05, true, true);
  EXPECT_EQ(look(search, {1, 2, 2, 2}), (std::vector<std::size_t>{0, 1, 2, 3}));
  EXPECT_EQ(search.knee(), 1u);
}

TEST(KneeSearch, OfRandomRisingCurvesIsThatOfAllPoints) {
  std::mt19937 random(3);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> curve(2 + random() % 20);
    double height = 1;
    for (double& c : curve) c = height += static_cast<double>(random() % 100) / 50;
    KneeSearch some(curve.size(), 0.05, true), all(curve.size(), 0.05, true, true);
    look(some, curve);
    look(all, curve);
    EXPECT_EQ(some.knee(), all.knee());
    EXPECT_LE(some.runs(), 7u);  // the ends, and log2(20) between
  }
}

}  // namespace
}  // namespace warpmem::sweeps
