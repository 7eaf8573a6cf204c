// SPDX-License-Identifier: Apache-2.0
// The figures of published results: where marks stand, and what has none.
#include "sweeps/figure.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace warpmem::sweeps {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::Not;

Json row(const char* name, const char* unit, double published, double measured,
         const char* standing) {
  return {{"name", name},      {"unit", unit},    {"published", "P"},  {"low", published},
          {"high", published}, {"measured", "M"}, {"value", measured}, {"standing", standing}};
}

Json record(const char* id, const char* verdict, std::vector<Json> rows) {
  return {{"id", id}, {"title", "IPC <here>"}, {"verdict", verdict}, {"rows", std::move(rows)}};
}

std::string overview_of_rows(std::vector<Json> rows) {
  return overview_of({record("C1", "weak", std::move(rows))});
}

std::string figure_with_median(double median) {
  Json one = row("r", "gain, %", 10, 20, "shape");
  one["without_one"] = Json::object();
  one["least"] = std::min(median, 5.0);
  one["most"] = std::max(median, 30.0);
  one["median"] = median;
  return figure_of(record("C1", "shape", {one}));
}

// The axis is from 0 to 20, on 440 behind 16 + 7 * 11 of the name.
TEST(Figure, AMedianOnTheAxisIsATick) {
  const std::string picture = figure_with_median(15);
  EXPECT_THAT(picture, HasSubstr("<line x1=\"423.0\" y1=\"59.5\" x2=\"423.0\" y2=\"69.5\""));
  EXPECT_THAT(picture, Not(HasSubstr("<path")));
  EXPECT_THAT(picture, Not(HasSubstr("beyond")));
  EXPECT_THAT(picture, HasSubstr(">P | M shape</text>"));
}

TEST(Figure, AMedianBeyondTheAxisPointsThereAndSaysItsValue) {
  const std::string above = figure_with_median(25);
  EXPECT_THAT(above, HasSubstr("path d=\"M533.0,64.5 l-8,-5"));
  EXPECT_THAT(above, HasSubstr("<title>median 25.0</title>"));
  EXPECT_THAT(above, HasSubstr(">P | M shape, median 25.0</text>"));
  EXPECT_THAT(above, HasSubstr("triangle: median beyond the axis"));
  EXPECT_THAT(above, Not(HasSubstr("y1=\"59.5\"")));
  const std::string below = figure_with_median(-3);
  EXPECT_THAT(below, HasSubstr("path d=\"M93.0,64.5 l8,-5"));
  EXPECT_THAT(below, HasSubstr(">P | M shape, median -3.0</text>"));
}

TEST(Overview, AMarkStandsAtThePartOfTheEffect) {
  // The plot begins at 500 and has 420 from -100 % to 200 %.
  EXPECT_THAT(overview_of_rows({row("half", "gain, %", 10, 5, "shape")}),
              HasSubstr("cx=\"710.0\" cy=\"54.0\""));
  EXPECT_THAT(overview_of_rows({row("all", "gain, %", -10, -10, "near")}),
              HasSubstr("cx=\"780.0\""));
  EXPECT_THAT(overview_of_rows({row("against", "gain, %", 10, -5, "differs")}),
              HasSubstr("cx=\"570.0\""));
  // A percentage is as far from 100 as its effect: 90 of 80 is half of it.
  EXPECT_THAT(overview_of_rows({row("half", "% of the baseline", 80, 90, "shape")}),
              HasSubstr("cx=\"710.0\""));
}

TEST(Overview, WhatLiesBeyondTheAxisPointsThere) {
  const std::string above = overview_of_rows({row("much", "gain, %", 10, 50, "differs")});
  EXPECT_THAT(above, HasSubstr("path d=\"M920.0,54.0 l-8,-5"));
  EXPECT_THAT(above, Not(HasSubstr("<circle")));
  EXPECT_THAT(overview_of_rows({row("against", "gain, %", 10, -50, "differs")}),
              HasSubstr("path d=\"M500.0,54.0 l8,-5"));
}

TEST(Overview, RowsWithoutAnEffectHaveNoMark) {
  Json limit = row("limit", "gain, %", 10, 5, "holds");
  limit.erase("low");
  Json absent = row("absent", "gain, %", 10, 5, "not measured");
  absent.erase("value");
  const std::string picture =
      overview_of_rows({limit, absent, row("none", "% of the baseline", 101, 90, "differs")});
  EXPECT_THAT(picture, Not(HasSubstr("<title>")));
}

TEST(Overview, VerdictsAreWordsInColour) {
  const std::string picture = overview_of(
      {record("C1", "near", {}), record("C2", "differs", {row("r", "gain, %", 10, 1, "weak")})});
  EXPECT_THAT(picture, HasSubstr("fill=\"#1a7f37\">near</text>"));
  EXPECT_THAT(picture, HasSubstr("fill=\"#c62828\">differs</text>"));
  EXPECT_THAT(picture, HasSubstr("C1: IPC &lt;here></text>"));
  EXPECT_THAT(picture, HasSubstr("<title>r: published P, measured M, weak</title>"));
}

}  // namespace
}  // namespace warpmem::sweeps
