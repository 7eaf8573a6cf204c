// SPDX-License-Identifier: Apache-2.0
#include "synth/process.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/errors.hpp"

namespace warpmem::synth {
namespace {

namespace fs = std::filesystem;

class ProcessTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "process_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }
  Command command(std::vector<std::string> argv) const {
    return {std::move(argv), folder_, folder_ / "log", {}, "some-package"};
  }
  fs::path folder_;
};

TEST_F(ProcessTest, NoShellLooksAtTheArguments) {
  EXPECT_EQ(run_command(command({"echo", "a b", "$HOME", "; exit 3"})), 0);
  EXPECT_EQ(read_text(folder_ / "log"), "a b $HOME ; exit 3\n");
}

TEST_F(ProcessTest, RunsInTheFolderAndSeparatesOutput) {
  auto c = command({"pwd"});
  c.output = folder_ / "out";
  EXPECT_EQ(run_command(c), 0);
  EXPECT_EQ(read_text(folder_ / "out"), fs::canonical(folder_).string() + "\n");
  EXPECT_EQ(read_text(folder_ / "log"), "");
}

TEST_F(ProcessTest, ReportsStatusAndSignals) {
  EXPECT_EQ(run_command(command({"false"})), 1);
  EXPECT_EQ(run_command(command({"sh", "-c", "kill -9 $$"})), 137);
}

TEST_F(ProcessTest, MissingProgramNamesItsPackage) {
  try {
    run_command(command({"no-such-program-here"}));
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(),
                 "no-such-program-here is not installed: run 'apt-get install some-package'");
  }
}

TEST_F(ProcessTest, UnreadableAndUnwritableFiles) {
  EXPECT_THROW(read_text(folder_ / "none"), UserError);
  EXPECT_THROW(read_text(folder_), UserError);
  EXPECT_THROW(write_text(folder_ / "none" / "file", "x"), UserError);
}

}  // namespace
}  // namespace warpmem::synth
