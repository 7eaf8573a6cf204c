// SPDX-License-Identifier: Apache-2.0
#include "app/value_meanings.hpp"

#include <gtest/gtest.h>

#include "gpu/params.hpp"

namespace warpmem::app {
namespace {

TEST(ValueMeanings, EveryValueOfEveryChoiceHasOne) {
  gpu::MachineParams params;
  Schema schema;
  params.describe(schema);
  unsigned values = 0;
  for (const Param& param : schema.params())
    for (const std::string& value : param.choices) {
      const std::string meaning = value_meaning(param.name, value);
      EXPECT_NE(meaning, "") << param.name << ": " << value;
      EXPECT_NE(meaning.back(), '.') << meaning;
      ++values;
    }
  EXPECT_GT(values, 150u);
}

// The reference of the keys says where each default comes from, or that it was chosen.
TEST(ValueMeanings, EveryDefaultHasASource) {
  gpu::MachineParams params;
  Schema schema;
  params.describe(schema);
  for (const Param& param : schema.params()) EXPECT_NE(param.source, "") << param.name;
}

TEST(ValueMeanings, NothingIsMadeUp) {
  EXPECT_EQ(value_meaning("l1d.mshr.kind", "dll"), "");
  EXPECT_EQ(value_meaning("l1d.mshr.kinds", "dl"), "");
  EXPECT_NE(value_meaning("sm.scheduler.policy", "swl:N"), "");
}

}  // namespace
}  // namespace warpmem::app
