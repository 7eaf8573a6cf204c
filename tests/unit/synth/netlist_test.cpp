// SPDX-License-Identifier: Apache-2.0
#include "synth/netlist.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"

namespace warpmem::synth {
namespace {

constexpr const char* kTwoCells = R"(library (demo) {
  nom_voltage : 2; capacitive_load_unit (1, pf);
  cell (BUF) { area : 2; cell_leakage_power : 1; pin (A) { direction : input; capacitance : 0.25; }
    pin (Y) { direction : output; function : "A"; max_capacitance : 1; } }
  cell (FLOP) { area : 9; ff (IQ, IQN) { } cell_leakage_power : 10;
    pin (D) { direction : input; capacitance : 0.5; }
    pin (CK) { direction : input; clock : true; capacitance : 1; }
    pin (Q) { direction : output; function : "IQ"; max_capacitance : 4; } } })";

nlohmann::json cell(const char* type, nlohmann::json connections) {
  return {{"type", type}, {"connections", connections}, {"port_directions", {{"d", "input"}}}};
}

/// Returns a flip-flop state_q that drives a buffer, which drives output q and a second flip-flop.
nlohmann::json netlist() {
  nlohmann::json top;
  top["ports"] = {{"clk", {{"direction", "input"}, {"bits", {2}}}},
                  {"d", {{"direction", "input"}, {"bits", {3}}}},
                  {"q", {{"direction", "output"}, {"bits", {5}}}}};
  top["cells"] = {{"g0_", cell("FLOP", {{"CK", {2}}, {"D", {3}}, {"Q", {4}}})},
                  {"g1_", cell("BUF", {{"A", {4}}, {"Y", {5}}})},
                  {"g2_", cell("FLOP", {{"CK", {2}}, {"D", {5}}, {"Q", {6}}})}};
  top["netnames"] = {{"state_q", {{"hide_name", 0}, {"bits", {4}}}},
                     {"gen[3].tag_q[7]", {{"hide_name", 0}, {"bits", {6}}}},
                     {"$1", {{"hide_name", 1}, {"bits", {4}}}}};
  top["parameter_default_values"] = {{"SETS", "00000000000000000000000001000000"}};
  return {{"modules", {{"top", top}}}};
}

TEST(NetlistTest, AddsUpAreaRegistersAndParameters) {
  const auto use = account(netlist(), "top", Liberty::parse(kTwoCells, "demo"), 0.5);
  EXPECT_DOUBLE_EQ(use.sequential_um2, 18);
  EXPECT_DOUBLE_EQ(use.combinational_um2, 2);
  EXPECT_EQ(use.register_bits, 2u);
  ASSERT_EQ(use.registers.size(), 2u);
  EXPECT_EQ(use.registers[1].name, "state_q");
  EXPECT_EQ(use.registers[0].name, "gen[*].tag_q");
  EXPECT_EQ(use.register_of.at("g2_"), "gen[3].tag_q[7]");
  EXPECT_EQ(use.parameters.at("SETS"), "64");
}

TEST(NetlistTest, LoadsAndSwitchingEnergyByHand) {
  const auto use = account(netlist(), "top", Liberty::parse(kTwoCells, "demo"), 0.5);
  // The buffer's output has the input of g2_ with 0.5 pF and the port's 4 × 0.25 pF, of at most 1
  // pF.
  EXPECT_DOUBLE_EQ(use.worst_load_ratio, 1.5);
  EXPECT_EQ(use.overloaded_nets, 1u);
  // It is half C·V² times 0.5 transitions of nets 4 (0.25 pF) and 5 (1.5 pF); the inputs' and the
  // clock's nets are charged from outside.
  EXPECT_DOUBLE_EQ(use.energy.switching_pj, 0.5 * 0.5 * (0.25 + 1.5) * 4);
  EXPECT_DOUBLE_EQ(use.energy.leakage_nw, 21);
}

TEST(NetlistTest, MeasuredTransitionsGoThroughGates) {
  const Liberty library = Liberty::parse(kTwoCells, "demo");
  const auto use = account(netlist(), "top", library, 0.5, {{"state_q", 0.1}, {"other_q[1]", 2}});
  // The buffer behind state_q changes as often; d and the second register change as is assumed.
  EXPECT_DOUBLE_EQ(use.energy.switching_pj, 0.5 * 0.1 * (0.25 + 1.5) * 4);
  EXPECT_EQ(use.activity.measured_nets, 1u);
  EXPECT_EQ(use.activity.measured_registers, 1u);
  EXPECT_EQ(use.activity.derived_nets, 1u);
  EXPECT_EQ(use.activity.assumed_nets, 2u);
  EXPECT_DOUBLE_EQ(use.activity.mean, (0.1 + 0.1 + 0.5 + 0.5) / 4);
  EXPECT_EQ(account(netlist(), "top", library, 0.5).activity.assumed_nets, 4u);
}

TEST(NetlistTest, ElementsAndTurnsOfLoopsAreFoundByTheirNames) {
  const Liberty library = Liberty::parse(kTwoCells, "demo");
  const auto use = account(netlist(), "top", library, 0.5, {{"gen[3].tag_q[7]", 0.2}});
  EXPECT_EQ(use.activity.measured_registers, 1u);
}

TEST(NetlistTest, ModulesInsideModulesCountOncePerInstance) {
  auto design = netlist();
  design["modules"]["outer"] = {
      {"ports", nlohmann::json::object()},
      {"netnames", nlohmann::json::object()},
      {"cells", {{"u_a", cell("top", {{"d", {9}}})}, {"u_b", cell("top", {{"d", {9}}})}}}};
  const auto use = account(design, "outer", Liberty::parse(kTwoCells, "demo"), 0);
  EXPECT_DOUBLE_EQ(use.sequential_um2, 36);
  ASSERT_EQ(use.modules.size(), 2u);
  EXPECT_EQ(use.modules[0].module, "outer");
  EXPECT_EQ(use.modules[1].instances, 2u);
  EXPECT_EQ(use.registers[1].name, "u_a.state_q");
}

TEST(NetlistTest, CellOfUnknownAreaIsAnError) {
  auto design = netlist();
  design["modules"]["top"]["cells"]["g3_"] = cell("$_DLATCH_P_", {{"D", {3}}});
  EXPECT_THROW(account(design, "top", Liberty::parse(kTwoCells, "demo"), 0), SimulationError);
}

TEST(Registers, PurposeByName) {
  EXPECT_EQ(purpose_of("gen_file.u_file.addr_q"), "tag");
  EXPECT_EQ(purpose_of("u_slots.slot_q"), "slot");
  EXPECT_EQ(purpose_of("u_dau.next_q"), "link");
  EXPECT_EQ(purpose_of("u_dau.u_sets.linked_q"), "link");
  EXPECT_EQ(purpose_of("u_slots.next_q"), "control");
  const auto bits = bits_by_purpose({{"addr_q", 8}, {"a.addr_q", 2}, {"used_q", 4}});
  EXPECT_EQ(bits.at("tag"), 10u);
  EXPECT_EQ(bits.at("control"), 4u);
}

}  // namespace
}  // namespace warpmem::synth
