// SPDX-License-Identifier: Apache-2.0
#include "base/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "unit/base/config_machine.hpp"

namespace warpmem {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Returns the problems of one file text and some --set.
std::vector<std::string> problems_of(const std::string& text,
                                     const std::vector<std::string>& sets = {}) {
  Machine machine;
  Config config(machine.schema);
  config.load_text(text, "a.yaml");
  for (const auto& set : sets) config.set(set);
  try {
    config.finish([&](Problems& p) { machine.validate(p); });
  } catch (const UserError& error) {
    std::string joined;
    for (const auto& line : config.problems().list()) joined += (joined.empty() ? "" : "\n") + line;
    EXPECT_EQ(joined, error.what());
  }
  return config.problems().list();
}

class ConfigFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              ("warpmem_config_test_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_ / "sub");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::string path(const std::string& name) { return (folder_ / name).string(); }

  std::filesystem::path folder_;
  Machine machine_;
};

TEST(Config, LoadsNestedAndDottedKeys) {
  Machine m;
  Config config(m.schema);
  config.load_text(
      "# a comment\n"
      "check_data: false\n"
      "l1d:\n"
      "  size: 32 KiB\n"
      "  mshr: {kind: dl, slots_per_set: 4}\n"
      "  mshr.reserved_fraction: 0.25\n"
      "l2.ways: 16\n"
      "l2:\n"
      "sm: {clock: 1137 MHz}\n"
      "title: \"a: b # c\"\n",
      "a.yaml");
  config.finish([&](Problems& p) { m.validate(p); });
  EXPECT_FALSE(m.check_data);
  EXPECT_EQ(m.size, 32768u);
  EXPECT_EQ(m.kind, Machine::Kind::dl);
  EXPECT_EQ(m.slots_per_set, 4u);
  EXPECT_EQ(m.reserved, 0.25);
  EXPECT_EQ(m.l2_ways, 16u);
  EXPECT_EQ(m.clock, 1'137'000'000u);
  EXPECT_EQ(m.title, "a: b # c");
  EXPECT_THAT(config.notes(), IsEmpty());
  EXPECT_EQ(config.origin("l1d.mshr.slots_per_set").text(), "a.yaml:5");
  EXPECT_EQ(config.origin("l1d.ways").text(), "default");
  EXPECT_EQ(config.default_value("l1d.size"), "16 KiB");
}

TEST(Config, AnAliasMeansItsKey) {
  Machine m;
  m.schema.alias("sm.cache.ways", "l1d.ways");
  Config config(m.schema);
  config.load_text("sm: {cache: {ways: 8}}\n", "a.yaml");
  EXPECT_EQ(m.ways, 8u);
  config.set("sm.cache.ways=16");
  EXPECT_THROW(
      {
        config.set("sm.cache.ways=x");
        config.finish();
      },
      UserError);
  EXPECT_EQ(m.ways, 16u);
  EXPECT_THAT(config.problems().list(), ElementsAre(HasSubstr("l1d.ways")));
  EXPECT_EQ(config.origin("l1d.ways").text(), "--set");
}

TEST(Config, EmptyTextChangesNothing) {
  for (const char* text : {"", "# only this\n", "---\n", "{}", "l1d:\n", "~"})
    EXPECT_THAT(problems_of(text), IsEmpty()) << text;
}

TEST(Config, OutOfRangeNamesWhatIsAllowed) {
  EXPECT_THAT(problems_of("l1d:\n  ways: 0\n"),
              ElementsAre("a.yaml:2: l1d.ways: 0 is out of range; allowed: 1..64"));
}

TEST(Config, WrongTypes) {
  EXPECT_THAT(problems_of("l1d: {ways: many}"),
              ElementsAre("a.yaml:1: l1d.ways: many is not an integer; allowed: 1..64"));
  EXPECT_THAT(
      problems_of("check_data: maybe"),
      ElementsAre("a.yaml:1: check_data: maybe is neither true nor false; allowed: true, false"));
  EXPECT_THAT(problems_of("l1d: {ways: }"),
              ElementsAre("a.yaml:1: l1d.ways: has no value; allowed: 1..64"));
  EXPECT_THAT(problems_of("title: ~"),
              ElementsAre("a.yaml:1: title: has no value; write \"\" for an empty text"));
  EXPECT_THAT(problems_of("l1d: {ways: [1, 2]}"),
              ElementsAre("a.yaml:1: l1d.ways: takes one value, not a list; allowed: 1..64"));
}

TEST(Config, UnknownChoiceNamesTheNearest) {
  EXPECT_THAT(problems_of("l1d:\n\n  mshr:\n    kind: tmsa"),
              ElementsAre("a.yaml:4: l1d.mshr.kind: unknown value tmsa; allowed: conventional, "
                          "set_associative, dl, tsma, htsma; did you mean tsma?"));
}

TEST(Config, UnknownKeyNamesTheNearest) {
  const auto one = [](const std::string& text) {
    const auto list = problems_of(text);
    EXPECT_EQ(list.size(), 1u) << text;
    return list.empty() ? "" : list[0];
  };
  EXPECT_EQ(one("l1d: {mshr: {kindd: dl}}"),
            "a.yaml:1: l1d.mshr.kindd: unknown key; did you mean l1d.mshr.kind?");
  // A wrong group is one mistake, not one for every key in it.
  EXPECT_EQ(one("l1: {size: 4, ways: 2}"), "a.yaml:1: l1: unknown key; did you mean l1d?");
  EXPECT_EQ(one("l1dd: {size: 4}"), "a.yaml:1: l1dd: unknown key; did you mean l1d?");
  EXPECT_EQ(one("l1d.mhsr.kin: dl"),
            "a.yaml:1: l1d.mhsr.kin: unknown key; did you mean l1d.mshr.kind?");
  EXPECT_EQ(one("mshr.kind: dl"),
            "a.yaml:1: mshr.kind: unknown key; did you mean l1d.mshr.kind or l2.mshr.kind?");
  EXPECT_EQ(one("clock: 1 GHz"), "a.yaml:1: clock: unknown key; did you mean sm.clock?");
  EXPECT_EQ(one("l1d.mshrkind: dl"),
            "a.yaml:1: l1d.mshrkind: unknown key; did you mean l1d.mshr.kind?");
  EXPECT_EQ(one("voltage: 3"), "a.yaml:1: voltage: unknown key");
  EXPECT_EQ(one("<<: {l1d: 3}"), "a.yaml:1: <<: unknown key");
  EXPECT_EQ(one("l1d: {include: b.yaml}"), "a.yaml:1: l1d.include: unknown key");
}

TEST(Config, DuplicateKeys) {
  EXPECT_THAT(problems_of("l1d:\n  ways: 2\n  ways: 4\n"),
              ElementsAre("a.yaml:3: l1d.ways: duplicate key; the first is in line 2"));
  EXPECT_THAT(problems_of("l1d: {ways: 2}\nl1d: {size: 4 KiB}\n"),
              ElementsAre("a.yaml:2: l1d: duplicate key; the first is in line 1"));
  EXPECT_THAT(problems_of("l1d: {ways: 2}\nl1d.ways: 4\n"),
              ElementsAre("a.yaml:2: l1d.ways: duplicate key; the first is in line 1"));
}

TEST(Config, GroupsAndKeysMixedUp) {
  EXPECT_THAT(
      problems_of("l1d: 5"),
      ElementsAre("a.yaml:1: l1d: is a group of keys and takes no value of its own; it holds "
                  "l1d.enable, l1d.size, l1d.ways, l1d.mshr"));
  EXPECT_THAT(problems_of("l2: [1]"),
              ElementsAre(HasSubstr("a.yaml:1: l2: is a group of keys and takes no value")));
  EXPECT_THAT(
      problems_of("l1d: {ways: {a: 1}}"),
      ElementsAre(
          "a.yaml:1: l1d.ways: takes one value and is not a group of keys; allowed: 1..64"));
}

TEST(Config, SyntaxErrorsHaveALine) {
  EXPECT_THAT(problems_of("l1d:\n  ways: 4\n bad: [1,\n"),
              ElementsAre(HasSubstr("a.yaml:3: not valid YAML at column ")));
  EXPECT_THAT(problems_of("a: b: c"), ElementsAre(HasSubstr("a.yaml:1: not valid YAML")));
  EXPECT_THAT(problems_of("- 1\n- 2\n"),
              ElementsAre(HasSubstr("a.yaml:1: a configuration is a map")));
  EXPECT_THAT(problems_of("\n\nhello\n"),
              ElementsAre(HasSubstr("a.yaml:3: a configuration is a map")));
  EXPECT_THAT(problems_of("title: x\n---\ntitle: y\n"),
              ElementsAre("a.yaml:2: a second document begins here; a file holds one"));
  EXPECT_THAT(problems_of("? [1, 2]\n: 3\n"), ElementsAre("a.yaml:1: a key must be a word"));
  EXPECT_THAT(problems_of("title: &t x\n"), ElementsAre(HasSubstr("a.yaml:1: anchors")));
  EXPECT_THAT(problems_of("title: !t x\n"),
              ElementsAre("a.yaml:1: tags (!name) are not supported"));
  EXPECT_THAT(problems_of("title: x\n\x01"), ElementsAre(HasSubstr("a.yaml:2: not a text file")));
  EXPECT_THAT(problems_of("title: x\n\ntitle: \xff"),
              ElementsAre(HasSubstr("a.yaml:3: not a text file")));
  EXPECT_THAT(problems_of(std::string(100000, '[')), ElementsAre("a.yaml:1: nested too deeply"));
}

TEST(Config, AliasesDoNotExpand) {
  // Nine levels of nine aliases would be 400 million keys.
  std::string text = "a0: &a0 {x: 1}\n";
  for (int i = 1; i < 10; ++i) {
    const std::string name = "a" + std::to_string(i), before = "*a" + std::to_string(i - 1);
    text += name + ": &" + name + " [";
    for (int k = 0; k < 9; ++k) text += before + ", ";
    text += before + "]\n";
  }
  EXPECT_THAT(problems_of(text), testing::Contains(HasSubstr("aliases (*name) are not supported")));
}

TEST(Config, SetMistakes) {
  EXPECT_THAT(problems_of("", {"l1d.ways"}),
              ElementsAre("--set l1d.ways: is not an assignment; write --set key=value"));
  EXPECT_THAT(problems_of("", {"=4"}),
              ElementsAre("--set =4: is not an assignment; write --set key=value"));
  EXPECT_THAT(problems_of("", {""}), ElementsAre(HasSubstr("write --set key=value")));
  EXPECT_THAT(problems_of("", {"l1d.ways="}),
              ElementsAre("--set l1d.ways: an empty value is not an integer; allowed: 1..64"));
  EXPECT_THAT(problems_of("", {"l1d.ways=65"}),
              ElementsAre("--set l1d.ways: 65 is out of range; allowed: 1..64"));
  EXPECT_THAT(problems_of("", {"l1d.way=4"}),
              ElementsAre("--set l1d.way: unknown key; did you mean l1d.ways?"));
  EXPECT_THAT(problems_of("", {"l1d.mshr=dl"}),
              ElementsAre(HasSubstr("--set l1d.mshr: is a group")));
  EXPECT_THAT(problems_of("", {"include=b.yaml"}),
              ElementsAre("--set include: works in files only"));
}

TEST(Config, SetComesAfterFilesAndTheLastOneCounts) {
  Machine m;
  Config config(m.schema);
  config.load_text("l1d: {ways: 2}\ntitle: x", "a.yaml");
  config.set("l1d.ways=8");
  config.set(" l1d.ways = 16 ");
  config.set("title=a=b");
  config.finish();
  EXPECT_EQ(m.ways, 16u);
  EXPECT_EQ(m.title, "a=b");
  EXPECT_EQ(config.origin("l1d.ways").text(), "--set");
  EXPECT_EQ(config.place("l1d.ways"), "--set l1d.ways");
}

TEST(Config, EveryProblemIsReported) {
  EXPECT_THAT(
      problems_of("l1d: {ways: 0, sizes: 3}\nbogus: 1\n", {"l2.ways=0"}),
      ElementsAre(HasSubstr("a.yaml:1: l1d.ways: 0 is out"),
                  HasSubstr("a.yaml:1: l1d.sizes: unknown"), HasSubstr("a.yaml:2: bogus: unknown"),
                  HasSubstr("--set l2.ways: 0 is out")));
}

TEST(Config, KeysWithoutEffect) {
  const std::string what = "has no effect unless l1d.mshr.kind: dl";
  EXPECT_THAT(problems_of("", {"l1d.mshr.slots_per_set=4"}),
              ElementsAre("--set l1d.mshr.slots_per_set: " + what));
  // The order does not matter, only what holds in the end.
  EXPECT_THAT(problems_of("", {"l1d.mshr.slots_per_set=4", "l1d.mshr.kind=dl"}), IsEmpty());
  EXPECT_THAT(problems_of("l1d.mshr.kind: dl", {"l1d.mshr.slots_per_set=4", "l1d.mshr.kind=tsma"}),
              ElementsAre("--set l1d.mshr.slots_per_set: " + what));

  Machine m;
  Config config(m.schema);
  config.load_text("l1d.mshr:\n  slots_per_set: 4\n  reserved_fraction: 0.5\n", "a.yaml");
  config.finish();
  EXPECT_EQ(m.slots_per_set, 4u);
  // The second holds the default anyway.
  EXPECT_THAT(config.notes(), ElementsAre("a.yaml:2: l1d.mshr.slots_per_set: " + what));
}

TEST(Config, KeysThatASweepMaySetInVain) {
  bool shares = false;
  bool on_fill = false;
  Schema schema;
  schema.flag("shares", shares, "the condition");
  schema.only_noted_if(
      "shares: false", [&] { return !shares; }, [&] { schema.flag("on_fill", on_fill, "a key"); });
  Config config(schema);
  config.set("shares=true");
  config.set("on_fill=true");
  config.finish();
  EXPECT_THAT(config.notes(), ElementsAre("--set on_fill: has no effect unless shares: false"));
}

TEST(Config, OfNestedConditionsTheStricterOneThatDoesNotHoldCounts) {
  const auto outcome = [](bool enable, bool dl) {
    bool on = true, is_dl = true;
    std::uint32_t slots = 1;
    Schema schema;
    schema.flag("on", on, "the outer condition");
    schema.flag("dl", is_dl, "the inner one");
    schema.only_noted_if(
        "on: true", [&] { return on; },
        [&] {
          schema.only_if(
              "dl: true", [&] { return is_dl; },
              [&] {
                schema.integer("slots", slots, {1, 8}, "a key");
              });
        });
    Config config(schema);
    config.set(enable ? "on=true" : "on=false");
    config.set(dl ? "dl=true" : "dl=false");
    config.set("slots=2");
    try {
      config.finish();
    } catch (const UserError& e) {
      return std::string("error: ") + e.what();
    }
    return config.notes().empty() ? "" : "note: " + config.notes().front();
  };
  EXPECT_EQ(outcome(true, true), "");
  EXPECT_EQ(outcome(false, true), "note: --set slots: has no effect unless on: true");
  EXPECT_EQ(outcome(true, false), "error: --set slots: has no effect unless dl: true");
  EXPECT_EQ(outcome(false, false),
            "error: --set slots: has no effect unless on: true and dl: true");
}

TEST(Config, NothingFollowsFromAMisspeltCondition) {
  EXPECT_THAT(problems_of("", {"l1d.mshr.kind=dll", "l1d.mshr.slots_per_set=4"}),
              ElementsAre(HasSubstr("--set l1d.mshr.kind: unknown value dll")));
  EXPECT_THAT(problems_of("", {"l1d.mshr.kin=dl", "l1d.mshr.slots_per_set=4"}),
              ElementsAre(HasSubstr("--set l1d.mshr.kin: unknown key")));
}

TEST(Config, RelationsAreReportedWhereTheKeyWasSet) {
  EXPECT_THAT(problems_of("title: x\nl1d:\n  size: 1000\n"),
              ElementsAre("a.yaml:3: l1d.size: 1000 is no multiple of 4 ways of 128 B"));
  EXPECT_THAT(problems_of("", {"l1d.size=1000"}),
              ElementsAre("--set l1d.size: 1000 is no multiple of 4 ways of 128 B"));
  EXPECT_THAT(problems_of("l1d: {ways: 3}"),
              ElementsAre("l1d.size: 16384 is no multiple of 3 ways of 128 B"));
  EXPECT_THAT(problems_of("l1d.mshr: {kind: tsma, entries: 1024}"), ElementsAre("l1d: no room"));
  // The relation that a refused value breaks is not a second mistake.
  EXPECT_THAT(problems_of("l1d: {ways: 3, size: big}"),
              ElementsAre(HasSubstr("l1d.size: big is not a size")));
}

TEST_F(ConfigFiles, IncludesComeFirstAndAreRelative) {
  write("base.yaml", "l1d: {ways: 2, size: 8 KiB}\nl2: {ways: 2}\n");
  write("sub/more.yaml", "include: ../base.yaml\nl2: {ways: 4}\n");
  // The include stands last in the file and is loaded first all the same.
  const std::string top = write("top.yaml", "l1d: {ways: 8}\ninclude: sub/more.yaml\n");
  Config config(machine_.schema);
  config.load_file(top);
  config.finish();
  EXPECT_EQ(machine_.ways, 8u);
  EXPECT_EQ(machine_.size, 8192u);
  EXPECT_EQ(machine_.l2_ways, 4u);
  EXPECT_EQ(config.origin("l1d.ways").text(), top + ":1");
  EXPECT_EQ(config.origin("l1d.size").text(), path("base.yaml") + ":1");
  EXPECT_THAT(config.files(), ElementsAre(path("base.yaml"), path("sub/more.yaml"), top));
}

TEST_F(ConfigFiles, IncludeListInOrderAndEachFileOnce) {
  write("base.yaml", "l1d: {ways: 1, size: 1 KiB}\nl2: {ways: 1}\n");
  write("a.yaml", "include: base.yaml\nl1d: {ways: 2}\nl2: {ways: 2}\n");
  write("b.yaml", "include: base.yaml\nl2: {ways: 4}\n");
  const std::string top = write("top.yaml", "include: [a.yaml, b.yaml]\n");
  Config config(machine_.schema);
  config.load_file(top);
  config.finish();
  EXPECT_EQ(machine_.ways, 2u) << "loading the base again would undo a.yaml";
  EXPECT_EQ(machine_.l2_ways, 4u);
}

TEST_F(ConfigFiles, LaterFileWins) {
  const std::string a = write("a.yaml", "l1d: {ways: 2}"), b = write("b.yaml", "l1d: {ways: 4}");
  Config config(machine_.schema);
  for (const auto& file : {a, b, a}) config.load_file(file);
  config.finish();
  EXPECT_EQ(machine_.ways, 2u);
}

TEST_F(ConfigFiles, IncludeMistakes) {
  const auto problems = [&](const std::string& file) {
    Machine machine;
    Config config(machine.schema);
    config.load_file(file);
    EXPECT_THROW(config.finish(), UserError);
    return config.problems().list();
  };
  const std::string a = write("a.yaml", "include: b.yaml\n");
  write("b.yaml", "title: x\ninclude: sub/../a.yaml\n");
  EXPECT_THAT(problems(a),
              ElementsAre(path("b.yaml") + ":2: include: files include each other: a.yaml -> "
                                           "b.yaml -> a.yaml"));
  const std::string self = write("self.yaml", "include: self.yaml\n");
  EXPECT_THAT(problems(self), ElementsAre(HasSubstr("self.yaml -> self.yaml")));
  const std::string missing = write("m.yaml", "\ninclude: nowhere.yaml\n");
  EXPECT_THAT(problems(missing), ElementsAre(HasSubstr("cannot be opened: No such file")));
  EXPECT_THAT(problems(missing)[0], testing::StartsWith(missing + ":2: "));
  EXPECT_THAT(problems(write("n.yaml", "include: {a: 1}")),
              ElementsAre(HasSubstr(":1: include: needs the name of a file")));
  EXPECT_THAT(problems(write("e.yaml", "include:")),
              ElementsAre(HasSubstr("needs the name of a file")));
  EXPECT_THAT(problems(write("l.yaml", "include: [[a]]")),
              ElementsAre(HasSubstr("needs the name of a file")));
  EXPECT_THAT(problems(path("nowhere.yaml")), ElementsAre(HasSubstr("cannot be opened")));
  EXPECT_THAT(problems(path("sub")), ElementsAre(HasSubstr("cannot be read: Is a directory")));
  EXPECT_THAT(problems(write("long.yaml", std::string((1 << 20) + 1, '#'))),
              ElementsAre(HasSubstr("longer than 1 MiB")));
}

}  // namespace
}  // namespace warpmem
