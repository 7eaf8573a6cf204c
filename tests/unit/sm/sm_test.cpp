// SPDX-License-Identifier: Apache-2.0
// The SM against a scripted program and a plain memory that answers after a fixed time.
#include "unit/sm/sm_bench.hpp"

namespace warpmem::sm {
namespace {

TEST(Sm, DependentInstructionWaitsForTheLatency) {
  Bench bench;
  Script script({op(OpClass::fp32, {}, {1}), op(OpClass::fp32, {1}, {2}), kExit}, 1, 1);
  bench.run(script);
  ASSERT_EQ(script.trace.size(), 3u);
  EXPECT_EQ(script.trace[1].cycle - script.trace[0].cycle, 6u);  // fp32 latency
  EXPECT_EQ(script.trace[2].cycle - script.trace[1].cycle, 1u);
  EXPECT_EQ(bench.finished, 1u);
}

TEST(Sm, IndependentLoadsOverlapAndTheUserWaits) {
  Bench bench;
  Script script(
      {access(MemOp::load, Space::global, {}, {1}), access(MemOp::load, Space::global, {}, {2}),
       op(OpClass::fp32, {1, 2}, {3}), kExit},
      1, 1);
  bench.run(script);
  EXPECT_EQ(script.trace[1].cycle - script.trace[0].cycle, 1u);  // KI 1.1.3: both in flight
  EXPECT_GE(script.trace[2].cycle - script.trace[1].cycle, 100u);
  EXPECT_LE(script.trace[2].cycle - script.trace[1].cycle, 106u);
  EXPECT_EQ(bench.memory.requests, 2u);
}

TEST(Sm, SchedulerIssuesOnceAnInterval) {
  SmParams params;
  params.issue_interval = 4;
  params.schedulers = 1;
  Bench bench(params);
  Script script({op(OpClass::fp32, {}, {1}), op(OpClass::int_alu, {}, {2}), kExit}, 1, 2);
  bench.run(script);
  ASSERT_EQ(script.trace.size(), 6u);
  for (std::size_t i = 1; i < 6; ++i)
    EXPECT_EQ(script.trace[i].cycle - script.trace[i - 1].cycle, 4u) << i;
}

// A warp's 32 words lie in four banks: eight passes, a cycle each.
TEST(Sm, ABankConflictTakesTheBankForACycleAndTheWarpForItsLatency) {
  SmParams params;
  params.shared_banks = 4;
  params.shared_conflict = 3;
  Bench bench(params);
  Script script({access(MemOp::load, Space::shared, {}, {1}),
                 access(MemOp::load, Space::shared, {}, {2}), op(OpClass::fp32, {2}, {3}), kExit},
                1, 1);
  bench.run(script);
  EXPECT_EQ(script.trace[1].cycle - script.trace[0].cycle, 8u);
  EXPECT_EQ(script.trace[2].cycle - script.trace[1].cycle, params.shared_latency + 7 * 3);
}

// Returns the cycles between the first instructions of two schedulers' warps.
Cycle between_fp64(OwnedBy unit_of) {
  SmParams params;
  params.fp64_unit_of = unit_of;
  Bench bench(params);
  Script script({op(OpClass::fp64, {}, {1}), kExit}, 1, 2);
  bench.run(script);
  return script.trace.at(1).inst == 0 ? script.trace[1].cycle - script.trace[0].cycle
                                      : script.trace.at(2).cycle - script.trace[0].cycle;
}
TEST(Sm, SchedulersShareTheFp64UnitOfTheSm) { EXPECT_EQ(between_fp64(OwnedBy::sm), 2u); }
TEST(Sm, SchedulersHaveFp64UnitsOfTheirOwn) { EXPECT_EQ(between_fp64(OwnedBy::scheduler), 0u); }

// Returns the cycles from a load's issue to that of the instruction that waits for it.
Cycle load_to_use(unsigned stages) {
  SmParams params;
  params.lsu_pipeline = stages;
  Bench bench(params);
  Script script({access(MemOp::load, Space::global, {}, {1}), op(OpClass::fp32, {1}, {2}), kExit},
                1, 1);
  bench.run(script);
  return script.trace[1].cycle - script.trace[0].cycle;
}
TEST(Sm, LoadWithoutAMemoryPipeline) { EXPECT_EQ(load_to_use(0), 102u); }
TEST(Sm, EachStageOfTheMemoryPipelineDelaysALoadByACycle) { EXPECT_EQ(load_to_use(9), 111u); }

// Returns the cycles between the first loads of two schedulers' warps, each of 128 requests, where
// a queue holds one instruction. The unit takes one a cycle.
Cycle between_loads(OwnedBy queue_of) {
  SmParams params;
  params.lsu_queue = 1;
  params.lsu_queue_of = queue_of;
  Bench bench(params);
  InstInfo load = access(MemOp::load, Space::local, {}, {});
  load.bytes = 16;  // four words of each lane, in lines of their own
  Script script({load, kExit}, 1, 2);
  bench.run(script);
  std::vector<Cycle> loads;
  for (const Script::Event& e : script.trace)
    if (e.inst == 0) loads.push_back(e.cycle);
  return loads.at(1) - loads.at(0);
}
TEST(Sm, SchedulersShareTheQueueOfTheSm) { EXPECT_EQ(between_loads(OwnedBy::sm), 128u); }
TEST(Sm, SchedulersHaveQueuesOfTheirOwn) { EXPECT_EQ(between_loads(OwnedBy::scheduler), 1u); }

// Two warps, each of a scheduler of its own, want the one divider three times each; it takes an
// instruction every three cycles.
std::vector<Script::Event> divisions(FirstScheduler first, bool tick_all) {
  SmParams params;
  params.first_scheduler = first;
  params.timing[static_cast<unsigned>(OpClass::div)].interval = 3;
  Bench bench(params, tick_all);
  const InstInfo div = op(OpClass::div);
  Script script({div, div, div, kExit}, 1, 2);
  bench.run(script);
  std::vector<Script::Event> found;
  for (const Script::Event& e : script.trace)
    if (e.inst < 3) found.push_back(e);
  return found;
}
void expect_lowest_first(bool tick_all) {
  const std::vector<Script::Event> found = divisions(FirstScheduler::lowest, tick_all);
  ASSERT_EQ(found.size(), 6u);
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(found[i].cycle, found[0].cycle + 3 * i);
    EXPECT_EQ(found[i].warp, i / 3);
  }
}
TEST(Sm, TheLowestSchedulerIssuesFirst) { expect_lowest_first(false); }
TEST(Sm, TheLowestSchedulerIssuesFirstTickedInEveryCycle) { expect_lowest_first(true); }

void expect_rotation(bool tick_all) {
  const std::vector<Script::Event> found = divisions(FirstScheduler::rotating, tick_all);
  ASSERT_EQ(found.size(), 6u);
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(found[i].cycle, found[0].cycle + 3 * i);
    EXPECT_EQ(found[i].warp, found[i].cycle % 2);
  }
}
TEST(Sm, TheFirstSchedulerRotatesWithTheCycle) { expect_rotation(false); }
TEST(Sm, TheFirstSchedulerRotatesTickedInEveryCycle) { expect_rotation(true); }

