// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmem {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(TextTest, AnyBytesBecomeUtf8AndCanBeHadBack) {
  EXPECT_EQ(as_utf8("K\xc3\xa4se \"x\"\n"), "K\xc3\xa4se \"x\"\n");
  EXPECT_EQ(as_utf8("a\xff\x62"), "a\\xffb");
  EXPECT_EQ(as_utf8("\xc3"), "\\xc3");                    // cut off
  EXPECT_EQ(as_utf8("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a surrogate pair
  EXPECT_EQ(as_utf8("C:\\x41\\y"), "C:\\x5cx41\\y");      // it is not taken for an A
  EXPECT_TRUE(is_utf8(as_utf8("\x80\xfe\xc0\xaf\xf0\x9f\x98\x80")));
}

TEST(TextTest, OneLine) { EXPECT_EQ(as_line("a\nb\t\x7f\xff"), "a\\x0ab\\x09\\x7f\\xff"); }

TEST(TextTest, Lines) {
  EXPECT_THAT(lines_of(""), IsEmpty());
  EXPECT_THAT(lines_of("\n"), ElementsAre(""));
  EXPECT_THAT(lines_of("a\n\n b \n"), ElementsAre("a", "", " b "));
  EXPECT_THAT(lines_of("a\nb"), ElementsAre("a", "b"));
}

TEST(TextTest, Words) {
  EXPECT_THAT(words_of(" \t\r\n\v\f"), IsEmpty());
  EXPECT_THAT(words_of("a"), ElementsAre("a"));
  EXPECT_THAT(words_of("\ta  b=\"c\n d "), ElementsAre("a", "b=\"c", "d"));
}

TEST(TextTest, WordsForAShell) {
  EXPECT_EQ(shell_quoted("l1d.mshr.kind=dl"), "l1d.mshr.kind=dl");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("it's $HOME"), "'it'\\''s $HOME'");
}

}  // namespace
}  // namespace warpmem
