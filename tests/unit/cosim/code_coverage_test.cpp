// SPDX-License-Identifier: Apache-2.0
// Lines and toggles of the RTL in lockstep, and the points that are left out.
#include "cosim/code_coverage.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "base/errors.hpp"
#include "cosim/hardware_unit.hpp"
#include "support/scratch_folder.hpp"
#include "units/laws_score/laws_score_unit.hpp"
#include "units/tsma_index_gen/tsma_index_gen_unit.hpp"

namespace warpmem::cosim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kLines[] = {"module m;", "  if (a) b = 1;", "endmodule"};

class CodeCoverageTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(rtl() / "m");
    std::ofstream source(rtl() / "m/m.sv");
    for (const char* line : kLines) source << line << "\n";
    std::ofstream data(file());
    data << "# SystemC::Coverage-3\n";
    point(data, "v_toggle/m", 1, "a[0]", 7);
    point(data, "v_toggle/m", 1, "a[1]", 0);
    point(data, "v_toggle/m", 1, "b", 0);
    point(data, "v_branch/m", 2, "if", 0);
    point(data, "v_line/m", 1, "block", 3);
  }
  void point(std::ostream& out, const char* page, int line, const char* what, int count) {
    out << "C '\001f\002" << (rtl() / "m/m.sv").string() << "\001l\002" << line
        << "\001n\0023\001page\002" << page << "\001o\002" << what << "\001h\002.m' " << count
        << "\n";
  }
  void exclude(const std::string& text) {
    std::ofstream(rtl() / "m/coverage_exclusions.txt") << text;
  }
  CodeCoverage coverage() const { return CodeCoverage(file(), rtl()); }
  fs::path rtl() const { return scratch_.path() / "rtl"; }
  fs::path file() const { return scratch_.path() / "coverage.dat"; }

 private:
  test::ScratchFolder scratch_;
};

TEST_F(CodeCoverageTest, CountsPointsAndNamesTheMissing) {
  const CodeCoverage c = coverage();
  EXPECT_EQ(c.toggles().points, 3u);
  EXPECT_EQ(c.toggles().covered, 1u);
  EXPECT_DOUBLE_EQ(c.lines().percent(), 50.0);
  EXPECT_THAT(c.missing(), testing::ElementsAre("line m/m.sv:2 if", "toggle m/m.sv:1 a[1]",
                                                "toggle m/m.sv:1 b"));
  EXPECT_THAT(c.table(), HasSubstr("33.33 % of 3 points"));
}
TEST_F(CodeCoverageTest, TransitionsACycleByPath) {
  std::ofstream data(file(), std::ios::app);
  data << "C '\001f\002" << (rtl() / "m/m.sv").string()
       << "\001l\0021\001page\002v_toggle/m\001o\002c[2]\001h\002TOP.m.u_in.gen[1]' 20\n";
  data.close();
  const CodeCoverage c(file(), rtl(), 10);
  const std::map<std::string, double> expected = {
      {"a[0]", 0.7}, {"a[1]", 0}, {"b", 0}, {"u_in.gen[1].c[2]", 2}};
  EXPECT_EQ(c.transitions(), expected);
  EXPECT_TRUE(coverage().transitions().empty());  // the number of cycles is unknown
}
TEST_F(CodeCoverageTest, LeavesOutWhatIsListed) {
  exclude("# why\n\ntoggle m.sv a[*] : constant\nline m.sv if (a)* : never\n");
  const CodeCoverage c = coverage();
  EXPECT_THAT(c.missing(), testing::ElementsAre("toggle m/m.sv:1 b"));
  EXPECT_EQ(c.toggles().points, 2u);  // a[0] is covered and counts
  EXPECT_EQ(c.toggles().excluded, 1u);
  EXPECT_DOUBLE_EQ(c.lines().percent(), 100.0);
}
TEST_F(CodeCoverageTest, ExclusionWithoutAReason) {
  exclude("toggle m.sv a[1] : constant\ntoggle m.sv b\n");
  try {
    coverage();
    FAIL() << "accepted";
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("coverage_exclusions.txt:2: not of the form"));
  }
}

// Ends of the score are reached by the directed vectors, in both calls of one function.
TEST(RtlCoverage, BranchesOfTheLawsScore) {
  LockstepOptions options;
  options.cycles = 20'000;
  options.code_coverage = true;
  const LockstepResult result = run_unit<units::LawsScoreDescription>({6, 5}, options);
  EXPECT_THAT(result.code.missing(), IsEmpty()) << result.describe();
  EXPECT_GT(result.code.lines().points, 15u);
  EXPECT_GT(result.code.toggles().points, 40u);
}
TEST(RtlCoverage, ShortRunOfTheIndexGenerator) {
  LockstepOptions options;
  options.directed = false;
  options.cycles = 3;
  options.code_coverage = true;
  const LockstepResult result = run_unit<units::TsmaIndexGenDescription>({5}, options);
  EXPECT_LT(result.code.toggles().percent(), 95.0);
  EXPECT_EQ(result.code.lines().excluded, 2u);
}

}  // namespace
}  // namespace warpmem::cosim
