// SPDX-License-Identifier: Apache-2.0
#include "base/config_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "base/yaml_source.hpp"
#include "files/schema_json.hpp"
#include "unit/base/config_machine.hpp"

namespace warpmem {
namespace {

using testing::HasSubstr;

/// Gives every field a value other than its default.
void randomize(Machine& m, std::mt19937_64& random) {
  m.check_data = random() % 2;
  m.clock = 1000 + random() % 9'000'000'000;
  m.title.clear();
  const std::vector<std::string> pieces = {"a",
                                           " ",
                                           ":",
                                           "#",
                                           "\"",
                                           "\\",
                                           "\n",
                                           "\t",
                                           "'",
                                           "-",
                                           "null",
                                           "~",
                                           "{",
                                           "]",
                                           ",",
                                           "&x",
                                           "*y",
                                           "!z",
                                           "%",
                                           "@",
                                           "\xc3\xa9",
                                           "true",
                                           "0x1",
                                           "...",
                                           "---",
                                           "\x7f",
                                           "\xef\xbb\xbf",
                                           "\xe2\x80\xa8",
                                           "\xc2\x85",
                                           std::string(1, '\0')};
  for (unsigned n = random() % 6; n > 0; --n) m.title += pieces[random() % pieces.size()];
  m.size = 128 + random() % 100000;
  m.ways = 1 + random() % 64;
  m.kind = static_cast<Machine::Kind>(random() % 5);
  m.entries = 1u << (random() % 11);
  m.reserved = static_cast<double>(random() % 1000003) / 1000003.0;
  m.l2_ways = 1 + random() % 64;
}

TEST(ConfigText, DumpLoadsBackToTheSameValues) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    Machine from, to;
    randomize(from, random);
    const bool with_docs = i % 2 != 0;
    const std::string text = dump(from.schema, with_docs);
    Config config(to.schema);
    config.load_text(text, "dump");
    ASSERT_NO_THROW(config.finish()) << text;
    ASSERT_EQ(dump(to.schema), dump(from.schema));
    ASSERT_EQ(to.title, from.title) << text;
    ASSERT_EQ(to.reserved, from.reserved);
    ASSERT_EQ(to.clock, from.clock);
    ASSERT_EQ(to.size, from.size);
  }
}

TEST(ConfigText, DumpIsNestedInTheSchemasOrder) {
  Machine m;
  EXPECT_EQ(dump(m.schema),
            "check_data: true\n"
            "l1d:\n"
            "  enable: true\n"
            "  size: 16 KiB\n"
            "  ways: 4\n"
            "  mshr:\n"
            "    kind: conventional\n"
            "    entries: 32\n"
            "    slots_per_set: 2\n"
            "    reserved_fraction: 0.5\n"
            "l2:\n"
            "  ways: 8\n"
            "  mshr:\n"
            "    kind: conventional\n"
            "sm:\n"
            "  clock: 1400 MHz\n"
            "title: \"\"\n");
  EXPECT_THAT(
      dump(m.schema, true),
      HasSubstr("    slots_per_set: 2  # slots of a set [integer: 1..8, a power of two], only with "
                "l1d.mshr.kind: dl, default: DL 3.2\n"));
  EXPECT_THAT(dump(m.schema, true), HasSubstr("  mshr:  # miss handler\n"));
}

TEST(ConfigText, GroupOpenedTwiceIsDumpedOnce) {
  std::uint32_t a = 1, b = 2, c = 3;
  Schema s;
  s.group("x", "", [&] { s.integer("a", a, {0, 9}, ""); });
  s.integer("b", b, {0, 9}, "");
  s.group("x", "", [&] { s.integer("c", c, {0, 9}, ""); });
  EXPECT_EQ(dump(s), "x:\n  a: 1\n  c: 3\nb: 2\n");
}

