// SPDX-License-Identifier: Apache-2.0
// The proofs that take seconds, with everything that they should reach.
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "formal/formal.hpp"

namespace warpmem::formal {
namespace {

/// Whether all quick proofs of the unit are green, from scratch.
void expect_green(const std::string& unit) {
  FormalRequest request;
  request.units = {unit};
  request.quick = true;
  request.use_cache = false;
  request.timeout_s = 600;
  const auto results = run(request);
  EXPECT_FALSE(results.empty());
  EXPECT_TRUE(green(results)) << table(results);
}

TEST(ProofsTest, Dau) { expect_green("dau"); }
TEST(ProofsTest, BuclCtrl) { expect_green("bucl_ctrl"); }
TEST(ProofsTest, CartBranch) { expect_green("cart_branch"); }
TEST(ProofsTest, DlMshr) { expect_green("dl_mshr"); }
TEST(ProofsTest, HtsmaSteer) { expect_green("htsma_steer"); }
TEST(ProofsTest, LawsScore) { expect_green("laws_score"); }
TEST(ProofsTest, MshrConventional) { expect_green("mshr_conventional"); }
TEST(ProofsTest, MshrSetAssoc) { expect_green("mshr_set_assoc"); }
TEST(ProofsTest, MrpbDrain) { expect_green("mrpb_drain"); }
TEST(ProofsTest, ThrottleUnit) { expect_green("throttle_unit"); }
TEST(ProofsTest, Tsma) { expect_green("tsma"); }
TEST(ProofsTest, TsmaIndexGen) { expect_green("tsma_index_gen"); }

TEST(ProofsTest, UnknownNamesAreMistakesOfTheUser) {
  FormalRequest request;
  request.units = {"dua"};
  EXPECT_THROW(run(request), UserError);
  request.units = {"tsma_index_gen"};
  request.property = "index_is_unheard_of";
  EXPECT_THROW(run(request), UserError);
  request.property = "";
  request.params = {{"ENTRIES", "0"}};
  EXPECT_THROW(run(request), UserError);
}

TEST(ProofsTest, ABoundedCheckSaysItsDepth) {
  FormalRequest request;
  request.units = {"tsma_index_gen"};
  request.params = {{"ENTRIES", "3"}};
  request.depth = 6;
  request.covers = false;
  request.use_cache = false;
  const auto results = run(request);
  ASSERT_EQ(results.size(), 1u);
  for (const Result& result : results[0].results) {
    EXPECT_EQ(result.verdict, Verdict::kBounded) << result.property.name;
    EXPECT_EQ(result.cycles, 6u);
  }
}

}  // namespace
}  // namespace warpmem::formal
