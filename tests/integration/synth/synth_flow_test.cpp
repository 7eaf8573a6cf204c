// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <utility>

#include "base/errors.hpp"
#include "base/process.hpp"
#include "base/text_file.hpp"
#include "files/unit_sources.hpp"
#include "synth/miss_handler.hpp"
#include "synth/synth.hpp"

namespace warpmem::synth {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kTestRtl = fs::path(SYNTH_TEST_DIR) / "rtl";
const fs::path kProjectRtl = fs::path(WARPMEM_SOURCE_DIR) / "rtl";
const fs::path kLiberties = fs::path(WARPMEM_SOURCE_DIR).parent_path() / "shared/data/liberty";

class SynthFlow : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "synth_flow_XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override {
    if (!HasFailure()) fs::remove_all(folder_);
  }

  SynthRequest request(const std::string& unit) const {
    SynthRequest r;
    r.unit = unit;
    r.rtl_root = kTestRtl;
    r.work_dir = folder_ / "work";
    r.cache_dir = folder_ / "cache";
    return r;
  }

  std::string error_of(const SynthRequest& r) const {
    try {
      run(r);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }

  /// Simulates the netlist of a finished work folder against its source; returns what the
  /// simulation says.
  std::string compare(const SynthRequest& r, unsigned cycles) const {
    std::vector<std::string> argv{PYTHON3, std::string(SYNTH_TEST_DIR) + "/compare_netlist.py",
                                  r.work_dir.string(), r.unit, std::to_string(cycles)};
    for (const auto& [name, value] : r.params) argv.push_back(name + "=" + value);
    std::vector<std::string> names;
    for (const auto& file : find_unit(r.rtl_root, r.unit).files) names.push_back(file.string());
    write_text(r.work_dir / "sources.txt", fmt::format("{}\n", fmt::join(names, "\n")));
    const fs::path log = folder_ / "compare.log";
    run_process({argv, folder_, log});
    return read_text(log);
  }

  fs::path folder_;
};

TEST_F(SynthFlow, AreaOfFourRegistersAndAnInverterIsTheSumOfTheirCells) {
  const auto result = run(request("tiny"));
  // In osu018_stdcells.lib DFFPOSX1 has 96, and INVX1 and INVX2 have 16 each, which of them is
  // abc's choice.
  EXPECT_DOUBLE_EQ(result.netlist.sequential_um2, 4 * 96.0);
  EXPECT_DOUBLE_EQ(result.netlist.combinational_um2, 16.0);
  EXPECT_EQ(result.netlist.register_bits, 4u);
  ASSERT_EQ(result.netlist.registers.size(), 1u);
  EXPECT_EQ(result.netlist.registers[0].name, "data_q");
  EXPECT_EQ(result.parameters.at("BITS"), "4");
  EXPECT_EQ(result.library, "osu018_stdcells");
  EXPECT_EQ(result.netlist.modules.size(), 1u);
}

TEST_F(SynthFlow, ClockEnergyIsThatOfTheLibrarysTables) {
  const auto result = run(request("tiny"));
  // Pin CLK of DFFPOSX1 has in the first two columns (0.06 and 0.24 ns) 0.006865 and 0.006943 pJ
  // for a rise, 0.11034 and 0.129769 pJ for a fall; there are a rise and a fall each cycle.
  const double t = (result.transition_ns - 0.06) / 0.18;
  ASSERT_GT(t, 0);
  ASSERT_LT(t, 1);
  const double per_register =
      0.006865 + t * (0.006943 - 0.006865) + 0.11034 + t * (0.129769 - 0.11034);
  EXPECT_NEAR(result.netlist.energy.clock_internal_pj, 4 * per_register, 1e-9);
}

TEST_F(SynthFlow, ParameterOverrideReachesTheNetlist) {
  auto r = request("tiny");
  r.params = {{"BITS", "7"}};
  const auto result = run(r);
  EXPECT_EQ(result.netlist.register_bits, 7u);
  EXPECT_EQ(result.parameters.at("BITS"), "7");
}

