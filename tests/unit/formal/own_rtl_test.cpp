// SPDX-License-Identifier: Apache-2.0
// A user's RTL is judged at its ports: by an observer where the unit has choices, else against
// ours.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "formal/equality.hpp"
#include "formal/formal.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::formal {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

const fs::path kSource = WARPMEM_SOURCE_DIR;

/// Returns the result of a user's RTL of a unit at one size; with a violation it has only that.
ProofResult judged(const std::string& unit, const OwnRtl& own,
                   const std::map<std::string, std::string>& params) {
  FormalRequest request;
  request.units = {unit};
  request.own = own;
  request.params = params;
  request.use_cache = false;
  request.first_only = true;
  request.covers = false;
  const auto results = run(request);
  EXPECT_EQ(results.size(), 1u);
  return results.at(0);
}

OwnRtl example(const std::string& variant) {
  const fs::path folder = kSource / "examples" / "own-unit";
  return OwnRtl({(folder / "own_dau.sv").string(), (folder / variant).string()});
}

const std::map<std::string, std::string> kSmall = {
    {"SETS", "2"}, {"SLOTS", "2"}, {"RESERVED", "1"}};

TEST(OwnRtlProof, LegalChoicesAreProved) {
  for (const char* const variant : {"dau_clears_pointer", "dau_links_highest"}) {
    const ProofResult result = judged("dau", example(variant), kSmall);
    EXPECT_TRUE(green({result})) << table({result});
    EXPECT_GT(result.results.size(), 10u);
  }
}

TEST(OwnRtlProof, IllegalChoiceIsRefuted) {
  // A reserved set must be free while a chain asks for one, and an ordinary one as well.
  const ProofResult result =
      judged("dau", example("dau_illegal"), {{"SETS", "4"}, {"SLOTS", "1"}, {"RESERVED", "2"}});
  ASSERT_EQ(result.results.size(), 1u);
  EXPECT_EQ(result.results[0].verdict, Verdict::kRefuted);
  EXPECT_EQ(result.results[0].property.name, "merge_links_an_ordinary_free_set");
}

TEST(OwnRtlProof, ObserverHoldsOfWarpmemsOwn) {
  const ProofResult result = judged("dau", OwnRtl({(kSource / "rtl" / "dau").string()}), kSmall);
  EXPECT_TRUE(green({result})) << table({result});
}

/// A piece of examples/own-unit/own_dau.sv, what stands there instead, and what is then violated.
struct BrokenAnswer {
  const char *from, *to, *property;
};
const BrokenAnswer kBrokenAnswers[] = {
    {"live && tail_full && can_link;", "1'b0;", "answer_follows_the_rules"},
    {"= req_valid_i && !req_ready_o;", "= !req_ready_o;", "refused_means_rf"},
    {"= pick(s_free_o, 1'b0);", "= pick(~s_free_o, 1'b0);", "primary_gets_a_free_set"},
    {"= pick(s_free_o, 1'b0);", "= pick(s_free_o, 1'b1);", "primary_prefers_a_reserved_set"},
    {"= take ? tail_count : '0;", "= '0;", "merge_uses_the_tail_while_it_has_room"},
    {"= pick(linkable, LINKS_HIGHEST);", "= tail;", "merge_links_an_ordinary_free_set"},
    {"n_free_o     = n_free;", "n_free_o = n_linkable;", "n_free_counts_free_sets"},
    {"n_linkable_o = n_linkable;", "n_linkable_o = n_free;", "n_linkable_counts_ordinary_ones"},
    {"= releasing_o != '0;", "= (releasing_o & ~freed) != '0;", "release_goes_on_set_by_set"},
    {"= (releasing_o & ~freed) == '0;", "= releasing_o == '0;",
     "ret_is_ready_when_the_last_set_goes"},
};

