// SPDX-License-Identifier: Apache-2.0
#include "base/stats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"
#include "files/stats_json.hpp"

namespace warpmem {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;

/// This is a component with one statistic of each kind.
struct Cache {
  std::uint64_t accesses = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t most_waiting = 0;
  Histogram latency{{10, 100}};
  TimeSeries traffic{100, 4};

  void register_in(StatRegistry& registry, unsigned index) {
    StatGroup& group = registry.group("l1d", index);
    group.counter("accesses", accesses, "requests", "Requests accepted");
    group.counter("hits", hits, "requests", "Requests that hit");
    group.counter("misses", misses, "requests", "Requests that missed");
    group.peak("most_waiting", most_waiting, "requests", "Most requests waiting at once");
    group.ratio("hit_rate", hits, accesses, "Hits per request");
    group.histogram("latency", latency, "cycles", "Time from acceptance to response");
    group.series("traffic", traffic, "bytes", "Bytes moved", "core");
    group.law("accesses", [this] {
      return expect_equal("accesses", accesses, "hits + misses", hits + misses);
    });
  }
  void hit(std::uint64_t n) {
    accesses += n;
    hits += n;
  }
  void miss(std::uint64_t n) {
    accesses += n;
    misses += n;
  }
};

Json json_of(const StatRegistry& registry, bool per_instance = false) {
  return Json::parse(stats_json(registry, per_instance));
}

TEST(Histogram, UpperBoundsAreInclusiveAndTheLastBinTakesTheRest) {
  Histogram h({1, 4});
  for (const std::uint64_t v : {0, 1, 2, 4, 5, 1000}) h.add(v);
  h.add(3, 10);
  EXPECT_THAT(h.counts(), ElementsAre(2u, 12u, 2u));
  EXPECT_EQ(h.samples(), 16u);
  EXPECT_EQ(h.sum(), 0u + 1 + 2 + 4 + 5 + 1000 + 30);
}

TEST(Histogram, WithoutBoundsThereIsOneBin) {
  Histogram h;
  h.add(7);
  EXPECT_THAT(h.counts(), ElementsAre(1u));
}

TEST(TimeSeries, FillsIntervalsThatPassedWithoutAnAmount) {
  TimeSeries s(10, 8);
  s.add(0, 1);
  s.add(9, 1);
  s.add(30, 5);
  EXPECT_THAT(s.points(), ElementsAre(2, 0, 0, 5));
  EXPECT_EQ(s.interval(), 10u);
}

TEST(TimeSeries, MergesNeighboursWhenThePointsRunOut) {
  TimeSeries s(10, 4);
  for (Cycle c = 0; c < 40; c += 10) s.add(c, static_cast<double>(c));
  EXPECT_THAT(s.points(), ElementsAre(0, 10, 20, 30));
  s.add(40, 1);
  EXPECT_EQ(s.interval(), 20u);
  EXPECT_THAT(s.points(), ElementsAre(10, 50, 1));
}

TEST(TimeSeries, AFarJumpDoublesUntilItFits) {
  TimeSeries s(1, 4);
  s.add(0, 1);
  s.add(1, 2);
  s.add(2, 4);
  s.add(1000, 8);
  EXPECT_EQ(s.interval(), 256u);
  EXPECT_THAT(s.points(), ElementsAre(7, 0, 0, 8));
}

TEST(StatRegistry, KernelsAreDifferencesAndInstancesAddUp) {
  Cache a, b;
  StatRegistry registry;
  a.register_in(registry, 0);
  b.register_in(registry, 1);
  a.hit(100);  // before any launch: belongs to none

  registry.begin_kernel("first");
  a.hit(3);
  b.miss(1);
  a.most_waiting = 7;
  b.most_waiting = 5;
  a.latency.add(10);
  b.latency.add(500, 2);
  registry.end_kernel();

  registry.begin_kernel("second");
  EXPECT_EQ(a.most_waiting, 0u) << "peaks start again at each launch";
  b.miss(4);
  b.most_waiting = 2;
  b.latency.add(11);
  registry.end_kernel();

  const Json json = json_of(registry);
  const Json& first = json["kernels"][0];
  EXPECT_EQ(first["name"], "first");
  EXPECT_EQ(first["stats"]["l1d.accesses"], 4);
  EXPECT_TRUE(first["stats"]["l1d.accesses"].is_number_integer());
  EXPECT_EQ(first["stats"]["l1d.hit_rate"], 0.75);
  EXPECT_EQ(first["stats"]["l1d.most_waiting"], 7);
  EXPECT_EQ(first["histograms"]["l1d.latency"]["bounds"], Json({10, 100}));
  EXPECT_EQ(first["histograms"]["l1d.latency"]["counts"], Json({1, 0, 2}));
  EXPECT_EQ(first["histograms"]["l1d.latency"]["samples"], 3);
  EXPECT_EQ(first["histograms"]["l1d.latency"]["sum"], 1010);
  const Json& second = json["kernels"][1];
  EXPECT_EQ(second["stats"]["l1d.accesses"], 4);
  EXPECT_EQ(second["stats"]["l1d.hit_rate"], 0.0);
  EXPECT_EQ(second["stats"]["l1d.most_waiting"], 2);
  EXPECT_EQ(second["histograms"]["l1d.latency"]["counts"], Json({0, 1, 0}));
  EXPECT_EQ(json["total"]["stats"]["l1d.accesses"], 8);
  EXPECT_EQ(json["total"]["stats"]["l1d.hit_rate"], 3.0 / 8);
  EXPECT_EQ(json["total"]["stats"]["l1d.most_waiting"], 7);
  EXPECT_EQ(json["total"]["histograms"]["l1d.latency"]["counts"], Json({1, 1, 2}));
  EXPECT_FALSE(json.contains("instances"));
}

TEST(StatRegistry, UnitsNameKindUnitAndMeaning) {
  Cache a;
  StatRegistry registry;
  a.register_in(registry, 0);
  const Json units = json_of(registry)["units"];
  EXPECT_EQ(units["l1d.accesses"]["kind"], "counter");
  EXPECT_EQ(units["l1d.accesses"]["unit"], "requests");
  EXPECT_EQ(units["l1d.accesses"]["doc"], "Requests accepted");
  EXPECT_EQ(units["l1d.traffic"]["kind"], "series");
}

TEST(StatRegistry, InstancesApartAreTotalsInOrderOfIndex) {
  Cache a, b;
  StatRegistry registry;
  b.register_in(registry, 4);  // neither dense nor in order
  a.register_in(registry, 0);
  registry.begin_kernel("k");
  a.hit(1);
  b.hit(2);
  b.latency.add(5);
  registry.end_kernel();
  const Json list = json_of(registry, true)["instances"]["l1d"];
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0]["index"], 0);
  EXPECT_EQ(list[0]["stats"]["accesses"], 1);
  EXPECT_EQ(list[1]["index"], 4);
  EXPECT_EQ(list[1]["stats"]["accesses"], 2);
  EXPECT_EQ(list[1]["histograms"]["latency"]["samples"], 1);
}

