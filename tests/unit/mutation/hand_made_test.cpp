// SPDX-License-Identifier: Apache-2.0
// Mistakes that a designer could make: what runs by default finds every one, and docs/mutation.md
// says so of exactly those that are there.
#include "mutation/hand_made.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <sstream>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "mutation/units.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::mutation {

void PrintTo(const HandMadeFault& fault, std::ostream* out) { *out << fault.what; }

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::vector<HandMadeFault> all_faults() {
  return hand_made_faults(cosim::default_places().source / "mutation" / "faults", "");
}

/// Returns the rows of the page, "| `unit` | what | found by | size | cycle | by | seconds |", by
/// unit and sentence.
std::map<std::string, std::vector<std::string>> page_rows() {
  std::map<std::string, std::vector<std::string>> rows;
  const std::string page = read_text(cosim::default_places().source / "docs" / "mutation.md");
  const std::size_t at = page.find(std::string("## ") + kHandMadeTitle);
  if (at == std::string::npos) return rows;
  std::istringstream lines(page.substr(at));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    std::vector<std::string> cells{""};
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '|')
        cells.emplace_back();
      else if (line[i] != '\\' || line[i + 1] != '|')
        cells.back() += line[i];
      else
        cells.back() += line[++i];
    }
    cells.pop_back();  // what follows the last bar
    for (std::string& cell : cells) cell = cell.size() > 2 ? cell.substr(1, cell.size() - 2) : "";
    rows[cells[1] + " " + cells[2]] = cells;
  }
  return rows;
}

TEST(HandMade, ThePageHasEveryFaultAndWhatFoundIt) {
  const auto rows = page_rows();
  const auto faults = all_faults();
  EXPECT_EQ(rows.size(), faults.size());
  std::map<std::string, unsigned> of_unit;
  for (const HandMadeFault& fault : faults) {
    ++of_unit[fault.unit];
    const auto row = rows.find("`" + fault.unit + "` " + fault.what);
    ASSERT_NE(row, rows.end()) << fault.unit << "/" << fault.name;
    EXPECT_THAT(row->second[3], testing::AnyOf("cosim", "formal")) << fault.name;
    EXPECT_FALSE(row->second[4].empty());
    ASSERT_EQ(row->second.size(), 8u) << "the row has no seconds: " << fault.name;
    EXPECT_GT(std::stod(row->second[7]), 0) << fault.name;
  }
  for (const AttackedUnit& unit : attacked_units()) EXPECT_GE(of_unit[unit.name], 3u) << unit.name;
  EXPECT_GE(of_unit["dau"], 14u);
}

TEST(HandMade, FilesThatSayNothingUsefulAreRefused) {
  const warpmem::test::ScratchFolder folder;
  fs::create_directory(folder.path() / "dau");
  const auto message = [&](const std::string& text) {
    write_text(folder.path() / "dau" / "x.yaml", text);
    try {
      const auto faults = hand_made_faults(folder.path(), "dau");
      HandMadeRequest request;
      request.cycles = 1;
      find(faults.at(0), request);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message("what: w\nfile: dau/dau.sv\nfrom: abc\n"), HasSubstr("'to' is missing"));
  EXPECT_THAT(message("waht: w\n"), HasSubstr("x.yaml:1: 'waht' is not what, file, from or to"));
  EXPECT_THAT(message("what: w\nfile: dau/dau.sv\nfrom: no such text\nto: b\n"),
              HasSubstr("does not stand in dau/dau.sv once"));
  EXPECT_THAT(message("what: w\nfile: dau/dau.sv\nfrom: assign\nto: b\n"),
              HasSubstr("does not stand in dau/dau.sv once"));
  EXPECT_THROW(hand_made_faults(folder.path(), "dua"), UserError);
}

TEST(HandMade, ThePageKeepsTheRowsOfOtherUnits) {
  HandMadeResult dau, cart;
  dau.fault = {"dau", "a", "Something is wrong.", "f", "x", "y"};
  cart.fault = {"cart_branch", "b", "Another thing is.", "f", "x", "y"};
  dau.found_by = cart.found_by = "cosim";
  const std::string before = "# Page\n\n## dau\n\ntext\n";
  const std::string both = hand_made_page({dau, cart}, before);
  EXPECT_EQ(both.rfind(before, 0), 0u);
  EXPECT_EQ(hand_made_page({cart}, hand_made_page({dau}, before)), both);
  dau.signal = "check failed: a || b";
  EXPECT_THAT(hand_made_page({dau}, both), HasSubstr("| check failed: a \\|\\| b | "));
  dau.found_by = "";
  EXPECT_THAT(hand_made_page({dau}, both),
              HasSubstr("| `dau` | Something is wrong. | **nothing**"));
}

/// Each runs at the size that the page names, which the default runs take, with their seed.
class HandMadeFaults : public testing::TestWithParam<HandMadeFault> {};

TEST_P(HandMadeFaults, IsFound) {
  const auto rows = page_rows();
  const auto row = rows.find("`" + GetParam().unit + "` " + GetParam().what);
  ASSERT_NE(row, rows.end());
  HandMadeRequest request;
  request.cycles = cosim::kShortLockstepCycles;  // each is found within them
  request.only_size = row->second[4];            // no size of lockstep where a proof finds it
  const HandMadeResult result = find(GetParam(), request);
  EXPECT_EQ(result.found_by, row->second[3]);
  EXPECT_EQ(result.size, row->second[4]);
  EXPECT_EQ(std::to_string(result.cycle), row->second[5]);
  EXPECT_EQ(result.signal, row->second[6]);
  EXPECT_GT(result.seconds, 0);
}

INSTANTIATE_TEST_SUITE_P(All, HandMadeFaults, testing::ValuesIn(all_faults()),
                         [](const auto& test) { return test.param.unit + "_" + test.param.name; });

}  // namespace

}  // namespace warpmem::mutation
