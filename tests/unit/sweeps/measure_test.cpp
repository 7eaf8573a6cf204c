// SPDX-License-Identifier: Apache-2.0
#include "sweeps/measure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "base/errors.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::sweeps {
namespace {

using ::testing::HasSubstr;

class MeasureTest : public ::testing::Test {
 protected:
  MeasureTest() : database_(folder_ / "runs.sqlite") {
    std::vector<Point> points;
    // These are the IPC of two workloads under three schemes, with gains of 21 and 0 %, geometric
    // mean 10 %.
    for (const auto& [scheme, first, second] :
         {std::tuple{"base", 100.0, 50.0}, {"better", 121.0, 50.0}, {"worse", 90.0, 45.0}}) {
      for (const auto& [workload, ipc] : {std::pair{"a", first}, {"b", second}}) {
        const std::string key = std::string(scheme) + workload;
        points.push_back({key, workload, "", {{"scheme", scheme}}});
        RunResult run;
        run.key = key;
        run.complete = true;
        run.stats = {{"gpu.ipc", ipc}, {"fails.x", ipc}, {"fails.y", 3 * ipc}};
        database_.store(run);
      }
    }
    database_.set_points("test", "0", points);
  }

  Experiment experiment(const std::string& rows, const std::string& common = "") const {
    std::ofstream(file_) << "experiment:\n  id: T1\n  band: near\n  measure: {metric: gpu.ipc, as: "
                            "gain, over: {scheme: base}"
                         << common << "}\n  rows:\n"
                         << rows;
    return read_experiment(file_);
  }
  Verdict judged(const std::string& rows) const {
    const Experiment e = experiment(rows);
    return judge(e, measure(e, database_));
  }
  std::string error(const std::string& rows) const {
    try {
      judged(rows);
    } catch (const UserError& e) {
      return e.what();
    }
    return "";
  }

