// SPDX-License-Identifier: Apache-2.0
#include "base/process.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/errors.hpp"
#include "base/text_file.hpp"

namespace warpmem {
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
  Process logged(std::vector<std::string> argv) const {
    return {std::move(argv), "some-package", folder_, folder_ / "log"};
  }
  std::string log() const { return read_text(folder_ / "log"); }
  static std::string message(const Process& process) {
    try {
      run_process(process);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }
  fs::path folder_;
};

TEST_F(ProcessTest, NoShellLooksAtTheArguments) {
  EXPECT_EQ(run_process(logged({"echo", "a b", "$HOME", "; exit 3"})), 0);
  EXPECT_EQ(log(), "a b $HOME ; exit 3\n");
}

TEST_F(ProcessTest, RunsInTheFolderAndSeparatesOutput) {
  Process p = logged({"sh", "-c", "pwd; echo problem >&2"});
  p.output = folder_ / "out";
  EXPECT_EQ(run_process(p), 0);
  EXPECT_EQ(read_text(folder_ / "out"), fs::canonical(folder_).string() + "\n");
  EXPECT_EQ(log(), "problem\n");
}

TEST_F(ProcessTest, LogHoldsBothStreamsOfTheLastRun) {
  EXPECT_EQ(run_process(logged({"echo", "an earlier run, longer than the next"})), 0);
  EXPECT_EQ(run_process(logged({"sh", "-c", "echo one; echo two >&2; echo three"})), 0);
  EXPECT_EQ(log(), "one\ntwo\nthree\n");
}

TEST_F(ProcessTest, RelativeFilesStartAtOurFolder) {
  const fs::path before = fs::current_path();
  fs::create_directory(folder_ / "below");
  fs::current_path(folder_);
  Process p = logged({"pwd"});
  p.directory = "below";
  p.log = "log";
  const int status = run_process(p);
  fs::current_path(before);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(log(), fs::canonical(folder_ / "below").string() + "\n");
}

TEST_F(ProcessTest, InheritsStreamsAndFolder) {
  Process p;
  p.argv = {"sh", "-c", "pwd; echo problem >&2"};
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_process(p), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), fs::current_path().string() + "\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "problem\n");
}

TEST_F(ProcessTest, EnvironmentIsOursWithAdditions) {
  setenv("PROCESS_TEST_KEPT", "kept", 1);
  setenv("PROCESS_TEST_OTHER", "old", 1);
  Process p = logged({"sh", "-c", "echo $PROCESS_TEST_KEPT $PROCESS_TEST_OTHER $PROCESS_TEST"});
  p.environment = {"PROCESS_TEST_OTHER=replaced", "PROCESS_TEST=added"};
  EXPECT_EQ(run_process(p), 0);
  EXPECT_EQ(log(), "kept replaced added\n");
  EXPECT_STREQ(getenv("PROCESS_TEST_OTHER"), "old");
}

TEST_F(ProcessTest, StandardInputIsEmptyWithALog) {
  EXPECT_EQ(run_process(logged({"cat"})), 0);
  EXPECT_EQ(log(), "");
}

TEST_F(ProcessTest, ReportsStatusAndSignals) {
  EXPECT_EQ(run_process(logged({"false"})), 1);
  EXPECT_EQ(run_process(logged({"sh", "-c", "kill -9 $$"})), 137);
}

TEST_F(ProcessTest, MissingProgramNamesItsPackage) {
  EXPECT_EQ(message(logged({"no-such-program-here"})),
            "no-such-program-here is not installed: run 'apt-get install some-package'");
  Process p = logged({"no-such-program-here"});
  p.debian_package = "";
  EXPECT_EQ(message(p), "no-such-program-here: cannot be run: No such file or directory");
}

TEST_F(ProcessTest, OtherMissingThingsAreNotTakenForTheProgram) {
  Process p = logged({"true"});
  p.directory = folder_ / "none";
  EXPECT_EQ(message(p), (folder_ / "none").string() + ": no such folder");
  p = logged({"true"});
  p.log = folder_ / "none" / "log";
  EXPECT_EQ(message(p), (folder_ / "none" / "log: cannot be written").string());
  p = logged({"true"});
  p.output = folder_ / "none" / "out";
  EXPECT_EQ(message(p), (folder_ / "none" / "out: cannot be written").string());
}

TEST_F(ProcessTest, UnreadableAndUnwritableFiles) {
  EXPECT_THROW(read_text(folder_ / "none"), UserError);
  EXPECT_THROW(read_text(folder_), UserError);
  EXPECT_THROW(write_text(folder_ / "none" / "file", "x"), UserError);
}

}  // namespace
}  // namespace warpmem
