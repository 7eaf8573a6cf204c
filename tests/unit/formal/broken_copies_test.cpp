// SPDX-License-Identifier: Apache-2.0
// A property that holds of everything would prove nothing: each must refute a broken copy.
#include <gtest/gtest.h>

#include "base/text_file.hpp"
#include "formal/model.hpp"
#include "support/scratch_folder.hpp"
#include "unit/formal/broken_rtl.hpp"

namespace warpmem::formal::test {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kCycles = 8;
constexpr unsigned kTimeoutS = 30;

/// Copies `part`, `part` + `parts`, ... of the unit.
void expect_noticed(const std::string& unit, std::size_t part = 0, std::size_t parts = 1) {
  for (const BrokenUnit& broken : broken_units()) {
    if (broken.proof.unit != unit) continue;
    for (std::size_t i = part; i < broken.copies.size(); i += parts) {
      const BrokenCopy& copy = broken.copies[i];
      SCOPED_TRACE(copy.name);
      const warpmem::test::ScratchFolder scratch;
      const fs::path root = scratch.path() / "rtl", work = scratch.path() / "work";
      fs::copy(fs::path(WARPMEM_SOURCE_DIR) / "rtl", root, fs::copy_options::recursive);
      fs::create_directory(work);
      std::string text = read_text(root / copy.file);
      const auto at = text.find(copy.from);
      ASSERT_NE(at, std::string::npos) << "the RTL no longer has what this copy breaks";
      write_text(root / copy.file, text.replace(at, copy.from.size(), copy.to));
      const Model model(work, synth::find_unit(root, unit), broken.proof);
      for (const std::string& name : copy.noticed_by) {
        const Property property{name, "", false};
        EXPECT_EQ(model.judge(property, kCycles, true, kTimeoutS).verdict, Verdict::kRefuted)
            << name;
      }
    }
  }
}

TEST(BrokenCopiesTest, Dau1) { expect_noticed("dau", 0, 4); }
TEST(BrokenCopiesTest, Dau2) { expect_noticed("dau", 1, 4); }
TEST(BrokenCopiesTest, Dau3) { expect_noticed("dau", 2, 4); }
TEST(BrokenCopiesTest, Dau4) { expect_noticed("dau", 3, 4); }
TEST(BrokenCopiesTest, LawsScore) { expect_noticed("laws_score"); }
TEST(BrokenCopiesTest, ThrottleUnit) { expect_noticed("throttle_unit"); }
TEST(BrokenCopiesTest, TsmaIndexGen) { expect_noticed("tsma_index_gen"); }

TEST(BrokenCopiesTest, ARunIsWrittenAsVcd) {
  const BrokenUnit& broken = broken_units()[1];
  const BrokenCopy& copy = broken.copies.front();
  const warpmem::test::ScratchFolder scratch;
  const fs::path root = scratch.path() / "rtl", work = scratch.path() / "work";
  fs::copy(fs::path(WARPMEM_SOURCE_DIR) / "rtl", root, fs::copy_options::recursive);
  fs::create_directory(work);
  std::string text = read_text(root / copy.file);
  write_text(root / copy.file, text.replace(text.find(copy.from), copy.from.size(), copy.to));
  const Model model(work, synth::find_unit(root, broken.proof.unit), broken.proof);
  const Property property{copy.noticed_by.front(), "", false};
  ASSERT_TRUE(model.write_run(property, kCycles, kTimeoutS, scratch.path() / "run.vcd"));
  EXPECT_NE(read_text(scratch.path() / "run.vcd").find("$enddefinitions"), std::string::npos);
}

}  // namespace
}  // namespace warpmem::formal::test
