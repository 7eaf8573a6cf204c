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