TEST_F(SynthFlow, ADefaultThatIsGivenIsAsIfItWereNot) {
  auto r = request("bucl_ctrl");
  r.rtl_root = kProjectRtl;
  r.delay_targets_ps = {1000};
  const auto by_default = run(r);
  r.params = {{"PERIOD", "01000"}, {"HIT_LIMIT", "800"}};
  EXPECT_EQ(to_json(run(r)).dump(), to_json(by_default).dump());
}

TEST_F(SynthFlow, HighFanOutIsBuffered) {
  auto r = request("fanout");
  r.delay_targets_ps = {2000};
  const auto result = run(r);
  EXPECT_EQ(result.netlist.overloaded_nets, 0u);
  EXPECT_LT(result.netlist.worst_load_ratio, 1.0);
  EXPECT_GT(result.period_ns, 0.3);
  EXPECT_LT(result.period_ns, 5.0);  // an unbuffered select net takes several times that
}

TEST_F(SynthFlow, HierarchyIsAddedUp) {
  auto r = request("pair");
  r.keep_hierarchy = true;
  const auto kept = run(r);
  EXPECT_DOUBLE_EQ(kept.netlist.sequential_um2, 8 * 96.0);
  EXPECT_EQ(kept.netlist.register_bits, 8u);
  ASSERT_EQ(kept.netlist.modules.size(), 2u);
  EXPECT_EQ(kept.netlist.modules[0].module, "pair");
  EXPECT_EQ(kept.netlist.modules[1].module, "tiny");
  EXPECT_EQ(kept.netlist.modules[1].instances, 2u);
  ASSERT_EQ(kept.netlist.registers.size(), 2u);
  EXPECT_EQ(kept.netlist.registers[0].name, "u_first.data_q");
  r.keep_hierarchy = false;
  const auto flat = run(r);
  EXPECT_EQ(flat.netlist.modules.size(), 1u);
  EXPECT_DOUBLE_EQ(flat.netlist.sequential_um2, 8 * 96.0);
}

TEST_F(SynthFlow, UnitWithoutClockHasInputToOutputPath) {
  const auto result = run(request("parity"));
  EXPECT_EQ(result.netlist.register_bits, 0u);
  ASSERT_EQ(result.paths.size(), 1u);
  EXPECT_EQ(result.paths[0].from_to, "input to output");
  EXPECT_GT(result.fmax_mhz(), 0);
}

TEST_F(SynthFlow, SecondRunComesFromTheCacheAndIsIdentical) {
  auto r = request("tiny");
  std::vector<std::string> steps;
  r.progress = [&](const std::string& line) { steps.push_back(line); };
  const auto first = run(r);
  EXPECT_FALSE(steps.empty());
  steps.clear();
  const auto second = run(r);
  EXPECT_TRUE(steps.empty());
  EXPECT_EQ(to_json(first).dump(), to_json(second).dump());
  EXPECT_EQ(table(first), table(second));
  r.params = {{"BITS", "5"}};
  run(r);
  EXPECT_FALSE(steps.empty());  // other parameters: other entry
}

TEST_F(SynthFlow, DamagedCacheEntryIsComputedAgain) {
  const auto r = request("tiny");
  const auto first = run(r);
  for (const auto& entry : fs::directory_iterator(folder_ / "cache" / "synth")) {
    write_text(entry.path(), "{ \"unit\": ");
  }
  EXPECT_EQ(to_json(first).dump(), to_json(run(r)).dump());
  for (const auto& entry : fs::directory_iterator(folder_ / "cache" / "synth")) {
    auto document = nlohmann::json::parse(read_text(entry.path()));
    document.erase("timing");
    write_text(entry.path(), document.dump());
  }
  EXPECT_EQ(to_json(first).dump(), to_json(run(r)).dump());
}

