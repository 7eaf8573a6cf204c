// SPDX-License-Identifier: Apache-2.0
#include "files/json_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace warpmem {
namespace {

TEST(JsonText, AnyBytes) {
  nlohmann::ordered_json document;
  document["name"] = "a\xff";
  document["list"] = {"\xfe", 1};
  const auto read = parse_json(json_text(document));
  EXPECT_EQ(read["name"], "a\\xff");
  EXPECT_EQ(read["list"][0], "\\xfe");
  EXPECT_EQ(read["list"][1], 1);
}

TEST(JsonText, OrderIndentationAndWhatIsNone) {
  const auto ordered = parse_ordered_json(R"({"b": 1, "a": [2]})");
  EXPECT_EQ(compact_json(ordered), R"({"b":1,"a":[2]})");
  EXPECT_EQ(compact_json(parse_json(R"({"b": 1, "a": [2]})")), R"({"a":[2],"b":1})");
  EXPECT_EQ(indented_json(ordered, 1), "{\n \"b\": 1,\n \"a\": [\n  2\n ]\n}");
  EXPECT_EQ(compact_json(nlohmann::json("\xff")), "\"\uFFFD\"");
  EXPECT_THROW(parse_json("{"), nlohmann::json::parse_error);
  EXPECT_TRUE(try_json("{").is_discarded());
  EXPECT_TRUE(try_ordered_json("").is_discarded());
  EXPECT_TRUE(read_json("/nonexistent").is_discarded());
}

}  // namespace
}  // namespace warpmem
