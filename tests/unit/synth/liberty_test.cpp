// SPDX-License-Identifier: Apache-2.0
#include "synth/liberty.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"

namespace warpmem::synth {
namespace {

using testing::HasSubstr;

constexpr const char* kLibertyFile = R"lib(
/* a comment */ library (demo) {
  time_unit : "1ns"; capacitive_load_unit (1, ff); leakage_power_unit : "1pW";
  nom_voltage : 1.5;
  lu_table_template(delay) { variable_1 : input_net_transition;
    variable_2 : total_output_net_capacitance; index_1("1, 2"); index_2("10, 20"); }
  power_lut_template(energy) { variable_1 : total_output_net_capacitance;
    variable_2 : input_transition_time; index_1("10, 30"); index_2("1, 2"); }
  cell (CLKBUF) { area : 2; pin (A) { direction : input; capacitance : 5; }
    pin (Y) { direction : output; function : "A"; } }
  cell ("BUF") { area : 2; cell_leakage_power : 400;
    pin (A) { direction : input; capacitance : 2.5; }
    pin (Y) { direction : output; function : "(A)"; max_capacitance : 80;
      timing () { related_pin : "A";
        rise_transition(delay) { values("0.1, 0.2", \
                                        "0.3, 0.4"); }
        fall_transition(delay) { values("0.1, 0.2", "0.3, 0.4"); } }
      internal_power () { rise_power(energy) { values("1, 2", "3, 4"); }
        fall_power(energy) { values("3, 4", "5, 6"); } } } }
  cell (FLOP) { area : 9; ff (IQ, IQN) { next_state : "D"; clocked_on : "CK"; }
    leakage_power () { when : "D"; value : 100; }
    leakage_power () { when : "!D"; value : 300; }
    pin (D) { direction : input; capacitance : 1 } // no semicolon
    pin (CK) { direction : input; clock : true; capacitance : 1; }
    pin (Q) { direction : output; function : "IQ"; } }
  cell (TINYBUF) { area : 1; dont_use : true; pin (A) { direction : input; }
    pin (Y) { direction : output; function : "A"; } }
}
)lib";

TEST(LibertyTest, ReadsCellsInTheirUnits) {
  const auto library = Liberty::parse(kLibertyFile, "demo.lib");
  EXPECT_EQ(library.name(), "demo");
  EXPECT_DOUBLE_EQ(library.voltage(), 1.5);
  ASSERT_EQ(library.cells().size(), 4u);
  const auto& flop = *library.find("FLOP");
  EXPECT_TRUE(flop.sequential);
  EXPECT_EQ(flop.state, "IQ");
  EXPECT_TRUE(flop.pins.at("CK").clock);
  EXPECT_DOUBLE_EQ(flop.leakage_nw, 0.2);  // mean of the conditions
  const auto& buffer = *library.find("BUF");
  EXPECT_FALSE(buffer.sequential);
  EXPECT_DOUBLE_EQ(buffer.leakage_nw, 0.4);
  EXPECT_DOUBLE_EQ(buffer.pins.at("A").capacitance_pf, 0.0025);
  EXPECT_DOUBLE_EQ(buffer.pins.at("Y").max_load_pf, 0.08);
  EXPECT_EQ(library.find("NAND"), nullptr);
}

TEST(LibertyTest, DrivingCellIsTheSmallestOrdinaryBuffer) {
  const auto library = Liberty::parse(kLibertyFile, "demo.lib");
  EXPECT_EQ(library.driving_cell().name, "BUF");  // TINYBUF must not be used, CLKBUF is for clocks
  EXPECT_DOUBLE_EQ(library.output_load_pf(), 0.01);
  EXPECT_DOUBLE_EQ(library.typical_transition_ns(), 0.1);
}

TEST(LibertyTest, EnergyTablesInterpolateAndHoldAtTheirEdges) {
  const auto library = Liberty::parse(kLibertyFile, "demo.lib");
  const auto& energy = library.find("BUF")->pins.at("Y").energy;
  // Mean of rise and fall, in fF·V² = 0.001 pJ.
  EXPECT_DOUBLE_EQ(energy.at(0.010, 1), 0.002);
  EXPECT_DOUBLE_EQ(energy.at(0.020, 1.5), 0.0035);
  EXPECT_DOUBLE_EQ(energy.at(1.0, 9), 0.005);
  EXPECT_DOUBLE_EQ(energy.at(0, 0), 0.002);
}

TEST(LibertyTest, TransitionMajorTablesAreTurned) {
  const auto library = Liberty::parse(kLibertyFile, "demo.lib");
  const auto& table = library.find("BUF")->pins.at("Y").transitions.at(0);
  EXPECT_DOUBLE_EQ(table.at(0.020, 1), 0.2);
  EXPECT_DOUBLE_EQ(table.at(0.010, 2), 0.3);
}

TEST(LibertyTest, SpecialCellsAreCutFromTheText) {
  const auto library = Liberty::parse(kLibertyFile, "demo.lib");
  const auto rest = library.without_special_cells(kLibertyFile);
  EXPECT_EQ(rest.find("TINYBUF"), std::string::npos);
  EXPECT_EQ(Liberty::parse(rest, "rest.lib").cells().size(), 3u);
}

std::string error_of(const char* text) {
  try {
    Liberty::parse(text, "bad.lib").driving_cell();
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(LibertyTest, MalformedTextIsReportedWithItsLine) {
  EXPECT_THAT(error_of(""), HasSubstr("not a liberty file"));
  EXPECT_THAT(error_of("library (x) {\n cell (A) {\n"), HasSubstr("bad.lib:3: '}' expected"));
  EXPECT_THAT(error_of("library (x) {\n area = 3;\n}"), HasSubstr("bad.lib:2: '(' expected"));
  EXPECT_THAT(error_of("library (x) {\n a : \"open;\n}"), HasSubstr("bad.lib:2: string without"));
  EXPECT_THAT(error_of("/* library (x) {}"), HasSubstr("comment without end"));
  EXPECT_THAT(error_of("library (x) { }"), HasSubstr("no cells"));
  EXPECT_THAT(error_of("library (x) { cell (A) { area : 1; } }"), HasSubstr("no buffer cell"));
  EXPECT_THAT(error_of("library (x) { time_unit : \"1 fortnight\"; cell (A) { } }"),
              HasSubstr("unknown time, load or leakage unit"));
}

}  // namespace
}  // namespace warpmem::synth