TEST_F(SynthFlow, IllegalParameterGivesTheMessageOfTheRtl) {
  auto r = request("tiny");
  r.params = {{"BITS", "65"}};
  EXPECT_THAT(error_of(r), HasSubstr("tiny.sv:13: tiny: BITS must be 1 to 64"));
}

TEST_F(SynthFlow, UnknownParameterNamesTheKnownOnes) {
  auto r = request("tiny");
  r.params = {{"BITZ", "4"}};
  EXPECT_THAT(error_of(r), HasSubstr("no parameter 'BITZ'; did you mean BITS?"));
}

TEST_F(SynthFlow, ParameterValueMustBeAnInteger) {
  auto r = request("tiny");
  r.params = {{"BITS", "4; shell"}};
  EXPECT_THAT(error_of(r), HasSubstr("'4; shell' is not an integer"));
}

TEST_F(SynthFlow, UnknownUnitNamesTheKnownOnes) {
  EXPECT_THAT(error_of(request("tinny")), HasSubstr("did you mean tiny?"));
}

TEST_F(SynthFlow, OnlyAUnitWithSlotsCanHaveThemOutside) {
  auto r = request("laws_score");
  r.rtl_root = kProjectRtl;
  r.storage_outside = true;
  EXPECT_EQ(error_of(r),
            "unit laws_score has no slots (slot_q) that could stand outside; units with slots: "
            "dl_mshr, dl_mshr_pipe, htsma, mshr_conventional, mshr_set_assoc, tsma");
}

TEST_F(SynthFlow, MeasuredTransitionsTakeTheAssumedOnesPlace) {
  auto r = request("tiny");
  const auto assumed = run(r);
  r.activity_file = folder_ / "toggles.json";
  const auto toggles = [&](const std::string& unit, const std::string& bits) {
    write_text(r.activity_file,
               R"({"unit": ")" + unit +
                   R"(", "size": "4 bits", "cycles": 1000, "parameters": {"BITS": 4},
                                        "transitions_per_cycle": {)" +
                   bits + "}}");
  };
  toggles("tiny", R"("data_q[0]": 0, "data_q[1]": 0, "data_q[2]": 0, "data_q[3]": 0)");
  const auto still = run(r);
  EXPECT_EQ(still.netlist.activity.measured_registers, 4u);
  EXPECT_LT(still.netlist.energy.switching_pj, assumed.netlist.energy.switching_pj);
  EXPECT_EQ(still.netlist.energy.leakage_nw, assumed.netlist.energy.leakage_nw);
  EXPECT_EQ(still.netlist.energy.clock_internal_pj, assumed.netlist.energy.clock_internal_pj);
  EXPECT_EQ(to_json(still).dump(), to_json(run(r)).dump());  // it comes from the cache
  EXPECT_THAT(table(still), HasSubstr("toggles.json, 1000 cycles of 4 bits"));

  toggles("tiny", R"("data_q[0]": 1, "data_q[1]": 1, "data_q[2]": 1, "data_q[3]": 1)");
  EXPECT_GT(run(r).netlist.energy.switching_pj, assumed.netlist.energy.switching_pj);
  r.params = {{"BITS", "7"}};
  EXPECT_THAT(error_of(r),
              HasSubstr("toggles.json: transitions of another size of the unit; allowed "
                        "with them: -p BITS=4"));
  r.params.clear();
  toggles("tiny", R"("other_q[0]": 1)");
  EXPECT_THAT(error_of(r), HasSubstr("it names no register of tiny"));
  toggles("tiny", R"("data_q[0]": -3)");
  EXPECT_THAT(error_of(r), HasSubstr("data_q[0] changes -3 times a cycle"));
  toggles("pair", R"("data_q[0]": 1)");
  EXPECT_THAT(error_of(r), HasSubstr("transitions of pair, not of tiny"));
  write_text(r.activity_file, "{}");
  EXPECT_THAT(error_of(r), HasSubstr("not a file that `warpmem cosim --toggles` wrote"));
}

