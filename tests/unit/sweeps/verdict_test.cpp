// SPDX-License-Identifier: Apache-2.0
#include "sweeps/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"
#include "sweeps/results_page.hpp"

namespace warpmem::sweeps {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Row published(const std::string& name, double low, double high, Aggregate as = Aggregate::gain) {
  Row row;
  row.name = name;
  row.low = low;
  row.high = high;
  row.measure.as = as;
  row.measure.metric.numerator = {"gpu.ipc"};
  return row;
}
Row published(const std::string& name, double value, Aggregate as = Aggregate::gain) {
  return published(name, value, value, as);
}
Row expected_above(double limit, Aggregate as = Aggregate::gain) {
  Row row = published("expected", 0, as);
  row.above = limit;
  return row;
}

/// Workloads a, b, c, ... contribute these values.
MeasuredRow of(const std::vector<double>& values) {
  MeasuredRow row;
  char name = 'a';
  for (const double value : values) row.values.push_back({std::string(1, name++), value, ""});
  return row;
}

Experiment experiment(const std::vector<Row>& rows) {
  Experiment e;
  e.id = "T1";
  e.rows = rows;
  return e;
}
Verdict judged(const Row& row, const std::vector<double>& values) {
  return judge(experiment({row}), {of(values)});
}
Standing standing(const Row& row, const std::vector<double>& values) {
  return judged(row, values).rows[0].standing;
}

TEST(VerdictTest, WhatStandsBesideTheMean) {
  // Gains of 10, 20 and 35 %: 1.782 ^ (1/3) = 1.2124; without c 1.32 ^ (1/2) = 1.1489.
  const Verdict v = judged(published("x", 20), {1.10, 1.20, 1.35});
  const MeasuredRow& row = v.rows[0];
  EXPECT_NEAR(*row.value, 21.24, 0.005);
  EXPECT_NEAR(row.median, 20, 1e-9);
  EXPECT_NEAR(row.least, 10, 1e-9);
  EXPECT_NEAR(row.most, 35, 1e-9);
  EXPECT_EQ(row.gain, 3u);
  EXPECT_EQ(row.lose, 0u);
  EXPECT_EQ(row.left_out->workload, "c");
  EXPECT_NEAR(row.left_out->value, 14.89, 0.005);
  EXPECT_EQ(v.standing, Standing::near);
}

TEST(VerdictTest, HalfAPointIsNeitherAGainNorALoss) {
  const MeasuredRow row = judged(published("x", 20), {1.004, 0.996, 1.006, 0.994, 1}).rows[0];
  EXPECT_EQ(row.gain, 1u);
  EXPECT_EQ(row.lose, 1u);
}

TEST(VerdictTest, TheMedianOfAnEvenNumberIsBetweenTheMiddleTwo) {
  EXPECT_NEAR(judged(published("x", 20), {1.4, 1.1, 1.3, 1.2}).rows[0].median, 25, 1e-9);
}

TEST(VerdictTest, BandOfThirtyPercent) {
  EXPECT_EQ(standing(published("x", 20), {1.141}), Standing::near);
  EXPECT_EQ(standing(published("x", 20), {1.139}), Standing::shape);
  EXPECT_EQ(standing(published("x", 20), {1.261}), Standing::shape);
  EXPECT_EQ(standing(published("x", -20), {0.85}), Standing::near);
  EXPECT_EQ(standing(published("x", 14, 16), {1.20}), Standing::near);
  EXPECT_EQ(standing(published("x", 14, 16), {1.21}), Standing::shape);
}

TEST(VerdictTest, AQuarterOfTheEffectInTheMean) {
  EXPECT_EQ(standing(published("x", 20), {1.051}), Standing::shape);
  const MeasuredRow weak = judged(published("x", 20), {1.049}).rows[0];
  EXPECT_EQ(weak.standing, Standing::weak);
  EXPECT_EQ(weak.why, "measured 4.9 where a quarter of the published effect is 5.0");
}

TEST(VerdictTest, AQuarterOfTheEffectInTheMedian) {
  // One of eleven gains 60 %: the mean 4.4 is more than a quarter of 16, the median is none of it.
  const Verdict v = judged(published("x", 16), {1, 1, 1, 1, 1, 1.6, 1, 1, 1, 1, 1});
  EXPECT_NEAR(*v.rows[0].value, 4.37, 0.005);
  EXPECT_EQ(v.standing, Standing::weak);
  EXPECT_THAT(v.rows[0].why, HasSubstr("median 0.0"));
}

TEST(VerdictTest, TheSignSurvivesLeavingOutAnyProgram) {
  // 1.5 x 1.05 x 0.7 is a gain of 3.3 %; without the first it is a loss of 14.3 %.
  const Verdict v = judged(published("x", 6), {1.5, 1.05, 0.7});
  EXPECT_EQ(v.standing, Standing::weak);
  EXPECT_EQ(v.rows[0].why, "without a it is -14.3");
  EXPECT_EQ(standing(published("x", 6), {1.5, 1.05, 0.97}), Standing::shape);
}

TEST(VerdictTest, NoEffectIsNotTheSignOfOne) {
  EXPECT_EQ(standing(published("x", 34), {1.004}), Standing::differs);
  EXPECT_EQ(standing(published("x", 34), {0.998}), Standing::differs);
  EXPECT_EQ(standing(published("x", 34), {1.006}), Standing::weak);
}

TEST(VerdictTest, WhatWasPublishedAsHardlyAnyEffect) {
  EXPECT_EQ(standing(published("x", 0.5), {1.002}), Standing::near);     // 0.3 points apart
  EXPECT_EQ(standing(published("x", 0.5), {0.992}), Standing::shape);    // 1.3
  EXPECT_EQ(standing(published("x", 0.5), {0.985}), Standing::differs);  // 2.0
  EXPECT_EQ(standing(published("x", 99, Aggregate::percent), {1.0}), Standing::shape);
  EXPECT_EQ(standing(published("x", 97, Aggregate::percent), {1.0}), Standing::differs);
}

TEST(VerdictTest, APercentageIsJudgedByItsDistanceFrom100) {
  EXPECT_EQ(standing(published("x", 92, Aggregate::percent), {0.9}), Standing::near);
  EXPECT_EQ(standing(published("x", 80, Aggregate::percent), {0.9}), Standing::shape);
  EXPECT_EQ(standing(published("x", 50, Aggregate::percent), {0.9}), Standing::weak);
  EXPECT_EQ(standing(published("x", 105, Aggregate::percent), {0.9}), Standing::differs);
}

TEST(VerdictTest, AreaAndPowerAreJudgedByTheirRatio) {
  const auto area = [](double value, const char* metric, double measured) {
    Row row = published("x", value, Aggregate::percent);
    row.measure.metric.numerator = {metric};
    return standing(row, {measured});
  };
  // 33 %, of which 50.5 % is three quarters of the distance from 100, but one and a half of the
  // ratio.
  EXPECT_EQ(area(33, "area_um2", 0.505), Standing::shape);
  EXPECT_EQ(area(33, "area_um2", 0.41), Standing::near);
  EXPECT_EQ(area(12, "power_mw", 0.151), Standing::shape);
  EXPECT_EQ(area(33, "cycle_ns", 0.505), Standing::near);
}

TEST(VerdictTest, AMeanIsNearOrDiffers) {
  EXPECT_EQ(standing(published("x", 40, Aggregate::mean), {50}), Standing::near);
  EXPECT_EQ(standing(published("x", 20, Aggregate::mean), {50}), Standing::differs);
  // A tenth of a nanosecond is no percentage.
  EXPECT_EQ(standing(published("x", 0.4, Aggregate::mean), {0.8}), Standing::differs);
}

TEST(VerdictTest, WhatIsOnlyExpectedHoldsOrNot) {
  EXPECT_EQ(standing(expected_above(0), {1.10, 1.02}), Standing::shape);
  EXPECT_EQ(standing(expected_above(0), {1.003}), Standing::weak);
  EXPECT_EQ(standing(expected_above(0), {0.98}), Standing::differs);
  EXPECT_EQ(standing(expected_above(0), {1.3, 1.0, 1.0}), Standing::weak);  // a alone
  EXPECT_EQ(standing(expected_above(5, Aggregate::mean), {5.1}), Standing::shape);
  EXPECT_EQ(standing(expected_above(5, Aggregate::mean), {5.0}), Standing::differs);
}

Verdict pair(double first, double second) {
  return judge(experiment({published("x", 20), published("y", 30)}), {of({first}), of({second})});
}

TEST(VerdictTest, Orders) {
  EXPECT_EQ(pair(1.10, 1.15).standing, Standing::shape);
  const Verdict tie = pair(1.100, 1.103);
  EXPECT_EQ(tie.standing, Standing::weak);
  EXPECT_EQ(tie.ties, std::vector<std::string>{"y over x"});
  const Verdict reversed = pair(1.12, 1.11);
  EXPECT_EQ(reversed.standing, Standing::differs);
  EXPECT_EQ(reversed.reversed, std::vector<std::string>{"y over x"});
  EXPECT_EQ(pair(1.25, 1.25).standing, Standing::near);  // both within the band
}

TEST(VerdictTest, OrdersThatDoNotCount) {
  const auto verdict = [](Row first, const Row& second) {
    return judge(experiment({std::move(first), second}), {of({1.3}), of({1.1})});
  };
  EXPECT_TRUE(verdict(published("x", 20), published("y", 21.5)).reversed.empty());
  EXPECT_FALSE(verdict(published("x", 20), published("y", 21.6)).reversed.empty());
  Row other = published("x", 20);
  other.measure.over["scheme"] = "worse";
  EXPECT_TRUE(verdict(other, published("y", 40)).reversed.empty());
  EXPECT_TRUE(verdict(expected_above(0), published("y", 40)).reversed.empty());
  Row variant = published("y", 40);
  variant.variant = "180 nm";
  EXPECT_TRUE(verdict(published("x", 20), variant).reversed.empty());
  Row same = published("x", 20);
  same.variant = "180 nm";
  EXPECT_FALSE(verdict(same, variant).reversed.empty());
}

// x and y under two widths of links, z under both.
Experiment with_variants() {
  std::vector<Row> rows = {published("x", 20), published("y", 30), published("x, wide", 20),
                           published("y, wide", 30), expected_above(0)};
  rows[0].variant = rows[1].variant = "narrow";
  rows[2].variant = rows[3].variant = "wide";
  return experiment(rows);
}

TEST(VerdictTest, EachValueOfWhatIsLeftOpenHasItsVerdict) {
  const auto standings = [](const std::vector<double>& values) {
    std::vector<MeasuredRow> rows;
    for (const double value : values) rows.push_back(of({value}));
    const Verdict v = judge(with_variants(), rows);
    EXPECT_EQ(v.variants.size(), 2u);
    EXPECT_EQ(v.variants[0].name, "narrow");
    EXPECT_EQ(v.variants[1].name, "wide");
    return std::vector{v.standing, v.variants[0].standing, v.variants[1].standing};
  };
  using S = Standing;
  EXPECT_EQ(standings({1.02, 1.03, 1.2, 1.3, 1.1}), (std::vector{S::weak, S::weak, S::near}));
  // The order is the other way round in one of them.
  EXPECT_EQ(standings({1.15, 1.10, 1.1, 1.2, 1.1}),
            (std::vector{S::differs, S::differs, S::shape}));
  // A row without a variant is part of each.
  EXPECT_EQ(standings({1.2, 1.3, 1.2, 1.3, 0.9}),
            (std::vector{S::differs, S::differs, S::differs}));
}

TEST(VerdictTest, AResultThatIsRefutedSaysHowItsVariantsStand) {
  Experiment e = with_variants();
  e.decisive_run = "sweeps/x.yaml";
  const Verdict v = judge(e, {of({0.9}), of({1.3}), of({1.2}), of({1.3}), of({1.1})});
  EXPECT_EQ(v.standing, Standing::refuted);
  EXPECT_EQ(v.variants[0].standing, Standing::differs);
  EXPECT_EQ(v.variants[1].standing, Standing::near);
  EXPECT_TRUE(judged(published("x", 20), {1.2}).variants.empty());
}

TEST(VerdictTest, TheWorstRowIsTheVerdict) {
  const std::vector<Row> rows = {published("x", 20), published("y", 20), expected_above(0)};
  const auto verdict = [&](double x, double y, double expected) {
    return judge(experiment(rows), {of({x}), of({y}), of({expected})}).standing;
  };
  EXPECT_EQ(verdict(1.2, 1.2, 1.1), Standing::near);
  EXPECT_EQ(verdict(1.2, 1.1, 1.1), Standing::shape);
  EXPECT_EQ(verdict(1.2, 1.01, 1.1), Standing::weak);
  EXPECT_EQ(verdict(1.2, 1.2, 0.9), Standing::differs);
  EXPECT_EQ(judge(experiment(rows), {of({1.2}), {}, of({1.1})}).standing, Standing::not_measured);
  EXPECT_EQ(judge(experiment(rows), {of({0.8}), {}, of({1.1})}).standing, Standing::differs);
  EXPECT_EQ(judge(experiment({rows[2]}), {of({1.1})}).standing, Standing::shape);  // no number
}

TEST(VerdictTest, ADecisiveRunRefutesWhatDiffers) {
  Experiment e = experiment({published("x", 20)});
  e.decisive_run = "sweeps/x.yaml";
  EXPECT_EQ(judge(e, {of({0.9})}).standing, Standing::refuted);
  EXPECT_EQ(judge(e, {of({1.02})}).standing, Standing::weak);
  EXPECT_FALSE(judge(e, {of({0.9})}).met(Band::shape));
}

TEST(VerdictTest, BandsThatAreMet) {
  EXPECT_TRUE(judged(published("x", 20), {1.2}).met(Band::near));
  EXPECT_TRUE(judged(published("x", 20), {1.2}).met(Band::shape));
  EXPECT_FALSE(judged(published("x", 20), {1.1}).met(Band::near));
  EXPECT_TRUE(judged(published("x", 20), {1.1}).met(Band::shape));
  EXPECT_FALSE(judged(published("x", 20), {1.01}).met(Band::shape));
}

TEST(VerdictTest, ABareMeanIsNoShape) {
  const auto bare = [](double mean) {
    MeasuredRow row;
    row.bare_mean = mean;
    return judge(experiment({published("x", 20)}), {row}).standing;
  };
  EXPECT_EQ(bare(19), Standing::near);
  EXPECT_EQ(bare(10), Standing::not_measured);
  EXPECT_EQ(bare(3), Standing::weak);
  EXPECT_EQ(bare(-3), Standing::differs);
}

class ResultsPageTest : public ::testing::Test {
 protected:
  std::string page() const { return read_text(docs_ + "/results.md"); }
  std::string record(const char* id) const { return docs_ + "/results/" + id + ".json"; }