TEST(OwnRtlProof, EveryPropertyOfTheObserverCanFail) {
  const fs::path folder = kSource / "examples" / "own-unit";
  for (const BrokenAnswer& broken : kBrokenAnswers) {
    const warpmem::test::ScratchFolder scratch;
    std::string text = read_text(folder / "own_dau.sv");
    const std::size_t at = text.find(broken.from);
    ASSERT_NE(at, std::string::npos) << broken.from;
    write_text(scratch / "own_dau.sv",
               text.replace(at, std::string(broken.from).size(), broken.to));
    FormalRequest request;
    request.units = {"dau"};
    request.own =
        OwnRtl({scratch / "own_dau.sv", (folder / "dau_links_highest" / "dau.sv").string()});
    request.params = {{"SETS", "3"}, {"SLOTS", "2"}, {"RESERVED", "1"}};
    request.property = broken.property;
    request.depth = 8;
    request.use_cache = false;
    const auto results = run(request);
    EXPECT_EQ(results.at(0).results.at(0).verdict, Verdict::kRefuted) << broken.property;
  }
}

/// A copy of tsma_index_gen with a piece of text replaced.
class OwnIndexGen : public testing::Test {
 protected:
  OwnRtl with(const std::string& from, const std::string& to) {
    std::string text = read_text(kSource / "rtl/tsma_index_gen/tsma_index_gen.sv");
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    write_text(folder_ / "own.sv", text);
    return OwnRtl({folder_ / "own.sv"});
  }
  warpmem::test::ScratchFolder folder_;
};

TEST_F(OwnIndexGen, EqualOutputsAreProved) {
  const ProofResult result =
      judged("tsma_index_gen", with("endmodule", "endmodule"), {{"ENTRIES", "5"}});
  EXPECT_TRUE(green({result})) << table({result});
}

TEST_F(OwnIndexGen, AnotherOutputIsRefutedWhateverTheUserAssumes) {
  const OwnRtl own = with("assign full_o      = full_q;",
                          "assign full_o = 1'b0;\n  always_comb assume (!take_i);");
  const ProofResult result = judged("tsma_index_gen", own, {{"ENTRIES", "5"}});
  ASSERT_EQ(result.results.size(), 1u);
  EXPECT_EQ(result.results[0].property.name, "full_o_is_equal");
  EXPECT_EQ(result.results[0].verdict, Verdict::kRefuted);
}

// It fits five entries, at which a check of the ports finds nothing.
TEST_F(OwnIndexGen, APortOfFixedWidthIsRefusedWhereItDoesNotFit) {
  const OwnRtl own = with("[IDX_W-1:0]   release_idx_i", "[2:0]   release_idx_i");
  EXPECT_TRUE(green({judged("tsma_index_gen", own, {{"ENTRIES", "5"}})}));
  try {
    judged("tsma_index_gen", own, {{"ENTRIES", "9"}});
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("port release_idx_i has 3 bits; expected are 4"));
  }
}

// An X may be any value, and an engine may not choose the one that suits.
TEST_F(OwnIndexGen, AnXIsNotEqual) {
  const OwnRtl own =
      with("assign full_o      = full_q;", "assign full_o = full_q && release_i ? 1'bx : full_q;");
  const ProofResult result = judged("tsma_index_gen", own, {{"ENTRIES", "3"}});
  ASSERT_EQ(result.results.size(), 1u);
  EXPECT_EQ(result.results[0].property.name, "full_o_is_equal");
  EXPECT_EQ(result.results[0].verdict, Verdict::kRefuted);
}

// What has a meaning only beside another output is compared there, and state not at all.
TEST(EqualityModule, OutputsWhereTheyMeanSomething) {
  UnitPorts ports;
  ports.inputs = {{"clk", 1}, {"rst_n", 1}};
  ports.outputs = {{"rsp_valid_o", 1}, {"rsp_entry_o", 3}};
  const std::string text = equality_module("mshr_conventional", ports);
  EXPECT_THAT(text,
              HasSubstr("module mshr_conventional_equal (input [0:0] clk, input [0:0] rst_n);"));
  EXPECT_THAT(text, HasSubstr("rsp_entry_o_is_equal: assert (!gold_rsp_valid_o || "
                              "gold_rsp_entry_o == gate_rsp_entry_o);"));
  EXPECT_THAT(text, HasSubstr("rsp_valid_o_is_equal: assert (gold_rsp_valid_o == "));
  ports.outputs = {{"full_o", 1}, {"available_o", 5}};
  EXPECT_THAT(equality_module("tsma_index_gen", ports), Not(HasSubstr("available_o")));
}

}  // namespace
}  // namespace warpmem::formal
