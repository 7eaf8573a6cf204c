// SPDX-License-Identifier: Apache-2.0
#include "app/help_pages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "base/errors.hpp"

namespace warpmem::app {
namespace {

using testing::HasSubstr;

class HelpPages : public testing::Test {
 protected:
  HelpPages() {
    app_.require_subcommand(1);
    CLI::App* run = app_.add_subcommand("run", "run a program");
    run->add_option("-o,--out", text_, "a folder (default: .\\x)")->type_name("FOLDER");
    run->add_option("--size", text_, "how large")->check(CLI::IsMember({"tiny", "small"}));
    run->add_flag("--table", flag_, "print a table");
    run->add_option("PROGRAM", text_, "the program")->required();
    run->add_option("ARGS", arguments_, "its arguments, after --");
    CLI::App* trace = app_.add_subcommand("trace", "traces");
    trace->require_subcommand(1);
    trace->add_subcommand("convert", "make one")->add_option("INPUT", text_, "'what'");
  }

  std::string wrong(const std::string& words) {
    try {
      app_.parse(words);
    } catch (const CLI::ParseError& error) {
      return mistake(app_, error);
    }
    return "parsed";
  }

  CLI::App app_{"tool: does things", "tool"};
  std::string text_;
  std::vector<std::string> arguments_;
  bool flag_ = false;
};

TEST_F(HelpPages, NearestCommand) {
  EXPECT_EQ(wrong("rnu x"), "rnu: no such command; did you mean run?");
  EXPECT_EQ(wrong("trace convrt x"), "convrt: no such command; did you mean convert?");
  EXPECT_EQ(wrong("zzz"), "zzz: no such command; allowed: run, trace");
}

TEST_F(HelpPages, NearestOption) {
  EXPECT_EQ(wrong("run x --tabel"), "--tabel: no such option; did you mean --table?");
  EXPECT_EQ(wrong("run x --sise=tiny"), "--sise: no such option; did you mean --size?");
  EXPECT_EQ(wrong("run x -z"), "-z: no such option");
}

TEST_F(HelpPages, AWordTooMany) { EXPECT_EQ(wrong("trace convert x y"), "y: unexpected argument"); }

TEST_F(HelpPages, OtherMistakesAreTheParsers) {
  EXPECT_EQ(wrong("run"), "PROGRAM is required (tool run --help says more)");
  EXPECT_EQ(wrong("run x --size huge"),
            "--size: huge not in {tiny,small} (tool run --help says more)");
  EXPECT_EQ(wrong("run x --size huge -- 3"),
            "--size: huge not in {tiny,small} (tool run --help says more)");
}

TEST_F(HelpPages, AnOptionBeforeTheCommandOrBesideArguments) {
  EXPECT_EQ(wrong("--foo run"), "--foo: no such option");
  EXPECT_EQ(wrong("--foo run x"), "--foo: no such option");
  EXPECT_EQ(wrong("run --tabel x -- 3"), "--tabel: no such option; did you mean --table?");
}

TEST_F(HelpPages, CommandsAreFound) {
  EXPECT_EQ(&find_command(app_, {}), &app_);
  EXPECT_EQ(find_command(app_, {"trace", "convert"}).get_description(), "make one");
  try {
    find_command(app_, {"tarce"});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "tarce: no such command; did you mean trace?");
  }
}

TEST_F(HelpPages, ManualIsTroff) {
  const auto pages = man_pages(app_);
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_EQ(pages[0].first, "warpmem.1");
  EXPECT_THAT(pages[0].second, HasSubstr("warpmem \\- does things"));
  EXPECT_THAT(pages[0].second, HasSubstr(".BR warpmem\\-run (1)\nrun a program\n"));
  EXPECT_EQ(pages[1].first, "warpmem-run.1");
  EXPECT_THAT(pages[1].second, HasSubstr("\\fBwarpmem run\\fR [\\fIOPTIONS\\fR] \\fIPROGRAM\\fR"));
  EXPECT_THAT(
      pages[1].second,
      HasSubstr(".TP\n\\fB\\-o\\fR, \\fB\\-\\-out\\fR \\fIFOLDER\\fR\na folder (default: .\\ex)"));
  EXPECT_THAT(pages[1].second, HasSubstr("\\fB\\-\\-size\\fR \\fItiny|small\\fR\nhow large"));
  EXPECT_THAT(pages[1].second, HasSubstr("\\fB\\-\\-table\\fR\nprint a table"));
  EXPECT_THAT(pages[2].second, HasSubstr("\n\\&'what'\n"));
}

TEST_F(HelpPages, CompletionHasEveryCommandAndOption) {
  const std::string script = bash_completion(app_);
  EXPECT_THAT(script, HasSubstr("\" \"*) words=\"run trace --help\""));
  EXPECT_THAT(script, HasSubstr("\"run --size\") words=\"tiny small\" values=1"));
  EXPECT_THAT(script, HasSubstr("\"trace convert \"*) words=\"--help\""));
}

}  // namespace
}  // namespace warpmem::app
