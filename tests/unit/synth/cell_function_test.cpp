// SPDX-License-Identifier: Apache-2.0
#include "synth/cell_function.hpp"

#include <gtest/gtest.h>

namespace warpmem::synth {
namespace {

const std::vector<std::string> kInputs = {"A", "B", "C"};

double one(const std::string& text) {
  const auto function = CellFunction::parse(text, kInputs);
  return function ? function->output({{0.5, 0}, {0.5, 0}, {0.5, 0}}).one : -1;
}

TEST(CellFunction, OperatorsOfAllLibraries) {
  EXPECT_EQ(one("(!((A B) C))"), 7.0 / 8);
  EXPECT_EQ(one("(A&B&C)"), 1.0 / 8);
  EXPECT_EQ(one("!(A * B) + C"), 7.0 / 8);
  EXPECT_EQ(one("(A&!B) | (!A&B)"), 0.5);
  EXPECT_EQ(one("A' B' C'"), 1.0 / 8);
  EXPECT_EQ(one("A ^ B & C"), 0.25);
  EXPECT_EQ(one("1"), 1);
}

TEST(CellFunction, OtherTextHasNone) {
  EXPECT_EQ(one("IQ"), -1);
  EXPECT_EQ(one("(A&B"), -1);
  EXPECT_EQ(one("A ? B : C"), -1);
  EXPECT_EQ(one(""), -1);
  EXPECT_FALSE(CellFunction::parse("A", std::vector<std::string>(9, "A")));
}

TEST(CellFunction, AnOutputChangesWhenItDependsOnWhatChanges) {
  const auto gate = CellFunction::parse("!(A&B)", {"A", "B"});
  // A change of A gets through while B is one, and the other way round.
  const Signal out = gate->output({{0.25, 0.4}, {0.75, 0.2}});
  EXPECT_DOUBLE_EQ(out.transitions, 0.75 * 0.4 + 0.25 * 0.2);
  EXPECT_DOUBLE_EQ(out.one, 1 - 0.25 * 0.75);
  const auto parity = CellFunction::parse("A^B", {"A", "B"});
  EXPECT_DOUBLE_EQ(parity->output({{0.1, 0.4}, {0.9, 0.2}}).transitions, 0.6);
}

}  // namespace
}  // namespace warpmem::synth
