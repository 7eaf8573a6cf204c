// SPDX-License-Identifier: Apache-2.0
// Worked examples of bandwidths. Where all clocks are 1 GHz, bytes a cycle are GB/s.
#include "gpu/implied_bandwidth.hpp"

#include <gtest/gtest.h>

namespace warpmem::gpu {
namespace {

MachineParams machine(const std::vector<std::string>& more = {}) {
  std::vector<std::string> keys = {
      "sm.clock=1000 MHz",  "noc.clock=1000 MHz",  "l2.clock=1000 MHz",  "dram.clock=1000 MHz",
      "sm.count=4",         "memory.partitions=2", "l1d.hit_cycles=1",   "noc.latency=8",
      "l2.hit_cycles=10",   "dram.bus_bytes=32",   "dram.timing.tCL=12", "dram.timing.tRCD=12",
      "dram.timing.tRP=12", "dram.timing.tRRD=6",  "dram.timing.tRC=40"};
  keys.insert(keys.end(), more.begin(), more.end());
  return read_params("", keys);
}

double gigabytes(const Limit& limit) { return limit.per_second / 1e9; }

constexpr double kBusy = 1.75;  // of four and two ports, in both directions (below)

// Of four heads and two outputs, k are at the first with probabilities 1/8, 1/4, 1/4, 1/4, 1/8 for
// k = 0 to 4 (the balance of the chain): one output stands idle in a quarter of all times. Of two
// heads and four outputs, both are at one in a quarter.
TEST(BusyOutputs, OfFewPortsAsTheChainOfTheirHeadsHasIt) {
  EXPECT_NEAR(busy_outputs(4, 2), 1.75, 0.02);
  EXPECT_NEAR(busy_outputs(2, 4), 1.75, 0.02);
  EXPECT_NEAR(busy_outputs(2, 2), 1.5, 0.02);
  EXPECT_EQ(busy_outputs(1, 8), 1);
  EXPECT_EQ(busy_outputs(8, 1), 1);
}

TEST(BusyOutputs, OfManyPortsAsPublished) {
  EXPECT_NEAR(busy_outputs(8, 8) / 8, 0.618, 0.006);  // Karol et al., Table I
  EXPECT_NEAR(busy_outputs(256, 256) / 256, 0.586, 0.006);
}

TEST(ImpliedBandwidth, OfL1dIsALineACycle) {
  EXPECT_DOUBLE_EQ(gigabytes(l1d_bandwidth(machine())), 4 * 128);
  EXPECT_DOUBLE_EQ(gigabytes(l1d_bandwidth(machine({"sm.coalescer.granularity=sector"}))), 4 * 32);
}

TEST(ImpliedBandwidth, OfL1dIsASectorABank) {
  const MachineParams m = machine({"l1d.banks=4", "sm.coalescer.granularity=sector"});
  EXPECT_DOUBLE_EQ(gigabytes(l1d_bandwidth(m)), 4 * 4 * 32);
  EXPECT_STREQ(l1d_bandwidth(m).unit, "L1D, a sector a bank");
}

TEST(ImpliedBandwidth, OfL2IsTheLeastOfLookupsAndResponsePorts) {
  // 8 + 128 B are five flits of 32 B.
  EXPECT_DOUBLE_EQ(gigabytes(l2_bandwidth(machine())), 2 * 128 / 5.0);
  EXPECT_STREQ(l2_bandwidth(machine()).unit, "response ports");
  const MachineParams wide = machine({"noc.response_flit_bytes=136", "l2.clock=500 MHz"});
  EXPECT_DOUBLE_EQ(gigabytes(l2_bandwidth(wide)), 2 * 128 * 0.5);
  EXPECT_STREQ(l2_bandwidth(wide).unit, "lookups");
  EXPECT_DOUBLE_EQ(gigabytes(l2_bandwidth(machine({"l2.slices=2"}))), 4 * 128 / 5.0);
}

TEST(ImpliedBandwidth, OfDramIsWhatRefreshesLeave) {
  EXPECT_DOUBLE_EQ(dram_peak_bandwidth(machine()) / 1e9, 2 * 32);
  const MachineParams refreshed =
      machine({"dram.refresh=all_bank", "dram.timing.tREFI=1000", "dram.timing.tRFC=76"});
  EXPECT_DOUBLE_EQ(dram_refreshed_bandwidth(refreshed) / 1e9, 2 * 32 * (1 - 0.1));
}

TEST(ImpliedBandwidth, OfMissesIsLittlesLaw) {
  // An L1D entry is held for 1 + 9 + 1 + 10 + 13 + 2 ns where L2 has the line and for 21 ns in L2
  // where DRAM has it in an open row (implied_latency_test.cpp).
  const MachineParams m = machine({"l1d.mshr.entries=16", "l2.mshr.entries=8"});
  EXPECT_DOUBLE_EQ(gigabytes(l1d_miss_bandwidth(m, Level::l2)), 4 * 16 * 128 / 36.0);
  EXPECT_DOUBLE_EQ(gigabytes(l1d_miss_bandwidth(m, Level::dram)), 4 * 16 * 128 / (36.0 - 10 + 21));
  EXPECT_DOUBLE_EQ(gigabytes(l2_miss_bandwidth(m)), 2 * 8 * 128 / 21.0);
}

TEST(ImpliedBandwidth, OfMissesIsWhatTheCrossbarLetsGo) {
  const MachineParams few = machine({"l1d.mshr.entries=16", "noc.in_flight=20"});
  EXPECT_DOUBLE_EQ(gigabytes(l1d_miss_bandwidth(few, Level::l2)), 20 * 128 / 36.0);
  EXPECT_STREQ(l1d_miss_bandwidth(few, Level::l2).unit, "noc.in_flight");
  const MachineParams many = machine({"l1d.mshr.entries=16", "noc.in_flight=100"});
  EXPECT_STREQ(l1d_miss_bandwidth(many, Level::l2).unit, "MSHRs of L1D");
}

TEST(ImpliedBandwidth, MissesOfAPoolAreItsSets) {
  const MachineParams m = machine(
      {"l1d.mshr.kind=dl", "l1d.mshr.entries=8", "l1d.mshr.slots=8", "l1d.mshr.slots_per_set=2"});
  EXPECT_DOUBLE_EQ(gigabytes(l1d_miss_bandwidth(m, Level::l2)), 4 * 32 * 128 / 37.0);
}

TEST(StreamRead, OfL1dIsNotHeldUpByTheIssue) {
  // Four requests of 128 B for a load of 16 B a lane.
  EXPECT_DOUBLE_EQ(gigabytes(stream_read(machine(), Level::l1d)), 4 * 128);
  const MachineParams slow = machine({"sm.timing.memory.interval=8"});
  EXPECT_DOUBLE_EQ(gigabytes(stream_read(slow, Level::l1d)), 4 * 512 / 8.0);
  EXPECT_STREQ(stream_read(slow, Level::l1d).unit, "sm.timing.memory.interval");
}

TEST(StreamRead, OfL2LosesWhatWaitsBehindTakenPorts) {
  const Limit limit = stream_read(machine(), Level::l2);
  EXPECT_NEAR(gigabytes(limit), kBusy * 128 / 5, 0.5);
  EXPECT_STREQ(limit.unit, "crossbar, responses");
  // Of one SM nothing waits behind others: its port is always busy.
  EXPECT_DOUBLE_EQ(gigabytes(stream_read(machine({"sm.count=1"}), Level::l2)), 128 / 5.0);
}

TEST(StreamRead, OfL2LosesNothingWithVirtualQueues) {
  EXPECT_DOUBLE_EQ(gigabytes(stream_read(machine({"noc.input_queues=virtual_output"}), Level::l2)),
                   2 * 128 / 5.0);
  // Two SMs at a port: two ports to four slices.
  const MachineParams clusters =
      machine({"noc.input_queues=virtual_output", "noc.cluster=2", "memory.partitions=4"});
  EXPECT_DOUBLE_EQ(gigabytes(stream_read(clusters, Level::l2)), 2 * 128 / 5.0);
}

TEST(StreamRead, OfDramIsTheLeastOfAllLevels) {
  const MachineParams wide = machine({"noc.response_flit_bytes=136", "l2.mshr.entries=64"});
  EXPECT_DOUBLE_EQ(gigabytes(stream_read(wide, Level::dram)), 2 * 32);
  EXPECT_STREQ(stream_read(wide, Level::dram).unit, "DRAM");
  const MachineParams few = machine({"noc.response_flit_bytes=136", "l2.mshr.entries=4"});
  EXPECT_DOUBLE_EQ(gigabytes(stream_read(few, Level::dram)), 2 * 4 * 128 / 21.0);
  EXPECT_STREQ(stream_read(few, Level::dram).unit, "MSHRs of L2");
}

TEST(StreamWrite, CarriesTheSegmentOfItsLanes) {
  // 8 + 32 B are two flits, 8 + 64 B three, 8 + 128 B five.
  EXPECT_NEAR(gigabytes(stream_write(machine(), 1)), kBusy * 32 / 2, 0.5);
  EXPECT_NEAR(gigabytes(stream_write(machine(), 2)), kBusy * 64 / 3, 0.5);
  EXPECT_NEAR(gigabytes(stream_write(machine(), 16)), kBusy * 128 / 5, 0.5);
  const MachineParams lines = machine({"l1d.store_packet=line"});
  EXPECT_NEAR(gigabytes(stream_write(lines, 1)), kBusy * 32 / 5, 0.5);
}

TEST(StreamWrite, WaitsForItsAcknowledgements) {
  // Accepted, sent 1, crossbar 1 + 4 + 8, L2 1 + 10, crossbar 1 + 8, L1D 2.
  const MachineParams one = machine({"l1d.outstanding_writes=1"});
  EXPECT_DOUBLE_EQ(gigabytes(stream_write(one, 4)), 4 * 128 / (1 + 13 + 11 + 9 + 2.0));
  EXPECT_STREQ(stream_write(one, 4).unit, "l1d.outstanding_writes");
}

TEST(Atomics, OfOneWordGoOneAfterTheOther) {
  const MachineParams m = machine({"l2.atomic.interval=4"});
  EXPECT_DOUBLE_EQ(gigabytes(atomics_on_one_word(m)), 32 / (32 * 4.0));
  EXPECT_STREQ(atomics_on_one_word(m).unit, "atomic units of L2");
  const MachineParams groups = machine({"l2.atomic.interval=4", "l2.atomic.lanes=16"});
  EXPECT_DOUBLE_EQ(gigabytes(atomics_on_one_word(groups)), 32 / (2 * 4.0));
}

TEST(Atomics, OfOneWordMayBePacketsOfTheirOwn) {
  // 32 packets of 8 + 32 B to one slice.
  const MachineParams apart = machine({"sm.coalescer.atomics=apart"});
  EXPECT_DOUBLE_EQ(gigabytes(atomics_on_one_word(apart)), 32 / (32 * 2.0));
}

TEST(Atomics, OfManyWordsGoToAllSlices) {
  EXPECT_NEAR(gigabytes(atomics_on_many_words(machine())), kBusy * 32 / 5, 0.5);
}

TEST(StridedRead, CampsOnAPartitionUnlessAddressesAreHashed) {
  const MachineParams linear = machine();
  const Strided lines{0, partition_stride(linear), 64};
  EXPECT_EQ(lines.stride, 2u * 256);
  EXPECT_DOUBLE_EQ(gigabytes(strided_read(linear, lines, Level::l2)), 128 / 5.0);
  const MachineParams hashed = machine({"memory.partition_hash=xor"});
  EXPECT_NEAR(gigabytes(strided_read(hashed, lines, Level::l2)), kBusy * 128 / 5, 0.5);
}

TEST(StridedRead, OpensARowForEachLine) {
  const MachineParams m = machine({"memory.bank_xor=false", "noc.response_flit_bytes=136"});
  const Strided lines{0, bank_stride(m), 32};
  EXPECT_EQ(lines.stride, 2u * 2048 * 16 + 128);
  // In one bank of each partition, a row every tRC.
  EXPECT_DOUBLE_EQ(gigabytes(strided_read(m, lines, Level::dram)), 2 * 128 / 40.0);
  EXPECT_STREQ(strided_read(m, lines, Level::dram).unit, "a DRAM bank, tRC a row");
  // Spread over the banks, a row every tRRD.
  const std::string wide = "noc.response_flit_bytes=136", buses = "dram.command_bus=row_and_column";
  const MachineParams spread = machine({wide, buses});
  EXPECT_DOUBLE_EQ(gigabytes(strided_read(spread, lines, Level::dram)), 2 * 128 / 6.0);
}

// With one command bus the READ of the row before and the PRECHARGE of the next one have the cycle
// of an ACTIVATE at times: a row every (9 + sqrt(17)) / 2 = 6.56 cycles. Four READs of a burst each
// delay it for longer: (12 + sqrt(20)) / 2 = 8.24.
TEST(StridedRead, OneCommandBusDelaysTheNextRow) {
  const std::string wide = "noc.response_flit_bytes=136";
  const MachineParams trains = machine({wide});
  const Strided lines{0, bank_stride(trains), 32};
  EXPECT_NEAR(gigabytes(strided_read(trains, lines, Level::dram)), 2 * 128 / 6.5616, 0.001);
  const MachineParams bursts = machine({wide, "dram.column_command=burst"});
  EXPECT_NEAR(gigabytes(strided_read(bursts, lines, Level::dram)), 2 * 128 / 8.2361, 0.001);
  const MachineParams closed = machine({wide, "dram.page=closed"});
  EXPECT_NEAR(gigabytes(strided_read(closed, lines, Level::dram)), 2 * 128 / 6.2361, 0.001);
}

}  // namespace
}  // namespace warpmem::gpu
