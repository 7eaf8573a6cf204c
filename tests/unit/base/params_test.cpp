// SPDX-License-Identifier: Apache-2.0
#include "base/params.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "base/nearest.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"

namespace warpmem {
namespace {

constexpr auto kMax64 = std::numeric_limits<std::uint64_t>::max();

/// There is one key of each type, with its field.
struct Fields {
  bool flag = true;
  std::uint32_t ways = 4;
  std::uint64_t limit = 0;
  double fraction = 0.5;
  std::uint64_t size = 16384;
  std::uint64_t clock = 1'137'000'000;
  std::string name = "gu";
  enum class Kind { conventional, set_associative, dl, tsma, htsma } kind = Kind::conventional;

  Schema schema;
  Fields() {
    schema.flag("flag", flag, "a switch");
    schema.integer("ways", ways, {1, 64}, "associativity");
    schema.integer("limit", limit, {0, kMax64}, "a limit");
    schema.real("fraction", fraction, {0, 1}, "a share");
    schema.size("size", size, {128, 1u << 20, true}, "capacity");
    schema.frequency("clock", clock, {1000, 100'000'000'000}, "clock");
    schema.text("name", name, "a name");
    schema.choice("kind", kind,
                  {{"conventional", Kind::conventional},
                   {"set_associative", Kind::set_associative},
                   {"dl", Kind::dl},
                   {"tsma", Kind::tsma},
                   {"htsma", Kind::htsma}},
                  "miss handler");
  }
  std::string set(const char* key, const std::string& text) { return schema.find(key)->set(text); }
  std::string get(const char* key) { return schema.find(key)->get(); }
};

TEST(Params, IntegerTakesItsRangeOnly) {
  Fields f;
  EXPECT_EQ(f.set("ways", "1"), "");
  EXPECT_EQ(f.ways, 1u);
  EXPECT_EQ(f.set("ways", " 64 "), "");
  EXPECT_EQ(f.ways, 64u);
  EXPECT_EQ(f.set("ways", "0x10"), "");
  EXPECT_EQ(f.get("ways"), "16");
  EXPECT_EQ(f.set("ways", "0"), "0 is out of range; allowed: 1..64");
  EXPECT_EQ(f.set("ways", "65"), "65 is out of range; allowed: 1..64");
  EXPECT_EQ(f.set("ways", "-1"), "-1 is out of range; allowed: 1..64");
  EXPECT_EQ(f.set("ways", "4294967297"), "4294967297 is out of range; allowed: 1..64");
  EXPECT_EQ(f.set("ways", "99999999999999999999999999999999999999999999"),
            "99999999999999999999999999999999999999999999 is out of range; allowed: 1..64");
  EXPECT_EQ(f.set("ways", "four"), "four is not an integer; allowed: 1..64");
  EXPECT_EQ(f.set("ways", "4.5"), "4.5 is not an integer; allowed: 1..64");
  EXPECT_EQ(f.set("ways", "4 KiB"), "4 KiB is not an integer; allowed: 1..64");
  EXPECT_EQ(f.set("ways", ""), "an empty value is not an integer; allowed: 1..64");
  EXPECT_EQ(f.ways, 16u) << "a refused value must leave the field alone";
  EXPECT_EQ(f.set("limit", "18446744073709551615"), "");
  EXPECT_EQ(f.limit, kMax64);
  EXPECT_EQ(f.set("limit", "18446744073709551616"),
            "18446744073709551616 is out of range; allowed: 0 or more");
}

TEST(Params, SizeTakesUnits) {
  Fields f;
  EXPECT_EQ(f.get("size"), "16 KiB");
  EXPECT_EQ(f.set("size", "1 MiB"), "");
  EXPECT_EQ(f.size, 1u << 20);
  EXPECT_EQ(f.set("size", "0.5KiB"), "");
  EXPECT_EQ(f.get("size"), "512");
  EXPECT_EQ(f.set("size", "256 B"), "");
  EXPECT_EQ(f.size, 256u);
  EXPECT_EQ(f.set("size", "48 KiB"),
            "48 KiB is not a power of two; allowed: 128..1 MiB, a power of two");
  EXPECT_EQ(f.set("size", "2 MiB"), "2 MiB is out of range; allowed: 128..1 MiB, a power of two");
  EXPECT_EQ(
      f.set("size", "16 KB"),
      "16 KB has the unknown unit KB; units: B, KiB, MiB, GiB; allowed: 128..1 MiB, a power of "
      "two");
  EXPECT_EQ(f.set("size", "128.3"),
            "128.3 is not a whole number of bytes; allowed: 128..1 MiB, a power of two");
  EXPECT_EQ(f.set("size", "KiB"),
            "KiB is not a size in bytes; allowed: 128..1 MiB, a power of two");
  EXPECT_EQ(f.size, 256u);
}

TEST(Params, FrequencyTakesUnits) {
  Fields f;
  EXPECT_EQ(f.get("clock"), "1137 MHz");
  EXPECT_EQ(f.set("clock", "1.137 GHz"), "");
  EXPECT_EQ(f.clock, 1'137'000'000u);
  EXPECT_EQ(f.set("clock", "345600 kHz"), "");
  EXPECT_EQ(f.get("clock"), "345600 kHz");
  EXPECT_EQ(f.set("clock", "1500000001"), "");
  EXPECT_EQ(f.get("clock"), "1500000001");
  EXPECT_EQ(f.set("clock", "1 MIPS"),
            "1 MIPS has the unknown unit MIPS; units: Hz, kHz, MHz, GHz; allowed: 1 kHz..100 GHz");
  EXPECT_EQ(f.set("clock", "999 Hz"), "999 Hz is out of range; allowed: 1 kHz..100 GHz");
  EXPECT_EQ(f.set("clock", "1000.5 Hz"),
            "1000.5 Hz is not a whole number of hertz; allowed: 1 kHz..100 GHz");
  EXPECT_EQ(f.set("clock", "fast"), "fast is not a frequency; allowed: 1 kHz..100 GHz");
}

TEST(Params, RealTakesItsRangeOnly) {
  Fields f;
  EXPECT_EQ(f.set("fraction", "1e-3"), "");
  EXPECT_EQ(f.fraction, 1e-3);
  EXPECT_EQ(f.set("fraction", "1"), "");
  EXPECT_EQ(f.get("fraction"), "1");
  EXPECT_EQ(f.set("fraction", "1.01"), "1.01 is out of range; allowed: 0..1");
  EXPECT_EQ(f.set("fraction", "nan"), "nan is out of range; allowed: 0..1");
  EXPECT_EQ(f.set("fraction", "1e999"), "1e999 is out of range; allowed: 0..1");
  EXPECT_EQ(f.set("fraction", "half"), "half is not a number; allowed: 0..1");
  EXPECT_EQ(f.set("fraction", "0.5x"), "0.5x is not a number; allowed: 0..1");
  EXPECT_EQ(f.set("fraction", ""), "an empty value is not a number; allowed: 0..1");
  EXPECT_EQ(f.fraction, 1.0);
}

TEST(Params, FlagTakesTrueAndFalse) {
  Fields f;
  for (const char* no : {"false", "no", "off", "False"}) {
    f.flag = true;
    EXPECT_EQ(f.set("flag", no), "");
    EXPECT_FALSE(f.flag) << no;
  }
  EXPECT_EQ(f.get("flag"), "false");
  EXPECT_EQ(f.set("flag", "true"), "");
  EXPECT_EQ(f.set("flag", "1"), "1 is neither true nor false; allowed: true, false");
  EXPECT_TRUE(f.flag);
}

TEST(Params, ChoiceNamesTheNearest) {
  Fields f;
  EXPECT_EQ(f.set("kind", "dl"), "");
  EXPECT_EQ(f.kind, Fields::Kind::dl);
  EXPECT_EQ(f.set("kind", "tmsa"),
            "unknown value tmsa; allowed: conventional, set_associative, dl, tsma, htsma; did you "
            "mean tsma?");
  EXPECT_EQ(f.set("kind", "zzzz"),
            "unknown value zzzz; allowed: conventional, set_associative, dl, tsma, htsma");
  EXPECT_EQ(f.get("kind"), "dl");
}

TEST(Params, TextMustBeText) {
  Fields f;
  EXPECT_EQ(f.set("name", " a: b # c"), "");
  EXPECT_EQ(f.name, " a: b # c");
  EXPECT_EQ(f.set("name", ""), "");
  EXPECT_EQ(f.set("name", "\xff\xfe"), "the value is not UTF-8 text");
  EXPECT_EQ(f.name, "");
}

// Whatever a field holds, set(get()) must give it back.
TEST(Params, GetReadsBackExactly) {
  std::mt19937_64 random(3);
  std::uint64_t count = 0, bytes = 0, hertz = 0;
  double real = 0;
  Schema schema;
  schema.integer("count", count, {0, kMax64}, "");
  schema.size("bytes", bytes, {0, kMax64}, "");
  schema.frequency("hertz", hertz, {0, kMax64}, "");
  schema.real("real", real, {-1e300, 1e300}, "");
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t v = random() >> (random() % 64) << (random() % 40);
    count = bytes = hertz = v;
    real = static_cast<double>(static_cast<std::int64_t>(random())) / 3e7;
    const double r = real;
    for (Param& param : schema.params()) {
      const std::string text = param.get();
      count = bytes = hertz = 1;
      real = 1;
      ASSERT_EQ(param.set(text), "") << text;
      if (param.name == "count") {
        ASSERT_EQ(count, v);
      }
      if (param.name == "bytes") {
        ASSERT_EQ(bytes, v) << text;
      }
      if (param.name == "hertz") {
        ASSERT_EQ(hertz, v) << text;
      }
      if (param.name == "real") {
        ASSERT_EQ(real, r) << text;
      }
      count = bytes = hertz = v;
      real = r;
    }
  }
}

TEST(Params, GroupsAndConditionsNest) {
  bool enable = true;
  enum class Kind { a, b } kind = Kind::a;
  std::uint32_t slots = 2, hit_cycles = 1;
  Schema s;
  s.group("l1d", "first-level data cache", [&] {
    s.flag("enable", enable, "");
    s.only_if(
        "l1d.enable: true", [&] { return enable; },
        [&] {
          s.integer("hit_cycles", hit_cycles, {1, 100}, "latency");
          s.group("mshr", "miss handler", [&] {
            s.choice("kind", kind, {{"a", Kind::a}, {"b", Kind::b}}, "");
            s.only_if(
                "l1d.mshr.kind: b", [&] { return kind == Kind::b; },
                [&] {
                  s.integer("slots", slots, {1, 8, true}, "slots");
                });
          });
        });
  });
  ASSERT_EQ(s.params().size(), 4u);
  const Param* param = s.find("l1d.mshr.slots");
  ASSERT_NE(param, nullptr);
  EXPECT_EQ(param->condition(), "l1d.enable: true and l1d.mshr.kind: b");
  EXPECT_EQ(param->allowed, "1..8, a power of two");
  EXPECT_FALSE(param->active());
  EXPECT_EQ(param->missing_condition(), "l1d.mshr.kind: b");
  kind = Kind::b;
  EXPECT_TRUE(param->active());
  EXPECT_EQ(param->missing_condition(), "");
  enable = false;
  EXPECT_FALSE(param->active());
  EXPECT_EQ(param->missing_condition(), "l1d.enable: true");
  EXPECT_TRUE(s.find("l1d.enable")->active());
  EXPECT_EQ(s.find("l1d.enable")->condition(), "");
  EXPECT_EQ(s.find("l1d.hit_cycles")->unit, "cycles");
  EXPECT_EQ(s.find("l1d"), nullptr);
  ASSERT_NE(s.find_group("l1d.mshr"), nullptr);
  EXPECT_EQ(s.find_group("l1d.mshr")->doc, "miss handler");
  EXPECT_EQ(s.groups().size(), 2u);
}

TEST(Params, RandomTextNeverCrashes) {
  std::mt19937 random(11);
  Fields f;
  const std::string letters = "0123456789.-+xX eE KMGiBHzk\t\xff\x01tsmadl";
  for (int i = 0; i < 50000; ++i) {
    std::string text;
    for (unsigned n = random() % 12; n > 0; --n) text += letters[random() % letters.size()];
    for (Param& param : f.schema.params()) {
      const std::string error = param.set(text);
      for (const char c : error) ASSERT_GE(static_cast<unsigned char>(c), 0x20u);
    }
    ASSERT_TRUE(f.ways >= 1 && f.ways <= 64);
    ASSERT_TRUE(f.fraction >= 0 && f.fraction <= 1);
    ASSERT_EQ(f.size & (f.size - 1), 0u);
  }
}

TEST(Quantity, DecimalsAreExact) {
  const auto bytes = [](const char* text) { return parse_quantity(QuantityKind::bytes, text); };
  EXPECT_EQ(bytes("1.5 KiB").value, 1536u);
  EXPECT_EQ(bytes("0.0009765625 KiB").value, 1u);
  EXPECT_EQ(bytes("1.000000000000000000000000000").value, 1u);
  EXPECT_EQ(bytes("0.1 KiB").error, QuantityError::fraction);
  EXPECT_EQ(bytes("0.0000000000000000000001 GiB").error, QuantityError::fraction);
  EXPECT_EQ(bytes("17179869183.999999999068677425384521484375 GiB").error, QuantityError::fraction);
  EXPECT_EQ(bytes("17179869183 GiB").value, 17179869183ULL << 30);
  EXPECT_EQ(bytes("17179869184 GiB").error, QuantityError::too_large);
  EXPECT_EQ(bytes("1e3").error, QuantityError::unit);
  EXPECT_EQ(bytes("4.").error, QuantityError::syntax);
  EXPECT_EQ(bytes(".5 KiB").error, QuantityError::syntax);
  EXPECT_EQ(bytes("0x").error, QuantityError::syntax);
  EXPECT_EQ(bytes("-").error, QuantityError::syntax);
  EXPECT_EQ(bytes("0xffffffffffffffffff").error, QuantityError::too_large);
}

TEST(Nearest, CountsASwapAsOne) {
  EXPECT_EQ(edit_distance("tmsa", "tsma"), 1u);
  EXPECT_EQ(edit_distance("kindd", "kind"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(Nearest, OnlyWhatIsClose) {
  const std::vector<std::string> words = {"ways", "size", "line", "dl"};
  EXPECT_EQ(nearest("way", words), "ways");
  EXPECT_EQ(nearest("sizes", words), "size");
  EXPECT_EQ(nearest("ld", words), "dl");
  EXPECT_EQ(nearest("capacity", words), "");
  EXPECT_EQ(nearest("x", words), "");
  EXPECT_EQ(nearest("", words), "");
  EXPECT_EQ(nearest(std::string(100000, 'a'), words), "");
  EXPECT_EQ(did_you_mean("lines", words), "; did you mean line?");
  EXPECT_EQ(did_you_mean("capacity", words), "");
  EXPECT_EQ(unknown_word("no key", "lines", "Keys", words),
            "no key 'lines'; did you mean line? Keys: ways, size, line, dl");
  EXPECT_EQ(unknown_word("no key", "capacity", "Keys", words),
            "no key 'capacity'. Keys: ways, size, line, dl");
}

TEST(Text, ShownIsOneShortLine) {
  EXPECT_EQ(shown(""), "an empty value");
  EXPECT_EQ(shown("a\nb\x01"), "a?b?");
  EXPECT_EQ(shown(std::string(1000, 'x')).size(), 63u);
}

TEST(Text, Utf8) {
  EXPECT_TRUE(is_utf8("ascii, \xc3\xa9, \xe2\x82\xac, \xf0\x9f\x98\x80"));
  EXPECT_FALSE(is_utf8("\xff"));
  EXPECT_FALSE(is_utf8("\xc0\x80"));          // overlong
  EXPECT_FALSE(is_utf8("\xe0\x80\x80"));      // overlong
  EXPECT_FALSE(is_utf8("\xed\xa0\x80"));      // surrogate
  EXPECT_FALSE(is_utf8("\xf4\x90\x80\x80"));  // beyond U+10FFFF
  EXPECT_FALSE(is_utf8("\xe2\x82"));          // cut off
}

}  // namespace
}  // namespace warpmem
