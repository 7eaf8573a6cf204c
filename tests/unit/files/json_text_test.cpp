// SPDX-License-Identifier: Apache-2.0
#include "files/json_text.hpp"

#include <gtest/gtest.h>

namespace warpmem {
namespace {

TEST(JsonText, AnyBytes) {
  nlohmann::ordered_json document;
  document["name"] = "a\xff";
  document["list"] = {"\xfe", 1};
  const auto read = nlohmann::json::parse(json_text(document));
  EXPECT_EQ(read["name"], "a\\xff");
  EXPECT_EQ(read["list"][0], "\\xfe");
  EXPECT_EQ(read["list"][1], 1);
}

}  // namespace
}  // namespace warpmem
