// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/params.hpp"

namespace warpmem::memory {
namespace {

using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;

TEST(MemoryParams, AFileOfAWholeMachineServes) {
  std::vector<std::string> notes;
  const MemoryParams params =
      read_params(WARPMEM_SOURCE_DIR "/configs/gu-dlmshr.yaml", {"sm.count=4"}, &notes);
  EXPECT_EQ(params.sm_count, 4u);
  EXPECT_EQ(params.l1d.mshr.kind, mha::Kind::dl);
  EXPECT_EQ(params.noc.latency, 75u);
  EXPECT_TRUE(params.l1d.carry_data);
  EXPECT_THAT(notes, Contains(EndsWith("sm.scheduler: has no effect: it belongs to a machine with "
                                       "SMs")));
}

std::string error_of(const std::vector<std::string>& assignments) {
  try {
    read_params("", assignments);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> notes_of(const std::vector<std::string>& assignments) {
  std::vector<std::string> notes;
  read_params("", assignments, &notes);
  return notes;
}

TEST(MemoryParams, AssignmentsOfAMachineAreRefused) {
  EXPECT_EQ(error_of({"sm.scheduler.policy=gto"}),
            "--set sm.scheduler.policy: has no effect: it belongs to a machine with SMs");
  EXPECT_EQ(error_of({"watchdog=0"}),
            "--set watchdog: has no effect: it belongs to a machine with SMs");
}

TEST(MemoryParams, UnknownKeysAreStillRefused) {
  EXPECT_THAT(error_of({"l1d.wayz=4"}), HasSubstr("did you mean l1d.ways?"));
  EXPECT_THAT(error_of({"smx.count=4"}), HasSubstr("unknown key"));
}

TEST(MemoryParams, WithAnExternalMemoryTheKeysOfTheChannelsHaveNoEffect) {
  EXPECT_EQ(read_params("", {"dram.kind=external"}).dram_kind, DramKind::external);
  EXPECT_EQ(error_of({"dram.kind=external", "dram.queue=4"}),
            "--set dram.queue: has no effect unless dram.kind: gddr5");
}

TEST(MemoryParams, KeysOfSectorsHaveNoEffectOnWholeLines) {
  EXPECT_EQ(notes_of({"l2.mshr.granularity=sector", "l2.fetch=64"}),
            (std::vector<std::string>{
                "--set l2.fetch: has no effect unless l2.sector other than 0",
                "--set l2.mshr.granularity: has no effect unless l2.sector other than 0"}));
  EXPECT_EQ(notes_of({"l2.mshr.granularity=line", "l2.sector=32", "l2.fetch=64"}),
            std::vector<std::string>{});
}

TEST(MemoryParams, WithoutL1dTheKeysOfItsLinesAndMissesHaveNoEffect) {
  const std::string unless = ": has no effect unless l1d.enable: true";
  EXPECT_EQ(notes_of({"l1d.enable=false", "l1d.ways=8", "l1d.hit_cycles=9", "l1d.mshr.entries=4"}),
            (std::vector<std::string>{"--set l1d.ways" + unless, "--set l1d.hit_cycles" + unless,
                                      "--set l1d.mshr.entries" + unless}));
  // Its queues, and what it sends, it has all the same.
  EXPECT_EQ(notes_of({"l1d.enable=false", "l1d.miss_queue=4", "l1d.store_packet=line",
                      "l1d.frontend.kind=mrpb", "l1d.bypass.fetch=line"}),
            std::vector<std::string>{});
}

TEST(MemoryParams, RelationsAreChecked) {
  EXPECT_THAT(error_of({"memory.partitions=400", "l2.slices=3"}),
              HasSubstr("l2.slices: 3 slices in each of memory.partitions 400; allowed: 1..32, and "
                        "no more than 1024 in all"));
  EXPECT_THAT(error_of({"memory.partitions=6", "memory.partition_hash=xor_low"}),
              HasSubstr("xor_low with 6 in memory.partitions; allowed: linear, "));
  EXPECT_THAT(error_of({"l2.write_miss=through_fetch", "l2.evict_buffer=1"}),
              HasSubstr("l2.evict_buffer: 1 with l2.write_miss: through_fetch, whose misses send a "
                        "write and a victim; allowed: 2..256, or another l2.write_miss"));
  EXPECT_THAT(error_of({"l2.slice_hash=xor"}), HasSubstr("has no effect unless l2.slices > 1"));
  EXPECT_THAT(error_of({"l2.line=64"}), HasSubstr("the same line size at both levels"));
}

}  // namespace
}  // namespace warpmem::memory