  const test::ScratchFolder folder_;
  const std::string docs_ = folder_ / "docs";
  Experiment experiment_ = experiment({published("up", 20)});
};

TEST_F(ResultsPageTest, WhatIsLeftOpenIsCountedApart) {
  experiment_ = with_variants();
  const Verdict v = judge(experiment_, {of({1.02}), of({1.03}), of({1.2}), of({1.3}), of({1.1})});
  write_record(docs_, experiment_, v);
  write_page(docs_);
  EXPECT_THAT(page(), HasSubstr("1 results: 1 weak.\n"));
  EXPECT_THAT(page(), HasSubstr("with the results in sight: 1 near.\n"));
  EXPECT_THAT(page(), HasSubstr("results/weak.svg) weak | narrow: weak; wide: near |\n"));
  EXPECT_THAT(page(), HasSubstr("\nBy what is left open: narrow: weak; wide: near.\n"));
  EXPECT_THAT(text_of(experiment_, v), HasSubstr("T1, wide: near\nT1: weak\n"));
  // A refuted publication is so with every value.
  experiment_.decisive_run = "warpmem reproduce T1";
  write_record(docs_, experiment_,
               judge(experiment_, {of({0.9}), of({1.3}), of({1.2}), of({1.3}), of({1.1})}));
  write_page(docs_);
  EXPECT_THAT(page(), HasSubstr("with the results in sight: 1 refuted.\n"));
}

TEST_F(ResultsPageTest, TheVerdictInWordsAndColour) {
  write_record(docs_, experiment_, judge(experiment_, {of({1.10, 1.20, 1.35})}));
  write_page(docs_);
  EXPECT_THAT(page(), HasSubstr("1 results: 1 near.\n"));
  EXPECT_THAT(page(), HasSubstr("| shape | ![](results/near.svg) near |  |\n"));
  EXPECT_THAT(page(), Not(HasSubstr("left open:")));
  EXPECT_THAT(page(),
              HasSubstr("| up | 20.0 | 21.2 | 20.0 | 3 : 0 | 10.0 to 35.0 | 14.9 (c) | near |\n"));
  EXPECT_THAT(read_text(docs_ + "/results/T1.svg"), HasSubstr(">20.0 | 21.2 near<"));
  EXPECT_TRUE(std::filesystem::exists(docs_ + "/results/not-measured.svg"));
}

TEST_F(ResultsPageTest, ANoteLastsUntilItIsMeasuredAgain) {
  write_record(docs_, experiment_, judge(experiment_, {of({1.2})}));
  const std::string measured = read_text(record("T1"));
  std::string noted = measured;
  noted.insert(noted.find('{') + 1, "\"note\": \"Of an older model.\",");
  write_text(record("T1"), noted);
  judge_again(docs_, experiment_);
  write_page(docs_);
  EXPECT_THAT(page(), HasSubstr(" near \\* |  |\n"));
  EXPECT_THAT(page(), HasSubstr("\n\nOf an older model.\n"));
  write_record(docs_, experiment_, judge(experiment_, {of({1.2})}));
  EXPECT_EQ(read_text(record("T1")), measured);
}

TEST_F(ResultsPageTest, JudgedAgainWithoutARun) {
  write_record(docs_, experiment_, judge(experiment_, {of({1.10, 1.20, 1.35})}));
  experiment_.rows[0].low = experiment_.rows[0].high = 40;
  experiment_.rows.push_back(published("new", 10));
  const Verdict again = judge_again(docs_, experiment_);
  EXPECT_EQ(again.rows[0].standing, Standing::shape);
  EXPECT_NEAR(*again.rows[0].value, 21.24, 0.005);
  EXPECT_EQ(again.rows[1].standing, Standing::not_measured);
  EXPECT_EQ(again.standing, Standing::not_measured);
  write_page(docs_);
  EXPECT_THAT(page(), HasSubstr("- new: not among the stored values"));
  EXPECT_THAT(page(), HasSubstr("**not measured**.\n"));
  experiment_.id = "T2";
  EXPECT_THROW(judge_again(docs_, experiment_), UserError);
}

TEST_F(ResultsPageTest, ARecordWithoutTheValuesOfItsPrograms) {
  write_record(docs_, experiment_, judge(experiment_, {of({1.04, 1.02})}));
  auto old = nlohmann::ordered_json::parse(read_text(record("T1")));
  for (const char* key :
       {"value", "values", "median", "least", "most", "gain", "lose", "without_one"})
    old["rows"][0].erase(key);
  write_text(record("T1"), old.dump());
  EXPECT_EQ(judge_again(docs_, experiment_).standing, Standing::weak);
  const std::string once = read_text(record("T1"));
  judge_again(docs_, experiment_);
  EXPECT_EQ(read_text(record("T1")), once);
  write_page(docs_);
  EXPECT_THAT(page(), HasSubstr("| up | 20.0 | 3.0 |  |  |  |  | weak |\n"));
  EXPECT_THAT(page(), HasSubstr("\nWorkloads: a, b.\nWhat each program contributes was not"));
}

}  // namespace
}  // namespace warpmem::sweeps
