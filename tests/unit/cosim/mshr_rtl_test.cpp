// SPDX-License-Identifier: Apache-2.0
// The MSHR files of rtl/ against the plain models, and the models against a file that is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cosim/hardware_unit.hpp"
#include "cosim/unit_library.hpp"
#include "unit/cosim/unit_place.hpp"
#include "units/mshr_conventional/mshr_conventional_unit.hpp"

namespace warpmem::cosim {

namespace {

class MshrRtl : public testing::TestWithParam<Place> {};

TEST_P(MshrRtl, AnswersLikeThePlainModelInEveryCycle) {
  const HardwareUnit& unit = hardware_unit(GetParam().unit);
  LockstepOptions options;
  options.cycles = 200'000;
  options.seed = 100 + GetParam().index;
  const LockstepResult result = unit.run(unit.sizes()[GetParam().index], options);
  ASSERT_FALSE(result.difference) << result.difference->signal << " in cycle "
                                  << result.difference->cycle << ": model "
                                  << result.difference->of_class << ", RTL "
                                  << result.difference->of_rtl;
  EXPECT_EQ(result.cycles, 200'000u);
  EXPECT_THAT(result.coverage.missing, testing::IsEmpty());
  for (const auto& [situation, count] : result.coverage.lists.front().second)
    if (situation == "requests drained") {
      EXPECT_GT(count, 3000u);
    }
}

INSTANTIATE_TEST_SUITE_P(All, MshrRtl, testing::ValuesIn(places("mshr")));

// The file has fewer slots than the model believes.
TEST(MshrRtlDifference, IsReportedWithBothValues) {
  using Unit = units::MshrConventionalDescription;
  LockstepOptions options;
  units::MshrSize size = Unit::kSizes[0];
  size.entries = 4;
  size.slots = 1;
  options.places.library = build_unit(View::rtl, shape_of<Unit>(size), options.places);
  size.slots = 2;
  const LockstepResult result = run_unit<Unit>(size, options);
  ASSERT_TRUE(result.difference);
  EXPECT_EQ(result.difference->signal, "req_ready");
  EXPECT_EQ(result.difference->of_class, "1");
  EXPECT_EQ(result.difference->of_rtl, "0");
  EXPECT_EQ(result.cycles, result.difference->cycle);
}

}  // namespace
}  // namespace warpmem::cosim
