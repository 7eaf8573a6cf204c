// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program/trace/notes.hpp"

namespace warpmem::program::trace {
namespace {

TEST(Notes, AreSaidOnceInTheOrderOfTheirFirstUse) {
  Notes notes;
  ++notes.of("b", "times").count;
  notes.of("a");
  notes.of("never", "times");
  ++notes.of("key", "c, first in line 7", "times").count;
  ++notes.of("key", "c, first in line 9", "times").count;
  ++notes.of("b", "times").count;
  EXPECT_THAT(notes.list(),
              ::testing::ElementsAre("b (2 times)", "a", "c, first in line 7 (2 times)"));
}

}  // namespace
}  // namespace warpmem::program::trace
