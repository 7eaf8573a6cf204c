// SPDX-License-Identifier: Apache-2.0
// Axes of questions to a design space.
#include "sweeps/explore.hpp"

#include <gtest/gtest.h>

#include "base/errors.hpp"

namespace warpmem::sweeps {
namespace {

/// What is wrong with the values of a knee; empty where nothing is.
std::string mistake(const std::string& values) {
  try {
    check_ascending(parse_axis("some.key=" + values));
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(Explore, ValuesOfAKneeAscend) {
  for (const char* values : {"1,2,16", "0.25,0.5,1", "64,1 KiB,1.5 KiB", "800 kHz,1.2 MHz,1137 MHz",
                             "9 ns,12 ns,12.5 ns", "4,8 ck"})
    EXPECT_EQ(mistake(values), "") << values;
  EXPECT_EQ(mistake("12 ns,9 ns"), "some.key: 9 ns after 12 ns; the values of a knee ascend");
  EXPECT_EQ(mistake("1 KiB,1024"), "some.key: 1024 after 1 KiB; the values of a knee ascend");
}

TEST(Explore, ValuesOfAKneeAreNumbersOfOneKind) {
  for (const char* value : {"plenty", "8 apples", "nan", "12 KHz"})
    EXPECT_EQ(mistake(std::string("4,") + value),
              std::string("some.key: ") + value +
                  " is not a number; allowed: one, with a unit like KiB, MHz or ns or without");
  const std::string mixed = ": their units are not of one kind; the values of a knee ascend";
  EXPECT_EQ(mistake("10 ck,12 ns"), "some.key: 10 ck, 12 ns" + mixed);
  EXPECT_EQ(mistake("4,12 ns"), "some.key: 4, 12 ns" + mixed);
  EXPECT_EQ(mistake("1 KiB,1 MHz"), "some.key: 1 KiB, 1 MHz" + mixed);
}

/// What is wrong with a question of these assignments and axes; empty where nothing is.
std::string mistake_of(const std::vector<std::string>& assignments,
                       const std::vector<std::string>& axes) {
  Question question;
  question.assignments = assignments;
  for (const std::string& axis : axes) question.axes.push_back(parse_axis(axis));
  question.workloads = {"bfs:tiny"};
  try {
    sweep_of(question, "e/explore.yaml");
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(Explore, AMistakeIsSaidOfWhatWasAsked) {
  EXPECT_EQ(
      mistake_of({}, {"l1d.mshr.entry=8,16"}).rfind("l1d.mshr.entry=8,16: l1d.mshr.entry: ", 0),
      0u);
  EXPECT_EQ(mistake_of({}, {"l1d.mshr.entry=8,16"}).find('\n'), std::string::npos);
  EXPECT_EQ(mistake_of({}, {"sm.count=1,2", "l1d.way=4,8"}).rfind("l1d.way=4,8: l1d.way: ", 0), 0u);
  EXPECT_EQ(mistake_of({"l1d.way=4"}, {"sm.count=1,2"}).rfind("--set l1d.way=4: l1d.way: ", 0), 0u);
  EXPECT_EQ(mistake_of({"l1d.ways"}, {"sm.count=1,2"}),
            "--set l1d.ways: is not an assignment; write --set key=value");
}

TEST(Explore, KeysAreTakenAsTheyStand) {
  EXPECT_NE(mistake_of({"#l1d.ways=4"}, {"sm.count=1,2"}), "");
  EXPECT_NE(mistake_of({}, {"#sm.count=1,2"}), "");
  EXPECT_EQ(mistake_of({" sm.count = 4 "}, {"l1d.mshr.entries = 8, 16"}), "");
}

}  // namespace
}  // namespace warpmem::sweeps
