// SPDX-License-Identifier: Apache-2.0
// The views of a CART branch, and of all branches with shared comparators, in lockstep: sizes,
// coverage, and that an error is found.
#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "cosim/hardware_unit.hpp"
#include "support/broken_rtl.hpp"
#include "support/lockstep_result.hpp"
#include "units/cart_shared/cart_shared_unit.hpp"

namespace warpmem::cosim {
namespace {

using testing::HasSubstr;
using units::CartBranchSize;

LockstepOptions cart_options(const CartBranchSize& size, std::uint64_t cycles) {
  return options_of(cycles, 20200117 + size.leaves.leaves());
}

LockstepResult run_cart(const CartBranchSize& size, const LockstepOptions& options) {
  return run_unit<units::CartBranchDescription>(size, options);
}
LockstepResult run_cart(const CartBranchSize& size, std::uint64_t cycles) {
  return run_cart(size, cart_options(size, cycles));
}

TEST(CartBranchLockstep, SizeOfThePaper) { expect_all(run_cart({}, 300'000)); }
TEST(CartBranchLockstep, ManyColumns) { expect_all(run_cart({{2, 5, 3}, 9, 32}, 50'000)); }
TEST(CartBranchLockstep, OneColumn) { expect_all(run_cart({{3, 1, 2}, 32, 4}, 50'000)); }
TEST(CartBranchLockstep, OneRequestALeaf) { expect_all(run_cart({{3, 3, 1}, 14, 4}, 50'000)); }
TEST(CartBranchLockstep, OneLeaf) { expect_all(run_cart({{1, 1, 5}, 4, 4}, 20'000)); }
TEST(CartBranchLockstep, SixtyFourLeaves) {
  const auto result = run_cart({{16, 4, 8}, 14, 4}, 20'000);
  EXPECT_FALSE(result.difference) << result.describe();
}
TEST(CartBranchLockstep, SameSeedSameRun) {
  LockstepOptions options = cart_options({}, 10'000);
  const std::string table = run_cart({}, options).coverage.table;
  EXPECT_EQ(run_cart({}, options).coverage.table, table);
  ++options.seed;
  EXPECT_NE(run_cart({}, options).coverage.table, table);
}
TEST(CartBranchLockstep, SizesThatAreNotAllowed) {
  try {
    run_cart({{33, 2, 0}, 33, 4}, 1);
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("depth: 0 is not 1 to 256"));
    EXPECT_THAT(error.what(), HasSubstr("row_bits: 33 is not 1 to 32"));
    EXPECT_THAT(error.what(), HasSubstr("columns: 33 rows of 2 are more than 64 leaves"));
  }
}

class BrokenCart : public BrokenRtl {
 protected:
  Difference difference(const std::string& part, const std::string& from, const std::string& to) {
    replace("cart_branch/cart_" + part + ".sv", from, to);
    LockstepOptions options = cart_options({}, 100'000);
    options.places.rtl = rtl();
    options.waves_of_difference = folder() / "difference.fst";
    const LockstepResult result = run_cart({}, options);
    EXPECT_TRUE(result.difference) << "the error was not found";
    if (!result.difference) return {};
    EXPECT_EQ(result.difference->of_class, result.difference->of_systemc);
    EXPECT_GT(std::filesystem::file_size(result.waves), 100u);
    return *result.difference;
  }
};

TEST_F(BrokenCart, AnyLeafOfTheLineTakesTheRequest) {
  EXPECT_EQ(
      difference("fill", "merges = newest & ~full;", "merges = lowest((newest | match) & ~full);")
          .signal.substr(0, 5),
      "fill_");
}
TEST_F(BrokenCart, TheOrderOfALinesLeavesIsLost) {
  EXPECT_EQ(difference("fill",
                       "if (takes[r*COLUMNS + j]) older_f[(r*COLUMNS + i)*COLUMNS + j] = 1'b1;", "")
                .signal,
            "drains");
}
TEST_F(BrokenCart, TheLongestWithoutTheRow) {
  EXPECT_EQ(
      difference("drain", "of_row != '0 ? of_row : among", "of_row == '1 ? of_row : among").signal,
      "drain_leaf");
}
TEST_F(BrokenCart, TheLeafIsNotKept) {
  EXPECT_EQ(
      difference("drain", "if ((among & last_hot) != '0)", "if ((among & last_hot) == '1)").signal,
      "drain_leaf");
}
TEST_F(BrokenCart, TheDrainDoesNotSeeTheFill) {
  EXPECT_EQ(difference("branch", ".count_i(count_f)", ".count_i(count_f & count_q)").signal,
            "drains");
}
TEST_F(BrokenCart, RefusalsSurviveARequestThatGoes) {
  EXPECT_EQ(difference("drain", "turn_i || pop_i ? '0", "turn_i ? '0").signal, "refused");
}
TEST_F(BrokenCart, ACheckThatFails) {
  EXPECT_THAT(
      difference("branch", "`CHECK(one_row_matches, (row_match & (row_match - ROWS'(1))) == '0)",
                 "`CHECK(one_row_matches, row_match == '0)")
          .signal,
      HasSubstr("cart_branch.sv"));
}

LockstepResult run_all_banks(const units::CartSharedSize& size, const LockstepOptions& options) {
  return run_unit<units::CartSharedDescription>(size, options);
}

TEST(CartSharedLockstep, SixteenBanks) { expect_all(run_all_banks({}, options_of(40'000, 3))); }
TEST(CartSharedLockstep, OneBank) {
  expect_all(run_all_banks({1, {3, 2, 2}, 9, 4}, options_of(40'000, 4)));
}
TEST(CartSharedLockstep, OddSize) {
  expect_all(run_all_banks({5, {2, 3, 1}, 32, 32}, options_of(40'000, 5)));
}
TEST(CartSharedLockstep, OneLeaf) {
  expect_all(run_all_banks({3, {1, 1, 5}, 4, 4}, options_of(40'000, 6)));
}

class BrokenSharedCart : public BrokenRtl {
 protected:
  std::string signal(const std::string& from, const std::string& to) {
    replace("cart_shared/cart_shared.sv", from, to);
    LockstepOptions options = options_of(40'000, 7);
    options.places.rtl = rtl();
    const LockstepResult result = run_all_banks(units::CartSharedDescription::kAttacked, options);
    EXPECT_TRUE(result.difference) << "the error was not found";
    return result.difference ? result.difference->signal : "";
  }
};

TEST_F(BrokenSharedCart, RefusalsOfAllBranchesAreOne) {
  EXPECT_EQ(signal("refused_q[bank] & {", "refused_q[0] & {").substr(0, 6), "drain_");
}
TEST_F(BrokenSharedCart, TheTurnStays) {
  EXPECT_EQ(signal("assign moves = goes || refuses ||", "assign moves = goes ||"), "bank");
}

}  // namespace
}  // namespace warpmem::cosim