// Returns the cycles between an integer operation that takes its unit for four cycles and a
// multiplication that does not need its result.
Cycle multiplication_after_addition(MultiplyUnit unit) {
  SmParams params;
  params.multiply_unit = unit;
  params.timing[static_cast<unsigned>(OpClass::int_alu)].interval = 4;
  Bench bench(params);
  Script script({op(OpClass::int_alu), op(OpClass::int_mul), kExit}, 1, 1);
  bench.run(script);
  return script.trace.at(1).cycle - script.trace.at(0).cycle;
}
TEST(Sm, MultiplicationsHaveAUnitOfTheirOwn) {
  EXPECT_EQ(multiplication_after_addition(MultiplyUnit::own), 1u);
}
TEST(Sm, MultiplicationsShareTheUnitOfIntegers) {
  EXPECT_EQ(multiplication_after_addition(MultiplyUnit::int_alu), 4u);
}
TEST(Sm, MultiplicationsShareTheUnitOfFloats) {
  EXPECT_EQ(multiplication_after_addition(MultiplyUnit::fp32), 1u);
}

// Returns the cycles from an atomic without a result to the next instruction.
Cycle after_reduction(bool await, Space space) {
  SmParams params;
  params.await_atomics = await;
  Bench bench(params);
  Script script({access(MemOp::reduction, space, {}, {}), op(OpClass::int_alu), kExit}, 1, 1);
  bench.run(script);
  return script.trace.at(1).cycle - script.trace.at(0).cycle;
}
TEST(Sm, AWarpGoesOnBehindAReduction) { EXPECT_EQ(after_reduction(false, Space::global), 1u); }
TEST(Sm, AWarpMayWaitForItsReduction) {
  EXPECT_EQ(after_reduction(true, Space::global), 102u);  // as a load to its use
}
TEST(Sm, AWarpGoesOnBehindAReductionInSharedMemory) {
  EXPECT_EQ(after_reduction(false, Space::shared), 1u);
}
TEST(Sm, AWarpMayWaitForItsReductionInSharedMemory) {
  EXPECT_EQ(after_reduction(true, Space::shared), SmParams{}.shared_latency);
}

