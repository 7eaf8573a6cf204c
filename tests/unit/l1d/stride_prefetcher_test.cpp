// SPDX-License-Identifier: Apache-2.0
// Fig 4.1's transitions, Fig 4.2's iterations, Table 4.2 and Fig 4.3 of KI; the tables' bounds.
#include <gtest/gtest.h>

#include <vector>

#include "l1d/prefetch/mt_hwp.hpp"
#include "l1d/prefetch/pc_stride.hpp"
#include "l1d/prefetch/single_thread.hpp"

namespace warpmem::l1d {
namespace {

using State = StrideState;

PrefetchParams params_of(PrefetchKind kind) {
  PrefetchParams p;
  p.kind = kind;
  return p;
}

Demand access_at(std::uint32_t pc, Addr address, std::uint16_t warp = 0, bool thread_zero = true,
                 bool load = true) {
  Demand d;
  d.pc = pc;
  d.address = address;
  d.warp = warp;
  d.thread_zero = thread_zero;
  d.load = load;
  return d;
}

// ---- Fig 4.1 -----------------------------------------------------------------------------------

struct Transition {
  State from;
  bool correct;
  State to;
  bool takes_the_new_stride;
};

class Fig41 : public testing::TestWithParam<Transition> {};

TEST_P(Fig41, Transition) {
  const Transition t = GetParam();
  StridePattern p{64, t.from};
  p.observe(t.correct ? 64 : 100);
  EXPECT_EQ(p.state, t.to);
  EXPECT_EQ(p.stride, t.takes_the_new_stride ? 100 : 64);
  const bool predicts = t.to == State::transient || t.to == State::steady;
  EXPECT_EQ(p.prediction(), predicts ? p.stride : 0);
}

INSTANTIATE_TEST_SUITE_P(
    All, Fig41,
    testing::Values(Transition{State::init, true, State::steady, false},
                    Transition{State::init, false, State::transient, true},
                    Transition{State::transient, true, State::steady, false},
                    Transition{State::transient, false, State::no_predict, true},
                    Transition{State::steady, true, State::steady, false},
                    Transition{State::steady, false, State::transient, false},
                    Transition{State::no_predict, true, State::transient, false},
                    Transition{State::no_predict, false, State::no_predict, true}));

// ---- Fig 4.2 -----------------------------------------------------------------------------------

struct Row {
  std::uint32_t pc;
  Addr address;
  std::int64_t stride;
  State state;
};

void expect_rows(const StrideTable& table, const std::vector<Row>& rows) {
  ASSERT_EQ(table.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const StrideTable::Entry& e = table.at(i);
    SCOPED_TRACE(rows[i].pc);
    EXPECT_EQ(e.key, rows[i].pc);
    EXPECT_EQ(e.address, rows[i].address);
    EXPECT_EQ(e.pattern.stride, rows[i].stride);
    EXPECT_EQ(e.pattern.state, rows[i].state);
  }
}

// This runs for (i...) C[i] = A[i] + B[i], with A at 1000, B at 2000, C at 4000.
template <class Prefetcher>
void iterate(Prefetcher& p, unsigned i, bool store_is_load) {
  p.train(access_at(10, 1000 + 4 * i));
  p.train(access_at(14, 2000 + 4 * i));
  p.train(access_at(22, 4000 + 4 * i, 0, true, store_is_load));
}

TEST(Fig42, ThreeIterationsOfPcStride) {
  PcStride p(params_of(PrefetchKind::pc_stride));
  iterate(p, 0, false);  // the store trains as well
  expect_rows(p.table(),
              {{10, 1000, 0, State::init}, {14, 2000, 0, State::init}, {22, 4000, 0, State::init}});
  EXPECT_EQ(p.stride(access_at(10, 1000)), 0);
  iterate(p, 1, false);
  expect_rows(p.table(), {{10, 1004, 4, State::transient},
                          {14, 2004, 4, State::transient},
                          {22, 4004, 4, State::transient}});
  EXPECT_EQ(p.stride(access_at(10, 1004)), 4) << "prefetching starts in the second iteration";
  iterate(p, 2, false);
  expect_rows(
      p.table(),
      {{10, 1008, 4, State::steady}, {14, 2008, 4, State::steady}, {22, 4008, 4, State::steady}});
  EXPECT_EQ(p.stride(access_at(14, 2008)), 4);
}

TEST(Fig42, ThreeIterationsOfPcstWithOtherWarpsInBetween) {
  SingleThread p(params_of(PrefetchKind::pcst));
  const auto others = [&p](unsigned i) {  // warps whose addresses would disturb a common table
    for (std::uint16_t w = 1; w < 6; ++w) p.train(access_at(10, 9000 + 64 * w + 4 * i, w, false));
  };
  iterate(p, 0, true);
  others(0);
  expect_rows(p.table(),
              {{10, 1000, 0, State::init}, {14, 2000, 0, State::init}, {22, 4000, 0, State::init}});
  iterate(p, 1, true);
  others(1);
  expect_rows(p.table(), {{10, 1004, 4, State::transient},
                          {14, 2004, 4, State::transient},
                          {22, 4004, 4, State::transient}});
  iterate(p, 2, true);
  expect_rows(
      p.table(),
      {{10, 1008, 4, State::steady}, {14, 2008, 4, State::steady}, {22, 4008, 4, State::steady}});
  EXPECT_EQ(p.stride(access_at(10, 9208, 3, false)), 4) << "every warp uses the stride";
  EXPECT_EQ(p.stride(access_at(18, 9208, 3, false)), 0) << "no entry of that PC";
  EXPECT_EQ(p.table().at(0).accesses, 3);
}

// A loop executes each PC more than once: ITPC learns nothing from Fig 4.2, PCST goes on
// predicting.
TEST(Fig42, ItpcLeavesLoopsToPcst) {
  SingleThread p(params_of(PrefetchKind::itpc));
  for (unsigned i = 0; i < 3; ++i) iterate(p, i, true);
  p.cta_finished(true, 0, 0);
  EXPECT_EQ(p.inter_pc().size(), 0u);
  EXPECT_EQ(p.stride(access_at(10, 1012)), 4);
}

TEST(PcStride, InterleavedWarpsDestroyThePattern) {  // KI 4.1.2
  PcStride p(params_of(PrefetchKind::pc_stride));
  for (unsigned i = 0; i < 8; ++i)
    for (std::uint16_t w = 0; w < 3; ++w) p.train(access_at(10, 4 * i + 5000 * w * w, w));
  EXPECT_EQ(p.stride(access_at(10, 32)), 0);
}

TEST(PcStride, OneRequestOfAnInstructionTrains) {
  PcStride p(params_of(PrefetchKind::pc_stride));
  Demand second = access_at(10, 7000);
  second.first_request = false;
  p.train(access_at(10, 1000));
  p.train(second);
  expect_rows(p.table(), {{10, 1000, 0, State::init}});
}

// ---- Tables 4.1 and 4.2 ------------------------------------------------------------------------

TEST(Table41, LargeStridesAndTheirCount) {
  SingleThread p(params_of(PrefetchKind::stpe));
  for (unsigned i = 0; i < 25; ++i)
    for (const std::uint32_t pc : {30u, 31u, 32u})
      p.train(access_at(pc, 300'409'984 + (pc - 30) * 16'000'000 + Addr(i) * 245'760));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(p.table().at(i).address, 306'308'224u + i * 16'000'000);
    EXPECT_EQ(p.table().at(i).pattern.stride, 245'760);
    EXPECT_EQ(p.table().at(i).pattern.state, State::steady);
    EXPECT_EQ(p.table().at(i).accesses, 25);
  }
}

const std::vector<std::uint32_t> kPcs = {20, 22, 24, 26, 28, 30, 32, 34, 50};

void execute_block(SingleThread& p, Addr base) {
  for (std::size_t i = 0; i < kPcs.size(); ++i) p.train(access_at(kPcs[i], base + 64 * i));
}

void expect_inter_pc(const SingleThread& p, State state) {
  ASSERT_EQ(p.inter_pc().size(), 8u) << "the last PC has no next one";
  for (std::size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(p.inter_pc().at(i).key, kPcs[i]);
    EXPECT_EQ(p.inter_pc().at(i).pattern.stride, 64);
    EXPECT_EQ(p.inter_pc().at(i).pattern.state, state);
  }
}

TEST(Table42, ItpcLearnsAcrossBlocks) {
  SingleThread p(params_of(PrefetchKind::itpc));
  execute_block(p, 268'439'552);
  for (std::size_t i = 0; i < kPcs.size(); ++i) {  // (a)
    EXPECT_EQ(p.table().at(i).address, 268'439'552 + 64 * i);
    EXPECT_EQ(p.table().at(i).pattern.stride, 0);
    EXPECT_EQ(p.table().at(i).pattern.state, State::init);
    EXPECT_EQ(p.table().at(i).accesses, 1);
  }
  EXPECT_EQ(p.inter_pc().size(), 0u);
  p.cta_finished(true, 0, 0);
  expect_inter_pc(p, State::init);  // (b)
  EXPECT_EQ(p.stride(access_at(20, 1000)), 0) << "INIT predicts nothing";

  execute_block(p, 268'500'000);
  expect_inter_pc(p, State::init);  // only the end of a block updates it
  p.cta_finished(true, 0, 0);
  expect_inter_pc(p, State::steady);
  EXPECT_EQ(p.stride(access_at(20, 1000, 5, false)), 64) << "towards PC 22, for every warp";
  EXPECT_EQ(p.stride(access_at(50, 1000)), 0);
  for (std::size_t i = 0; i < kPcs.size(); ++i)
    EXPECT_EQ(p.table().at(i).pattern.prediction(), 0) << "PCST learns nothing across blocks";

  execute_block(p, 268'600'000);
  p.cta_finished(true, 0, 0);
  expect_inter_pc(p, State::steady);
}

TEST(Table42, OtherBlocksEndingConfirmNothing) {
  SingleThread p(params_of(PrefetchKind::itpc));
  execute_block(p, 268'439'552);
  p.cta_finished(false, 0, 0);
  EXPECT_EQ(p.inter_pc().size(), 0u);
  p.cta_finished(true, 0, 0);
  p.cta_finished(false, 0, 0);
  p.cta_finished(true, 0, 0);  // a block without a load
  expect_inter_pc(p, State::init);
}

TEST(Table42, EntriesWithMoreAccessesArePassedOver) {
  SingleThread p(params_of(PrefetchKind::itpc));
  p.train(access_at(20, 1000));
  p.train(access_at(22, 5000));
  p.train(access_at(22, 6000));
  p.train(access_at(24, 1064));
  p.cta_finished(true, 0, 0);
  ASSERT_EQ(p.inter_pc().size(), 1u);
  EXPECT_EQ(p.inter_pc().at(0).key, 20u);
  EXPECT_EQ(p.inter_pc().at(0).pattern.stride, 64);
}

TEST(Fig43, PcstComesBeforeItpc) {
  SingleThread p(params_of(PrefetchKind::itpc));
  for (int block = 0; block < 2; ++block) {
    execute_block(p, 10'000 * (block + 1));
    p.cta_finished(true, 0, 0);
  }
  ASSERT_EQ(p.stride(access_at(20, 0)), 64);
  p.train(access_at(20, 1000));  // now the block loops
  p.train(access_at(20, 1256));
  EXPECT_EQ(p.stride(access_at(20, 1256)), 256);
  EXPECT_EQ(p.stride(access_at(22, 1256)), 64);
}

TEST(Fig43, PcstKeepsItsStridesForTheNextBlock) {
  SingleThread p(params_of(PrefetchKind::pcst));
  for (Addr a = 0; a < 3; ++a) p.train(access_at(10, 1000 + 128 * a));
  p.cta_finished(true, 0, 0);
  p.train(access_at(10, 50'000));  // its first access is compared with nothing
  EXPECT_EQ(p.stride(access_at(10, 50'000)), 128);
  p.train(access_at(10, 50'128));
  EXPECT_EQ(p.table().at(0).pattern.state, State::steady);
}

TEST(Fig43, StoresAndOtherThreadsTrainNothing) {
  SingleThread p(params_of(PrefetchKind::stpe));
  p.train(access_at(10, 1000, 0, true, false));
  p.train(access_at(10, 1000, 0, false));
  EXPECT_EQ(p.table().size(), 0u);
}

// ---- throttling --------------------------------------------------------------------------------

TEST(Stpe, ClearsTwiceAndThenStops) {
  SingleThread p(params_of(PrefetchKind::stpe));
  const auto learn = [&p] {
    for (Addr a = 0; a < 3; ++a) p.train(access_at(10, 1000 + 128 * a));
  };
  for (unsigned clears = 1; clears <= 2; ++clears) {
    learn();
    EXPECT_EQ(p.stride(access_at(10, 0)), 128);
    p.cta_finished(false, 5, 5);
    EXPECT_EQ(p.stride(access_at(10, 0)), 128) << "as many useless as useful is good enough";
    p.cta_finished(false, 4, 5);  // any block's end
    EXPECT_EQ(p.table().size(), 0u);
    EXPECT_FALSE(p.stopped());
  }
  learn();
  p.cta_finished(true, 0, 1);
  EXPECT_TRUE(p.stopped());
  learn();
  EXPECT_EQ(p.stride(access_at(10, 0)), 0);
  p.begin_launch();
  learn();
  EXPECT_EQ(p.stride(access_at(10, 0)), 128);
}

TEST(Stpe, ItpcIsUpdatedBeforeBothTablesAreCleared) {
  SingleThread p(params_of(PrefetchKind::stpe));
  execute_block(p, 1000);
  p.cta_finished(true, 0, 1);
  EXPECT_EQ(p.inter_pc().size(), 0u);
  EXPECT_EQ(p.table().size(), 0u);
}

TEST(Itpc, DoesNotThrottle) {
  SingleThread p(params_of(PrefetchKind::itpc));
  for (int i = 0; i < 5; ++i) p.cta_finished(true, 0, 9);
  EXPECT_FALSE(p.stopped());
}

// ---- sizes -------------------------------------------------------------------------------------

TEST(StrideTable, TheLeastRecentlyUsedPcGivesWay) {
  StrideTable t(2, 32);
  t.train(1, 100);
  t.train(2, 200);
  t.train(1, 104);
  t.train(3, 300);
  ASSERT_EQ(t.size(), 2u);
  EXPECT_EQ(t.at(0).key, 1u);
  EXPECT_EQ(t.at(1).key, 3u);
  EXPECT_EQ(t.replaced(), 1u);
}

TEST(StrideTable, AStrideThatDoesNotFitPredictsNothing) {
  EXPECT_EQ(stride_between(1000, 1000 + 127, 8), 127);
  EXPECT_EQ(stride_between(1000, 1000 + 128, 8), 0);
  EXPECT_EQ(stride_between(1000, 1000 - 128, 8), -128);
  EXPECT_EQ(stride_between(1000, 1000 - 129, 8), 0);
  StrideTable t(2, 8);
  for (Addr a = 0; a < 4; ++a) t.train(1, 1000 * a);
  EXPECT_EQ(t.prediction(1), 0);
}

TEST(Storage, FollowsFromTheConfiguration) {
  PrefetchParams p = params_of(PrefetchKind::pcst);
  p.entries = 16;
  p.inter_pc_entries = 8;
  p.address_bits = 32;
  p.stride_bits = 20;
  const std::uint64_t stride_table = 16 * (32 + 32 + 20 + 2 + 1 + 4);
  EXPECT_EQ(make_prefetcher(p)->storage_bits(), stride_table);
  p.kind = PrefetchKind::pc_stride;
  EXPECT_EQ(make_prefetcher(p)->storage_bits(), stride_table);
  p.kind = PrefetchKind::itpc;
  const std::uint64_t with_itpc = stride_table + 16 * 8 + 8 * (32 + 20 + 2 + 1 + 3);
  EXPECT_EQ(make_prefetcher(p)->storage_bits(), with_itpc);
  p.kind = PrefetchKind::stpe;
  EXPECT_EQ(make_prefetcher(p)->storage_bits(), with_itpc + 2);
  p.kind = PrefetchKind::mt_hwp;  // LLK10: 557 bytes; valid bits and ranks besides
  EXPECT_EQ(make_prefetcher(p)->storage_bits(), 557 * 8 + 32 * (1 + 5) + 8 * (1 + 3) + 8 * (1 + 3));
}

// ---- MT-HWP ------------------------------------------------------------------------------------

TEST(MtHwp, TrainsEachWarpAlone) {
  MtHwp p(params_of(PrefetchKind::mt_hwp));
  for (unsigned i = 0; i < 3; ++i) {
    p.train(access_at(10, 1000 + 64 * i, 1));
    p.train(access_at(10, 70'000 - 32 * i, 2));
  }
  EXPECT_EQ(p.stride(access_at(10, 0, 1)), 64);
  EXPECT_EQ(p.stride(access_at(10, 0, 2)), -32);
  EXPECT_EQ(p.stride(access_at(10, 0, 3)), 0);
}

TEST(MtHwp, PromotesTheStrideOfThreeWarps) {
  MtHwp p(params_of(PrefetchKind::mt_hwp));
  const Addr base[] = {1000, 90'000, 95'000};  // no pattern between the warps
  for (std::uint16_t w = 0; w < 2; ++w)
    for (unsigned i = 0; i < 3; ++i) p.train(access_at(10, base[w] + 64 * i, w));
  EXPECT_EQ(p.stride(access_at(10, 0, 9)), 0);
  for (unsigned i = 0; i < 3; ++i) p.train(access_at(10, base[2] + 64 * i, 2));
  EXPECT_EQ(p.stride(access_at(10, 0, 9)), 64) << "a warp that was never seen";
}

TEST(MtHwp, LearnsTheStrideBetweenWarps) {
  MtHwp p(params_of(PrefetchKind::mt_hwp));
  p.train(access_at(10, 1000, 0));
  p.train(access_at(10, 1128, 1));
  EXPECT_EQ(p.stride(access_at(10, 1128, 1)), 0);
  p.train(access_at(10, 1128 + 2 * 128, 3));  // two warps further
  EXPECT_EQ(p.stride(access_at(10, 1384, 3)), 128);
  p.train(access_at(10, 5000, 4));
  EXPECT_EQ(p.stride(access_at(10, 5000, 4)), 0);
}

TEST(MtHwp, ForgetsAtALaunch) {
  MtHwp p(params_of(PrefetchKind::mt_hwp));
  for (std::uint16_t w = 0; w < 4; ++w) p.train(access_at(10, 1000 + 128 * w, w));
  EXPECT_EQ(p.stride(access_at(10, 0, 1)), 128);
  p.begin_launch();
  EXPECT_EQ(p.stride(access_at(10, 0, 1)), 0);
}

}  // namespace
}  // namespace warpmem::l1d
