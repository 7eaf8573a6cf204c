// SPDX-License-Identifier: Apache-2.0
#include "base/work_folder.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace warpmem {
namespace {

namespace fs = std::filesystem;

TEST(WorkFolder, IsNamedBeforeItIsThere) {
  const WorkFolder outer;
  std::vector<fs::path> names;
  const auto named = [&](const fs::path& path) {
    names.push_back(path);
    EXPECT_FALSE(fs::exists(path));
  };
  {
    const WorkFolder work(outer.path() / "work-", named);
    EXPECT_EQ(work.path(), names.back());
    EXPECT_TRUE(fs::is_directory(work.path()));
  }
  EXPECT_TRUE(fs::is_empty(outer.path()));
}

TEST(WorkFolder, TakesNoFolderOfOthers) {
  const WorkFolder outer;
  std::vector<fs::path> names;
  const WorkFolder work(outer.path() / "work-", [&](const fs::path& path) {
    if (names.empty()) fs::create_directory(path);
    names.push_back(path);
  });
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(work.path(), names.back());
  EXPECT_TRUE(fs::is_directory(names.front()));
}

TEST(WorkFolder, SaysWhyThereIsNone) {
  const auto named = [](const fs::path&) {};
  EXPECT_THROW(WorkFolder("/proc/no-such/work-"), EnvironmentError);
  EXPECT_THROW(WorkFolder("/proc/no-such/work-", named), EnvironmentError);
}

}  // namespace
}  // namespace warpmem
