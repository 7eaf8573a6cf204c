// SPDX-License-Identifier: Apache-2.0
#include "sweeps/lock.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::sweeps {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class DatabaseLockTest : public ::testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path()))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  static std::string refusal(const std::string& path) {
    try {
      const DatabaseLock lock(path);
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  }
  /// Opens and locks a file, as others do; waits for nobody.
  static int locked(const std::string& file, int mode) {
    const int descriptor = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    EXPECT_EQ(flock(descriptor, mode | LOCK_NB), 0) << file;
    return descriptor;
  }

  const test::ScratchFolder folder_;
  const std::string file_ = folder_ / "a.sqlite";
};

TEST_F(DatabaseLockTest, OneAtATime) {
  EXPECT_FALSE(DatabaseLock::is_held(file_));
  {
    DatabaseLock lock(file_);
    EXPECT_TRUE(lock.is_new());
    EXPECT_TRUE(DatabaseLock::is_held(file_));
    EXPECT_THAT(refusal(file_), HasSubstr("another sweep works on it"));
    lock.keep();
  }
  EXPECT_FALSE(DatabaseLock::is_held(file_));
  EXPECT_FALSE(DatabaseLock(file_).is_new());
}

TEST_F(DatabaseLockTest, NothingButResultsStays) {
  { const DatabaseLock lock(file_); }
  EXPECT_THAT(names(), IsEmpty());
  {
    DatabaseLock lock(file_);
    lock.keep();
  }
  EXPECT_THAT(names(), ElementsAre("a.sqlite"));
  fs::create_directory(folder_ / "b.sqlite");
  EXPECT_THAT(refusal(folder_ / "b.sqlite"), HasSubstr("not a regular file"));
  EXPECT_EQ(refusal(folder_ / "none/c.sqlite"),
            folder_ / "none/c.sqlite" + ": cannot be used: No such file or directory");
  EXPECT_THAT(names(), ElementsAre("a.sqlite", "b.sqlite"));
}

TEST_F(DatabaseLockTest, TheDatabaseIsLeftToSqlite) {
  const DatabaseLock lock(file_);
  close(locked(file_, LOCK_EX));
}

TEST_F(DatabaseLockTest, ALinkAndItsFileAreOne) {
  fs::create_symlink("a.sqlite", folder_ / "link");
  DatabaseLock lock(folder_ / "link");
  EXPECT_TRUE(lock.is_new());
  EXPECT_EQ(lock.path(), fs::canonical(file_));
  EXPECT_TRUE(DatabaseLock::is_held(file_));
  EXPECT_THAT(refusal(file_), HasSubstr("another sweep works on it"));
}

TEST_F(DatabaseLockTest, WhoLooksIsNotTakenForASweep) {
  const int another = locked(file_ + ".lock", LOCK_SH);  // as is_held() does
  EXPECT_FALSE(DatabaseLock::is_held(file_));
  std::thread end_of_look([another] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    close(another);
  });
  EXPECT_EQ(refusal(file_), "");
  end_of_look.join();
}

TEST_F(DatabaseLockTest, AFileThatItsHolderRemovesIsNoLock) {
  const int holder = locked(file_ + ".lock", LOCK_EX);
  auto next = std::async(std::launch::async, [this] {
    return std::make_unique<DatabaseLock>(file_, DatabaseLock::Patience::wait);
  });
  // Longer than between two tries, so that it waits; and then one may have opened what is removed.
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  unlink((file_ + ".lock").c_str());
  close(holder);
  const auto lock = next.get();
  EXPECT_TRUE(DatabaseLock::is_held(file_));
  EXPECT_THAT(refusal(file_), HasSubstr("another sweep works on it"));
}

TEST_F(DatabaseLockTest, WhatAKilledHolderHasLeftIsTaken) {
  write_text(file_, "");
  write_text(file_ + ".lock", "");
  EXPECT_FALSE(DatabaseLock::is_held(file_));
  EXPECT_EQ(refusal(file_), "");
  EXPECT_THAT(names(), ElementsAre("a.sqlite"));
}

}  // namespace
}  // namespace warpmem::sweeps
