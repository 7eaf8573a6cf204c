// SPDX-License-Identifier: Apache-2.0
// The proofs that take seconds, with everything that they should reach.
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "formal/formal.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::formal {
namespace {

/// Whether all quick proofs of the unit, or the one of these parameters, are green, from scratch.
void expect_green(const std::string& unit, std::map<std::string, std::string> params = {}) {
  FormalRequest request;
  request.units = {unit};
  request.quick = true;
  request.params = std::move(params);
  request.use_cache = false;
  request.timeout_s = 600;
  const auto results = run(request);
  EXPECT_FALSE(results.empty());
  EXPECT_TRUE(green(results)) << table(results);
}

TEST(ProofsTest, Dau) { expect_green("dau"); }
TEST(ProofsTest, BuclCtrl) { expect_green("bucl_ctrl"); }
TEST(ProofsTest, CartBranch) { expect_green("cart_branch"); }
TEST(ProofsTest, CartShared) { expect_green("cart_shared"); }
TEST(ProofsTest, DlMshr) { expect_green("dl_mshr"); }
TEST(ProofsTest, DlMshrPipe) { expect_green("dl_mshr_pipe"); }
TEST(ProofsTest, DlMshrPipeOfTwoSets) {
  expect_green("dl_mshr_pipe", {{"SETS", "2"}, {"ADDR_BITS", "2"}});
}
TEST(ProofsTest, Htsma) { expect_green("htsma"); }
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
  try {
    run(request);
    ADD_FAILURE() << "a property that there is not";
  } catch (const UserError& error) {
    const std::string said = error.what();
    EXPECT_NE(said.find("no property is called 'index_is_unheard_of'; there are "),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("index_is_an_entry"), std::string::npos) << said;
  }
  request.property = "";
  request.params = {{"ENTRIES", "0"}};
  EXPECT_THROW(run(request), UserError);
}

TEST(ProofsTest, AnErrorOfTheRtlHasTheNameOfItsUnitOnce) {
  FormalRequest request;
  request.units = {"dau"};
  request.params = {{"SLOTS", "3"}};
  try {
    run(request);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(std::string(error.what()), "dau: SLOTS must be 1, 2, 4 or 8.");
  }
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

// The table's proofs stand in its order, and others behind them.
TEST(ProofsTest, ThePageKeepsProofsThatWereNotMade) {
  const auto made = [](Proof proof, unsigned cycles) {
    const Property property{"a_cover", "unit.sv:1", true};
    return ProofResult{
        std::move(proof), 1.5, false, {{property, Verdict::kReached, "search", cycles, ""}}};
  };
  const ProofResult first = made(proofs().at(0), 3), second = made(proofs().at(1), 4);
  const std::string both = page({first, second});
  EXPECT_EQ(page({second}, page({first})), both);
  EXPECT_EQ(page({first}, both), both);
  EXPECT_EQ(page({}, both), both);
  const std::string renewed = page({made(first.proof, 5)}, both);
  EXPECT_EQ(renewed, page({made(first.proof, 5), second}));
  EXPECT_EQ(renewed.size(), both.size());
  ProofResult other = first;
  other.proof.params = {{"SETS", "77"}};
  const std::string more = page({other}, both);
  EXPECT_EQ(more.rfind(both, 0), 0u) << more;
  EXPECT_NE(more.find("SETS=77"), std::string::npos) << more;
  EXPECT_EQ(page({}, more), both);
}

// What no run of so few cycles reaches holds emptily.
TEST(ProofsTest, ABoundedCheckThatIsTooShortForACoverIsAnError) {
  FormalRequest request;
  request.units = {"tsma_index_gen"};
  request.params = {{"ENTRIES", "5"}};
  request.use_cache = false;
  request.depth = 4;
  const auto too_short = run(request);
  EXPECT_FALSE(green(too_short));
  unsigned bounded = 0, unreached = 0;
  for (const Result& result : too_short.at(0).results) {
    bounded += result.verdict == Verdict::kBounded;
    unreached += result.verdict == Verdict::kUnreached;
    EXPECT_NE(result.verdict, Verdict::kRefuted) << result.property.name;
  }
  EXPECT_GT(bounded, 0u) << table(too_short);
  EXPECT_GT(unreached, 0u) << table(too_short);
  request.depth = 12;
  const auto long_enough = run(request);
  EXPECT_TRUE(green(long_enough)) << table(long_enough);
}

// 8 sets are 12 cycles away from S9; the first eight are known, so that all others are within
// reach.
TEST(ProofsTest, AFullPoolIsReachedFromAPrimedStart) {
  std::vector<Proof> primed;
  for (const Proof& proof : proofs())
    if (proof.primed != 0) primed.push_back(proof);
  ASSERT_EQ(primed.size(), 1u);
  EXPECT_EQ(primed[0].params.at("SETS"), "8");
  EXPECT_TRUE(primed[0].covers);
  const warpmem::test::ScratchFolder work;
  const Model model(work.path(),
                    find_unit(std::filesystem::path(WARPMEM_SOURCE_DIR) / "rtl", "dau"), primed[0]);
  for (const Property& property : model.properties()) {
    const bool of_a_full_pool = property.name.find("s4") != std::string::npos ||
                                property.name.find("s9") != std::string::npos;
    if (!property.cover || !of_a_full_pool) continue;
    EXPECT_EQ(model.judge(property, primed[0].depth, true, 60).verdict, Verdict::kReached)
        << property.name;
  }
}

}  // namespace
}  // namespace warpmem::formal
