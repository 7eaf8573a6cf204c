// SPDX-License-Identifier: Apache-2.0
#include "cosim/build_tool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::cosim {
namespace {

/// Verilator is a Perl script, and what it prints is read.
TEST(BuildTool, SaysNothingOfALocaleThatIsNotInstalled) {
  const test::ScratchFolder folder;
  ASSERT_EQ(setenv("LC_ALL", "xx_YY.UTF-8", 1), 0);
  run_tool({"verilator", "--getenv", "VERILATOR_ROOT"}, folder.path(), "log", "asking");
  std::string root = read_text(folder.path() / "log");
  ASSERT_FALSE(root.empty());
  root.pop_back();  // the end of the line
  EXPECT_TRUE(std::filesystem::is_directory(root)) << root;
}

TEST(BuildTool, AFailureShowsTheBeginningOfTheLog) {
  const test::ScratchFolder folder;
  try {
    run_tool({"verilator", "--nonsense"}, folder.path(), "log", "asking");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("asking: "));
    EXPECT_THAT(error.what(), testing::HasSubstr("--nonsense"));
  }
}

}  // namespace
}  // namespace warpmem::cosim
