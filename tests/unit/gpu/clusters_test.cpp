// SPDX-License-Identifier: Apache-2.0
// Where the CTAs of a cluster go.
#include "gpu/clusters.hpp"

#include <gtest/gtest.h>

#include "base/errors.hpp"

namespace warpmem::gpu {
namespace {

using sm::Resources;

constexpr Resources kNeed{1, 4, 1000, 100};

std::vector<Resources> room_for(const std::vector<unsigned>& ctas) {
  std::vector<Resources> left;
  for (const unsigned n : ctas) left.push_back({n, 64, 65536, 10000});
  return left;
}
std::vector<unsigned> ports(const std::optional<sm::ClusterPlaces>& places) {
  std::vector<unsigned> all;
  for (unsigned r = 0; places && r < places->ctas; ++r) all.push_back(places->port[r]);
  return all;
}

TEST(Clusters, TheLastGpcMayHaveFewerSms) {
  const GpcOrder order(7, 3);
  EXPECT_EQ(order.gpcs(), 3u);
  EXPECT_EQ(order.first(2), 6u);
  EXPECT_EQ(order.sms(0), 3u);
  EXPECT_EQ(order.sms(2), 1u);
  EXPECT_EQ(GpcOrder(7, 0).gpcs(), 0u);
}

TEST(Clusters, CtasGoToTheSmsInTurn) {
  const GpcOrder order(8, 4);
  auto left = room_for({2, 2, 2, 2, 2, 2, 2, 2});
  EXPECT_EQ(ports(place_cluster(left, order, 1, 3, kNeed, 3)), (std::vector<unsigned>{3, 0, 1}));
  EXPECT_EQ(left[4].ctas, 1u);
  EXPECT_EQ(left[6].ctas, 2u);
  EXPECT_EQ(left[0].ctas, 2u);  // of the other GPC
}

TEST(Clusters, TwoShareAnSmOnlyWhenOthersAreFull) {
  const GpcOrder order(4, 4);
  auto left = room_for({0, 3, 1, 0});
  EXPECT_EQ(ports(place_cluster(left, order, 0, 0, kNeed, 4)), (std::vector<unsigned>{1, 2, 1, 1}));
  EXPECT_EQ(left[1].ctas, 0u);
}

TEST(Clusters, AllOrNone) {
  const GpcOrder order(4, 4);
  auto left = room_for({1, 1, 0, 1});
  EXPECT_FALSE(place_cluster(left, order, 0, 0, kNeed, 4));
  EXPECT_EQ(left[0].ctas, 1u);
  EXPECT_EQ(left[1].warps, 64u);
  EXPECT_EQ(left[3].shared_bytes, 10000u);
  EXPECT_TRUE(place_cluster(left, order, 0, 0, kNeed, 3));
}

TEST(Clusters, WhatCanNeverRunIsRefused) {
  program::KernelTraits traits;
  traits.name = "k";
  traits.grid = traits.cluster = {8};
  traits.warps_per_cta = 16;
  const auto error = [&](unsigned sms, unsigned each, const Resources& whole) -> std::string {
    try {
      check_clusters(traits, GpcOrder(sms, each), whole, sm::needs(traits, 0));
    } catch (const UserError& e) {
      return e.what();
    }
    return {};
  };
  const Resources whole{4, 32, 65536, 10000};
  EXPECT_EQ(error(8, 4, whole), "");
  EXPECT_EQ(error(3, 4, whole),
            "kernel k: clusters of 8 thread blocks do not fit: a GPC has 3 SMs (gpc.sms), each "
            "with room for 2 such blocks (sm.warps)");
  EXPECT_EQ(error(8, 0, whole),
            "kernel k: clusters of 8 thread blocks, and this machine has no GPCs to run them in; "
            "set gpc.sms");
  EXPECT_NE(error(7, 7, {1, 32, 65536, 10000}).find("(sm.ctas)"), std::string::npos);
  traits.shared_bytes = 6000;
  EXPECT_NE(error(7, 7, whole).find("(sm.shared_memory, or l1d.unified)"), std::string::npos);
  traits.cluster = {1};
  EXPECT_EQ(error(8, 0, whole), "");
}

}  // namespace
}  // namespace warpmem::gpu