// Returns the requests of an access by 32 lanes to a line.
std::uint64_t requests_of(MemOp mem, bool volatile_access, PastL1d past_l1d) {
  SmParams params;
  params.past_l1d = past_l1d;
  Bench bench(params);
  InstInfo inst = access(mem, Space::global, {}, {});
  inst.volatile_access = volatile_access;
  Script script({inst, kExit}, 1, 1);
  bench.run(script);
  return bench.memory.requests;
}
TEST(Sm, AnAtomicIsMergedAsALoad) {
  EXPECT_EQ(requests_of(MemOp::reduction, false, PastL1d::alike), 1u);
}
TEST(Sm, AnAtomicIsMergedIntoSectors) {
  EXPECT_EQ(requests_of(MemOp::reduction, false, PastL1d::sector), 4u);
}
TEST(Sm, AVolatileLoadIsMergedIntoSectors) {
  EXPECT_EQ(requests_of(MemOp::load, true, PastL1d::sector), 4u);
}
TEST(Sm, WhatL1DCachesIsNotMergedIntoSectors) {
  EXPECT_EQ(requests_of(MemOp::load, false, PastL1d::sector), 1u);
}

// Returns the cycles from the first of four loads, each of 128 requests, to what follows them
// without needing their results.
Cycle after_four_loads(unsigned collectors, OwnedBy queue_of = OwnedBy::scheduler) {
  SmParams params;
  params.lsu_queue_of = queue_of;
  params.lsu_collectors = collectors;
  Bench bench(params);
  InstInfo load = access(MemOp::load, Space::local, {}, {});
  load.bytes = 16;  // four words of each lane, in lines of their own
  Script script({load, load, load, load, op(OpClass::int_alu), kExit}, 1, 1);
  bench.run(script);
  return script.trace.at(4).cycle - script.trace.at(0).cycle;
}
TEST(Sm, LoadsThatWaitHoldUpNothingElse) { EXPECT_EQ(after_four_loads(0), 4u); }
TEST(Sm, LoadsThatWaitTakeThreeCollectors) { EXPECT_EQ(after_four_loads(3), 128u); }
TEST(Sm, LoadsThatWaitTakeTwoCollectors) { EXPECT_EQ(after_four_loads(2), 256u); }
TEST(Sm, AQueueOfTheSmHasNoCollectors) { EXPECT_EQ(after_four_loads(2, OwnedBy::sm), 4u); }

