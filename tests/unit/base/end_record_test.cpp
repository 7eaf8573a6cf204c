// SPDX-License-Identifier: Apache-2.0
// Each case kills one of the three, program, keeper and starter, at one moment.
#include "base/end_record.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem {
namespace {

namespace fs = std::filesystem;
using test::ScratchFolder;

template <class Condition>
bool within_a_minute(const Condition& condition) {
  for (int i = 0; i < 6000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

char state_of(pid_t pid) {
  std::ifstream stat(fmt::format("/proc/{}/stat", pid));
  std::string number, name, state;
  return stat >> number >> name >> state ? state[0] : 'X';
}

bool is_over(pid_t pid) { return state_of(pid) == 'Z' || state_of(pid) == 'X'; }

pid_t child_of(pid_t process) {
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", process));
  pid_t last = 0;
  for (pid_t child = 0; children >> child;) last = child;
  return last;
}

class EndRecordTest : public testing::Test {
 protected:
  Process program(const std::string& script) const {
    Process p{{"/bin/sh", "-c", script}, folder_.path(), folder_.path() / "log"};
    p.record = record_;
    return p;
  }
  fs::path file(const char* name) const { return folder_.path() / name; }
  /// A program that ends with status 3 when the file `go` is there.
  Process waiting() const {
    return program("echo $$ > new; mv new pid; until test -e go; do sleep 0.01; done; exit 3");
  }
  pid_t pid_in(const char* name) const {
    EXPECT_TRUE(within_a_minute([&] { return fs::exists(file(name)); }));
    return std::stoi(read_text(file(name)));
  }

  ScratchFolder folder_;
  const fs::path record_ = folder_.path() / "ended";
};

TEST_F(EndRecordTest, TellsStatusAndTime) {
  EXPECT_EQ(run_process(program("sleep 0.2; exit 3")), 3);
  const auto end = read_end(record_);
  ASSERT_TRUE(end);
  EXPECT_EQ(end->status, 3);
  EXPECT_GE(end->seconds, 0.2);
  EXPECT_LT(end->seconds, 60);
  EXPECT_FALSE(lives(record_));
  EXPECT_FALSE(fs::exists(file("ended.open")));
  EXPECT_EQ(run_process(program("kill -SEGV $$")), 128 + SIGSEGV);
  EXPECT_EQ(read_end(record_)->status, 128 + SIGSEGV);
}

TEST_F(EndRecordTest, NoneOfWhatWeHaveEnded) {
  write_text(record_, "0 5 end\n");  // of an earlier program
  RunningProcess running(waiting());
  pid_in("pid");
  EXPECT_TRUE(lives(record_));
  EXPECT_FALSE(read_end(record_));
  running.kill();
  EXPECT_EQ(running.wait(), 128 + SIGKILL);
  EXPECT_TRUE(within_a_minute([&] { return !lives(record_); }));  // a last sleep has it, too
  EXPECT_FALSE(read_end(record_));
}

TEST_F(EndRecordTest, WhoLooksIsNotTakenForTheProgram) {
  EXPECT_EQ(run_process(program("exit 3")), 3);
  const int another = open(record_.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(flock(another, LOCK_SH), 0);  // as lives() does
  EXPECT_FALSE(lives(record_));
  close(another);
}

TEST_F(EndRecordTest, NoneOfWhatCouldNotBeStarted) {
  Process p = program("");
  write_text(file("script"), "#!/nowhere/sh\n");
  fs::permissions(file("script"), fs::perms::owner_all);
  p.argv = {file("script")};
  EXPECT_THROW(run_process(p), UserError);
  EXPECT_FALSE(read_end(record_));
  EXPECT_FALSE(lives(record_));
  p.record = file("none") / "ended";
  EXPECT_THROW(run_process(p), UserError);
}

TEST_F(EndRecordTest, HalfARecordIsNone) {
  for (const char* text : {"", "0", "0 12", "0 12 e", "x 12 end\n"}) {
    write_text(record_, text);
    EXPECT_FALSE(read_end(record_)) << text;
  }
}

// What waits for the program's end is stopped while that comes, and ended after it.
TEST_F(EndRecordTest, AnEndWhileTheKeeperIsStopped) {
  RunningProcess running(waiting());
  const pid_t program = pid_in("pid"), keeper = child_of(getpid());
  ASSERT_EQ(kill(keeper, SIGSTOP), 0);
  ASSERT_TRUE(within_a_minute([&] { return state_of(keeper) == 'T'; }));
  write_text(file("go"), "");
  ASSERT_TRUE(within_a_minute([&] { return is_over(program); }));
  EXPECT_FALSE(read_end(record_));
  running.kill();
  EXPECT_EQ(running.wait(), 3);
  EXPECT_EQ(read_end(record_)->status, 3);
}

TEST_F(EndRecordTest, AKeeperThatIsKilledBeforeTakesTheProgramWithIt) {
  RunningProcess running(program("sleep 600 & echo $! > new; mv new pid; wait; exit 3"));
  const pid_t below = pid_in("pid"), keeper = child_of(getpid());
  const pid_t program = child_of(keeper);
  ASSERT_EQ(kill(keeper, SIGKILL), 0);
  EXPECT_EQ(running.wait(), 128 + SIGKILL);
  EXPECT_TRUE(within_a_minute([&] { return is_over(program) && is_over(below); }));
  EXPECT_TRUE(within_a_minute([&] { return !lives(record_); }));
  EXPECT_FALSE(read_end(record_));
}

TEST_F(EndRecordTest, WhoeverKillsItThenEndsWhatItStarted) {
  RunningProcess running(program("sleep 600 & echo $! > new; mv new pid; wait; exit 3"));
  const pid_t below = pid_in("pid"), keeper = child_of(getpid());
  const pid_t program = child_of(keeper);
  ASSERT_EQ(kill(keeper, SIGKILL), 0);
  ASSERT_TRUE(within_a_minute([&] { return is_over(keeper) && is_over(program); }));
  EXPECT_FALSE(is_over(below));
  running.kill();
  EXPECT_EQ(running.wait(), 128 + SIGKILL);
  EXPECT_TRUE(within_a_minute([&] { return is_over(below); }));
}

TEST_F(EndRecordTest, AKeeperThatIsKilledAfterItsRecord) {
  RunningProcess running(waiting());
  pid_in("pid");
  write_text(record_, fmt::format("{} 1000 end\n", 3 << 8));  // as it writes it
  ASSERT_EQ(kill(child_of(getpid()), SIGKILL), 0);
  EXPECT_EQ(running.wait(), 3);
}

TEST_F(EndRecordTest, WhatTheProgramHasSaidCounts) {
  RunningProcess running(
      program("test ${WARPMEM_END_RECORD%% *} -eq $$ && echo 768 1000 end > "
              "\"${WARPMEM_END_RECORD#* }.said\"; "
              "echo $$ > new; mv new pid; exec sleep 600"));
  pid_in("pid");
  ASSERT_EQ(kill(child_of(getpid()), SIGKILL), 0);
  EXPECT_EQ(running.wait(), 3);
  EXPECT_EQ(read_end(record_)->status, 3);
  EXPECT_EQ(run_process(program("exit 4")), 4);
  EXPECT_EQ(read_end(record_)->status, 4);  // what was said before is gone
}

TEST_F(EndRecordTest, AProgramSaysItsEnd) {
  for (const bool ours : {true, false}) {
    const pid_t child = fork();
    if (child == 0) {
      const pid_t named = ours ? getpid() : getppid();
      setenv(kEndVariable, fmt::format("{:010} {}", named, record_.string()).c_str(), 1);
      say_end_at_exit();
      if (const pid_t fork_of_it = fork(); fork_of_it == 0)
        std::exit(5);
      else
        waitpid(fork_of_it, nullptr, 0);
      if (read_end(record_)) _exit(6);
      std::exit(3);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(exit_status(status), 3);
    EXPECT_EQ(read_end(record_).has_value(), ours);
    if (ours) {
      EXPECT_EQ(read_end(record_)->status, 3);
    }
    fs::remove(record_.string() + ".said");
  }
}

/// A process that starts a program and does not look at it.
class Starter {
 public:
  explicit Starter(const Process& process) : pid_(fork()) {
    if (pid_ != 0) return;
    const RunningProcess running(process);
    for (;;) pause();
  }
  ~Starter() { end(); }
  void end() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
};

TEST_F(EndRecordTest, AnEndThatNobodyLooksAt) {
  Starter starter(waiting());
  pid_in("pid");
  kill(starter.pid(), SIGSTOP);
  EXPECT_TRUE(lives(record_));
  write_text(file("go"), "");
  ASSERT_TRUE(within_a_minute([&] { return read_end(record_).has_value(); }));
  starter.end();
  EXPECT_EQ(read_end(record_)->status, 3);
  EXPECT_FALSE(lives(record_));
}

TEST_F(EndRecordTest, AStarterThatIsKilledTakesTheProgramWithIt) {
  Starter starter(waiting());
  const pid_t program = pid_in("pid");
  starter.end();
  EXPECT_TRUE(within_a_minute([&] { return is_over(program) && !lives(record_); }));
  write_text(file("go"), "");
  EXPECT_FALSE(read_end(record_));
}

TEST_F(EndRecordTest, LivesAsLongAsAnythingOfIt) {
  Starter starter(program("setsid sh -c 'echo $$ > new; mv new pid; exec sleep 600' & wait"));
  const pid_t escaped = pid_in("pid");
  starter.end();
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_TRUE(lives(record_));
  kill(escaped, SIGKILL);
  EXPECT_TRUE(within_a_minute([&] { return !lives(record_); }));
  EXPECT_FALSE(read_end(record_));
}

}  // namespace
}  // namespace warpmem
