// SPDX-License-Identifier: Apache-2.0
// Far faults by hand: what the host takes, what a fault costs, what moves over the link; memory
// that the program moves itself.
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/stat_sampler.hpp"
#include "files/stats_json.hpp"
#include "unit/uvm/uvm_bench.hpp"
#include "uvm/bandwidth.hpp"

namespace warpmem::uvm {
namespace {

UvmBench::Setup plain() {
  UvmBench::Setup setup;
  setup.params.prefetch = PrefetchKind::none;
  setup.params.evict = EvictKind::sequential;
  return setup;
}

TEST(UvmBandwidth, RisesToFullAtOneMebibyte) {
  double last = 0;
  for (std::uint64_t bytes = 4096; bytes <= 1 << 20; bytes *= 2) {
    const double fraction = bandwidth_fraction(bytes);
    EXPECT_GT(fraction, last);
    last = fraction;
  }
  EXPECT_EQ(bandwidth_fraction(1 << 20), 1.0);
  EXPECT_EQ(bandwidth_fraction(2 << 20), 1.0);
  EXPECT_LT(bandwidth_fraction((1 << 20) - 4096), 1.0);
  // At 12 GB/s 1 MiB takes 87.4 us, and 4 KiB at 0.28 of it 1.2 us.
  EXPECT_NEAR(transfer_nanoseconds(1 << 20, 12000), 87381, 1);
  EXPECT_NEAR(transfer_nanoseconds(4096, 12000), 1219, 1);
}

TEST(UvmGmmu, AFaultCostsTheHostsTimeAndTheTransfer) {
  UvmBench b("b", plain());
  b.sms[0]->script = {{0, kManaged, false, 0}};
  b.run();
  // The walk is as in UvmTlb and done in 113; the host looks in the next cycle, for 45 000 cycles
  // of 1 ns; then come the transfer, 1220 cycles, and 10 or so from module to module.
  EXPECT_GE(b.memories[0]->seen[0], 114u + 45'000 + 1'220);
  EXPECT_LE(b.memories[0]->seen[0], 114u + 45'000 + 1'220 + 20);
  EXPECT_EQ(b.in->stats().bytes, 4096u);
  EXPECT_EQ(b.in->stats().busy_cycles, 1220u);
  const Gmmu::Stats& s = b.gmmu->stats();
  EXPECT_EQ(s.walk_wait_cycles, 0u);
  EXPECT_LE(s.fault_queue_cycles, 2u);
  EXPECT_EQ(s.fault_host_cycles, 45'000u);
  EXPECT_LE(s.fault_room_cycles, 1u);
  EXPECT_NEAR(static_cast<double>(s.fault_link_cycles), 1'220, 10);
}

// The second page's walk finds the only walker taken by the first's, which began a cycle earlier.
TEST(UvmGmmu, AWalkWaitsForAFreeWalker) {
  UvmBench::Setup setup = plain();
  setup.params.walks = 1;
  UvmBench b("b", setup);
  b.sms[0]->script = {{0, kManaged, false, 0}, {0, kManaged + 4096, false, 0}};
  b.run();
  EXPECT_EQ(b.gmmu->stats().walks, 2u);
  EXPECT_EQ(b.gmmu->stats().walk_wait_cycles, setup.params.walk_cycles - 1);
}

// The host handles the fault from cycle 114 on for 45 000, and the transfer after that takes 1220.
TEST(UvmGmmu, AnIntervalHasWhatHasPassedOfAFault) {
  UvmBench b("b", plain());
  b.sms[0]->script = {{0, kManaged, false, 0}};
  b.begin();
  b.sms[0]->wake();
  StatSampler sampler(b.registry);
  sampler.begin();
  const auto added = [&](const char* name) { return sampler.value(*sampler.find("uvm", name)); };
  const auto run_until = [&](unsigned nanoseconds) {
    sc_core::sc_start(sc_core::sc_time(nanoseconds, sc_core::SC_NS) - sc_core::sc_time_stamp());
    sampler.end(1e-6);
  };
  run_until(10'000);
  EXPECT_GT(added("host_cycles"), 9'800);
  EXPECT_LT(added("host_cycles"), 10'000);
  EXPECT_EQ(added("pcie.in.busy_cycles"), 0);
  run_until(20'000);
  EXPECT_EQ(added("host_cycles"), 10'000);
  run_until(45'500);
  EXPECT_GT(added("pcie.in.busy_cycles"), 300);
  EXPECT_LT(added("pcie.in.busy_cycles"), 400);
  run_until(46'000);
  EXPECT_EQ(added("host_cycles"), 0);
  EXPECT_EQ(added("pcie.in.busy_cycles"), 500);
  EXPECT_EQ(added("pcie.in.utilization"), 1);
  b.finish();
  EXPECT_EQ(b.gmmu->stats().host_cycles, 45'000u);
  EXPECT_EQ(b.in->stats().busy_cycles, 1'220u);
}

// The second launch uses no page, but the first one's are still there.
TEST(UvmGmmu, ThePeakOfALaunchBeginsWithThePagesThatAreThere) {
  UvmBench b("b", plain());
  b.sms[0]->script = {{0, kManaged, false, 0}, {0, kManaged + 4096, false, 0}};
  b.run();
  EXPECT_EQ(b.gmmu->pages().resident_peak, 2u);
  b.run();
  EXPECT_EQ(b.gmmu->pages().resident_peak, 2u);
  EXPECT_EQ(b.gmmu->pages().pages_in, 2u);
}

// Uses are sampled all the time. The first one gives a lease of one, the second one takes it, and
// the page stays in TURE's table.
TEST(UvmGmmu, ThePeakOfALaunchBeginsWithTheTableOfTheEvictor) {
  UvmBench::Setup setup = plain();
  setup.params.evict = EvictKind::ture;
  setup.params.ture.sample_cycles = setup.params.ture.period_cycles;
  UvmBench b("b", setup);
  b.sms[0]->script = {{0, kManaged, false, 0}, {60'000, kManaged, false, 0}};
  b.run();
  b.run();
  const auto launches = nlohmann::json::parse(stats_json(b.registry))["kernels"];
  ASSERT_EQ(launches.size(), 2u);
  for (const auto& launch : launches) EXPECT_EQ(launch["stats"]["uvm.evict.ture.table_peak"], 1);
}

void expect_stages_add_up(const Gmmu::Stats& s) {
  EXPECT_EQ(s.fault_queue_cycles + s.fault_host_cycles + s.fault_room_cycles + s.fault_link_cycles,
            s.fault_wait_cycles);
}

// Returns the time between two stages of a request.
Femtoseconds between(const Access& access, Stage from, Stage to) {
  EXPECT_NE(access.at(from), 0u);
  EXPECT_GE(access.at(to), access.at(from));
  return (access.at(to) - access.at(from)) / 1'000'000;
}

TEST(UvmGmmu, ARequestKnowsWhatItWaitedFor) {
  UvmBench b("b", plain());
  b.sms[0]->script = {{0, kManaged, false, 0},           // faults
                      {20'000, kManaged + 8, false, 0},  // joins it
                      {60'000, kManaged + 16, false, 0}};
  b.run();
  const Access& first = b.sms[0]->access[0];
  EXPECT_LE(between(first, Stage::tlb, Stage::walk), 1u);
  EXPECT_NEAR(between(first, Stage::walk, Stage::fault), 112, 5);
  EXPECT_NEAR(between(first, Stage::fault, Stage::transfer), 45'000, 2);
  EXPECT_NEAR(between(first, Stage::transfer, Stage::translated), 1'220, 15);
  const Access& joined = b.sms[0]->access[1];
  EXPECT_GT(joined.at(Stage::walk), first.at(Stage::fault));
  EXPECT_EQ(joined.at(Stage::fault), first.at(Stage::fault));
  EXPECT_EQ(joined.at(Stage::translated), first.at(Stage::translated));
  const Access& hit = b.sms[0]->access[2];
  EXPECT_NE(hit.at(Stage::tlb), 0u);
  EXPECT_EQ(hit.at(Stage::walk), 0u);
  EXPECT_EQ(hit.at(Stage::translated), 0u);
}

TEST(UvmGmmu, SingleFaultsAreHandledOneByOneBatchesTogether) {
  UvmBench::Setup setup = plain();
  setup.params.handling = FaultHandling::single;
  UvmBench one("one", setup);
  for (unsigned i = 0; i < 8; ++i) one.sms[0]->script.push_back({0, kManaged + 4096 * i, false, 0});
  one.run();
  EXPECT_EQ(one.gmmu->stats().batches, 8u);
  EXPECT_GT(one.sms[0]->responded.back(), 8u * 45'000);
  EXPECT_LT(one.sms[0]->responded.back(), 8u * 45'000 + 3'000);
  // The second waits for the host while it handles the first, the last for seven.
  const Gmmu::Stats& s = one.gmmu->stats();
  EXPECT_NEAR(static_cast<double>(s.fault_queue_cycles), 28 * 45'000, 500);
  EXPECT_EQ(s.fault_host_cycles, 8u * 45'000);
  expect_stages_add_up(s);
}

TEST(UvmGmmu, ABatchIsHandledAtOnce) {
  UvmBench::Setup setup = plain();
  setup.params.handling = FaultHandling::batch;
  UvmBench b("b", setup);
  for (unsigned i = 0; i < 8; ++i) b.sms[0]->script.push_back({0, kManaged + 4096 * i, false, 0});
  b.run();
  // The first fault goes alone: the others come while the host handles it.
  EXPECT_EQ(b.gmmu->stats().batches, 2u);
  EXPECT_LT(b.sms[0]->responded.back(), 2u * 45'000 + 8 * 1'220 + 500);
}

TEST(UvmGmmu, CleanPagesAreDroppedDirtyOnesWrittenBack) {
  UvmBench::Setup setup = plain();
  setup.params.evict = EvictKind::random;
  setup.frames = 1;
  UvmBench b("b", setup);
  b.sms[0]->script = {{0, kManaged, true, 5},
                      {100'000, kManaged + 4096, false, 0},
                      {200'000, kManaged + 8192, false, 0},
                      {300'000, kManaged, false, 5}};
  b.run();
  EXPECT_EQ(b.gmmu->pages().pages_out_dirty, 1u);
  EXPECT_EQ(b.gmmu->pages().pages_out_clean, 2u);
  EXPECT_EQ(b.out->stats().bytes, 4096u);
  EXPECT_EQ(b.gmmu->stats().thrashed, 1u);
  // The second page waits until the first is written back; a clean page leaves at once.
  EXPECT_GT(b.gmmu->stats().fault_room_cycles, 1'220u);
  EXPECT_LT(b.gmmu->stats().fault_room_cycles, 1'220u + 300);
  expect_stages_add_up(b.gmmu->stats());
}

TEST(UvmGmmu, ARunOfPagesIsOneTransfer) {
  UvmBench::Setup setup = plain();
  setup.params.prefetch = PrefetchKind::sequential;
  UvmBench b("b", setup);
  b.sms[0]->script = {{0, kManaged + 3 * 4096, false, 0}, {100'000, kManaged, false, 0}};
  b.run();
  EXPECT_EQ(b.in->stats().transfers, 1u);
  EXPECT_EQ(b.in->stats().bytes, 65'536u);
  EXPECT_EQ(b.gmmu->stats().faults, 1u);
  EXPECT_EQ(b.gmmu->stats().prefetched, 15u);
  EXPECT_EQ(b.gmmu->stats().prefetched_used, 1u);
}

TEST(UvmGmmu, PagesMovedAheadDoNotFault) {
  UvmBench b("b", plain());
  b.begin();
  b.gmmu->move_ahead(kManaged, 1 << 20, true);
  b.sms[0]->script = {{200'000, kManaged, false, 0}, {200'000, kManaged + 0xff000, true, 3}};
  b.finish();
  EXPECT_EQ(b.gmmu->stats().faults, 0u);
  EXPECT_EQ(b.gmmu->stats().asked_ahead, 256u);
  EXPECT_EQ(b.in->stats().transfers, 1u);
  EXPECT_EQ(b.gmmu->pages().resident, 256u);
}

TEST(UvmGmmu, ARequestForAPageUnderWayIsNoNewFault) {
  UvmBench b("b", plain());
  b.begin();
  b.gmmu->move_ahead(kManaged, 1 << 20, true);
  b.sms[0]->script = {{0, kManaged, false, 0}};
  b.finish();
  EXPECT_EQ(b.gmmu->stats().faults, 0u);
  EXPECT_EQ(b.gmmu->stats().faults_merged, 1u);
  EXPECT_LT(b.sms[0]->responded[0], 90'000u);  // the transfer
  EXPECT_EQ(b.gmmu->stats().fault_queue_cycles + b.gmmu->stats().fault_host_cycles, 0u);
  EXPECT_GT(b.gmmu->stats().fault_link_cycles, 80'000u);
  expect_stages_add_up(b.gmmu->stats());
}

TEST(UvmGmmu, TheHostTakesPagesBackAndFreesThem) {
  UvmBench::Setup setup = plain();
  setup.allocations = {1 << 20, 8192};
  UvmBench b("b", setup);
  b.sms[0]->script = {
      {0, kManaged, true, 9}, {0, kManaged + 4096, false, 0}, {0, b.bases[1], true, 4}};
  b.run();
  const Gmmu::TakenBack dirty = b.gmmu->take_back(b.table.page_of(kManaged));
  const Gmmu::TakenBack clean = b.gmmu->take_back(b.table.page_of(kManaged + 4096));
  const Gmmu::TakenBack absent = b.gmmu->take_back(b.table.page_of(kManaged + 8192));
  EXPECT_TRUE(dirty.was_there && dirty.dirty);
  EXPECT_TRUE(clean.was_there && !clean.dirty);
  EXPECT_FALSE(absent.was_there);
  EXPECT_TRUE(b.gmmu->released(b.bases[1]));
  b.gmmu->begin_launch(b.s.frames << 12);
  EXPECT_EQ(b.gmmu->pages().pages_to_host, 2u);
  EXPECT_EQ(b.gmmu->pages().pages_freed, 1u);
  EXPECT_EQ(b.gmmu->pages().resident, 0u);
  EXPECT_FALSE(b.gmmu->released(b.bases[1]));
}

TEST(UvmGmmu, OversubscriptionSetsTheFrames) {
  UvmBench::Setup setup = plain();
  setup.params.oversubscription = 1.25;
  setup.allocations = {1 << 20, 256 << 10};
  UvmBench b("b", setup);
  b.sms[0]->script = {{0, kManaged, false, 0}};
  b.run();
  EXPECT_EQ(b.gmmu->capacity_pages(), 256u);
}

// 45 us of nothing take no time: 10 ms of faults.
TEST(UvmGmmu, SleepsThroughFaults) {
  UvmBench b("b", plain());
  for (unsigned i = 0; i < 230; ++i) b.sms[0]->script.push_back({0, kManaged + 4096 * i, false, 0});
  b.run();
  EXPECT_GT(b.sms[0]->responded.back(), 10'000'000u);
}

}  // namespace
}  // namespace warpmem::uvm
