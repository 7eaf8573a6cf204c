// SPDX-License-Identifier: Apache-2.0
// A user's RTL before anything runs: what is accepted, and the sentence about what is not.
#include "cosim/own_unit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "cosim/hardware_unit.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::cosim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

UnitShape attacked_shape(const std::string& name) {
  const HardwareUnit& unit = hardware_unit(name);
  return unit.shape_of(unit.attacked());
}

/// A copy of warpmem's RTL of a unit, in one file, in which a test replaces a piece of text.
class OwnUnitTest : public testing::Test {
 protected:
  void bring(const std::string& unit) {
    unit_ = unit;
    text_ = read_text(default_places().rtl / unit / (unit + ".sv"));
  }
  void replace(const std::string& from, const std::string& to) {
    const std::size_t at = text_.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text_.replace(at, from.size(), to);
  }
  /// Returns the warnings, or the error.
  std::string check() {
    const fs::path file = folder_.path() / (unit_ + ".sv");
    write_text(file, text_);
    UnitPlaces places = default_places();
    places.own = OwnRtl({file.string()});
    std::string text;
    try {
      for (const std::string& line : check_own_unit(attacked_shape(unit_), places))
        text += line + "\n";
    } catch (const UserError& error) {
      return std::string("error: ") + error.what();
    }
    return text;
  }

  test::ScratchFolder folder_;
  std::string unit_, text_;
};

TEST_F(OwnUnitTest, RtlOfEveryUnitIsAcceptedWithoutAWarning) {
  for (const auto& unit : hardware_units()) {
    bring(unit->name());
    EXPECT_EQ(check(), "") << unit->name();
  }
}

TEST_F(OwnUnitTest, WarningsOfVerilatorAreWarnings) {
  bring("dau");
  replace("logic linkable, live", "logic nobody;\n  logic linkable, live");
  EXPECT_THAT(check(),
              HasSubstr("dau.sv:117: Signal is not driven, nor used: 'nobody' (UNUSEDSIGN"));
}

TEST_F(OwnUnitTest, MissingPort) {
  bring("dau");
  replace("output wire logic                   rf_o, ", "");
  replace("  assign rf_o        = req_valid_i && !req_ready_o;\n", "");
  EXPECT_THAT(check(), HasSubstr("dau.sv:19: module dau lacks the output rf_o of 1 bit"));
}

TEST_F(OwnUnitTest, PortsThatShowTheStateMayBeMissing) {
  bring("dau");
  replace("  output wire logic [SETS*SET_W-1:0]  next_o,           // P\n", "");
  replace("  assign next_o = next_q;\n", "");
  EXPECT_EQ(check(), "");
}

TEST_F(OwnUnitTest, PortThatTheUnitDoesNotHave) {
  bring("dau");
  replace("input  wire logic                   rst_n,",
          "input  wire logic                   rst_n,\n  input  wire logic test_mode_i,");
  EXPECT_THAT(check(), HasSubstr("dau.sv:30: port test_mode_i is not one of dau; those are in "
                                 "rtl/dau/dau.sv"));
}

TEST_F(OwnUnitTest, WidthAndDirection) {
  bring("mrpb_drain");
  replace("output wire logic [QUEUE_W-1:0] drain_queue_o",
          "output wire logic [QUEUE_W:0] drain_queue_o");
  EXPECT_THAT(check(), HasSubstr("port drain_queue_o has 4 bits; expected are 3 at"));
  bring("mrpb_drain");
  replace("input  wire logic               take_i", "output wire logic take_i");
  EXPECT_THAT(check(), HasSubstr("port take_i is an output; expected is an input"));
}

// The ports are judged at every size that is built, of units without state, too.
TEST_F(OwnUnitTest, WidthThatFitsOneSizeOnly) {
  bring("htsma_steer");
  replace("[COUNT_W-1:0] shared_count_i", "[3:0] shared_count_i");
  EXPECT_EQ(check(), "");
  UnitPlaces places = default_places();
  places.own = OwnRtl({(folder_.path() / "htsma_steer.sv").string()});
  const HardwareUnit& unit = hardware_unit("htsma_steer");
  SizeValues size = unit.attacked();
  EXPECT_NO_THROW(shape_of_view(View::rtl, unit.shape_of(size), places));
  size.front() = 24;
  try {
    shape_of_view(View::rtl, unit.shape_of(size), places);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("port shared_count_i has 4 bits; expected are 5 at"));
  }
}

