// SPDX-License-Identifier: Apache-2.0
// Worked examples of unloaded latencies. Where all clocks are 1 GHz, cycles are nanoseconds.
#include "gpu/implied_latency.hpp"

#include <gtest/gtest.h>

namespace warpmem::gpu {
namespace {

// One flit of a request, five of 8 + 128 B; a line of DRAM is four bursts of a cycle.
std::vector<std::string> simple(const std::vector<std::string>& more = {}) {
  std::vector<std::string> keys = {
      "sm.clock=1000 MHz",  "noc.clock=1000 MHz",  "l2.clock=1000 MHz", "dram.clock=1000 MHz",
      "l1d.hit_cycles=1",   "noc.latency=8",       "l2.hit_cycles=10",  "dram.bus_bytes=32",
      "dram.timing.tCL=12", "dram.timing.tRCD=12", "dram.timing.tRP=12"};
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

UnloadedTimes times(Depth depth, const std::vector<std::string>& more = {},
                    Translation translation = Translation::tlb) {
  const MachineParams params = read_params("", simple(more));
  return *unloaded_load(params, depth, translation);
}

double whole(Depth depth, const std::vector<std::string>& more = {}) {
  return times(depth, more).whole;
}

TEST(UnloadedLoad, HitInL1d) {
  // Issue, send, accept, answer, back at the SM.
  EXPECT_DOUBLE_EQ(whole(Depth::l1d), 1 + 1 + 1 + 1);
  EXPECT_DOUBLE_EQ(whole(Depth::l1d, {"l1d.hit_cycles=30"}), 1 + 1 + 30 + 1);
}

TEST(UnloadedLoad, HitInL2) {
  // To L1D 2, fetch leaves 1, crossbar 1 + 8, L2 accepts 1 and answers 10, crossbar 1 + 4 + 8 with
  // five flits, fill 1 and answer 1, SM 1.
  const UnloadedTimes t = times(Depth::l2);
  EXPECT_DOUBLE_EQ(t.whole, 2 + 1 + 9 + 1 + 10 + 13 + 2 + 1);
  EXPECT_DOUBLE_EQ(t.in_l1d, t.whole - 3);
  EXPECT_DOUBLE_EQ(t.in_l2, 10);
}

TEST(UnloadedLoad, OpenRowOfDram) {
  // In the place of L2's hit: fetch leaves 1, DRAM accepts 1, READ 1, tCL 12 to the first of four
  // beats, L2 takes the line 1 and answers 1.
  const UnloadedTimes t = times(Depth::row_hit);
  EXPECT_DOUBLE_EQ(t.in_l2, 1 + 1 + 1 + 12 + 4 + 1 + 1);
  EXPECT_DOUBLE_EQ(t.whole, whole(Depth::l2) - 10 + t.in_l2);
}

TEST(UnloadedLoad, AnotherRowIsClosedAndItsOwnOpened) {
  EXPECT_DOUBLE_EQ(whole(Depth::row_miss), whole(Depth::row_hit) + 12 + 12);
}

TEST(UnloadedLoad, AClosedPageIsOpenedEveryTime) {
  const std::vector<std::string> closed = {"dram.page=closed"};
  EXPECT_DOUBLE_EQ(whole(Depth::row_hit, closed), whole(Depth::row_hit) + 12);
  EXPECT_DOUBLE_EQ(whole(Depth::row_miss, closed), whole(Depth::row_hit, closed));
}

TEST(UnloadedLoad, BurstsOfOneCommandEachKeepTheirDistance) {
  // Four READs three cycles apart in one bank group, instead of four beats in a row.
  EXPECT_DOUBLE_EQ(whole(Depth::row_hit, {"dram.column_command=burst", "dram.bank_groups=4",
                                          "dram.timing.tCCD=1", "dram.timing.tCCD_L=3"}),
                   whole(Depth::row_hit) + 3 * (3 - 1));
}

TEST(UnloadedLoad, MinimumLatencyIsAdded) {
  EXPECT_DOUBLE_EQ(whole(Depth::row_hit, {"dram.min_latency=100"}), whole(Depth::row_hit) + 100);
}

TEST(UnloadedLoad, ADlPoolTakesACycleMoreAtEachLevel) {
  const double conventional = whole(Depth::row_hit);
  EXPECT_DOUBLE_EQ(whole(Depth::row_hit, {"l1d.mshr.kind=dl"}), conventional + 1);
  EXPECT_DOUBLE_EQ(whole(Depth::row_hit, {"l1d.mshr.kind=dl", "l2.mshr.kind=dl"}),
                   conventional + 2);
}

TEST(UnloadedLoad, FrontEndsTakeTheirTime) {
  EXPECT_DOUBLE_EQ(whole(Depth::l1d, {"l1d.frontend.kind=mrpb"}), 4 + 5);
  EXPECT_DOUBLE_EQ(whole(Depth::l2, {"l2.frontend.kind=cart", "l2.frontend.latency=3"}),
                   whole(Depth::l2) + 3);
}

TEST(UnloadedLoad, StagesOfTheMemoryPipelineAndACoalescerAreOnTheWay) {
  EXPECT_DOUBLE_EQ(whole(Depth::l1d, {"sm.lsu.pipeline=2"}), 4 + 2);
  EXPECT_DOUBLE_EQ(whole(Depth::l2, {"l2.coalescer.entries=16"}), whole(Depth::l2) + 3);
}

TEST(UnloadedLoad, ASectorHasFewerFlitsThanALine) {
  // 8 + 32 B are two flits.
  EXPECT_DOUBLE_EQ(whole(Depth::l2, {"l1d.sector=32", "l2.sector=32"}), whole(Depth::l2) - 3);
  EXPECT_DOUBLE_EQ(whole(Depth::l2, {"noc.response_flit_bytes=136"}), whole(Depth::l2) - 4);
}

TEST(UnloadedLoad, HalfOfTheSlicesAreFar) {
  EXPECT_NEAR(whole(Depth::l2, {"noc.far_latency=20", "memory.partitions=4"}),
              whole(Depth::l2) + 2 * 20 * 0.5, 0.01);
}

TEST(UnloadedLoad, WaitsForTheEdgesOfASlowerClock) {
  // At 500 MHz the crossbar's edges are those of even nanoseconds. Issued at t, odd: sent at t + 3,
  // granted at t + 5, at the end of 8 cycles at t + 21, L2 22 to 32; granted at t + 33, 4 + 8
  // cycles to t + 57; L1D 58 and 59, SM 60.
  EXPECT_NEAR(whole(Depth::l2, {"noc.clock=500 MHz"}), 60, 0.01);
}

TEST(UnloadedLoad, TranslationsTakeTheWayToTheSharedTlb) {
  const std::vector<std::string> uvm = {"uvm.enable=true", "uvm.l2_tlb.latency=10",
                                        "uvm.walk.cycles=100"};
  const double hit = whole(Depth::l2, uvm);
  EXPECT_DOUBLE_EQ(hit, whole(Depth::l2) + 2);  // through the TLB, there and back
  // There, looked up, answered a cycle later, back.
  EXPECT_DOUBLE_EQ(times(Depth::l2, uvm, Translation::l2_tlb).whole, hit + 1 + 10 + 1 + 1);
  EXPECT_DOUBLE_EQ(times(Depth::l2, uvm, Translation::walk).whole, hit + 13 + 1 + 100);
}

TEST(UnloadedLoad, NoneWhereNothingHits) {
  EXPECT_FALSE(unloaded_load(read_params("", simple({"l1d.keep=prefetches"})), Depth::l1d));
  EXPECT_FALSE(unloaded_load(read_params("", simple({"l1d.enable=false"})), Depth::l1d));
}

TEST(UnloadedLoad, NoneOfDramOfSomebodyElse) {
  EXPECT_FALSE(unloaded_load(read_params("", {"dram.kind=external"}), Depth::row_hit));
}

TEST(UnloadedShared, ACycleForEachFurtherAccessOfABank) {
  const MachineParams params = read_params("", {"sm.shared.latency=24"});
  EXPECT_EQ(unloaded_shared(params, 1), 24u);
  EXPECT_EQ(unloaded_shared(params, 32), 55u);
  const MachineParams hopper =
      read_params("", {"sm.shared.latency=23", "sm.shared.conflict_cycles=2"});
  EXPECT_EQ(unloaded_shared(hopper, 1), 23u);
  EXPECT_EQ(unloaded_shared(hopper, 32), 85u);
}

}  // namespace
}  // namespace warpmem::gpu
