// SPDX-License-Identifier: Apache-2.0
#include "sweeps/schedule.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/errors.hpp"
#include "files/sha256.hpp"
#include "sweeps/progress.hpp"
#include "sweeps/shard.hpp"

namespace warpmem::sweeps {
namespace {

using ::testing::ElementsAre;

constexpr std::size_t kSmall = 1, kLarge = 2, kUnknown = 3;  // configurations

/// The large machine takes ten times as long.
CostModel learned() {
  CostModel model;
  model.learn("bfs", kSmall, 2);
  model.learn("bfs", kLarge, 20);
  model.learn("atax", kSmall, 5);
  return model;
}

TEST(CostModelTest, ProgramTimesConfiguration) {
  const CostModel model = learned();
  EXPECT_NEAR(*model.estimate("bfs", kSmall), 2, 0.1);
  EXPECT_NEAR(*model.estimate("bfs", kLarge), 20, 1);
  EXPECT_NEAR(*model.estimate("atax", kLarge), 50, 5);  // nobody has run it
  EXPECT_FALSE(model.estimate("scan", kSmall));
}

TEST(CostModelTest, AnUnknownConfigurationIsAnAverageOne) {
  const double seconds = *learned().estimate("bfs", kUnknown);
  EXPECT_GT(seconds, 2);
  EXPECT_LT(seconds, 20);
}

TEST(CostModelTest, LearnsMore) {
  CostModel model;
  model.learn("bfs", kSmall, 1);
  EXPECT_NEAR(*model.estimate("bfs", kSmall), 1, 1e-9);
  model.learn("scan", kSmall, 9);
  EXPECT_NEAR(*model.estimate("scan", kSmall), 9, 1e-9);
  for (int i = 0; i < 100; ++i) model.learn("bfs", kSmall, 4);
  EXPECT_NEAR(*model.estimate("bfs", kSmall), 4, 0.3);
}

TEST(CostModelTest, StoredCostsAreThoseOfAnotherMachine) {
  CostModel model;
  model.learn({{"bfs", "100", 2}, {"atax", "64", 6}});
  const auto estimate = [&](const char* workload, const char* arguments) {
    return *model.estimate(CostModel::program(workload, arguments), kSmall);
  };
  EXPECT_NEAR(estimate("bfs", "100"), 2, 1e-9);
  EXPECT_NEAR(estimate("bfs 100", "100"), 2, 1e-9);  // as a sweep calls it that has two of them
  // Here bfs takes ten times as long, and so does what has not run here.
  model.learn(CostModel::program("bfs", "100"), kSmall, 20);
  EXPECT_NEAR(estimate("bfs", "100"), 20, 1);
  EXPECT_NEAR(estimate("atax", "64"), 60, 3);
}

TEST(CostModelTest, NamesWithoutArguments) {
  EXPECT_EQ(CostModel::bare_name("bfs 1 2", "1 2"), "bfs");
  EXPECT_EQ(CostModel::bare_name("bfs", "1 2"), "bfs");
  EXPECT_EQ(CostModel::bare_name("bfs", ""), "bfs");
  EXPECT_EQ(CostModel::bare_name("my bfs", ""), "my bfs");
  EXPECT_EQ(CostModel::bare_name("1 2", "1 2"), "1 2");
}

std::vector<std::size_t> order(Schedule& schedule) {
  std::vector<std::size_t> all;
  while (const auto next = schedule.next()) all.push_back(*next);
  return all;
}

TEST(ScheduleTest, TheLongestFirst) {
  Schedule schedule(learned());
  schedule.add("bfs", kSmall);   // 2 s
  schedule.add("atax", kLarge);  // 50
  schedule.add("bfs", kLarge);   // 20
  schedule.add("bfs", kLarge);
  EXPECT_THAT(order(schedule), ElementsAre(1, 2, 3, 0));
}

TEST(ScheduleTest, OneOfEachUnknownProgramComesFirst) {
  Schedule schedule(learned());
  schedule.add("atax", kSmall);
  schedule.add("scan", kSmall);
  schedule.add("scan", kLarge);
  schedule.add("sort", kSmall);
  EXPECT_THAT(order(schedule), ElementsAre(1, 3, 0, 2));
}

TEST(ScheduleTest, WhatEndsTeaches) {
  Schedule schedule{CostModel()};
  schedule.add("scan", kSmall);
  schedule.add("scan", kSmall);
  schedule.add("sort", kSmall);
  schedule.add("sort", kSmall);
  EXPECT_EQ(schedule.left({}, 1), std::nullopt);
  ASSERT_EQ(schedule.next(), 0u);
  ASSERT_EQ(schedule.next(), 2u);
  schedule.ended(0, 3.0);
  schedule.ended(2, 30.0);
  EXPECT_NEAR(*schedule.left({}, 1), 33, 1e-6);
  EXPECT_EQ(schedule.next(), 3u);
  EXPECT_NEAR(*schedule.left({{3, 10}}, 1), 3 + 20, 1e-6);
  EXPECT_NEAR(*schedule.left({{3, 10}}, 4), 20, 1e-6);  // the longest one alone
  EXPECT_NEAR(*schedule.left({{3, 99}}, 1), 3, 1e-6);
  schedule.ended(3, std::nullopt);  // it was killed
  EXPECT_EQ(schedule.next(), 1u);
}

TEST(ScheduleTest, UnknownOnesCountAsTheMeanOfWhatHasEnded) {
  Schedule schedule{CostModel()};
  for (const char* program : {"scan", "sort", "bfs"}) schedule.add(program, kSmall);
  ASSERT_EQ(schedule.next(), 0u);
  schedule.ended(0, 3.0);
  EXPECT_NEAR(*schedule.left({}, 1), 6, 1e-9);
}

TEST(ScheduleTest, UnknownOnesCountAsTheMeanOfTheOthers) {
  Schedule schedule(learned());
  schedule.add("bfs", kSmall);
  schedule.add("scan", kSmall);
  EXPECT_NEAR(*schedule.left({}, 1), 4, 0.2);
}

TEST(ProgressTest, Line) {
  EXPECT_EQ(progress_text({100, 12, 1, std::nullopt, {}}), "12/100 runs, 1 failed");
  EXPECT_EQ(progress_text({100, 12, 0, 400.0, {{"a", 3, 5 << 20}, {"b", 35, 210 << 20}}}),
            "12/100 runs, 0 failed, about 7 min left; now: b (35 s, 210 MiB) and 1 more, "
            "215 MiB in all");
}

TEST(ProgressTest, Durations) {
  EXPECT_EQ(duration_text(299.6), "300 s");
  EXPECT_EQ(duration_text(300), "5 min");
  EXPECT_EQ(duration_text(99.4 * 60), "99 min");
  EXPECT_EQ(duration_text(3.4 * 3600), "3.4 h");
}

TEST(ShardTest, EachKeyHasOneShard) {
  std::vector<unsigned> owned(7);
  for (int i = 0; i < 700; ++i) {
    const std::string key = sha256_hex(std::to_string(i));
    unsigned owners = 0;
    for (unsigned index = 1; index <= 7; ++index)
      if (Shard{index, 7}.owns(key)) {
        ++owners;
        ++owned[index - 1];
      }
    ASSERT_EQ(owners, 1u);
  }
  for (const unsigned runs : owned) EXPECT_GT(runs, 50u);
}

TEST(ShardTest, Parsed) {
  const Shard shard = parse_shard("3/8");
  EXPECT_EQ(shard.index, 3u);
  EXPECT_EQ(shard.count, 8u);
  for (const char* wrong : {"", "3", "3/", "0/8", "9/8", "3/8x", "-1/8", "a/b", "3/0"})
    EXPECT_THROW(parse_shard(wrong), UserError) << wrong;
}

}  // namespace
}  // namespace warpmem::sweeps
