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
  run_tool({"perl", "-e", "print 'answer'"}, folder.path(), "log", "perl", "asking");
  EXPECT_EQ(read_text(folder.path() / "log"), "answer");
}

TEST(BuildTool, AFailureShowsTheBeginningOfTheLog) {
  const test::ScratchFolder folder;
  try {
    run_tool({"sh", "-c", "echo wrong size; exit 1"}, folder.path(), "log", "dash", "asking");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_STREQ(error.what(), "asking: sh failed:\n  wrong size");
  }
}

}  // namespace
}  // namespace warpmem::cosim
