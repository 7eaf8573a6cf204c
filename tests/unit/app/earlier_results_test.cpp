// SPDX-License-Identifier: Apache-2.0
#include "app/earlier_results.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "support/scratch_folder.hpp"

namespace warpmem::app {
namespace {

namespace fs = std::filesystem;

class EarlierResultsTest : public ::testing::Test {
 protected:
  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  static std::string read(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // A process moves the files aside, writes what it is told and is killed.
  void begin_and_die(const std::vector<fs::path>& written) const {
    const pid_t child = fork();
    if (child == 0) {
      const EarlierResults earlier({stats_, table_});
      for (const fs::path& file : written) write(file, "new");
      _exit(0);
    }
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  }

  test::ScratchFolder folder_;
  const fs::path stats_ = folder_.path() / "stats.json", table_ = folder_.path() / "stats.csv";
};

TEST_F(EarlierResultsTest, ComeBackFromARunThatIsRefused) {
  write(stats_, "old");
  {
    const EarlierResults earlier({stats_, table_});
    EXPECT_FALSE(fs::exists(stats_));
  }
  EXPECT_EQ(read(stats_), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(EarlierResultsTest, ComeBackAfterARunThatWasKilledBeforeItsResults) {
  write(stats_, "old");
  write(table_, "old");
  begin_and_die({});
  EXPECT_FALSE(fs::exists(stats_));
  { const EarlierResults earlier({stats_, table_}); }
  EXPECT_EQ(read(stats_), "old");
  EXPECT_EQ(read(table_), "old");
  EXPECT_EQ(files(), 2);
}

TEST_F(EarlierResultsTest, AreGoneAfterARunThatWasKilledAmongItsResults) {
  write(stats_, "old");
  write(table_, "old");
  begin_and_die({stats_});
  { const EarlierResults earlier({stats_, table_}); }
  EXPECT_EQ(read(stats_), "new");
  EXPECT_EQ(files(), 1);
}

TEST_F(EarlierResultsTest, OfALivingRunAndOfOthersStay) {
  write(stats_, "old");
  std::optional<EarlierResults> living(std::in_place, std::vector<fs::path>{stats_});
  write(folder_.path() / ".warpmem-x-stats.json", "of others");
  { const EarlierResults earlier({stats_, table_}); }
  EXPECT_EQ(files(), 2);
  living.reset();
  EXPECT_EQ(read(stats_), "old");
}

}  // namespace
}  // namespace warpmem::app
