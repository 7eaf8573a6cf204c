// SPDX-License-Identifier: Apache-2.0
// The views of a CART branch in lockstep: sizes, coverage, and that an error is found.
#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "cosim/hardware_unit.hpp"
#include "support/broken_rtl.hpp"
#include "support/lockstep_result.hpp"
#include "units/cart_branch/cart_branch_unit.hpp"

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
  Difference difference(const std::string& from, const std::string& to) {
    replace("cart_branch/cart_branch.sv", from, to);
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
  EXPECT_EQ(difference("merges = newest & ~full;", "merges = lowest((newest | match) & ~full);")
                .signal.substr(0, 5),
            "fill_");
}
TEST_F(BrokenCart, TheOrderOfALinesLeavesIsLost) {
  EXPECT_EQ(difference("if (takes[r*COLUMNS + j]) older_f[(r*COLUMNS + i)*COLUMNS + j] = 1'b1;", "")
                .signal,
            "drains");
}
TEST_F(BrokenCart, TheLongestWithoutTheRow) {
  EXPECT_EQ(difference("of_row != '0 ? of_row : among", "of_row == '1 ? of_row : among").signal,
            "drain_leaf");
}
TEST_F(BrokenCart, TheLeafIsNotKept) {
  EXPECT_EQ(difference("if ((among & last_hot) != '0) drain_hot = last_hot;", "").signal,
            "drain_leaf");
}
TEST_F(BrokenCart, LengthsWithoutTheFill) {
  EXPECT_EQ(difference("among, count_f));", "among, count_q));").signal, "drain_leaf");
}
TEST_F(BrokenCart, RefusalsSurviveARequestThatGoes) {
  EXPECT_EQ(difference("turn_i || pop_i ? '0", "turn_i ? '0").signal, "refused");
}
TEST_F(BrokenCart, ACheckThatFails) {
  EXPECT_THAT(difference("`CHECK(one_row_matches, (row_match & (row_match - ROWS'(1))) == '0)",
                         "`CHECK(one_row_matches, row_match == '0)")
                  .signal,
              HasSubstr("cart_branch.sv"));
}

}  // namespace
}  // namespace warpmem::cosim
