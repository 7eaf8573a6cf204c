// SPDX-License-Identifier: Apache-2.0
#include "base/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <iterator>
#include <thread>

#include "base/environment_error.hpp"
#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem {
namespace {

namespace fs = std::filesystem;

class OutputFileTest : public testing::Test {
 protected:
  /// How many names the folder has.
  std::size_t names() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator()));
  }
  static std::string message(const fs::path& file, std::string_view text = "text") {
    try {
      OutputFile out(file);
      out.write(text);
      out.commit();
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "no error";
  }
  test::ScratchFolder folder_;
};

TEST_F(OutputFileTest, AFileAppearsWhole) {
  const std::string file = folder_ / "f";
  OutputFile out(file);
  out.write("one ");
  out.write("two");
  EXPECT_EQ(names(), 0u);
  out.commit();
  EXPECT_EQ(read_text(file), "one two");
  EXPECT_EQ(names(), 1u);
}

TEST_F(OutputFileTest, WithoutCommitTheOldFileStays) {
  const std::string file = folder_ / "f";
  write_text(file, "old");
  { OutputFile(file).write("half of it"); }
  EXPECT_EQ(read_text(file), "old");
  EXPECT_EQ(names(), 1u);
}

TEST_F(OutputFileTest, PermissionsStay) {
  const std::string file = folder_ / "f";
  write_text(file, "old");
  chmod(file.c_str(), 0640);
  write_text(file, "new");
  struct stat found = {};
  ASSERT_EQ(stat(file.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0640u);
}

TEST_F(OutputFileTest, ALinkStaysAndItsFileIsWritten) {
  fs::create_directory(folder_ / "there");
  fs::create_symlink("there/f", folder_ / "one");
  fs::create_symlink("one", folder_ / "two");
  for (const char* const text : {"new", "newer"}) {
    write_text(folder_ / "two", text);
    EXPECT_EQ(read_text(folder_ / "there/f"), text);
    EXPECT_TRUE(fs::is_symlink(folder_ / "one"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "two"));
  }
  EXPECT_EQ(names(), 3u);
}

TEST_F(OutputFileTest, ADeviceStaysOne) {
  write_text("/dev/null", "gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  fs::create_symlink("/dev/null", folder_ / "null");
  write_text(folder_ / "null", "gone");
  EXPECT_TRUE(fs::is_symlink(folder_ / "null"));
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(OutputFileTest, AFullDeviceIsOneMessage) {
  EXPECT_EQ(message("/dev/full"), "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

/// From here on every write() of this process takes nothing, and is no error.
bool write_nothing_from_now_on() {
  constexpr unsigned kNumber = offsetof(seccomp_data, nr);
  sock_filter steps[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kNumber),
                         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 0, 1),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter = {std::size(steps), steps};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

TEST_F(OutputFileTest, AFileThatTakesNothingIsAnError) {
  constexpr int kNoFilter = 2;
  const std::string file = folder_ / "f";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(10);
    if (!write_nothing_from_now_on()) _exit(kNoFilter);
    _exit(message(file) == file + ": cannot be written: Input/output error" ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoFilter) GTEST_SKIP() << "no filter here";
  EXPECT_EQ(status, 0);
}

TEST_F(OutputFileTest, APipeIsWrittenAndStays) {
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = read_text(pipe); });
  write_text(pipe, "through it");
  reader.join();
  EXPECT_EQ(received, "through it");
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(OutputFileTest, WhatCannotBeWrittenIsSaidBeforehand) {
  EXPECT_EQ(message(folder_ / "none/f"),
            (folder_ / "none/f") + ": cannot be written: No such file or directory");
  EXPECT_EQ(message(folder_.path()),
            folder_.path().string() + ": cannot be written: Is a directory");
  EXPECT_NE(message(""), "no error");
  EXPECT_THROW(check_output(folder_ / "none/f"), EnvironmentError);
  EXPECT_THROW(check_output(folder_.path()), EnvironmentError);
  check_output(folder_ / "f");
  check_output("/dev/full");
  EXPECT_EQ(names(), 0u);
}

TEST_F(OutputFileTest, OutputsReplaceNeitherInputsNorEachOther) {
  const fs::path input = folder_.path() / "input", other = folder_.path() / "other";
  const fs::path link = folder_.path() / "link", none = folder_.path() / "none";
  write_text(input, "text");
  fs::create_symlink(input, link);
  const auto problem = [](const std::vector<fs::path>& outputs,
                          const std::vector<fs::path>& inputs) {
    try {
      check_apart(outputs, inputs);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(problem({other, none, ""}, {input, ""}), "");
  EXPECT_EQ(problem({"/dev/null", "/dev/null"}, {input}), "");
  EXPECT_EQ(problem({other, input}, {input}),
            input.string() + ": input and output are the same file");
  EXPECT_EQ(problem({link}, {input}), link.string() + ": input and output are the same file");
  EXPECT_EQ(problem({none, folder_.path() / "." / "none"}, {}),
            (folder_.path() / "." / "none").string() + ": two outputs are the same file");
  EXPECT_EQ(problem({"none", fs::absolute("none")}, {}),
            fs::absolute("none").string() + ": two outputs are the same file");
}

TEST_F(OutputFileTest, OutputsThatNoFileCanBeAreNoTwo) {
  const fs::path loop = folder_.path() / "loop", other = folder_.path() / "other";
  fs::create_symlink(other, loop);
  fs::create_symlink(loop, other);
  const std::vector<std::pair<fs::path, std::string>> wrong = {
      {folder_.path() / std::string(300, 'a'), "File name too long"},
      {loop, "Too many levels of symbolic links"}};
  for (const auto& [path, why] : wrong) {
    check_apart({}, {path});
    try {
      check_apart({path, other}, {path});
      ADD_FAILURE() << path;
    } catch (const EnvironmentError& error) {
      EXPECT_EQ(error.what(), path.string() + ": cannot be written: " + why);
    }
  }
}

TEST_F(OutputFileTest, OldOutputsAreRemovedButNoLinksAndDevices) {
  write_text(folder_ / "f", "old");
  fs::create_symlink("f", folder_ / "link");
  remove_output(folder_ / "link");
  EXPECT_FALSE(fs::exists(folder_ / "f"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  remove_output("/dev/null");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  remove_output(folder_ / "none");
}

// The same file through another descriptor would be written from its beginning.
TEST_F(OutputFileTest, StandardOutputGoesOnWhereItIs) {
  const std::string file = folder_ / "f";
  std::fflush(stdout);
  const int kept = dup(STDOUT_FILENO);
  const int redirected = open(file.c_str(), O_WRONLY | O_CREAT, 0600);
  dup2(redirected, STDOUT_FILENO);
  std::printf("before, ");
  write_text("/dev/stdout", "between");
  std::printf(", after");
  std::fflush(stdout);
  dup2(kept, STDOUT_FILENO);
  close(kept);
  close(redirected);
  EXPECT_EQ(read_text(file), "before, between, after");
}

}  // namespace
}  // namespace warpmem
