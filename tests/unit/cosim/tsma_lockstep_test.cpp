// SPDX-License-Identifier: Apache-2.0
// The views of TSMA's units in lockstep: sizes, corners, coverage, and that an error is found.
#include "cosim/tsma_lockstep.hpp"

#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "support/broken_rtl.hpp"
#include "support/lockstep_result.hpp"

namespace warpmem::cosim {
namespace {

using testing::HasSubstr;

IndexGenLockstepOptions index_gen_options(std::uint32_t entries, std::uint64_t cycles) {
  IndexGenLockstepOptions options;
  options.entries = entries;
  options.cycles = cycles;
  options.seed = 20200117 + entries;
  return options;
}

SteerLockstepOptions steer_options(std::uint32_t ways, std::uint64_t cycles) {
  SteerLockstepOptions options;
  options.ways = ways;
  options.cycles = cycles;
  options.seed = 20200117 + ways;
  return options;
}

TEST(IndexGenLockstep, EntriesOfL1d) {
  const UnitLockstepResult result = run_index_gen_lockstep(index_gen_options(48, 300'000));
  expect_all(result);
  EXPECT_EQ(result.cycles, result.directed_cycles + 300'000);
  EXPECT_GT(result.resets, 5u);
}
TEST(IndexGenLockstep, Corners) {
  for (const std::uint32_t entries : {1, 2, 5, 65}) {
    SCOPED_TRACE(entries);
    expect_all(run_index_gen_lockstep(index_gen_options(entries, 30'000)));
  }
}
TEST(IndexGenLockstep, DirectedVectorsAloneCoverEverything) {
  for (const std::uint32_t entries : {1, 2, 5, 48}) {
    SCOPED_TRACE(entries);
    expect_all(run_index_gen_lockstep(index_gen_options(entries, 0)));
  }
}
TEST(IndexGenLockstep, SameSeedSameRun) {
  IndexGenLockstepOptions options = index_gen_options(48, 20'000);
  const std::string table = run_index_gen_lockstep(options).coverage.table();
  EXPECT_EQ(run_index_gen_lockstep(options).coverage.table(), table);
  ++options.seed;
  EXPECT_NE(run_index_gen_lockstep(options).coverage.table(), table);
}
TEST(IndexGenLockstep, SizesThatAreNotAllowed) {
  for (const std::uint32_t entries : {0, 4097}) {
    try {
      run_index_gen_lockstep(index_gen_options(entries, 1));
      FAIL() << "accepted";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("is not 1 to 4096"));
    }
  }
}

TEST(SteerLockstep, WaysOfL1d) { expect_all(run_steer_lockstep(steer_options(8, 300'000))); }
TEST(SteerLockstep, DirectedVectorsAloneCoverEverything) {
  for (const std::uint32_t ways : {1, 3, 8, 100}) {
    SCOPED_TRACE(ways);
    expect_all(run_steer_lockstep(steer_options(ways, 0)));
  }
}
TEST(SteerLockstep, SizesThatAreNotAllowed) {
  for (const std::uint32_t ways : {0, 4097})
    EXPECT_THROW(run_steer_lockstep(steer_options(ways, 1)), UserError);
}

class BrokenTsma : public BrokenRtl {
 protected:
  Difference index_gen_difference() {
    IndexGenLockstepOptions options = index_gen_options(5, 20'000);
    options.places.rtl = rtl();
    return found(run_index_gen_lockstep(options));
  }
  Difference steer_difference() {
    SteerLockstepOptions options = steer_options(8, 20'000);
    options.places.rtl = rtl();
    return found(run_steer_lockstep(options));
  }

 private:
  static Difference found(const UnitLockstepResult& result) {
    EXPECT_TRUE(result.difference) << "the error was not found";
    if (!result.difference) return {};
    EXPECT_EQ(result.cycles, result.difference->cycle + 1);
    EXPECT_EQ(result.difference->of_class, result.difference->of_systemc);
    return *result.difference;
  }
};

TEST_F(BrokenTsma, EntryIsHandedOutTwice) {
  replace("tsma_index_gen/tsma_index_gen.sv", "{ENTRIES{take_i && !full_q}}",
          "{ENTRIES{take_i && !full_q && !release_i}}");
  EXPECT_EQ(index_gen_difference().signal, "available[4] after the cycle");
}
TEST_F(BrokenTsma, TakeWinsOverTheReleaseOfItsEntry) {
  replace("tsma_index_gen/tsma_index_gen.sv", "& {ENTRIES{release_i}});",
          "& {ENTRIES{release_i && !(take_i && release_idx_i == idx_q)}});");
  EXPECT_EQ(index_gen_difference().signal, "available[0] after the cycle");
}
TEST_F(BrokenTsma, ResetLeavesTheIndex) {
  replace("tsma_index_gen/tsma_index_gen.sv", "idx_q       <= '0;", "idx_q       <= idx_q;");
  index_gen_difference();
}

TEST_F(BrokenTsma, SharedCountIsOffByOne) {
  replace("htsma_steer/htsma_steer.sv", "COUNT_W'(WAYS - 1)", "COUNT_W'(WAYS)");
  EXPECT_EQ(steer_difference().signal, "to_small");
}
TEST_F(BrokenTsma, FullSmallIsNotLookedAt) {
  replace("htsma_steer/htsma_steer.sv", "small_full_i ? ARRAY_OVERFLOW : SMALL_HIT_LINE",
          "small_full_i && small_match_i ? ARRAY_OVERFLOW : SMALL_HIT_LINE");
  EXPECT_EQ(steer_difference().signal, "to_small");
}

}  // namespace
}  // namespace warpmem::cosim
