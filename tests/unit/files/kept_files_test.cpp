// SPDX-License-Identifier: Apache-2.0
#include "files/kept_files.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "base/work_folder.hpp"

namespace warpmem {
namespace {

namespace fs = std::filesystem;

class KeptFilesTest : public ::testing::Test {
 protected:
  KeptFilesTest() {
    setenv("XDG_CACHE_HOME", home_.path().c_str(), 1);
    unsetenv("WARPMEM_CACHE_MIB");
  }
  ~KeptFilesTest() override {
    unsetenv("XDG_CACHE_HOME");
    unsetenv("WARPMEM_CACHE_MIB");
  }
  fs::path build(const std::string& name, const std::string& text, bool anew = false) {
    return cached_file(
        name, "123", ".txt",
        [&](const fs::path& folder) {
          ++built_;
          write_text(folder / "result", text);
          return folder / "result";
        },
        anew);
  }
  /// Writes a file that was used so many hours ago.
  fs::path used(const fs::path& folder, const std::string& name, int hours, std::size_t bytes) {
    fs::create_directories(folder);
    write_text(folder / name, std::string(bytes, 'x'));
    fs::last_write_time(folder / name,
                        fs::file_time_type::clock::now() - std::chrono::hours(hours));
    return folder / name;
  }

  WorkFolder home_;
  int built_ = 0;
};

TEST_F(KeptFilesTest, IsBuiltOnceUnlessAskedFor) {
  const fs::path file = build("a", "one");
  EXPECT_EQ(file, home_.path() / "warpmem" / "a-123.txt");
  EXPECT_EQ(read_text(build("a", "two")), "one");
  EXPECT_EQ(built_, 1);
  EXPECT_EQ(read_text(build("a", "three", true)), "three");
  for (const auto& entry : fs::directory_iterator(home_.path() / "warpmem"))
    EXPECT_EQ(entry.path(), file);  // nothing of the work is left
}

TEST_F(KeptFilesTest, WhatWasNotUsedForLongestLeavesFirst) {
  const fs::path folder = home_.path() / "some";
  const fs::path old = used(folder, "old", 3, 100), young = used(folder, "young", 1, 100);
  const fs::path deep = used(folder / "deep", "middle", 2, 100);
  const fs::path work = used(folder / "work-1", "oldest", 9, 100);
  limit_cache(folder, 300);
  EXPECT_TRUE(fs::exists(old));
  limit_cache(folder, 299);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(deep));
  used_from_cache(deep);
  limit_cache(folder, 0);  // and what is used now stays, whatever the limit
  EXPECT_TRUE(fs::exists(deep));
  EXPECT_FALSE(fs::exists(young));
  EXPECT_TRUE(fs::exists(work));
}

TEST_F(KeptFilesTest, WorkThatWasKilledGoesAfterADay) {
  const fs::path folder = home_.path() / "some";
  const auto now = fs::file_time_type::clock::now();
  used(folder / "work-young", "part", 1, 100);
  fs::last_write_time(folder / "work-young", now - std::chrono::hours(23));
  used(folder / "work-old", "part", 1, 100);
  fs::last_write_time(folder / "work-old", now - std::chrono::hours(25));
  limit_cache(folder, 1000);
  EXPECT_TRUE(fs::exists(folder / "work-young" / "part"));
  EXPECT_FALSE(fs::exists(folder / "work-old"));
}

TEST_F(KeptFilesTest, ANewFileMakesRoom) {
  setenv("WARPMEM_CACHE_MIB", "1", 1);
  const fs::path old = used(home_.path() / "warpmem", "old", 2, 1000000);
  const fs::path kept = used(home_.path() / "warpmem" / "synth", "kept", 1, 1000);
  build("a", std::string(100000, 'y'));
  EXPECT_FALSE(fs::exists(old));
  EXPECT_TRUE(fs::exists(kept));
  // Larger than the limit: it is there for the one who asked for it.
  EXPECT_TRUE(fs::exists(build("large", std::string(2000000, 'y'))));
  EXPECT_FALSE(fs::exists(kept));
}

TEST_F(KeptFilesTest, ALimitIsANumber) {
  for (const char* text : {"0", "-1", "4G", "99999999999999999999"}) {
    setenv("WARPMEM_CACHE_MIB", text, 1);
    EXPECT_THROW(limit_cache(), UserError) << text;
  }
}

}  // namespace
}  // namespace warpmem