  const test::ScratchFolder folder_;
  const std::string file_ = folder_ / "experiment.yaml";
  Database database_;
};

TEST_F(MeasureTest, GeometricMeansOverTheBaseline) {
  const Verdict v = judged(
      "    - {name: up, point: {scheme: better}, published: 9}\n"
      "    - {name: down, point: {scheme: worse}, published: -11}\n");
  EXPECT_NEAR(*v.rows[0].value, 10.0, 1e-9);
  EXPECT_NEAR(*v.rows[1].value, -10.0, 1e-9);
  ASSERT_EQ(v.rows[0].values.size(), 2u);
  EXPECT_EQ(v.rows[0].values[0].workload, "a");
  EXPECT_NEAR(v.rows[0].values[0].value, 1.21, 1e-9);
  EXPECT_EQ(v.standing, Standing::near);
}

TEST_F(MeasureTest, TheBestLabelOfEachWorkloadIsNamed) {
  const Verdict v = judged(
      "    - {name: x, point: {scheme: worse}, as: percent, over: {scheme: [base, better]}, "
      "published: 80}\n");
  ASSERT_EQ(v.rows[0].values.size(), 2u);
  EXPECT_EQ(v.rows[0].values[0].over, "better");
  EXPECT_EQ(v.rows[0].values[1].over, "base");  // the first of equal ones
}

TEST_F(MeasureTest, OtherMeasures) {
  const Verdict v = judged(
      "    - {name: p, point: {scheme: worse}, as: percent, published: [85, 95]}\n"
      "    - {name: l, point: {scheme: worse}, as: loss, published: 10}\n"
      "    - {name: r, point: {scheme: worse}, as: reduction, published: 10}\n"
      "    - {name: m, point: {scheme: base}, as: mean, workloads: [b], published: 50}\n"
      "    - {name: s, point: {scheme: base}, as: mean, metric: {share: [fails.x], of: [fails.x, "
      "fails.y]}, expect: {below: 30}}\n"
      "    - {name: sum, point: {scheme: base}, as: mean, metric: [fails.x, fails.y], workloads: "
      "[b], published: 200}\n"
      "    - {name: best, point: {}, best_of: scheme, published: 10}\n");
  EXPECT_NEAR(*v.rows[0].value, 90, 1e-9);
  EXPECT_NEAR(*v.rows[1].value, 10, 1e-9);
  EXPECT_NEAR(*v.rows[2].value, 10, 1e-9);
  EXPECT_NEAR(*v.rows[3].value, 50, 1e-9);
  EXPECT_NEAR(*v.rows[4].value, 25, 1e-9);
  EXPECT_NEAR(*v.rows[5].value, 200, 1e-9);
  EXPECT_NEAR(*v.rows[6].value, 10, 1e-9);
  EXPECT_EQ(v.rows[6].best, "better");
}

TEST_F(MeasureTest, TheBestOfSeveralBaselinesForEachWorkload) {
  // Row a is 90 of 121 (better), row b is 45 of 50 (either).
  const std::string row =
      "    - {name: x, point: {scheme: worse}, as: percent, published: 80, over: ";
  const Verdict v = judged(row + "{scheme: [base, better]}}\n");
  EXPECT_NEAR(*v.rows[0].value, 100 * std::sqrt(90.0 / 121 * 0.9), 1e-9);
  EXPECT_THAT(error(row + "{scheme: [base, bettr]}}\n"), HasSubstr("has no bettr"));
  EXPECT_THAT(error(row + "{scheme: []}}\n"), HasSubstr("list of labels"));
}

TEST_F(MeasureTest, AFailedRunIsLeftOutAndNamed) {
  RunResult failed;
  failed.key = "betterb";
  database_.forget(failed.key);
  database_.store(failed);
  const Verdict v = judged("    - {name: up, point: {scheme: better}, published: 21}\n");
  EXPECT_NEAR(*v.rows[0].value, 21, 1e-9);
  EXPECT_EQ(v.rows[0].without, std::vector<std::string>{"b"});
}

TEST_F(MeasureTest, WhatRowsAskFor) {
  const auto asked = [this](const std::string& rows) {
    return asked_for(experiment(rows), database_);
  };
  // The points are base, better and worse, each of a and b.
  EXPECT_EQ(asked("    - {name: x, point: {scheme: worse}, published: 1}\n"),
            (std::vector<bool>{true, true, false, false, true, true}));
  EXPECT_EQ(
      asked("    - {name: x, point: {scheme: better}, as: mean, workloads: [b], published: 1}\n"),
      (std::vector<bool>{false, false, false, true, false, false}));
  EXPECT_EQ(asked("    - {name: x, point: {scheme: base}, over: {scheme: [worse, better]}, "
                  "workloads: [a], published: 1}\n"),
            (std::vector<bool>{true, false, true, false, true, false}));
  EXPECT_EQ(asked("    - {name: x, point: {}, best_of: scheme, workloads: [a], published: 1}\n"),
            (std::vector<bool>{true, false, true, false, true, false}));
}

TEST_F(MeasureTest, AndAllBaselinesWhenNothingHasRun) {
  Database nothing(":memory:");
  nothing.set_points("test", "0", database_.points());
  const Experiment e = experiment(
      "    - {name: x, point: {scheme: base}, over: {scheme: [worse, better]}, published: 1}\n");
  EXPECT_EQ(asked_for(e, nothing), std::vector<bool>(6, true));
}

TEST_F(MeasureTest, MistakesAreNamed) {
  EXPECT_THAT(error("    - {name: x, point: {scheme: beter}, published: 1}\n"),
              HasSubstr("did you mean better?"));
  EXPECT_THAT(error("    - {name: x, point: {}, published: 1}\n"),
              HasSubstr("names no label of axis scheme; allowed: base, better, worse"));
  EXPECT_THAT(error("    - {name: x, point: {schem: base}, published: 1}\n"),
              HasSubstr("did you mean scheme?"));
  EXPECT_THAT(error("    - {name: x, point: {scheme: base}, metric: gpu.icp, published: 1}\n"),
              HasSubstr("did you mean gpu.ipc?"));
  EXPECT_THAT(error("    - {name: x, point: {scheme: base}, workloads: [c], published: 1}\n"),
              HasSubstr("workload c is not in the sweep"));
  EXPECT_THAT(error("    - {name: x, point: {scheme: base}, as: gian, published: 1}\n"),
              HasSubstr(":6: as: unknown value gian"));
  EXPECT_THAT(error("    - {name: x, point: {scheme: base}}\n"),
              HasSubstr("a row needs published or expect"));
}

TEST_F(MeasureTest, WhoRefutesNamesTheRun) {
  const auto said = [this](const std::string& decisive) {
    std::ofstream(file_) << "experiment:\n  id: T3\n  measure: {metric: gpu.ipc}\n  decisive: "
                         << decisive << "\n  rows:\n    - {name: x, point: {}, published: 1}\n";
    try {
      return read_experiment(file_).decisive_run;
    } catch (const UserError& e) {
      return std::string(e.what());
    }
  };
  EXPECT_EQ(said("{run: warpmem reproduce T3, shows: why}"), "warpmem reproduce T3");
  EXPECT_EQ(said("{run: experiment.yaml, shows: why}"), "experiment.yaml");
  EXPECT_THAT(said("{run: none.yaml, shows: why}"), HasSubstr(":4: decisive: no such file: none"));
  EXPECT_THAT(said("{run: experiment.yaml}"), HasSubstr(":4: decisive: it needs run and shows"));
}

TEST_F(MeasureTest, TheRunsMayStandInAnotherFile) {
  std::ofstream(file_)
      << "experiment:\n  id: T2\n  sweep: other.yaml\n  measure: {metric: gpu.ipc}\n"
         "  rows:\n    - {name: x, point: {}, published: 1}\n";
  EXPECT_EQ(read_experiment(file_).sweep, folder_ / "other.yaml");
  EXPECT_EQ(experiment("    - {name: x, point: {}, published: 1}\n").sweep, file_);
}

}  // namespace
}  // namespace warpmem::sweeps
