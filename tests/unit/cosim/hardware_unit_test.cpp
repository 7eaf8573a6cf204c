// SPDX-License-Identifier: Apache-2.0
// The list of units, and the sizes of a lockstep run that is not told one: what they must contain,
// and that the views agree at each of them.
#include "cosim/hardware_unit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/errors.hpp"
#include "unit/cosim/unit_place.hpp"
#include "units/bucl_ctrl/bucl_ctrl_unit.hpp"
#include "units/dau/dau_unit.hpp"
#include "units/tsma_index_gen/tsma_index_gen_unit.hpp"

namespace warpmem::cosim {
namespace {

const std::vector<std::string> kUnits = {"dau",        "tsma_index_gen",    "htsma_steer",
                                         "laws_score", "throttle_unit",     "cart_branch",
                                         "mrpb_drain", "bucl_ctrl",         "dl_mshr",
                                         "tsma",       "mshr_conventional", "mshr_set_assoc",
                                         "htsma",      "dl_mshr_pipe",      "cart_shared"};

class LockstepSizes : public testing::TestWithParam<Place> {};

TEST_P(LockstepSizes, ViewsAgree) {
  const HardwareUnit& unit = hardware_unit(GetParam().unit);
  const SizeValues size = unit.sizes()[GetParam().index];
  LockstepOptions options;
  options.cycles = 10'000;
  const LockstepResult result = unit.run(size, options);
  EXPECT_FALSE(result.difference) << unit.text_of(size) << "\n" << result.describe();
  EXPECT_GE(result.cycles, 10'000u);
}

INSTANTIATE_TEST_SUITE_P(All, LockstepSizes, testing::ValuesIn(places()), [](const auto& test) {
  return test.param.unit + "_" + std::to_string(test.param.index);
});

TEST(LockstepSizesList, TheDauStartsAsInTheShippedConfigurationAndGoesToItsCorners) {
  const HardwareUnit& unit = hardware_unit("dau");
  EXPECT_EQ(unit.text_of(unit.sizes().front()), "128 sets of 2 slots, 64 reserved");
  std::set<std::uint32_t> sets, slots;
  bool none = false, half = false, all = false;
  for (const units::DauSize& size : units::DauDescription::kSizes) {
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

// Each width in its RTL shows at one of the sizes: the shortest period, powers of two and one more,
// periods of more than ten and sixteen bits, thresholds of six, both limits at either end.
TEST(LockstepSizesList, BuclGoesToTheEndsOfItsLimitsAndBeyondPowersOfTwo) {
  std::set<std::uint32_t> periods, thresholds;
  std::set<double> hit_rates, inputs;
  std::set<bool> profile;
  for (const units::BuclCtrlSize& size : units::BuclCtrlDescription::kSizes) {
    periods.insert(size.period);
    for (const std::uint32_t n : {size.tucd, size.least, size.most}) thresholds.insert(n);
    hit_rates.insert(size.hit_rate_limit);
    inputs.insert(size.input_limit);
    profile.insert(size.profile);
  }
  for (const std::uint32_t n : {2, 3, 64, 65, 1000, 65537}) EXPECT_EQ(periods.count(n), 1u) << n;
  for (const std::uint32_t n : {1, 31, 32}) EXPECT_EQ(thresholds.count(n), 1u) << n;
  for (const double limit : {0.0, 0.001, 1.0}) {
    EXPECT_EQ(hit_rates.count(limit), 1u) << limit;
    EXPECT_EQ(inputs.count(limit), 1u) << limit;
  }
  EXPECT_EQ(profile.size(), 2u);
}

// Beyond 64 entries, at one, and at a number that is no power of two.
TEST(LockstepSizesList, EveryListLeavesTheSmallPowersOfTwo) {
  std::set<std::uint32_t> entries;
  for (const auto& size : units::TsmaIndexGenDescription::kSizes) entries.insert(size.entries);
  for (const std::uint32_t n : {1u, 33u, 65u, 128u}) EXPECT_EQ(entries.count(n), 1u) << n;
  for (const std::string& unit : kUnits) EXPECT_GE(hardware_unit(unit).sizes().size(), 5u) << unit;
  EXPECT_THROW(hardware_unit("dua"), UserError);
}

TEST(HardwareUnits, AreListedInTheirOrder) {
  std::vector<std::string> names;
  for (const auto& unit : hardware_units()) names.push_back(unit->name());
  EXPECT_EQ(names, kUnits);
}

// What a recording or a fault says in parameters is the size that it was made at.
TEST(HardwareUnits, ASizeGoesThroughItsParameters) {
  for (const auto& unit : hardware_units())
    for (const SizeValues& size : unit->sizes())
      EXPECT_EQ(unit->size_of(unit->shape_of(size).parameters), size) << unit->text_of(size);
}

}  // namespace
}  // namespace warpmem::cosim
