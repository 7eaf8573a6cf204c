// SPDX-License-Identifier: Apache-2.0
// Keys of the "dram" group: the timings of docs/mechanisms.md 1.5 are all there, and wrong values
// are refused.
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

TEST_F(DramParams, WrongValuesAreRefused) {
  EXPECT_NE(find(schema, "dram.queue")->set("0"), "");
  EXPECT_NE(find(schema, "dram.queue")->set("257"), "");
  EXPECT_NE(find(schema, "dram.bus_bytes")->set("12"), "");
  EXPECT_NE(find(schema, "dram.timing.tRCD")->set("0"), "");
  EXPECT_NE(find(schema, "dram.policy")->set("lifo"), "");
}

TEST_F(DramParams, DefaultsAreValid) {
  Problems problems;
  params.validate(problems, 16);
  EXPECT_TRUE(problems.empty());
}

}  // namespace
}  // namespace warpmem::dram
