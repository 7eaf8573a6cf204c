// SPDX-License-Identifier: Apache-2.0
// The rules of the DAU, cycle by cycle, on the fast class (lockstep runs show that the other views
// follow it).
#include <gtest/gtest.h>

#include <vector>

#include "cache/mha/dl/fast_dau.hpp"

namespace warpmem::mha {
namespace {

using S = DauState;

class DauTest : public testing::Test {
 protected:
  DauOut step(const DauIn& in) {
    const DauOut out = dau_.eval(in);
    dau_.commit(in);
    return out;
  }
  DauOut primary() { return step({true, false, 0, false, 0}); }
  DauOut secondary(std::uint32_t head) { return step({true, true, head, false, 0}); }
  DauOut ret(std::uint32_t head) { return step({false, false, 0, true, head}); }
  DauOut idle() { return step({}); }
  std::vector<S> states() const {
    const DauSets sets = dau_.inspect();
    return std::vector<S>(sets.state, sets.state + dau_.size().sets);
  }
  void size(const DauSize& size) { dau_ = FastDau(size); }

  FastDau dau_{{4, 2, 0}};
};

// DL Fig 7 has 8 sets of 2 slots.
TEST_F(DauTest, EightPrimaries) {
  size({8, 2, 0});
  for (std::uint32_t i = 0; i < 8; ++i) {
    const DauOut out = primary();
    EXPECT_TRUE(out.req_ready);
    EXPECT_EQ(out.req_set, i);
    EXPECT_EQ(out.req_slot, 0u);
    EXPECT_EQ(out.n_free, 8 - i);
  }
  EXPECT_TRUE(primary().rf);
}

TEST_F(DauTest, FifteenSecondariesOnOnePrimary) {
  size({8, 2, 0});
  primary();
  for (std::uint32_t i = 1; i <= 15; ++i) {
    const DauOut out = secondary(0);
    EXPECT_TRUE(out.req_ready);
    EXPECT_EQ(out.req_set, i / 2);
    EXPECT_EQ(out.req_slot, i % 2);
    EXPECT_EQ(out.req_link, i % 2 == 0);
  }
  EXPECT_TRUE(secondary(0).rf);
}

TEST_F(DauTest, ReservedSetsGoFirstAndAreNeverLinked) {
  size({4, 2, 2});
  EXPECT_EQ(dau_.eval({}).n_linkable, 2u);
  EXPECT_EQ(primary().req_set, 0u);
  EXPECT_EQ(primary().req_set, 1u);
  EXPECT_EQ(dau_.eval({}).n_linkable, 2u);
  EXPECT_EQ(primary().req_set, 2u);
  EXPECT_EQ(dau_.eval({}).n_linkable, 1u);
  EXPECT_EQ(ret(0).ret_ready, true);
  idle();
  secondary(1);
  EXPECT_EQ(secondary(1).req_set, 3u);
  secondary(1);
  const DauOut refused = secondary(1);  // set 0 is free, but reserved
  EXPECT_TRUE(refused.rf);
  EXPECT_EQ(refused.n_free, 1u);
  EXPECT_EQ(refused.n_linkable, 0u);
  EXPECT_EQ(primary().req_set, 0u);
}

// This is the table in rtl/dau/README.md.
TEST_F(DauTest, ReleaseFreesOneSetACycleFromTheTail) {
  primary();
  for (int i = 0; i < 5; ++i) secondary(0);  // sets 0, 1, 2 full
  EXPECT_EQ(states(), (std::vector<S>{S::s3, S::s8, S::s7, S::s0}));
  DauOut out = ret(0);
  EXPECT_TRUE(out.ret_ready);
  EXPECT_EQ(states(), (std::vector<S>{S::s5, S::s10, S::s10, S::s0}));
  out = idle();
  EXPECT_FALSE(out.ret_ready);
  EXPECT_EQ(out.n_free, 1u);
  EXPECT_EQ(states(), (std::vector<S>{S::s5, S::s10, S::s0, S::s0}));
  out = idle();
  EXPECT_FALSE(out.ret_ready);
  EXPECT_EQ(out.n_free, 2u);
  EXPECT_EQ(states(), (std::vector<S>{S::s5, S::s0, S::s0, S::s0}));
  out = idle();
  EXPECT_TRUE(out.ret_ready);
  EXPECT_TRUE(out.release_busy);
  EXPECT_EQ(out.n_free, 3u);
  out = idle();
  EXPECT_FALSE(out.release_busy);
  EXPECT_EQ(out.n_free, 4u);
}

TEST_F(DauTest, NextReleaseBeginsInTheLastCycleOfTheOneBefore) {
  primary();
  primary();
  EXPECT_TRUE(ret(0).ret_ready);
  EXPECT_TRUE(ret(1).ret_ready);
  EXPECT_EQ(states()[0], S::s0);
  EXPECT_EQ(states()[1], S::s5);
}

TEST_F(DauTest, RefusedChainLinksWhenASetIsFree) {
  primary();
  primary();
  primary();
  primary();
  secondary(1);
  EXPECT_TRUE(secondary(1).rf);
  EXPECT_EQ(states()[1], S::s4);
  ret(0);
  EXPECT_TRUE(secondary(1).rf);  // the release begins
  EXPECT_EQ(states()[1], S::s4);
  const DauOut out = secondary(1);
  EXPECT_TRUE(out.req_ready && out.req_link);
  EXPECT_EQ(out.req_set, 0u);
  EXPECT_EQ(states()[1], S::s3);
  EXPECT_EQ(states()[0], S::s6);
}

TEST_F(DauTest, RefusalIsForgottenWithoutARequest) {
  for (int i = 0; i < 4; ++i) primary();
  secondary(1);
  secondary(1);
  ret(0);
  idle();
  EXPECT_EQ(states()[1], S::s4);
  idle();
  EXPECT_EQ(states()[1], S::s2);
}

TEST_F(DauTest, AttachedSetFailsAndRecovers) {
  primary();
  primary();
  primary();
  for (int i = 0; i < 3; ++i) secondary(2);  // set 3 attached and full
  EXPECT_TRUE(secondary(2).rf);
  EXPECT_EQ(states()[3], S::s9);
  ret(0);
  idle();
  EXPECT_TRUE(secondary(2).req_link);
  EXPECT_EQ(states()[3], S::s8);
}

TEST_F(DauTest, ReleaseFromAFailState) {
  for (int i = 0; i < 4; ++i) primary();
  secondary(3);
  EXPECT_TRUE(secondary(3).rf);
  ret(3);
  EXPECT_EQ(states()[3], S::s5);
  idle();
  EXPECT_EQ(dau_.eval({}).n_free, 1u);
}

TEST_F(DauTest, RetGoesBeforeASecondaryOfItsChain) {
  primary();
  const DauOut out = step({true, true, 0, true, 0});
  EXPECT_TRUE(out.rf);
  EXPECT_TRUE(out.ret_ready);
  EXPECT_EQ(states()[0], S::s5);
}

TEST_F(DauTest, SecondaryDuringAnothersRelease) {
  primary();
  primary();
  const DauOut out = step({true, true, 1, true, 0});
  EXPECT_TRUE(out.req_ready);
  EXPECT_EQ(states(), (std::vector<S>{S::s5, S::s2, S::s0, S::s0}));
}

TEST_F(DauTest, TakingAndFreeingInOneCycleKeepsTheCount) {
  primary();
  ret(0);
  EXPECT_EQ(primary().req_set, 1u);
  EXPECT_EQ(dau_.eval({}).n_free, 3u);
  EXPECT_EQ(states(), (std::vector<S>{S::s0, S::s1, S::s0, S::s0}));
}

TEST_F(DauTest, InputsWithoutMeaningChangeNothing) {
  primary();
  for (int i = 0; i < 2; ++i) secondary(0);  // 0 -> 1
  const std::vector<S> before = states();
  for (const std::uint32_t set : {1u, 2u}) {  // attached, free
    EXPECT_TRUE(secondary(set).rf);
    ret(set);
    EXPECT_EQ(states(), before);
  }
}

TEST_F(DauTest, OneSlotASetIsFullAtOnce) {
  size({3, 1, 0});
  primary();
  EXPECT_EQ(states()[0], S::s2);
  EXPECT_TRUE(secondary(0).req_link);
  EXPECT_EQ(states(), (std::vector<S>{S::s3, S::s7, S::s0}));
}

TEST_F(DauTest, FourSlotsAreCounted) {
  size({2, 4, 0});
  primary();
  for (std::uint32_t i = 1; i < 4; ++i) {
    EXPECT_EQ(states()[0], S::s1);
    EXPECT_EQ(dau_.inspect().count[0], i);
    EXPECT_EQ(secondary(0).req_slot, i);
  }
  EXPECT_EQ(states()[0], S::s2);
  EXPECT_EQ(dau_.inspect().count[0], 0u);
}

TEST_F(DauTest, ReadyDoesNotDependOnValid) {
  EXPECT_TRUE(dau_.eval({}).req_ready);
  EXPECT_FALSE(dau_.eval({false, true, 0, false, 0}).req_ready);
  EXPECT_FALSE(dau_.eval({false, true, 0, false, 0}).rf);
}

TEST_F(DauTest, ResetFreesEverything) {
  for (int i = 0; i < 6; ++i) i == 0 ? primary() : secondary(0);
  dau_.reset();
  EXPECT_EQ(dau_.eval({}).n_free, 4u);
  EXPECT_EQ(states(), std::vector<S>(4, S::s0));
}

}  // namespace
}  // namespace warpmem::mha
