// SPDX-License-Identifier: Apache-2.0
// The index generator of TSMA: the run-time class and the synthesizable core in lockstep, and the
// rules of KI 5.1 one by one.
#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"
#include "cache/mha/tsma/index_generator.hpp"
#include "units/tsma_index_gen/tsma_index_gen_core.hpp"

namespace warpmem::mha {
namespace {

TEST(TsmaIndexGen, HandsOutTheLowestAvailableIndex) {
  FastIndexGenerator generator(3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_FALSE(generator.full());
    EXPECT_EQ(generator.idx(), i);
    generator.commit({true, false, 0});
  }
  EXPECT_TRUE(generator.full());
  EXPECT_EQ(generator.idx(), 0u);
}

TEST(TsmaIndexGen, AReleasedEntryIsAvailableAfterTheClockEdge) {
  FastIndexGenerator generator(2);
  generator.commit({true, false, 0});
  generator.commit({true, false, 0});
  EXPECT_TRUE(generator.full());
  generator.commit({false, true, 1});
  EXPECT_FALSE(generator.full());
  EXPECT_EQ(generator.idx(), 1u);
  // One is taken and one released in the same cycle: index 1 goes, index 0 comes.
  generator.commit({true, true, 0});
  EXPECT_EQ(generator.idx(), 0u);
  EXPECT_FALSE(generator.available(1));
}

TEST(TsmaIndexGen, ResetMakesAllAvailable) {
  FastIndexGenerator generator(70);
  for (int i = 0; i < 69; ++i) generator.commit({true, false, 0});
  EXPECT_EQ(generator.idx(), 69u);
  generator.reset();
  EXPECT_EQ(generator.idx(), 0u);
  EXPECT_TRUE(generator.available(69));
}

template <unsigned kEntries>
void lockstep() {
  FastIndexGenerator fast(kEntries);
  units::TsmaIndexGenCore<kEntries> core;
  Random random(kEntries);
  std::vector<std::uint32_t> taken;
  unsigned times_full = 0;
  for (int cycle = 0; cycle < 20000; ++cycle) {
    ASSERT_EQ(fast.idx(), core.eval().idx);
    ASSERT_EQ(fast.full(), core.eval().full);
    times_full += fast.full();
    const unsigned releases = cycle / 1000 % 2 == 0 ? 30 : 60;
    IndexGenerator::In in;
    in.take = !fast.full() && random.chance(45);
    if (!taken.empty() && random.chance(releases)) {
      const std::size_t i = random.below(taken.size());
      in.release = true;
      in.release_idx = taken[i];
      taken[i] = taken.back();
      taken.pop_back();
    }
    if (in.take) taken.push_back(fast.idx());
    fast.commit(in);
    core.commit({in.take, in.release, static_cast<std::uint16_t>(in.release_idx)});
    for (unsigned i = 0; i < kEntries; ++i) ASSERT_EQ(fast.available(i), core.available(i));
  }
  EXPECT_GT(times_full, 0u);
}

TEST(TsmaIndexGen, ClassAndCoreAgreeInEveryCycle) {
  lockstep<1>();
  lockstep<5>();
  lockstep<48>();
  lockstep<64>();
  lockstep<96>();
}

}  // namespace
}  // namespace warpmem::mha
