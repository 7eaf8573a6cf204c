// SPDX-License-Identifier: Apache-2.0
#include "app/configured_handlers.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/errors.hpp"

namespace warpmem::app {
namespace {

std::vector<ConfiguredHandler> of(std::vector<std::string> assignments) {
  return configured_handlers(Configuration({"", std::move(assignments)}));
}

TEST(ConfiguredHandlers, SizesAreThoseOfTheMachine) {
  const auto found = of({"sm.count=28", "memory.partitions=8", "l2.slices=2", "l1d.mshr.entries=16",
                         "l1d.mshr.slots=4", "l2.mshr.kind=set_associative", "l2.mshr.entries=32",
                         "l2.mshr.associativity=8"});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].level, "l1d");
  EXPECT_EQ(found[0].copies, 28u);
  EXPECT_EQ(found[0].design.kind, "conventional");
  EXPECT_EQ(found[0].design.entries, 16u);
  EXPECT_EQ(found[0].design.slots, 4u);
  EXPECT_EQ(found[0].design.addr_bits, 25u);  // of 32, in lines of 128 B
  EXPECT_EQ(found[0].design.data_bits, 0u);
  EXPECT_EQ(found[1].copies, 16u);
  EXPECT_EQ(found[1].design.kind, "set_assoc");
  EXPECT_EQ(found[1].design.ways, 8u);
  EXPECT_EQ(found[1].design.data_bits, 1024u);
}

TEST(ConfiguredHandlers, SectoredLinesHaveTheirMasks) {
  EXPECT_EQ(of({})[0].design.sectors, 1u);
  const auto lines = of({"l1d.sector=32", "l1d.mshr.granularity=line"});
  EXPECT_EQ(lines[0].design.sectors, 4u);
  EXPECT_EQ(lines[0].design.addr_bits, 25u);
  EXPECT_EQ(lines[0].keys.at("l1d.sector"), "32");
  const auto sectors =
      of({"l1d.sector=32", "l1d.mshr.granularity=sector", "sm.coalescer.granularity=sector"});
  EXPECT_EQ(sectors[0].design.sectors, 1u);
  EXPECT_EQ(sectors[0].design.addr_bits, 27u);  // a fetch is 32 B
  const auto pairs = of({"l1d.sector=32", "l1d.fetch=64", "l1d.mshr.granularity=sector",
                         "sm.coalescer.granularity=sector"});
  EXPECT_EQ(pairs[0].design.sectors, 2u);
  EXPECT_EQ(pairs[0].design.addr_bits, 26u);
}

TEST(ConfiguredHandlers, DlHasItsSets) {
  const auto found = of({"l1d.mshr.kind=dl", "l1d.mshr.entries=32", "l1d.mshr.slots=8",
                         "l1d.mshr.slots_per_set=2", "l1d.mshr.reserved_fraction=0.25"});
  EXPECT_EQ(found[0].design.kind, "dl");
  EXPECT_EQ(found[0].design.entries, 128u);
  EXPECT_EQ(found[0].design.slots, 2u);
  EXPECT_EQ(found[0].design.reserved, 32u);
}

TEST(ConfiguredHandlers, KeysAreThoseOnWhichTheCostDepends) {
  const auto found = of({"l1d.mshr.kind=htsma", "l1d.mshr.small_entries=2"});
  const auto& keys = found[0].keys;
  EXPECT_EQ(keys.at("l1d.mshr.kind"), "htsma");
  EXPECT_EQ(keys.at("l1d.mshr.small_entries"), "2");
  EXPECT_EQ(keys.at("l1d.line"), "128");
  EXPECT_EQ(keys.count("l1d.mshr.slots_per_set"), 0u);  // without effect, so of no account
  EXPECT_EQ(keys.count("l1d.mshr.dau"), 0u);
  EXPECT_EQ(found[0].design.small_entries, 2u);
  EXPECT_EQ(found[1].keys.count("l1d.mshr.kind"), 0u);
}

TEST(ConfiguredHandlers, NoL1dNoHandlerOfIt) {
  const auto found = of({"l1d.enable=false"});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].level, "l2");
}

TEST(ConfiguredHandlers, TheTableAndTheJsonSayTheSame) {
  const auto found = of({"sm.count=2"});
  std::vector<synth::MissHandlerCost> costs(2);
  costs[0].sequential_um2 = 1000;
  costs[0].period_ns = costs[1].period_ns = 2;
  const std::string text = table(found, costs);
  EXPECT_NE(text.find("l1d   conventional  32 entries of 8 slots"), std::string::npos) << text;
  const nlohmann::json json = to_json(found, costs, {});
  EXPECT_EQ(json["handlers"][0]["area_um2"], 1000);
  EXPECT_EQ(json["handlers"][0]["copies"], 2);
  EXPECT_EQ(json["handlers"][0]["keys"]["l1d.mshr.kind"], "conventional");
  EXPECT_EQ(json["handlers"][1]["fmax_mhz"], 500);
  EXPECT_EQ(json["library"], "osu018");
}

}  // namespace
}  // namespace warpmem::app
