// SPDX-License-Identifier: Apache-2.0
// Keys of the "dram" group: the timings of docs/mechanisms.md 1.5 are all there, and wrong values
// are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dram/channel.hpp"

namespace warpmem::dram {
namespace {

Param* find(Schema& schema, const std::string& name) {
  for (Param& p : schema.params())
    if (p.name == name) return &p;
  return nullptr;
}

class DramParams : public testing::Test {
 protected:
  DramParams() {
    schema.group("dram", "", [this] { params.describe(schema); });
  }
  Channel::Params params;
  Schema schema;
};

TEST_F(DramParams, EveryTimingIsAKey) {
  for (const char* name : {"tCL",        "tWL",    "tRP",    "tRC",    "tRAS",   "tRCD",  "tRRD",
                           "tWR",        "tCDLR",  "tCCD",   "tRTP",   "tFAW",   "tREFI", "tRFC",
                           "turnaround", "tCCD_L", "tRRD_L", "tWTR_L", "tRFCpb", "tRREFD"})
    EXPECT_NE(find(schema, std::string("dram.timing.") + name), nullptr) << name;
}

TEST_F(DramParams, KeysReachTheFields) {
  EXPECT_EQ(find(schema, "dram.timing.tRC")->set("44"), "");
  EXPECT_EQ(params.timing.t_rc, 44u);
  EXPECT_EQ(find(schema, "dram.policy")->set("fcfs"), "");
  EXPECT_EQ(params.policy, Policy::fcfs);
  EXPECT_FALSE(find(schema, "dram.age_cap")->active());
}

TEST_F(DramParams, TheNamesOfDataSheetsMeanTheSame) {
  const auto& aliases = schema.aliases();
  const auto meant = [&aliases](const std::string& name) {
    for (const auto& [alias, key] : aliases)
      if (alias == "dram.timing." + name) return key;
    return std::string();
  };
  EXPECT_EQ(meant("tCCD_S"), "dram.timing.tCCD");
  EXPECT_EQ(meant("tRRD_S"), "dram.timing.tRRD");
  EXPECT_EQ(meant("tWTR_S"), "dram.timing.tCDLR");
  EXPECT_EQ(meant("tWTR"), "dram.timing.tCDLR");
}

TEST_F(DramParams, KeysOfAMechanismNeedIt) {
  const auto active = [this](const char* name) { return find(schema, name)->active(); };
  EXPECT_FALSE(active("dram.timing.tCCD_L"));
  EXPECT_FALSE(active("dram.timing.tREFI"));
  params.bank_groups = 4;
  params.refresh = Refresh::per_bank;
  EXPECT_TRUE(active("dram.timing.tCCD_L"));
  EXPECT_TRUE(active("dram.timing.tREFI"));
  EXPECT_TRUE(active("dram.timing.tRFCpb"));
  EXPECT_FALSE(active("dram.timing.tRFC"));
  params.refresh = Refresh::all_bank;
  EXPECT_FALSE(active("dram.timing.tRFCpb"));
  EXPECT_TRUE(active("dram.timing.tRFC"));
}

TEST_F(DramParams, MoreGroupsThanBanksAreRefused) {
  params.bank_groups = 16;
  params.pseudo_channels = 2;
  params.column_command = ColumnCommand::burst;
  Problems problems;
  params.validate(problems, 16);
  ASSERT_EQ(problems.list().size(), 1u);
  EXPECT_EQ(problems.list()[0],
            "dram.bank_groups: 16 groups in each of dram.pseudo_channels 2 have no bank each; "
            "allowed: no more than memory.banks (16) in all");
}

// Which bank a refresh takes cannot be said then, so that this is the only complaint.
TEST_F(DramParams, APseudoChannelWithoutBankIsRefused) {
  params.pseudo_channels = 2;
  params.refresh = Refresh::per_bank;
  Problems problems;
  params.validate(problems, 1);
  EXPECT_THAT(problems.list(),
              testing::ElementsAre("dram.bank_groups: 1 groups in each of dram.pseudo_channels 2 "
                                   "have no bank each; allowed: no more than memory.banks (1) in "
                                   "all"));
}

TEST_F(DramParams, WrongValuesAreRefused) {
  EXPECT_NE(find(schema, "dram.burst_bytes")->set("16"), "");
  EXPECT_NE(find(schema, "dram.pseudo_channels")->set("4"), "");
  EXPECT_NE(find(schema, "dram.bank_groups")->set("3"), "");
  EXPECT_NE(find(schema, "dram.refresh")->set("all"), "");
  EXPECT_NE(find(schema, "dram.command_bus")->set("two"), "");

  EXPECT_NE(find(schema, "dram.queue")->set("0"), "");
  EXPECT_NE(find(schema, "dram.queue")->set("257"), "");
  EXPECT_NE(find(schema, "dram.bus_bytes")->set("12"), "");
  EXPECT_NE(find(schema, "dram.timing.tRCD")->set("0"), "");
  EXPECT_NE(find(schema, "dram.policy")->set("lifo"), "");
}

TEST_F(DramParams, TimesThatContradictEachOtherAreRefusedWithWhatIsAllowed) {
  params.timing.t_rp = 24;
  params.timing.t_faw = 2;
  params.refresh = Refresh::per_bank;
  params.timing.t_refi = 160;
  Problems problems;
  params.validate(problems, 16);
  EXPECT_THAT(
      problems.list(),
      testing::ElementsAre(
          "dram.timing.tRC: 40 is shorter than dram.timing.tRAS + dram.timing.tRP, 40 against 52 "
          "DRAM cycles; allowed: at least 51",
          "dram.timing.tFAW: 2 is shorter than dram.timing.tRRD, 2 against 6 DRAM cycles; "
          "allowed: at least 6, or 0 (no limit)",
          "dram.timing.tREFI: 160 leaves no time between refreshes (dram.refresh: per_bank); "
          "allowed: 1/16 of it more than dram.timing.tRREFD + tRAS + tRP + tWR + tWL"));
}

TEST_F(DramParams, DefaultsAreValid) {
  Problems problems;
  params.validate(problems, 16);
  EXPECT_TRUE(problems.empty());
}

}  // namespace
}  // namespace warpmem::dram
