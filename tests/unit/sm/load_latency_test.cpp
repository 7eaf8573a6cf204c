// SPDX-License-Identifier: Apache-2.0
// The time of a load request by stage: every femtosecond is in one stage, and in the right one.
#include "sm/load_latency.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "files/stats_json.hpp"

namespace warpmem::sm {
namespace {

/// Returns a request whose stages were entered at these nanoseconds.
Access request(std::initializer_list<std::pair<Stage, Femtoseconds>> stages) {
  Access access;
  for (const auto& [stage, nanoseconds] : stages) access.mark(stage, nanoseconds * 1'000'000);
  return access;
}

/// Returns the nanoseconds by stage of one request that ends at `end`, those not visited left out.
std::map<std::string, double> parts(const Access& access, Femtoseconds end, bool translated) {
  LoadLatency latency(translated);
  StatRegistry registry;
  latency.register_stats(registry.group("sm", 0));
  registry.begin_kernel("test");
  latency.request_done(access, end * 1'000'000);
  registry.end_kernel();  // evaluates the law that the stages sum to the whole
  std::map<std::string, double> result;
  const nlohmann::json json = nlohmann::json::parse(stats_json(registry));
  for (const auto& [name, value] : json.at("total").at("stats").items()) {
    const std::string begin = "sm.latency.", unit = "_ns";
    if (name.rfind(begin, 0) != 0 || value.get<double>() == 0) continue;
    result[name.substr(begin.size(), name.size() - begin.size() - unit.size())] = value;
  }
  return result;
}

using Parts = std::map<std::string, double>;

TEST(LoadLatency, AHitWithoutTranslation) {
  const Access hit = request({{Stage::issue, 10}, {Stage::l1d_queue, 13}, {Stage::l1d_accept, 17}});
  EXPECT_EQ(parts(hit, 20, false), (Parts{{"coalescer", 3}, {"l1d_queue", 4}, {"writeback", 3}}));
}

TEST(LoadLatency, AHitInTheTlb) {
  const Access hit = request(
      {{Stage::issue, 10}, {Stage::tlb, 12}, {Stage::l1d_queue, 13}, {Stage::l1d_accept, 17}});
  EXPECT_EQ(parts(hit, 20, true),
            (Parts{{"coalescer", 2}, {"tlb", 1}, {"l1d_queue", 4}, {"writeback", 3}}));
}

TEST(LoadLatency, AWalkThatFindsThePage) {
  const Access walked = request({{Stage::issue, 10},
                                 {Stage::tlb, 12},
                                 {Stage::walk, 14},
                                 {Stage::translated, 114},
                                 {Stage::l1d_queue, 117},
                                 {Stage::l1d_accept, 118}});
  EXPECT_EQ(
      parts(walked, 120, true),
      (Parts{{"coalescer", 2}, {"tlb", 5}, {"walk", 100}, {"l1d_queue", 1}, {"writeback", 2}}));
}

TEST(LoadLatency, AFault) {
  const Access faulted = request({{Stage::issue, 10},
                                  {Stage::tlb, 12},
                                  {Stage::walk, 14},
                                  {Stage::fault, 114},
                                  {Stage::transfer, 45'114},
                                  {Stage::translated, 46'334},
                                  {Stage::l1d_queue, 46'337},
                                  {Stage::l1d_accept, 46'338}});
  EXPECT_EQ(parts(faulted, 46'340, true), (Parts{{"coalescer", 2},
                                                 {"tlb", 5},
                                                 {"walk", 100},
                                                 {"fault", 45'000},
                                                 {"transfer", 1'220},
                                                 {"l1d_queue", 1},
                                                 {"writeback", 2}}));
}

// It waits from when it came; what was before is not its time.
TEST(LoadLatency, ARequestThatJoinsAFaultLate) {
  const Access late = request({{Stage::issue, 30'000},
                               {Stage::tlb, 30'001},
                               {Stage::walk, 30'002},
                               {Stage::fault, 114},
                               {Stage::transfer, 45'114},
                               {Stage::translated, 46'334},
                               {Stage::l1d_queue, 46'338}});
  EXPECT_EQ(
      parts(late, 46'340, true),
      (Parts{
          {"coalescer", 1}, {"tlb", 5}, {"fault", 15'112}, {"transfer", 1'220}, {"writeback", 2}}));
}

TEST(LoadLatency, TheStagesOfTranslationAreThereWithTranslationOnly) {
  for (const bool translated : {false, true}) {
    LoadLatency latency(translated);
    StatRegistry registry;
    latency.register_stats(registry.group("sm", 0));
    registry.begin_kernel("test");
    registry.end_kernel();
    for (const char* const part : {"tlb", "walk", "fault", "transfer"})
      EXPECT_EQ(stats_json(registry).find(std::string("sm.latency.") + part) != std::string::npos,
                translated)
          << part;
  }
}

}  // namespace
}  // namespace warpmem::sm
