// SPDX-License-Identifier: Apache-2.0
#include "sweeps/stored_costs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::sweeps {
namespace {

using ::testing::HasSubstr;

class StoredCostsTest : public ::testing::Test {
 protected:
  std::filesystem::path file() const { return folder_.path() / "costs.json"; }
  std::string mistake(const std::string& text) const {
    write_text(file(), text);
    try {
      read_stored_costs(file());
    } catch (const UserError& error) {
      return error.what();
    }
    return "none";
  }

 private:
  const test::ScratchFolder folder_;
};

TEST_F(StoredCostsTest, WrittenSortedAndReadAgain) {
  write_stored_costs(file(), {{"bfs", "9", 2.34567}, {"atax", "64", 1234.4}});
  EXPECT_EQ(read_text(file()),
            "[{\"workload\":\"atax\",\"arguments\":\"64\",\"seconds\":1230.0},\n"
            " {\"workload\":\"bfs\",\"arguments\":\"9\",\"seconds\":2.35}]\n");
  const std::vector<StoredCost> read = read_stored_costs(file());
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[1].workload, "bfs");
  EXPECT_EQ(read[1].arguments, "9");
  EXPECT_EQ(read[1].seconds, 2.35);
}

TEST_F(StoredCostsTest, NoFileSaysNothing) { EXPECT_TRUE(read_stored_costs(file()).empty()); }

TEST_F(StoredCostsTest, Mistakes) {
  const std::string row = R"({"workload":"a","arguments":"","seconds":1)";
  EXPECT_THAT(mistake("[{"), HasSubstr("costs.json: [json"));
  EXPECT_THAT(mistake("[{"), HasSubstr("line 1, column 3"));
  EXPECT_THAT(mistake("{}"), HasSubstr("costs.json: a list of rows is needed"));
  EXPECT_THAT(mistake("[1]"), HasSubstr("row 1: a map is needed"));
  EXPECT_THAT(mistake("[" + row + "}," + row + R"(,"x":1}])"),
              HasSubstr("row 2: unknown entry; allowed: workload"));
  EXPECT_THAT(mistake("[" + row + "}," + row + "}]"), HasSubstr("row 2: the workload with these"));
  EXPECT_THAT(mistake(R"([{"workload":"a","arguments":"","seconds":0}])"),
              HasSubstr("row 1: seconds: a number above 0 is needed"));
  EXPECT_THAT(mistake(R"([{"workload":1}])"), HasSubstr("row 1: workload: a text is needed"));
}

TEST(StoredCosts, ThoseThatComeWithWarpmemAreInOrder) {
  EXPECT_FALSE(read_stored_costs(stored_costs_file()).empty());
}

}  // namespace
}  // namespace warpmem::sweeps