TEST_F(OwnUnitTest, MissingParameter) {
  bring("dau");
  replace("  parameter int unsigned SLOTS    = 2,", "  localparam int unsigned SLOTS    = 2,");
  EXPECT_THAT(check(), HasSubstr("dau.sv: module dau lacks the parameter SLOTS; expected are "
                                 "SETS=4 SLOTS=2 RESERVED=1"));
}

TEST_F(OwnUnitTest, Latch) {
  bring("dau");
  replace("  assign next_o = next_q;\n",
          "  logic [SETS*SET_W-1:0] kept;\n"
          "  always_comb if (ret_valid_i) kept = next_q;\n  assign next_o = kept;\n");
  EXPECT_THAT(check(), HasSubstr("dau.sv:195: Latch inferred for signal 'dau.kept'"));
  bring("dau");
  replace("  assign next_o = next_q;\n",
          "  logic [SETS*SET_W-1:0] kept;\n"
          "  always_latch if (ret_valid_i) kept = next_q;\n  assign next_o = kept;\n");
  EXPECT_THAT(check(), HasSubstr("a latch keeps kept; registers are allowed, latches are not"));
}

TEST_F(OwnUnitTest, SignalOfTwoDrivers) {
  bring("dau");
  replace("  assign next_o = next_q;\n", "  assign next_o = next_q;\n  assign next_o = ~next_q;\n");
  EXPECT_THAT(check(), HasSubstr("dau.sv:195: a signal of dau has several drivers; allowed: one"));
}

TEST_F(OwnUnitTest, PortThatIsBoth) {
  bring("mrpb_drain");
  replace("input  wire logic               take_i", "inout  wire logic               take_i");
  EXPECT_THAT(check(), HasSubstr(": port take_i is an inout; allowed: input, output"));
}

TEST_F(OwnUnitTest, Loop) {
  bring("dau");
  replace("assign rf_o        = req_valid_i && !req_ready_o;",
          "logic again;\n  assign again = rf_o || req_link_o;\n"
          "  assign rf_o = req_valid_i && (!req_ready_o || again);");
  const std::string said = check();
  EXPECT_THAT(said, HasSubstr("dau.sv:145: "));
  EXPECT_THAT(said, HasSubstr("a combinational loop through "));
  EXPECT_THAT(said, HasSubstr("again"));
}

// Words whose bits depend on each other in turn make no loop.
TEST_F(OwnUnitTest, BitsOfOneWordInTurn) {
  bring("dau");
  replace("  assign next_o = next_q;\n",
          "  logic [SETS*SET_W-1:0] chained;\n  assign chained = next_q ^ (chained >> 1);\n"
          "  assign next_o = chained;\n");
  EXPECT_THAT(check(), IsEmpty());
}

TEST_F(OwnUnitTest, ReadyThatDependsOnItsValid) {
  bring("dau");
  replace("assign req_ready_o = primary", "assign req_ready_o = req_valid_i && primary");
  EXPECT_THAT(check(),
              HasSubstr("dau.sv:35: req_ready_o depends on req_valid_i in the same cycle"));
}

TEST_F(OwnUnitTest, RegistersOfAnotherClock) {
  const std::string edge = "always_ff @(posedge clk) begin\n    if (!rst_n) begin";
  const auto with = [&](const std::string& other) {
    bring("tsma_index_gen");
    replace(edge, other + " begin\n    if (!rst_n) begin");
    return check();
  };
  EXPECT_THAT(with("always_ff @(negedge clk)"),
              HasSubstr("takes its value at a falling edge; every register takes its value at the "
                        "rising edge of clk"));
  EXPECT_THAT(with("wire gated = clk & (take_i | !rst_n);\n  always_ff @(posedge gated)"),
              HasSubstr("is not clocked by the port itself"));
  EXPECT_THAT(with("always_ff @(posedge clk or negedge rst_n)"),
              HasSubstr("has an asynchronous set or reset"));
}

TEST_F(OwnUnitTest, TextThatNobodyReads) {
  bring("dau");
  replace("assign release_busy_o = |releasing_o;", "assign release_busy_o = |releasing_o");
  EXPECT_THAT(check(), HasSubstr("dau.sv:"));
  EXPECT_THAT(check(), HasSubstr("syntax error"));
}

}  // namespace
}  // namespace warpmem::cosim