TEST(StatRegistry, SeriesOfInstancesCombineInTheLongestInterval) {
  Cache a, b;
  StatRegistry registry;
  a.register_in(registry, 0);
  b.register_in(registry, 1);
  a.traffic.add(0, 1);
  a.traffic.add(150, 2);
  b.traffic.add(0, 10);
  b.traffic.add(500, 20);  // interval 200 now
  const Json series = json_of(registry)["total"]["series"]["l1d.traffic"];
  EXPECT_EQ(series["interval"], 200);
  EXPECT_EQ(series["clock"], "core");
  EXPECT_EQ(series["points"], Json({13.0, 0.0, 20.0}));
}

TEST(StatRegistry, LazyValuesAreUpdatedBeforeASnapshot) {
  std::uint64_t occupancy = 0;
  std::uint64_t pending = 5;
  StatRegistry registry;
  StatGroup& group = registry.group("mshr");
  group.counter("occupancy", occupancy, "entries x cycles", "Integral of the entries in use");
  group.before_snapshot([&] { occupancy += std::exchange(pending, 0); });
  registry.begin_kernel("k");
  EXPECT_EQ(occupancy, 5u);
  pending = 9;
  registry.end_kernel();
  EXPECT_EQ(json_of(registry)["total"]["stats"]["mshr.occupancy"], 9);
}

TEST(StatRegistry, EveryBrokenLawIsReportedAndTheLaunchIsKept) {
  Cache a, b;
  std::uint64_t sent = 0;
  StatRegistry registry;
  a.register_in(registry, 0);
  b.register_in(registry, 3);
  StatGroup& noc = registry.group("noc");
  noc.counter("sent", sent, "flits", "Flits sent");
  noc.law("flits", [&] { return expect_equal("sent", sent, "received", 0); });
  registry.begin_kernel("atax_kernel1");
  b.accesses = 10;
  b.hits = 4;
  sent = 1;
  try {
    registry.end_kernel();
    FAIL() << "two laws are broken";
  } catch (const SimulationError& error) {
    EXPECT_STREQ(error.what(),
                 "l1d[3]: conservation law 'accesses' broken in kernel atax_kernel1: "
                 "accesses 10 != hits + misses 4\n"
                 "noc: conservation law 'flits' broken in kernel atax_kernel1: "
                 "sent 1 != received 0");
  }
  EXPECT_EQ(json_of(registry)["kernels"][0]["stats"]["l1d.accesses"], 10);
}

