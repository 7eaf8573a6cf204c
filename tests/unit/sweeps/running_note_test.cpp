// SPDX-License-Identifier: Apache-2.0
#include "sweeps/running_note.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmem::sweeps {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(RunningNote, IsReadAsItWasWritten) {
  const RunningNote note = running_note(to_text({"node7", {"atax mshr=8", "bfs"}}));
  EXPECT_EQ(note.host, "node7");
  EXPECT_THAT(note.points, ElementsAre("atax mshr=8", "bfs"));
}

TEST(RunningNote, OfAChangedDatabaseIsNone) {
  for (const char* text :
       {"", "{", "7", "[]", "{}", R"({"host": 7, "points": []})", R"({"host": "a", "points": 7})",
        R"({"host": "a", "points": ["b", 7]})", R"({"host": "a", "points": [null]})"}) {
    const RunningNote note = running_note(text);
    EXPECT_EQ(note.host, "") << text;
    EXPECT_THAT(note.points, IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace warpmem::sweeps
