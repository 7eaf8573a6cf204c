// SPDX-License-Identifier: Apache-2.0
// What the cycles without an instruction are counted as.
#include "unit/sm/sm_bench.hpp"

namespace warpmem::sm {
namespace {

TEST(SmStall, AFenceBehindABranchAwaitsTheBranch) {
  Bench bench;
  Script script({op(OpClass::control), op(OpClass::fence), kExit}, 1, 1);
  bench.run(script);
  EXPECT_EQ(bench.sm.stats().stall_memory, 0u);
  // Of the four of a branch but for its own, and of the two of a fence but for its own.
  EXPECT_EQ(bench.sm.stats().stall_result, 3u + 1);
}

TEST(SmStall, AFenceBehindAStoreAwaitsMemory) {
  Bench bench;
  Script script({access(MemOp::store, Space::global, {1}, {}), op(OpClass::fence), kExit}, 1, 1);
  bench.run(script);
  EXPECT_EQ(bench.sm.stats().stall_memory, script.trace[1].cycle - script.trace[0].cycle - 1);
  EXPECT_EQ(bench.sm.stats().stall_result, 1u);  // the fence itself
}

// The local load fills the LSU's queue for 128 cycles. The second access to shared memory waits for
// the eight passes of the first, as it would behind an empty queue.
TEST(SmStall, WhoWaitsForSharedMemoryDoesNotWaitForTheLsu) {
  SmParams params;
  params.lsu_queue = 1;
  params.shared_banks = 4;
  Bench bench(params);
  InstInfo local = access(MemOp::load, Space::local, {}, {});
  local.bytes = 16;  // four words of each lane, in lines of their own
  const InstInfo shared = access(MemOp::load, Space::shared, {}, {});
  Script script({local, shared, shared, kExit}, 1, 1);
  bench.run(script);
  EXPECT_EQ(script.trace[2].cycle - script.trace[1].cycle, 8u);
  EXPECT_EQ(bench.sm.stats().stall_lsu, 0u);
  EXPECT_EQ(bench.sm.stats().stall_unit, 7u);
}

// So does an access by a generic address, which may be one of shared memory as the first here is.
TEST(SmStall, AGenericAccessWaitsForSharedMemory) {
  SmParams params;
  params.shared_banks = 4;
  Bench bench(params);
  const InstInfo generic = access(MemOp::load, Space::generic, {}, {});
  Script script({generic, generic, kExit}, 1, 1);
  script.barrier = [](unsigned, Issue& issue) { issue.space = Space::shared; };
  bench.run(script);
  EXPECT_EQ(script.trace[1].cycle - script.trace[0].cycle, 8u);
  EXPECT_EQ(bench.sm.stats().stall_unit, 7u);
}

TEST(SmStall, AFenceHoldsItsWarpForItsLatency) {
  SmParams params;
  params.timing[index_of(OpClass::fence)].latency = 20;
  Bench bench(params);
  Script script({op(OpClass::fence), op(OpClass::int_alu), kExit}, 1, 1);
  bench.run(script);
  EXPECT_EQ(script.trace[1].cycle - script.trace[0].cycle, 20u);
  EXPECT_EQ(bench.sm.stats().stall_result, 19u);
}

// A load of 16 B by each lane from overlapping places, in four groups of lanes: its latency, and
// the cycles that count as those of conflicts.
void expect_of_wide_load(unsigned banks, Cycle latency, std::uint64_t conflict_cycles) {
  SmParams params;
  params.shared_banks = banks;
  params.shared_conflict = 3;
  Bench bench(params);
  InstInfo load = access(MemOp::load, Space::shared, {}, {1});
  load.bytes = 16;
  Script script({load, op(OpClass::fp32, {1}, {2}), kExit}, 1, 1);
  bench.run(script);
  EXPECT_EQ(script.trace[1].cycle - script.trace[0].cycle, params.shared_latency + latency);
  EXPECT_EQ(bench.sm.stats().shared_conflict_cycles, conflict_cycles);
}
TEST(SmStall, GroupsOfLanesInTurnAreNoConflict) { expect_of_wide_load(32, 3, 0); }
// The eleven words of a group are in four banks: three passes.
TEST(SmStall, PassesOfAGroupBeyondItsFirstAreConflicts) {
  expect_of_wide_load(4, 3 + 8 * 3, 8 * 3);
}

}  // namespace
}  // namespace warpmem::sm
