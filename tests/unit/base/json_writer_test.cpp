// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

namespace warpmem {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonWriter, WritesWhatTheOtherLibraryWould) {
  Json same;
  same["empty"] = Json::object();
  same["none"] = Json::array();
  same["number"] = std::uint64_t(18446744073709551615u);
  same["flag"] = true;
  same["list"] = {1.5, 0.0, 3.0, 1e-7, 1e+20};
  same["inner"] = {{"text", "a \"b\" \\ c\n\td\x01\xc3\xa4"}, {"last", "x"}};

  JsonWriter json;
  json.begin_object();
  json.key("empty").begin_object();
  json.end();
  json.key("none").begin_array();
  json.end();
  json.key("number").value(std::uint64_t(18446744073709551615u));
  json.key("flag").value(true);
  json.key("list").value(std::vector<double>{1.5, 0.0, 3.0, 1e-7, 1e+20});
  json.key("inner").begin_object();
  json.key("text").value("a \"b\" \\ c\n\td\x01\xc3\xa4");
  json.key("last").value(std::string("x"));
  json.end();
  json.end();
  EXPECT_EQ(std::move(json).text(), same.dump(2) + "\n");
}

TEST(JsonWriter, BytesThatAreNotUtf8StayReadable) {
  JsonWriter json;
  json.begin_array();
  json.value("a\xff");
  json.end();
  EXPECT_EQ(Json::parse(std::move(json).text())[0], "a\\xff");
}

TEST(JsonWriter, NumbersReadBackAsTheyWere) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 10'000; ++i) {
    const double number =
        std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 200) - 150);
    JsonWriter json;
    json.begin_array();
    json.value(number);
    json.end();
    EXPECT_EQ(Json::parse(std::move(json).text())[0].get<double>(), number);
  }
}

}  // namespace
}  // namespace warpmem
