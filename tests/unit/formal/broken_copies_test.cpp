// SPDX-License-Identifier: Apache-2.0
// A property that holds of everything would prove nothing: each must refute a broken copy.
#include <gtest/gtest.h>

#include <set>

#include "base/text_file.hpp"
#include "formal/formal.hpp"
#include "support/scratch_folder.hpp"
#include "unit/formal/broken_control.hpp"
#include "unit/formal/broken_files.hpp"
#include "unit/formal/broken_htsma.hpp"
#include "unit/formal/broken_pipe.hpp"
#include "unit/formal/broken_rtl.hpp"

namespace warpmem::formal::test {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kTimeoutS = 300;

// The first is a rule for the user of CART's branch; the other is about BUCL's reference alone.
const std::set<std::string> kNotRefutable = {"one_outcome", "counts_keep_within_the_period"};

std::vector<BrokenUnit> all_broken() {
  std::vector<BrokenUnit> all = broken_units();
  for (const auto* more : {&broken_files(), &broken_htsma(), &broken_pipe(), &broken_control()})
    all.insert(all.end(), more->begin(), more->end());
  return all;
}

/// Turns "u_dau.u_sets.taken_only_when_free" into "taken_only_when_free".
std::string own_name(const std::string& property) {
  return property.substr(property.rfind('.') + 1);
}

struct OneCopy {
  Proof proof;
  BrokenCopy copy;
  unsigned cycles;
};

std::vector<OneCopy> all_copies() {
  std::vector<OneCopy> all;
  for (const BrokenUnit& broken : all_broken())
    for (const BrokenCopy& copy : broken.copies) all.push_back({broken.proof, copy, broken.cycles});
  return all;
}

class BrokenCopies : public testing::TestWithParam<OneCopy> {};

TEST_P(BrokenCopies, AreNoticed) {
  const auto& [proof, copy, cycles] = GetParam();
  const warpmem::test::ScratchFolder scratch;
  const fs::path root = scratch.path() / "rtl", work = scratch.path() / "work";
  fs::copy(fs::path(WARPMEM_SOURCE_DIR) / "rtl", root, fs::copy_options::recursive);
  fs::create_directory(work);
  std::string text = read_text(root / copy.file);
  const auto at = text.find(copy.from);
  ASSERT_NE(at, std::string::npos) << "the RTL no longer has what this copy breaks";
  write_text(root / copy.file, text.replace(at, copy.from.size(), copy.to));
  const Model model(work, find_unit(root, proof.unit), proof);
  for (const std::string& name : copy.noticed_by) {
    const Property property{name, "", false};
    EXPECT_EQ(model.judge(property, cycles, true, kTimeoutS).verdict, Verdict::kRefuted) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Rtl, BrokenCopies, testing::ValuesIn(all_copies()),
                         [](const testing::TestParamInfo<OneCopy>& test) {
                           std::string name = test.param.proof.unit;
                           for (const auto& [key, value] : test.param.proof.params)
                             name += "_" + key + value;
                           return name + "__" + test.param.copy.name;
                         });

TEST(BrokenCopiesTest, EveryPropertyHasACopyThatRefutesIt) {
  std::set<std::string> refuted = kNotRefutable;
  for (const BrokenUnit& broken : all_broken())
    for (const BrokenCopy& copy : broken.copies)
      for (const std::string& name : copy.noticed_by) refuted.insert(own_name(name));
  std::set<std::string> units;
  for (const Proof& proof : proofs()) {
    if (!units.insert(proof.unit).second) continue;
    const warpmem::test::ScratchFolder work;
    const Model model(work.path(), find_unit(fs::path(WARPMEM_SOURCE_DIR) / "rtl", proof.unit),
                      proof);
    for (const Property& property : model.properties()) {
      if (property.cover) continue;
      EXPECT_EQ(refuted.count(own_name(property.name)), 1u) << proof.unit << " " << property.name;
    }
  }
}

TEST(BrokenCopiesTest, AViolationHasItsPlaceAndARunAndSpoilsNoOtherProof) {
  const warpmem::test::ScratchFolder scratch;
  FormalRequest request;
  request.rtl_root = scratch.path() / "rtl";
  fs::copy(fs::path(WARPMEM_SOURCE_DIR) / "rtl", request.rtl_root, fs::copy_options::recursive);
  const fs::path file = request.rtl_root / "laws_score/laws_score.sv";
  const std::string sign = "fair_o       = score_q[SCORE_BITS-1]";
  std::string text = read_text(file);
  ASSERT_NE(text.find(sign), std::string::npos);
  write_text(file, text.replace(text.find(sign), sign.size(), "fair_o       = 1'b0"));
  request.units = {"laws_score"};
  request.params = {{"SCORE_BITS", "4"}, {"MISS_BITS", "2"}, {"MISS_LIMIT", "3"}};
  request.covers = false;
  request.use_cache = false;
  request.trace_dir = scratch.path();
  std::vector<std::string> told;
  request.violated = [&](const std::string& line) { told.push_back(line); };
  const auto results = run(request);
  EXPECT_FALSE(green(results));
  ASSERT_EQ(results.size(), 1u);
  for (const Result& result : results[0].results) {
    SCOPED_TRACE(result.property.name);
    if (result.property.name != "fair_means_a_negative_score") {
      EXPECT_EQ(result.verdict, Verdict::kProved);
      continue;
    }
    EXPECT_EQ(result.verdict, Verdict::kRefuted);
    EXPECT_EQ(told, std::vector<std::string>{violation_text(results[0].proof, result)});
    EXPECT_NE(told[0].find(result.trace), std::string::npos);
    EXPECT_EQ(result.property.place.rfind("laws_score/laws_score_formal.svh:", 0), 0u);
    EXPECT_NE(read_text(result.trace).find("$enddefinitions"), std::string::npos);
  }
}

}  // namespace
}  // namespace warpmem::formal::test
