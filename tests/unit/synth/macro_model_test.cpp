// SPDX-License-Identifier: Apache-2.0
#include "synth/macro_model.hpp"

#include <gtest/gtest.h>

#include "synth/miss_handler.hpp"

namespace warpmem::synth {
namespace {

constexpr MacroProcess k45{45, 1.1, 20};

TEST(MacroModel, AreaIsCellsOverEfficiency) {
  const MacroCost cost = cost_of({MacroKind::sram, 128, 1040, 1}, k45);
  EXPECT_NEAR(cost.area_um2, 128 * 1040 * 146 * 0.045 * 0.045 / 0.70, 1);
}

TEST(MacroModel, AnEmptyMacroCostsNothing) {
  const MacroCost cost = cost_of({MacroKind::sram, 0, 16, 2}, k45);
  EXPECT_EQ(cost.area_um2, 0);
  EXPECT_EQ(cost.access_ns, 0);
  EXPECT_EQ(cost.leakage_nw, 0);
}

TEST(MacroModel, PortsAndCamCellsCostArea) {
  const Macro one{MacroKind::sram, 32, 32, 1};
  const Macro two{MacroKind::sram, 32, 32, 2};
  const Macro cam{MacroKind::cam, 32, 32, 1};
  const double area = cost_of(one, k45).area_um2;
  EXPECT_NEAR(cost_of(two, k45).area_um2, area * 1.25 * 1.25, 1e-6 * area);
  EXPECT_NEAR(cost_of(cam, k45).area_um2, 2 * area, 1e-6 * area);
  EXPECT_EQ(cost_of(one, k45).search_pj, 0);
  EXPECT_GT(cost_of(cam, k45).search_pj, 0);
}

TEST(MacroModel, MoreWordsAreSlowerAndAWriteTakesMoreThanARead) {
  const MacroCost small = cost_of({MacroKind::sram, 32, 32, 1}, k45);
  const MacroCost large = cost_of({MacroKind::sram, 256, 32, 1}, k45);
  EXPECT_GT(large.access_ns, small.access_ns);
  EXPECT_GT(large.read_pj, small.read_pj);
  EXPECT_GT(small.write_pj, small.read_pj);
}

/// Returns the part that bit cells take of a whole cache of `area_um2` with that many bits (45 nm).
double implied_efficiency(double area_um2, double bits) {
  return bits * kSramCellF2 * 0.045 * 0.045 / area_um2;
}

// DL Table 3 has the caches beside the miss handlers: data, and 25 bits of tag a line.
TEST(MacroModel, EfficiencyThatThePapersCachesImply) {
  EXPECT_NEAR(implied_efficiency(110e3, 16 * 1024 * 8 + 128 * 25), 0.36, 0.01);
  EXPECT_NEAR(implied_efficiency(970e3, 128 * 1024 * 8 + 1024 * 25), 0.33, 0.01);
}

TEST(MissHandler, ALineGoesThroughItsPoints) {
  const auto [a, b] = line_through({{8, 26}, {16, 50}, {32, 98}});
  EXPECT_NEAR(a, 2, 1e-9);
  EXPECT_NEAR(b, 3, 1e-9);
}

TEST(MissHandler, ResidualsAreTheLawsShareOverWhatWasSynthesized) {
  EXPECT_EQ(residuals({{8, 100, 103, 2, 1.98}, {16, 200, 200, 4, 4.1}}),
            "8 entries +3.0 % area -1.0 % period, 16 entries +0.0 % area +2.5 % period");
}

TEST(MissHandler, AnUnknownKindIsRefused) {
  MissHandlerDesign design;
  design.kind = "victim";
  EXPECT_ANY_THROW(cost_of(design, {}));
}

}  // namespace
}  // namespace warpmem::synth
