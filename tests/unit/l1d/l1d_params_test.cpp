// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/params.hpp"
#include "l1d/params.hpp"

namespace warpmem::l1d {
namespace {

constexpr const char* kWithL1d = "l1d.enable: true";

std::vector<Param> keys_of(L1dParams& params) {
  Schema schema;
  schema.group("l1d", "", [&] { params.describe(schema); });
  return schema.params();
}

bool needs_l1d(const Param& key) {
  return !key.conditions.empty() && key.conditions.front().text == kWithL1d;
}

/// Gives the key a value other than its own. Returns false for one that takes none of those tried.
bool change(Param& key) {
  std::vector<std::string> values = key.choices;
  for (const char* value : {"true", "false", "2", "4", "16", "64", "2048", "0.25"})
    values.push_back(value);
  const std::string before = key.get();
  for (const std::string& value : values)
    if (key.set(value).empty() && key.get() != before) return true;
  return false;
}

TEST(L1dParams, WithoutL1dKeysOfItsLinesAndMissesAreAsIfNobodyHadSetThem) {
  L1dParams defaults, params;
  unsigned without_effect = 0;
  for (Param& key : keys_of(params))
    EXPECT_TRUE(key.name == "l1d.enable" || change(key)) << key.name;
  params.enable = false;
  L1dParams effective = params.effective();
  const std::vector<Param> set = keys_of(params), now = keys_of(effective),
                           none = keys_of(defaults);
  for (std::size_t i = 0; i < now.size(); ++i) {
    EXPECT_EQ(now[i].get(), (needs_l1d(now[i]) ? none : set)[i].get()) << now[i].name;
    without_effect += needs_l1d(now[i]);
  }
  EXPECT_GT(without_effect, 20u);
}

}  // namespace
}  // namespace warpmem::l1d
