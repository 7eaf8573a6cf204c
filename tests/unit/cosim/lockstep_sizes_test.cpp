// SPDX-License-Identifier: Apache-2.0
// The sizes of a lockstep run that is not told one: what they must contain, and that the views
// agree at each of them.
#include "cosim/lockstep_sizes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/errors.hpp"

namespace warpmem::cosim {
namespace {

const std::vector<std::string> kUnits = {"dau",        "tsma_index_gen",    "htsma_steer",
                                         "laws_score", "throttle_unit",     "cart_branch",
                                         "mrpb_drain", "bucl_ctrl",         "dl_mshr",
                                         "tsma",       "mshr_conventional", "mshr_set_assoc"};

struct Place {
  std::string unit;
  std::size_t index;
};

std::vector<Place> places() {
  std::vector<Place> list;
  for (const std::string& unit : kUnits)
    for (std::size_t i = 0; i < sized_lockstep(unit).size(); ++i) list.push_back({unit, i});
  return list;
}

class LockstepSizes : public testing::TestWithParam<Place> {};

TEST_P(LockstepSizes, ViewsAgree) {
  const SizedLockstep sized = sized_lockstep(GetParam().unit)[GetParam().index];
  LockstepOptions options;
  options.cycles = 10'000;
  const LockstepResult result = sized.run(options);
  EXPECT_FALSE(result.difference) << sized.size << "\n" << result.describe("");
  EXPECT_GE(result.cycles, 10'000u);
}

INSTANTIATE_TEST_SUITE_P(All, LockstepSizes, testing::ValuesIn(places()), [](const auto& test) {
  return test.param.unit + "_" + std::to_string(test.param.index);
});

TEST(LockstepSizesList, TheDauStartsAsInTheShippedConfigurationAndGoesToItsCorners) {
  const auto& sizes = dau_sizes();
  EXPECT_EQ(text_of(sizes.front()), "128 sets of 2 slots, 64 reserved");
  EXPECT_EQ(text_of(DauLockstepOptions().size), text_of(sizes.front()));
  std::set<std::uint32_t> sets, slots;
  bool none = false, half = false, all = false;
  for (const mha::DauSize& size : sizes) {
    sets.insert(size.sets);
    slots.insert(size.slots);
    none |= size.reserved == 0;
    half |= 2 * size.reserved == size.sets;
    all |= size.reserved == size.sets;
  }
  for (const std::uint32_t n : {1, 3, 33, 70, 96, 128}) EXPECT_EQ(sets.count(n), 1u) << n;
  EXPECT_EQ(slots, (std::set<std::uint32_t>{1, 2, 4, 8}));
  EXPECT_TRUE(none && half && all);
}

// Beyond 64 entries, at one, and at a number that is no power of two.
TEST(LockstepSizesList, EveryListLeavesTheSmallPowersOfTwo) {
  const auto& entries = index_gen_sizes();
  for (const std::uint32_t n : {1u, 33u, 65u, 128u})
    EXPECT_NE(std::find(entries.begin(), entries.end(), n), entries.end()) << n;
  for (const std::string& unit : kUnits) EXPECT_GE(sized_lockstep(unit).size(), 5u) << unit;
  EXPECT_THROW(sized_lockstep("dua"), UserError);
}

}  // namespace
}  // namespace warpmem::cosim