TEST(Sm, CopyGroupIsWaitedForWithoutARegister) {
  Bench bench;
  InstInfo copy = access(MemOp::load, Space::global, {}, {});
  copy.async = program::AsyncCopy::copy;
  InstInfo close = op(OpClass::control), wait = op(OpClass::control);
  close.async = program::AsyncCopy::close;
  wait.async = program::AsyncCopy::wait;
  Script script({copy, close, op(OpClass::int_alu), wait, kExit}, 1, 1);
  bench.run(script);
  EXPECT_LE(script.trace[2].cycle - script.trace[0].cycle, 6u);
  EXPECT_GE(script.trace[3].cycle - script.trace[0].cycle, 100u);
}

// 32 copies, of which three cross a line: they leave shared memory in 35 cycles, and are complete
// when the last answer is in.
TEST(Sm, BulkStoresAreReadBeforeTheyAreComplete) {
  SmParams params;
  params.bulk = true;
  params.bulk_queue = 32;
  Bench bench(params);
  InstInfo store = access(MemOp::store, Space::global, {}, {});
  store.async = program::AsyncCopy::bulk;
  InstInfo close = op(OpClass::int_alu), read = close, complete = close;
  close.async = program::AsyncCopy::bulk_close;
  read.async = program::AsyncCopy::bulk_wait_read;
  complete.async = program::AsyncCopy::bulk_wait;
  Script script({store, close, read, complete, kExit}, 1, 1);
  bench.run(script);
  const Cycle begin = script.trace[0].cycle;
  EXPECT_EQ(script.trace[1].cycle - begin, 1u);
  EXPECT_EQ(script.trace[2].cycle - begin, 35u);
  EXPECT_EQ(script.trace[3].cycle - begin, 136u);
  EXPECT_EQ(bench.memory.requests, 35u);
}

// Who could not send goes first in the next cycle.
TEST(Sm, LoadsAndBulkCopiesTakeTurnsAtThePort) {
  SmParams params;
  params.bulk = true;
  params.granularity = Granularity::sector;
  Bench bench(params);
  InstInfo copy = access(MemOp::load, Space::global, {}, {});
  copy.async = program::AsyncCopy::bulk_prefetch;
  Script script({copy, access(MemOp::load, Space::global, {}, {1}),
                 access(MemOp::load, Space::global, {}, {2}), kExit},
                1, 1);
  bench.run(script);
  ASSERT_EQ(bench.memory.seen.size(), 44u + 8u);  // 12 of the copies cross a sector
  std::vector<std::size_t> loads;
  for (std::size_t i = 0; i < bench.memory.seen.size(); ++i)
    if ((bench.memory.seen[i].tag & Lsu::kBulkTag) == 0) loads.push_back(i);
  ASSERT_EQ(loads.size(), 8u);
  for (std::size_t i = 1; i < loads.size(); ++i) EXPECT_EQ(loads[i] - loads[i - 1], 2u) << i;
}

TEST(Sm, DataCheckOfAProgramWithoutValuesIsTheUsersError) {
  DataCheck check;
  Bench bench({}, false, &check);
  Script script({access(MemOp::load, Space::global, {}, {1}), kExit}, 1, 1);
  try {
    bench.run(script);
    FAIL();
  } catch (const UserError& e) {
    EXPECT_NE(std::string(e.what()).find("set check_data to false"), std::string::npos);
  }
}

TEST(Sm, BarrierHoldsEarlyWarpsUntilTheLastArrives) {
  Bench bench;
  Script script({access(MemOp::load, Space::global, {}, {1}), op(OpClass::int_alu, {1}, {2}),
                 op(OpClass::barrier), op(OpClass::int_alu, {}, {3}), kExit},
                1, 4);
  bench.run(script);
  Cycle last_arrival = 0;
  Cycle first_after = kNever;
  for (const auto& e : script.trace) {
    if (e.inst == 2) last_arrival = std::max(last_arrival, e.cycle);
    if (e.inst == 3) first_after = std::min(first_after, e.cycle);
  }
  EXPECT_EQ(first_after, last_arrival + 2);  // barrier latency
  EXPECT_EQ(bench.sm.stats().barriers, 1u);
}