TEST_F(SynthFlow, LibertyThatIsNoneIsRefused) {
  auto r = request("tiny");
  r.liberty = folder_ / "none.lib";
  EXPECT_THAT(error_of(r), HasSubstr("none.lib: no such liberty file"));
  write_text(r.liberty, "module x; endmodule\n");
  EXPECT_THAT(error_of(r), HasSubstr("none.lib:1:"));
}

TEST_F(SynthFlow, MissingToolNamesItsPackage) {
  const auto r = request("tiny");
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder_.c_str(), 1);
  const std::string error = error_of(r);
  setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(error, "yosys is not installed: run 'apt-get install yosys'");
}

TEST_F(SynthFlow, OtherLibrariesWork) {
  if (!fs::exists(kLiberties)) GTEST_SKIP() << kLiberties << " is not there";
  for (const auto& [file, flip_flop_um2] :
       {std::pair{"nangate45_typ.lib.gz", 4.522}, std::pair{"sky130hd_tt.lib.gz", 20.02}}) {
    auto r = request("tiny");
    r.liberty = kLiberties / file;
    const auto result = run(r);
    EXPECT_EQ(result.netlist.register_bits, 4u) << file;
    EXPECT_NEAR(result.netlist.sequential_um2, 4 * flip_flop_um2, 0.01) << file;
    EXPECT_GT(result.fmax_mhz(), 500) << file;
    EXPECT_TRUE(result.has_leakage && result.has_energy) << file;
  }
}

TEST_F(SynthFlow, NetlistOfTinyEqualsItsSource) {
  auto r = request("tiny");
  r.delay_targets_ps = {2000};
  run(r);
  EXPECT_EQ(compare(r, 2000), "EQUAL over 2000 cycles\n");

  // The comparison must notice a netlist that is wrong in one gate.
  const fs::path netlist = r.work_dir / "map0.v";
  std::string text = read_text(netlist);
  const auto inverter = text.find("INVX");
  ASSERT_NE(inverter, std::string::npos);
  text.replace(inverter, 5, "BUFX2");
  write_text(netlist, text);
  EXPECT_THAT(compare(r, 2000), HasSubstr("DIFFERENCE in cycle"));
}

TEST_F(SynthFlow, NetlistOfMrpbDrainEqualsItsSource) {
  auto r = request("mrpb_drain");
  r.rtl_root = kProjectRtl;
  r.params = {{"QUEUES", "5"}};
  r.delay_targets_ps = {2000};
  run(r);
  EXPECT_EQ(compare(r, 20000), "EQUAL over 20000 cycles\n");
}

