// SPDX-License-Identifier: Apache-2.0
// The views of TSMA's units in lockstep: sizes, corners, coverage, and that an error is found.
#include <gmock/gmock.h>

#include "base/errors.hpp"
#include "cosim/hardware_unit.hpp"
#include "support/broken_rtl.hpp"
#include "support/lockstep_result.hpp"
#include "units/htsma_steer/htsma_steer_unit.hpp"
#include "units/tsma_index_gen/tsma_index_gen_unit.hpp"

namespace warpmem::cosim {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t kTsmaSeed = 20200117;

LockstepResult index_gen(std::uint32_t entries, std::uint64_t cycles, std::uint32_t seed = 0) {
  return run_unit<units::TsmaIndexGenDescription>({entries},
                                                  options_of(cycles, kTsmaSeed + entries + seed));
}
LockstepResult steer(std::uint32_t ways, std::uint64_t cycles) {
  return run_unit<units::HtsmaSteerDescription>({ways}, options_of(cycles, kTsmaSeed + ways));
}

TEST(IndexGenLockstep, EntriesOfL1d) {
  const LockstepResult result = index_gen(48, 300'000);
  expect_all(result);
  EXPECT_EQ(result.cycles, result.directed_cycles + 300'000);
  EXPECT_GT(result.resets, 5u);
}
TEST(IndexGenLockstep, Corners) {
  for (const std::uint32_t entries : {1, 2, 5, 65}) {
    SCOPED_TRACE(entries);
    expect_all(index_gen(entries, 30'000));
  }
}
TEST(IndexGenLockstep, DirectedVectorsAloneCoverEverything) {
  for (const std::uint32_t entries : {1, 2, 5, 48}) {
    SCOPED_TRACE(entries);
    expect_all(index_gen(entries, 0));
  }
}
TEST(IndexGenLockstep, SameSeedSameRun) {
  const std::string table = index_gen(48, 20'000).coverage.table;
  EXPECT_EQ(index_gen(48, 20'000).coverage.table, table);
  EXPECT_NE(index_gen(48, 20'000, 1).coverage.table, table);
}
TEST(IndexGenLockstep, SizesThatAreNotAllowed) {
  for (const std::uint32_t entries : {0, 4097}) {
    try {
      index_gen(entries, 1);
      FAIL() << "accepted";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("is not 1 to 4096"));
    }
  }
}

TEST(SteerLockstep, WaysOfL1d) { expect_all(steer(8, 300'000)); }
TEST(SteerLockstep, DirectedVectorsAloneCoverEverything) {
  for (const std::uint32_t ways : {1, 3, 8, 100}) {
    SCOPED_TRACE(ways);
    expect_all(steer(ways, 0));
  }
}
TEST(SteerLockstep, SizesThatAreNotAllowed) {
  for (const std::uint32_t ways : {0, 4097}) EXPECT_THROW(steer(ways, 1), UserError);
}

class BrokenTsma : public BrokenRtl {
 protected:
  Difference index_gen_difference() {
    LockstepOptions options = options_of(20'000, kTsmaSeed + 5);
    options.places.rtl = rtl();
    return found(run_unit<units::TsmaIndexGenDescription>({5}, options));
  }
  Difference steer_difference() {
    LockstepOptions options = options_of(20'000, kTsmaSeed + 8);
    options.places.rtl = rtl();
    return found(run_unit<units::HtsmaSteerDescription>({8}, options));
  }

 private:
  static Difference found(const LockstepResult& result) {
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