/// Cycle at which warps [first, last] arrive last or go on first.
Cycle extreme(const Script& script, unsigned inst, unsigned first, unsigned last, bool latest) {
  Cycle at = latest ? 0 : kNever;
  for (const auto& e : script.trace)
    if (e.inst == inst && e.warp >= first && e.warp <= last)
      at = latest ? std::max(at, e.cycle) : std::min(at, e.cycle);
  return at;
}

// CTAs of 3 and of 2 warps share the slots of an SM; each barrier is of its own CTA.
TEST(Sm, CtasOfSeveralKernelsAreHereSideBySide) {
  SmParams params;
  params.warps = 8;
  Bench bench(params);
  Script three({access(MemOp::load, Space::global, {}, {1}), op(OpClass::int_alu, {1}, {2}),
                op(OpClass::barrier), op(OpClass::int_alu, {}, {3}), kExit},
               2, 3);
  Script two({op(OpClass::int_alu), op(OpClass::barrier), op(OpClass::int_alu), kExit}, 1, 2);
  EXPECT_EQ(bench.sm.occupancy(three.traits()), 2u);
  bench.run({&three, &two});
  EXPECT_EQ(three.trace.size(), 2u * 3 * 5);
  EXPECT_EQ(two.trace.size(), 2u * 4);
  EXPECT_EQ(bench.sm.stats().barriers, 3u);
  EXPECT_EQ(bench.finished_of[0], 2u);
  EXPECT_EQ(bench.finished_of[1], 1u);
  // The one without a load does not wait for those that have one.
  EXPECT_LT(extreme(two, 3, 0, 1, true), extreme(three, 2, 0, 2, false));
}

TEST(Resources, WhatACtaTakes) {
  program::KernelTraits t;
  t.warps_per_cta = 3;
  t.registers_per_thread = 10;
  t.shared_bytes = 100;
  const Resources need = needs(t, 0);
  EXPECT_EQ(need.registers, 10u * 3 * 32);
  Resources left{8, 7, 4000, 250};
  EXPECT_EQ(left.times(need), 2u);  // 6 of 7 warps
  left -= need;
  EXPECT_TRUE(left.fits(need));
  left -= need;
  EXPECT_FALSE(left.fits(need));
  left += need;
  EXPECT_EQ(left.times(need), 1u);
  EXPECT_EQ((Resources{8, 48, 4000, 199}).times(need), 1u);  // shared memory
  EXPECT_EQ((Resources{8, 48, 4000, 300}).times(needs(t, 50)), 2u);
  EXPECT_EQ((Resources{8, 48, 4000, 299}).times(needs(t, 50)), 1u);
  EXPECT_EQ((Resources{8, 48, 1919, 9999}).times(need), 1u);  // registers
  EXPECT_EQ((Resources{1, 48, 9999, 9999}).times(need), 1u);  // places
}

TEST(Sm, NamedBarriersHoldTheirOwnWarpsOnly) {
  Bench bench;
  Script script({access(MemOp::load, Space::global, {}, {1}), op(OpClass::int_alu, {1}, {2}),
                 op(OpClass::barrier), op(OpClass::int_alu, {}, {3}), kExit},
                1, 4);
  script.barrier = [](unsigned warp, Issue& issue) {
    issue.barrier = warp < 2 ? 1 : 2;
    issue.barrier_warps = 2;
  };
  bench.run(script);
  for (const unsigned first : {0u, 2u})
    EXPECT_EQ(extreme(script, 3, first, first + 1, false),
              extreme(script, 2, first, first + 1, true) + 2);
  EXPECT_EQ(bench.sm.stats().barriers, 2u);
}

