// SPDX-License-Identifier: Apache-2.0
// Whatever a configuration file holds, reading it ends with problems or with values in range.
#include <gtest/gtest.h>

#include <random>

#include "base/config_text.hpp"
#include "unit/base/config_machine.hpp"

namespace warpmem {
namespace {

/// Whatever comes in, the answer is a list of problems or a configuration inside its ranges.
void survives(const std::string& text) {
  Machine m;
  Config config(m.schema);
  config.load_text(text, "fuzz.yaml");
  try {
    config.finish([&](Problems& p) { m.validate(p); });
  } catch (const UserError&) {
  }
  ASSERT_TRUE(m.ways >= 1 && m.ways <= 64);
  ASSERT_TRUE(m.reserved >= 0 && m.reserved <= 1);
  ASSERT_FALSE(dump(m.schema).empty());
}

TEST(ConfigFuzz, RandomBytes) {
  std::mt19937 random(17);
  for (int i = 0; i < 3000; ++i) {
    std::string text(random() % 200, '\0');
    for (char& c : text) c = static_cast<char>(random());
    survives(text);
  }
}

TEST(ConfigFuzz, RandomYamlPieces) {
  std::mt19937 random(19);
  const std::vector<std::string> pieces = {"l1d",      "mshr",
                                           "ways",     "size",
                                           ":",        ": ",
                                           "\n",       "\n  ",
                                           "\n    ",   "- ",
                                           "[",        "]",
                                           "{",        "}",
                                           ",",        "&a ",
                                           "*a",       "!",
                                           "|\n",      ">-\n",
                                           "\"",       "'",
                                           "\\x",      "#",
                                           "? ",       "---\n",
                                           "...\n",    "%YAML 1.2\n",
                                           "~",        "64",
                                           "dl",       "include",
                                           "<<",       "\t",
                                           "@",        "`",
                                           "\xc3\xa9", "\xef\xbb\xbf",
                                           "!!str ",   "0x",
                                           "1.5 KiB"};
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (unsigned n = random() % 30; n > 0; --n) text += pieces[random() % pieces.size()];
    survives(text);
  }
}

TEST(ConfigFuzz, TruncatedAndDamagedDump) {
  std::mt19937 random(23);
  Machine m;
  m.title = "a \"quoted\" \\ title";
  const std::string text = dump(m.schema, true);
  for (std::size_t n = 0; n <= text.size(); ++n) survives(text.substr(0, n));
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = text;
    for (unsigned n = 1 + random() % 4; n > 0; --n)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    survives(damaged);
  }
}

TEST(ConfigFuzz, DeepAndLong) {
  for (const std::string& piece :
       std::vector<std::string>{"{a: ", "[", "- ", "? ", "a: ", "'", "\"", "&a ", "!a ", "{",
                                "a: {b: [", "\n ", "l1d: {"}) {
    std::string text;
    while (text.size() < 60000) text += piece;
    survives(text);
  }
  std::string nested;
  for (int i = 0; i < 5000; ++i)
    nested += std::string(static_cast<std::size_t>(i % 700), ' ') + "a:\n";
  survives(nested);
}

}  // namespace
}  // namespace warpmem