TEST(ConfigText, ExplainTellsWhatIsKnown) {
  Machine m;
  Config config(m.schema);
  config.load_text("l1d:\n  size: 32 KiB\n", "a.yaml");
  config.finish();
  EXPECT_EQ(explain(config, "l1d.size"),
            "l1d.size: capacity\n"
            "  type       size\n"
            "  unit       bytes\n"
            "  allowed    128..1 MiB\n"
            "  default    16 KiB\n"
            "  value      32 KiB (a.yaml:2)\n"
            "  source     DL Table 2\n");
  EXPECT_THAT(explain(config, "l1d.mshr.slots_per_set"),
              HasSubstr("  only with  l1d.mshr.kind: dl (not so now: no effect)\n"));
  const std::string group = explain(config, "l1d");
  EXPECT_THAT(group, testing::StartsWith("l1d: first-level data cache\n"));
  EXPECT_THAT(group, HasSubstr("32 KiB (a.yaml:2)  capacity\n"));
  try {
    explain(config, "l1d.siez");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "l1d.siez: unknown key; did you mean l1d.size?");
  }
  EXPECT_THROW(explain(config, ""), UserError);
}

TEST(ConfigText, ReferenceHasATablePerGroup) {
  Machine m;
  m.schema.group("x", "either | or", [&] { m.schema.text("y", m.title, "a | b", "c*d"); });
  const std::string page = reference_markdown(m.schema);
  EXPECT_THAT(page, HasSubstr("## `l1d.mshr`\n\nmiss handler\n\n| Key | Values |"));
  EXPECT_THAT(
      page,
      HasSubstr("| `l1d.mshr.slots_per_set` | integer: 1..8, a power of two | `2` | slots of a "
                "set. Only with `l1d.mshr.kind: dl` | DL 3.2 |\n"));
  EXPECT_THAT(page, HasSubstr("| `x.y` | text: any text | `\"\"` | a \\| b | c\\*d |\n"));
  for (const Param& param : m.schema.params()) EXPECT_THAT(page, HasSubstr("`" + param.name + "`"));
}

TEST(ConfigText, SchemaIsJsonWithTheValuesOfThisConfiguration) {
  Machine m;
  Config config(m.schema);
  config.set("l1d.mshr.kind=dl");
  config.set("l1d.mshr.slots_per_set=4");
  config.finish();
  const nlohmann::json keys = nlohmann::json::parse(schema_json(config))["keys"];
  EXPECT_EQ(keys.size(), m.schema.params().size());
  const auto& slots = keys["l1d.mshr.slots_per_set"];
  EXPECT_EQ(slots["type"], "integer");
  EXPECT_EQ(slots["allowed"], "1..8, a power of two");
  EXPECT_EQ(slots["default"], "2");
  EXPECT_EQ(slots["value"], "4");
  EXPECT_EQ(slots["active"], true);
  EXPECT_EQ(slots["condition"], "l1d.mshr.kind: dl");
  EXPECT_FALSE(slots.contains("choices"));
  EXPECT_EQ(keys["l1d.mshr.kind"]["choices"].size(), 5u);
  EXPECT_EQ(keys["l1d.size"]["unit"], "bytes");

  Machine other;
  const Config defaults(other.schema);
  EXPECT_EQ(
      nlohmann::json::parse(schema_json(defaults))["keys"]["l1d.mshr.slots_per_set"]["active"],
      false);
}

TEST(YamlScalar, QuotesOnlyWhatNeedsIt) {
  for (const char* plain : {"dl", "16 KiB", "0.5", "swl:4", "a/b.yaml", "true", "GPGPU-Sim 3.x"})
    EXPECT_EQ(yaml_scalar(plain), plain);
  for (const char* quoted :
       {"", " a", "a ", "a: b", "a #b", "~", "null", "-", "- a", "---", "*a", "a:", "[a"})
    EXPECT_EQ(yaml_scalar(quoted), "\"" + std::string(quoted) + "\"");
  EXPECT_EQ(yaml_scalar("a\"\\\n"), "\"a\\\"\\\\\\x0a\"");
  EXPECT_EQ(yaml_scalar("a,b.yaml"), "a,b.yaml");
  EXPECT_EQ(yaml_item("a,b.yaml"), "\"a,b.yaml\"");
  EXPECT_EQ(yaml_item("a: b"), "\"a: b\"");
  EXPECT_EQ(yaml_item("ab.yaml"), "ab.yaml");
}

}  // namespace
}  // namespace warpmem