TEST(Sm, ArrivingAtABarrierDoesNotHoldTheWarp) {
  Bench bench;
  Script script({access(MemOp::load, Space::global, {}, {1}), op(OpClass::barrier),
                 op(OpClass::int_alu, {1}, {2}), op(OpClass::barrier), kExit},
                1, 2);
  // Warp 0 counts at barrier 5 twice; warp 1 waits there twice.
  script.barrier = [](unsigned warp, Issue& issue) {
    issue.barrier = 5;
    issue.barrier_waits = warp == 1;
    issue.barrier_warps = 2;
  };
  bench.run(script);
  EXPECT_EQ(extreme(script, 4, 0, 0, true), extreme(script, 3, 0, 0, true) + 1);
  EXPECT_GE(extreme(script, 4, 1, 1, true), extreme(script, 3, 0, 0, true) + 2);
  EXPECT_EQ(bench.sm.stats().barriers, 2u);
}

TEST(Sm, FenceWaitsForStores) {
  Bench bench;
  Script script({access(MemOp::store, Space::global, {1}, {}), op(OpClass::fence), kExit}, 1, 1);
  bench.run(script);
  EXPECT_GE(script.trace[1].cycle - script.trace[0].cycle, 100u);
}

TEST(Sm, OccupancyIsTheTightestLimit) {
  Bench bench;
  program::KernelTraits t;
  t.warps_per_cta = 8;
  EXPECT_EQ(bench.sm.occupancy(t), 6u);  // 48 warps
  t.warps_per_cta = 1;
  EXPECT_EQ(bench.sm.occupancy(t), 8u);  // CTA slots
  t.shared_bytes = 20 * 1024;
  EXPECT_EQ(bench.sm.occupancy(t), 2u);
  t.registers_per_thread = 255;
  t.warps_per_cta = 32;
  EXPECT_EQ(bench.sm.occupancy(t), 0u);
  EXPECT_NE(bench.sm.why_too_large(t).find("registers"), std::string::npos);
}

std::vector<std::array<std::uint64_t, 4>> mixed_trace(bool tick_all) {
  SmParams params;
  params.schedulers = 1;
  Bench bench(params, tick_all);
  Script script({access(MemOp::load, Space::global, {}, {1}), op(OpClass::sfu, {1}, {2}),
                 op(OpClass::div, {2}, {3}), op(OpClass::barrier),
                 access(MemOp::load, Space::shared, {3}, {4}),
                 access(MemOp::store, Space::global, {4}, {}), kExit},
                6, 4);
  bench.stats.begin_kernel("mixed");
  bench.run(script, 20000);
  bench.stats.end_kernel();
  std::vector<std::array<std::uint64_t, 4>> out;
  for (const auto& e : script.trace) out.push_back({e.cycle, e.cta, e.warp, e.inst});
  out.push_back({bench.sm.stats().issue_cycles, bench.sm.stats().stall_memory,
                 bench.sm.stats().stall_result, bench.sm.stats().active_cycles});
  return out;
}

// Each test runs in a process of its own; the figures pin both to one result.
constexpr std::uint64_t kMixedInstructions = 6 * 4 * 7;
constexpr std::uint64_t kMixedDigest = 9609482553509304080u;  // hash of the trace when both agreed
std::uint64_t digest(const std::vector<std::array<std::uint64_t, 4>>& trace) {
  std::uint64_t h = 1469598103934665603ULL;
  for (const auto& row : trace)
    for (std::uint64_t v : row) h = (h ^ v) * 1099511628211ULL;
  return h;
}

TEST(Sm, SkippingIdleCyclesChangesNothing) {
  const auto trace = mixed_trace(false);
  EXPECT_EQ(trace.size(), kMixedInstructions + 1);
  EXPECT_EQ(digest(trace), kMixedDigest);
}

TEST(Sm, TickingEveryCycleChangesNothing) {
  const auto trace = mixed_trace(true);
  EXPECT_EQ(trace.size(), kMixedInstructions + 1);
  EXPECT_EQ(digest(trace), kMixedDigest);
}

}  // namespace
}  // namespace warpmem::sm
