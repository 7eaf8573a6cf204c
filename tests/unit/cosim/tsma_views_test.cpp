// SPDX-License-Identifier: Apache-2.0
// TSMA's index generator and HTSMA's steering: class, synthesizable SystemC and RTL in lockstep.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "base/random.hpp"
#include "cache/mha/tsma/index_generator.hpp"
#include "cache/mha/tsma/steering.hpp"
#include "cosim/unit_library.hpp"
#include "units/tsma_index_gen/tsma_index_gen_unit.hpp"

namespace warpmem::cosim {
namespace {

// The class takes legal inputs only; the others are also shown a miss while full and the release
// of what is available.
void compare_generators(std::uint32_t entries, unsigned cycles) {
  mha::FastIndexGenerator fast(entries);
  LibraryUnit<units::TsmaIndexGenDescription> systemc(View::systemc, {entries}, default_places());
  LibraryUnit<units::TsmaIndexGenDescription> rtl(View::rtl, {entries}, default_places());
  Random random(entries);
  std::vector<std::uint32_t> taken;
  unsigned times_full = 0, times_empty = 0;
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    units::TsmaIndexGenIn in;
    in.take = random.chance(45);
    const bool releases = random.chance(cycle / 1000 % 2 == 0 ? 30 : 60);
    mha::IndexGenerator::In legal;
    if (releases && random.chance(5)) {
      in.release = true;
      in.release_idx = static_cast<std::uint16_t>(random.below(entries));
      for (std::size_t i = 0; i < taken.size(); ++i)
        if (taken[i] == in.release_idx) std::swap(taken[i], taken.back());
    } else if (releases && !taken.empty()) {
      std::swap(taken[random.below(taken.size())], taken.back());
      in.release = true;
      in.release_idx = static_cast<std::uint16_t>(taken.back());
    }
    // An index that is released in the cycle in which it is taken comes back at once, but not in
    // the class.
    if (in.release && in.take && in.release_idx == fast.idx() && fast.available(fast.idx()))
      in.take = false;
    const units::TsmaIndexGenOut a = systemc.eval(in), b = rtl.eval(in);
    ASSERT_EQ(a.idx, fast.idx()) << "cycle " << cycle;
    ASSERT_EQ(a.full, fast.full()) << "cycle " << cycle;
    ASSERT_EQ(b, a) << "cycle " << cycle;
    times_full += a.full;
    times_empty += taken.empty();

    legal.take = in.take && !fast.full();
    legal.release = in.release && !fast.available(in.release_idx);
    legal.release_idx = in.release_idx;
    if (legal.release) taken.pop_back();
    if (legal.take) taken.push_back(fast.idx());
    fast.commit(legal);
    systemc.commit(in);
    rtl.commit(in);
    ASSERT_EQ(rtl.failure(), "") << "cycle " << cycle;
  }
  EXPECT_GT(times_full, 0u);
  EXPECT_GT(times_empty, 0u);
}

TEST(IndexGenViews, AgreeWithOneEntry) { compare_generators(1, 20000); }
TEST(IndexGenViews, AgreeWithFiveEntries) { compare_generators(5, 200000); }
TEST(IndexGenViews, AgreeWithTheEntriesOfL1d) { compare_generators(48, 400000); }
TEST(IndexGenViews, AgreeWithTheEntriesOfL2) { compare_generators(96, 400000); }

// All inputs there are.
void compare_steering(std::uint32_t ways) {
  const mha::FastSteering fast(ways);
  LibraryUnit<units::HtsmaSteerDescription> systemc(View::systemc, {ways}, default_places());
  LibraryUnit<units::HtsmaSteerDescription> rtl(View::rtl, {ways}, default_places());
  std::vector<unsigned> times(static_cast<std::size_t>(units::HtsmaSteer::count));
  for (std::uint32_t shared = 0; shared <= ways; ++shared) {
    for (unsigned flags = 0; flags < 32; ++flags) {
      units::HtsmaSteerIn in;
      in.shared_count = static_cast<std::uint16_t>(shared);
      in.victim_valid = (flags & 1) != 0;
      in.victim_hit = (flags & 2) != 0;
      in.small_empty = (flags & 4) != 0;
      in.small_full = (flags & 8) != 0;
      in.small_match = (flags & 16) != 0;
      // A match in an empty s-MSHR, and one that is full and empty, do not exist.
      if (in.small_empty && (in.small_full || in.small_match)) continue;
      const units::HtsmaSteerOut expected = fast.eval(in);
      ASSERT_EQ(systemc.eval(in), expected) << shared << ' ' << flags;
      ASSERT_EQ(rtl.eval(in), expected) << shared << ' ' << flags;
      ++times[static_cast<std::size_t>(expected.steer)];
      rtl.commit(in);
      ASSERT_EQ(rtl.failure(), "") << shared << ' ' << flags;
    }
  }
  EXPECT_GT(times[0], 0u);
  if (ways == 1) return;
  for (const unsigned n : times) EXPECT_GT(n, 0u);
}

TEST(SteerViews, AgreeWithOneWay) { compare_steering(1); }
TEST(SteerViews, AgreeWithSixWays) { compare_steering(6); }
TEST(SteerViews, AgreeWithEightWays) { compare_steering(8); }

}  // namespace
}  // namespace warpmem::cosim
