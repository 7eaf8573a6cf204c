// SPDX-License-Identifier: Apache-2.0
#include "base/process.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <thread>

#include "base/errors.hpp"
#include "base/programs.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem {
namespace {

namespace fs = std::filesystem;

class ProcessTest : public testing::Test {
 protected:
  Process logged(std::vector<std::string> argv) const {
    return {std::move(argv), folder_, folder_ / "log"};
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
  const test::ScratchFolder scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(ProcessTest, NoShellLooksAtTheArguments) {
  EXPECT_EQ(run_process(logged({"/bin/echo", "a b", "$HOME", "; exit 3"})), 0);
  EXPECT_EQ(log(), "a b $HOME ; exit 3\n");
}

// Nobody has asked yet whether it has ended; its results are as good as ever.
TEST_F(ProcessTest, KillingWhatHasEndedLeavesItsStatus) {
  std::optional<int> status;
  for (std::chrono::milliseconds time(10); status != 3 && time.count() < 60'000; time *= 2) {
    RunningProcess process(logged({"/bin/sh", "-c", "exit 3"}));
    std::this_thread::sleep_for(time);
    process.kill();
    status = process.wait(std::chrono::milliseconds(0));
  }
  EXPECT_EQ(status, 3);
}

TEST_F(ProcessTest, KilledWhileItRuns) {
  RunningProcess process(logged({"/bin/sleep", "600"}));
  process.kill();
  EXPECT_EQ(process.wait(), 128 + SIGKILL);
}

TEST_F(ProcessTest, RunsInTheFolderAndSeparatesOutput) {
  Process p = logged({"/bin/sh", "-c", "pwd; echo problem >&2"});
  p.output = folder_ / "out";
  EXPECT_EQ(run_process(p), 0);
  EXPECT_EQ(read_text(folder_ / "out"), fs::canonical(folder_).string() + "\n");
  EXPECT_EQ(log(), "problem\n");
}

TEST_F(ProcessTest, LogHoldsBothStreamsOfTheLastRun) {
  EXPECT_EQ(run_process(logged({"/bin/echo", "an earlier run, longer than the next"})), 0);
  EXPECT_EQ(run_process(logged({"/bin/sh", "-c", "echo one; echo two >&2; echo three"})), 0);
  EXPECT_EQ(log(), "one\ntwo\nthree\n");
}

TEST_F(ProcessTest, RelativeFilesStartAtOurFolder) {
  const fs::path before = fs::current_path();
  fs::create_directory(folder_ / "below");
  fs::current_path(folder_);
  Process p = logged({"/bin/pwd"});
  p.directory = "below";
  p.log = "log";
  const int status = run_process(p);
  fs::current_path(before);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(log(), fs::canonical(folder_ / "below").string() + "\n");
}

TEST_F(ProcessTest, InheritsStreamsAndFolder) {
  Process p;
  p.argv = {"/bin/sh", "-c", "pwd; echo problem >&2"};
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_process(p), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), fs::current_path().string() + "\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "problem\n");
}

TEST_F(ProcessTest, EnvironmentIsOursWithAdditions) {
  setenv("PROCESS_TEST_KEPT", "kept", 1);
  setenv("PROCESS_TEST_OTHER", "old", 1);
  Process p =
      logged({"/bin/sh", "-c", "echo $PROCESS_TEST_KEPT $PROCESS_TEST_OTHER $PROCESS_TEST"});
  p.environment = {"PROCESS_TEST_OTHER=replaced", "PROCESS_TEST=added"};
  EXPECT_EQ(run_process(p), 0);
  EXPECT_EQ(log(), "kept replaced added\n");
  EXPECT_STREQ(getenv("PROCESS_TEST_OTHER"), "old");
}

TEST_F(ProcessTest, StandardInputIsEmptyWithALog) {
  EXPECT_EQ(run_process(logged({"/bin/cat"})), 0);
  EXPECT_EQ(log(), "");
}

TEST_F(ProcessTest, ReportsStatusAndSignals) {
  EXPECT_EQ(run_process(logged({"/bin/false"})), 1);
  EXPECT_EQ(run_process(logged({"/bin/sh", "-c", "kill -9 $$"})), 137);
}

TEST_F(ProcessTest, MissingProgramNamesItsPackage) {
  const std::string path = getenv("PATH");
  setenv("PATH", folder_.c_str(), 1);
  EXPECT_EQ(message(logged({"yosys-smtbmc"})),
            "yosys-smtbmc is not installed: run 'apt-get install yosys'");
  Process p = logged({"/bin/true"});
  p.needs = {"z3"};
  EXPECT_EQ(message(p), "z3 is not installed: run 'apt-get install z3'");
  setenv("PATH", path.c_str(), 1);
  EXPECT_THROW(run_process(logged({std::string("no-such-program-here")})), std::logic_error);
  EXPECT_EQ(message(logged({"/no/such/program"})),
            "/no/such/program: cannot be run: No such file or directory");
}

TEST_F(ProcessTest, ProgramsAreFoundInPath) {
  write_text(folder_ / "z3", "#!/bin/sh\necho own $1\n");
  fs::create_directory(folder_ / "yosys");  // it is not a program
  const std::string path = getenv("PATH");
  setenv("PATH", (folder_.string() + ":" + path).c_str(), 1);
  const std::string before = find_program("z3");  // what is not executable is passed over
  fs::permissions(folder_ / "z3", fs::perms::owner_all);
  EXPECT_EQ(find_program("z3"), folder_ / "z3");
  EXPECT_EQ(run_process(logged({"z3", "x"})), 0);
  EXPECT_EQ(find_program("yosys").filename(), "yosys");
  EXPECT_NE(find_program("yosys"), folder_ / "yosys");
  EXPECT_EQ(program_in_path("yosys").filename(), "yosys");
  EXPECT_EQ(program_in_path("no-such-program-here"), "");
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(before, folder_ / "z3");
  EXPECT_EQ(log(), "own x\n");
}

TEST_F(ProcessTest, EndingNamesProgramAndPackage) {
  Process p;
  p.argv = {"yosys-abc"};
  p.limit = std::chrono::seconds(3);
  EXPECT_EQ(ending(p, 7), "yosys-abc (Debian package yosys) ended with exit status 7");
  EXPECT_EQ(ending(p, 139), "yosys-abc (Debian package yosys) was ended by signal 11");
  EXPECT_EQ(ending(p, kOutOfTime), "yosys-abc (Debian package yosys) took more than 3 s");
  p.argv = {"./own"};
  EXPECT_EQ(ending(p, 1), "./own ended with exit status 1");
}

/// This shell starts another one, which starts a third; each writes its number into `pids`.
constexpr const char* kNested =
    "echo $$ >> pids; /bin/sh -c 'echo $$ >> pids; /bin/sh -c \"echo \\$\\$ >> pids; sleep 600; "
    ":\"; "
    ":'; :";

/// Waits for the three of kNested.
std::vector<pid_t> nested_in(const fs::path& folder) {
  std::vector<pid_t> pids;
  while (pids.size() < 3) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    pids.clear();
    std::ifstream in(folder / "pids");
    for (pid_t pid = 0; in >> pid;) pids.push_back(pid);
  }
  return pids;
}

/// Returns whether it ends within ten seconds; a zombie has ended.
bool ends(pid_t pid) {
  for (int i = 0; i < 1000; ++i) {
    std::ifstream stat(fmt::format("/proc/{}/stat", pid));
    std::string number, name, state;
    if (!(stat >> number >> name >> state) || state == "Z") return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST_F(ProcessTest, LimitEndsTheWholeGroup) {
  Process p = logged({"/bin/sh", "-c", kNested});
  p.limit = std::chrono::seconds(1);
  EXPECT_EQ(run_process(p), kOutOfTime);
  for (const pid_t pid : nested_in(folder_)) EXPECT_TRUE(ends(pid)) << pid;
  p = logged({"/bin/sh", "-c", "exit 5"});
  p.limit = std::chrono::seconds(60);
  EXPECT_EQ(run_process(p), 5);
}

TEST_F(ProcessTest, WhatAProgramLeavesBehindEndsWithIt) {
  EXPECT_EQ(run_process(logged({"/bin/sh", "-c", "sleep 600 & echo $! > pid; exit 4"})), 4);
  EXPECT_TRUE(ends(std::stoi(read_text(folder_ / "pid"))));
}

TEST_F(ProcessTest, DestructionEndsTheGroup) {
  std::vector<pid_t> pids;
  {
    RunningProcess running(logged({"/bin/sh", "-c", kNested}));
    pids = nested_in(folder_);
    EXPECT_EQ(running.wait(std::chrono::milliseconds(0)), std::nullopt);
  }
  for (const pid_t pid : pids) EXPECT_TRUE(ends(pid)) << pid;
}

class KilledBy : public ProcessTest, public testing::WithParamInterface<int> {};

TEST_P(KilledBy, EndsWithEverythingItStarted) {
  for (const bool shared_streams : {false, true}) {
    fs::remove(folder_ / "pids");
    const pid_t victim = fork();
    ASSERT_GE(victim, 0);
    if (victim == 0) {
      signal(GetParam(), SIG_DFL);  // ignored where the tests run in the background
      // In a thread, as the proofs are run.
      std::thread([&] {
        Process p = logged({"/bin/sh", "-c", kNested});
        if (shared_streams) p.log = "";
        run_process(p);
      }).join();
      _exit(0);
    }
    const std::vector<pid_t> pids = nested_in(folder_);
    kill(victim, GetParam());
    EXPECT_EQ(waitpid(victim, nullptr, 0), victim);
    for (const pid_t pid : pids) EXPECT_TRUE(ends(pid)) << pid;
  }
}

INSTANTIATE_TEST_SUITE_P(Signals, KilledBy, testing::Values(SIGTERM, SIGINT, SIGHUP, SIGKILL));

TEST_F(ProcessTest, OtherMissingThingsAreNotTakenForTheProgram) {
  Process p = logged({"/bin/true"});
  p.directory = folder_ / "none";
  EXPECT_EQ(message(p), (folder_ / "none").string() + ": no such folder");
  p = logged({"/bin/true"});
  p.log = folder_ / "none" / "log";
  EXPECT_EQ(message(p),
            (folder_ / "none" / "log").string() + ": cannot be written: No such file or directory");
  p = logged({"/bin/true"});
  p.output = folder_ / "none" / "out";
  EXPECT_EQ(message(p),
            (folder_ / "none" / "out").string() + ": cannot be written: No such file or directory");
}

TEST_F(ProcessTest, UnreadableAndUnwritableFiles) {
  EXPECT_THROW(read_text(folder_ / "none"), UserError);
  EXPECT_THROW(read_text(folder_), UserError);
  EXPECT_THROW(write_text(folder_ / "none" / "file", "x"), UserError);
}

}  // namespace
}  // namespace warpmem