TEST_F(SynthFlow, AMissHandlerIsControlAndMacros) {
  MissHandlerOptions options;
  options.rtl_root = kProjectRtl;
  options.cache_dir = folder_ / "cache";
  MissHandlerDesign design;
  design.entries = 2;
  design.slots = 2;
  design.addr_bits = 6;
  const MissHandlerCost registers = cost_of(design, options);
  EXPECT_NEAR(registers.tag_um2, 2 * 6 * 96.0, 1e-6);  // DFFPOSX1
  EXPECT_NEAR(registers.sequential_um2, registers.tag_um2 + registers.control_um2, 1e-6);
  EXPECT_NEAR(registers.storage_um2, 4 * 16 * 146 * 0.18 * 0.18 * 1.25 * 1.25 / 0.7, 1e-6);
  EXPECT_EQ(registers.cam_um2, 0);
  EXPECT_TRUE(registers.law.empty());
  EXPECT_GT(registers.access_ns, registers.through_ns);
  EXPECT_GE(registers.cycle_ns(), registers.period_ns);
  design.cam = true;
  const MissHandlerCost cam = cost_of(design, options);
  EXPECT_NEAR(cam.tag_um2, 2 * 96.0, 1e-6);  // one bit an entry is left
  EXPECT_NEAR(cam.cam_um2, 2 * 6 * 292 * 0.18 * 0.18 * 1.25 * 1.25 / 0.7, 1e-6);
  EXPECT_LT(cam.combinational_um2, registers.combinational_um2);
  EXPECT_NEAR(cam.access_ns - cam.through_ns - cam.cam_ns,
              registers.access_ns - registers.through_ns, 1e-9);
  // One port, used twice a cycle, needs a register of a slot and of its place among four.
  design.cam = false;
  design.slot_access = SlotAccess::split_cycle;
  const MissHandlerCost split = cost_of(design, options);
  EXPECT_NEAR(split.storage_um2, 4 * 16 * 146 * 0.18 * 0.18 / 0.7, 1e-6);
  EXPECT_NEAR(split.control_um2, registers.control_um2 + (16 + 2) * 96.0, 1e-6);
  EXPECT_NEAR(split.access_ns - split.through_ns, 2 * (registers.access_ns - registers.through_ns),
              1e-9);
  EXPECT_GT(split.leakage_mw, 0);
  // One port for which a read waits needs a bit that says so, and a multiplexer of the place.
  design.slot_access = SlotAccess::one_port;
  const MissHandlerCost one = cost_of(design, options);
  EXPECT_NEAR(one.storage_um2, split.storage_um2, 1e-6);
  EXPECT_NEAR(one.control_um2, registers.control_um2 + (1 + 2) * 96.0, 1e-6);
  EXPECT_NEAR(one.access_ns - one.through_ns, registers.access_ns - registers.through_ns, 1e-9);
}

using UnitParams = std::pair<std::string, std::map<std::string, std::string>>;

class SynthUnits : public SynthFlow, public testing::WithParamInterface<UnitParams> {};

TEST_P(SynthUnits, NetlistEqualsItsSource) {
  auto r = request(GetParam().first);
  r.rtl_root = kProjectRtl;
  r.params = GetParam().second;
  r.delay_targets_ps = {2000};
  run(r);
  EXPECT_EQ(compare(r, 20000), "EQUAL over 20000 cycles\n");
}

class SynthFiles : public SynthFlow, public testing::WithParamInterface<UnitParams> {};

// What is read at the edge of a clock stays in a register, which is the memory's. What is read out
// of either part of htsma goes through a multiplexer, so it is no port by itself. What drives a pin
// of a memory stays, since the pin becomes a port.
TEST_P(SynthFiles, SlotsAloneStandOutside) {
  auto r = request(GetParam().first);
  r.rtl_root = kProjectRtl;
  r.params = GetParam().second;
  r.delay_targets_ps = {2000};
  const auto registers = [&](bool outside) {
    r.storage_outside = outside;
    std::map<std::string, std::uint64_t> bits;
    for (const RegisterUse& use : run(r).netlist.registers)
      if (use.name != "u_slots.read_q") bits[use.name] = use.bits;
    return bits;
  };
  std::map<std::string, std::uint64_t> left = registers(false);
  std::uint64_t slots = 0;
  for (auto at = left.begin(); at != left.end();) {
    const bool slot = purpose_of(at->first) == "slot";
    if (slot) slots += at->second;
    at = slot ? left.erase(at) : std::next(at);
  }
  EXPECT_GE(slots, 6 * 4u);
  EXPECT_EQ(registers(true), left);
  // A word and data to write, whether it is; a word to read, and in dl_mshr_pipe whether it is.
  const std::map<std::string, std::size_t> of_memories = {{"htsma", 2 * 4}, {"dl_mshr_pipe", 5}};
  const auto pins = of_memories.find(r.unit);
  const std::string netlist = read_text(r.work_dir / "prepared.il");
  const std::regex port("\n  wire [^\n]*output [0-9]+ \\\\storage_[0-9]+\n");
  EXPECT_EQ(static_cast<std::size_t>(
                std::distance(std::sregex_iterator(netlist.begin(), netlist.end(), port), {})),
            pins == of_memories.end() ? 4 : pins->second);
}

