// SPDX-License-Identifier: Apache-2.0
// When a source counts as compiled already.
#include "app/made_programs.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::app {
namespace {

namespace fs = std::filesystem;

class MadeProgramsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"a.cu", "a b#$.h", "c.h"}) write_text(folder_ / name, name);
    // Lines as clang writes them.
    write_text(folder_ / "deps", "a.o: " + (folder_ / "a.cu") + " \\\n  " +
                                     (folder_ / "a\\ b\\#$$.h") + " " + (folder_ / "c.h") + "\n");
  }
  void made(fs::file_time_type began = fs::file_time_type::clock::now() + std::chrono::hours(1)) {
    programs_.made("a.cu", "123", folder_ / "deps", began);
  }

  test::ScratchFolder folder_;
  MadePrograms programs_;
};

TEST_F(MadeProgramsTest, KnownWhileNothingChanges) {
  EXPECT_EQ(programs_.hash_of("a.cu"), "");
  made();
  EXPECT_EQ(programs_.hash_of("a.cu"), "123");
  EXPECT_EQ(programs_.hash_of("b.cu"), "");
  EXPECT_EQ(MadePrograms(programs_.text()).hash_of("a.cu"), "123");
}

TEST_F(MadeProgramsTest, EveryFileCounts) {
  for (const char* name : {"a.cu", "a b#$.h", "c.h"}) {
    made();
    ASSERT_EQ(programs_.hash_of("a.cu"), "123");
    write_text(folder_ / name, "changed");
    EXPECT_EQ(programs_.hash_of("a.cu"), "") << name;
    write_text(folder_ / name, name);
    EXPECT_EQ(programs_.hash_of("a.cu"), "123") << name;
    fs::remove(folder_ / name);
    EXPECT_EQ(programs_.hash_of("a.cu"), "") << name;
    write_text(folder_ / name, name);
  }
}

TEST_F(MadeProgramsTest, TheCompilerCounts) {
  made();
  const std::string path = getenv("PATH");
  write_text(folder_ / "clang++-14", "#!/bin/sh\n");
  fs::permissions(folder_ / "clang++-14", fs::perms::owner_all);
  setenv("PATH", (folder_.path().string() + ":" + path).c_str(), 1);
  EXPECT_EQ(programs_.hash_of("a.cu"), "");
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(programs_.hash_of("a.cu"), "123");
}

TEST_F(MadeProgramsTest, ASourceThatChangesMeanwhileIsNotKnown) {
  made(fs::last_write_time(folder_ / "c.h"));
  EXPECT_EQ(programs_.hash_of("a.cu"), "");
}

TEST_F(MadeProgramsTest, OtherTextIsNoKnowledge) {
  made();
  const std::string text = programs_.text();
  for (const std::string& other : {std::string(), std::string("[]"), std::string("{\"a.cu\": 3}"),
                                   text.substr(0, text.size() - 1)})
    EXPECT_EQ(MadePrograms(other).hash_of("a.cu"), "") << other;
}

}  // namespace
}  // namespace warpmem::app