TEST(StatRegistry, OutputDoesNotDependOnConstructionOrder) {
  auto run = [](bool reverse) {
    Cache a;
    std::uint64_t sent = 3;
    StatRegistry registry;
    auto noc = [&] { registry.group("noc").counter("sent", sent, "flits", "Flits sent"); };
    if (reverse) noc();
    a.register_in(registry, 0);
    if (!reverse) noc();
    registry.begin_kernel("k");
    a.hit(2);
    registry.end_kernel();
    return stats_json(registry, true) + registry.csv() + registry.table();
  };
  EXPECT_EQ(run(false), run(true));
}

TEST(StatRegistry, CsvHasARowPerLaunchAndTheTotal) {
  Cache a;
  StatRegistry registry;
  a.register_in(registry, 0);
  registry.begin_kernel("f<int, \"x\">");
  a.hit(1);
  a.miss(1);
  registry.end_kernel();
  EXPECT_EQ(registry.csv(),
            "kernel,l1d.accesses,l1d.hits,l1d.misses,l1d.most_waiting,l1d.hit_rate\n"
            "\"f<int, \"\"x\"\">\",2,1,1,0,0.5\n"
            "total,2,1,1,0,0.5\n");
}

TEST(StatRegistry, TableAlignsNamesValuesAndUnits) {
  Cache a, b;
  StatRegistry registry;
  a.register_in(registry, 0);
  b.register_in(registry, 1);
  registry.begin_kernel("k");
  a.hit(1234567);
  a.latency.add(3);
  registry.end_kernel();
  EXPECT_EQ(registry.table(),
            "l1d (2 instances)\n"
            "  accesses      1,234,567  requests\n"
            "  hits          1,234,567  requests\n"
            "  misses                0  requests\n"
            "  most_waiting          0  requests\n"
            "  hit_rate         1.0000\n"
            "  latency            3.00  cycles (mean of 1)\n");
}

TEST(StatRegistry, AGroupMayBeSharedByComponents) {
  std::uint64_t x = 1, y = 2;
  StatRegistry registry;
  registry.group("l1d").counter("x", x, "1", "X");
  registry.group("l1d").counter("y", y, "1", "Y");
  EXPECT_TRUE(json_of(registry)["units"].contains("l1d.x"));
  EXPECT_TRUE(json_of(registry)["units"].contains("l1d.y"));
}

TEST(StatRegistryDeathTest, ANameTwiceInAGroup) {
  std::uint64_t x = 0;
  StatRegistry registry;
  registry.group("l1d").counter("x", x, "1", "X");
  EXPECT_DEATH(registry.group("l1d").counter("x", x, "1", "X"), "l1d.x is registered twice");
}

TEST(StatRegistryDeathTest, InstancesWithDifferentNames) {
  std::uint64_t x = 0;
  StatRegistry registry;
  registry.group("l1d", 0).counter("x", x, "1", "X");
  registry.group("l1d", 1).counter("y", x, "1", "Y");
  EXPECT_DEATH(registry.begin_kernel("k"), "l1d\\[1\\] registers counter y where .* counter x");
}

TEST(StatRegistryDeathTest, InstancesWithDifferentBins) {
  Histogram a({1}), b({2});
  StatRegistry registry;
  registry.group("l1d", 0).histogram("h", a, "1", "H");
  registry.group("l1d", 1).histogram("h", b, "1", "H");
  EXPECT_DEATH(registry.begin_kernel("k"), "histogram h with other bounds");
}

TEST(StatRegistryDeathTest, RegistrationAfterTheFirstLaunch) {
  std::uint64_t x = 0;
  StatRegistry registry;
  registry.group("l1d").counter("x", x, "1", "X");
  registry.begin_kernel("k");
  EXPECT_DEATH(registry.group("l2"), "after the first kernel began");
  EXPECT_DEATH(registry.group("l1d").counter("y", x, "1", "Y"), "after the first kernel began");
}

}  // namespace
}  // namespace warpmem