// One port needs less than two, in whichever way it is used.
TEST_F(SynthFlow, SlotsOutsideAreToldWithTheirPorts) {
  auto r = request("dl_mshr_pipe");
  r.rtl_root = kProjectRtl;
  r.delay_targets_ps = {2000};
  r.storage_outside = true;
  std::vector<std::string> said;
  double area[3] = {};
  for (const int storage : {0, 1, 2}) {
    r.params = {{"SETS", "3"},
                {"RESERVED", "1"},
                {"ADDR_BITS", "3"},
                {"SLOT_BITS", "5"},
                {"STORAGE", std::to_string(storage)}};
    const SynthResult result = run(r);
    ASSERT_EQ(result.slots.size(), 1u);
    EXPECT_EQ(result.slots[0].memory.words, 6u);
    EXPECT_EQ(result.slots[0].memory.bits, 5u);
    const std::string text = table(result, 45);
    const std::size_t at = text.find("6 words of 5 bits, ");
    ASSERT_NE(at, std::string::npos) << text;
    said.push_back(text.substr(at + 19, text.find('\n', at) - at - 19));
    const SynthResult again = from_json(to_json(result));
    EXPECT_EQ(table(again, 45), text);
    area[storage] = to_json(result, 45)["slots_outside"][0]["estimated"]["area_um2"];
    EXPECT_NE(table(result).find("(--node NM estimates them)"), std::string::npos);
  }
  EXPECT_THAT(said, testing::ElementsAre("two ports", "one port", "one port, used twice a cycle"));
  EXPECT_DOUBLE_EQ(area[0], 1.25 * 1.25 * area[1]);
  EXPECT_DOUBLE_EQ(area[2], area[1]);
}

const std::vector<UnitParams> kFiles = {
    {"tsma", {{"ENTRIES", "3"}, {"SLOTS", "3"}, {"SLOT_BITS", "4"}}},
    {"htsma",
     {{"ENTRIES", "3"},
      {"SLOTS", "2"},
      {"SMALL_ENTRIES", "2"},
      {"SMALL_SLOTS", "3"},
      {"WAYS", "3"},
      {"ADDR_BITS", "3"},
      {"SLOT_BITS", "4"}}},
    {"mshr_conventional",
     {{"ENTRIES", "3"}, {"SLOTS", "2"}, {"ADDR_BITS", "3"}, {"SLOT_BITS", "4"}}},
    {"mshr_set_assoc",
     {{"ENTRIES", "6"}, {"WAYS", "3"}, {"SLOTS", "2"}, {"ADDR_BITS", "4"}, {"SLOT_BITS", "4"}}},
    {"dl_mshr", {{"SETS", "5"}, {"RESERVED", "2"}, {"ADDR_BITS", "3"}, {"SLOT_BITS", "4"}}},
    {"dl_mshr_pipe", {{"SETS", "5"}, {"RESERVED", "2"}, {"ADDR_BITS", "3"}, {"SLOT_BITS", "4"}}}};

const auto kName = [](const auto& unit) { return unit.param.first; };

INSTANTIATE_TEST_SUITE_P(Tsma, SynthUnits,
                         testing::Values(UnitParams{"tsma_index_gen", {{"ENTRIES", "5"}}},
                                         UnitParams{"htsma_steer", {{"WAYS", "6"}}}),
                         kName);
INSTANTIATE_TEST_SUITE_P(Mshr, SynthUnits, testing::ValuesIn(kFiles), kName);
INSTANTIATE_TEST_SUITE_P(Mshr, SynthFiles, testing::ValuesIn(kFiles), kName);

}  // namespace
}  // namespace warpmem::synth
