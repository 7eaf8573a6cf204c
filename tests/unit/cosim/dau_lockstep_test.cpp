// SPDX-License-Identifier: Apache-2.0
// The three views of the DAU in lockstep: sizes, corners, coverage, and that an error is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/errors.hpp"
#include "base/text_file.hpp"
#include "cache/mha/dl/fast_dau.hpp"
#include "cosim/hardware_unit.hpp"
#include "support/broken_rtl.hpp"
#include "units/dau/dau_bench_stimulus.hpp"
#include "units/dau/dau_unit.hpp"

namespace warpmem::cosim {
namespace {

namespace fs = std::filesystem;
using mha::DauIn;
using mha::DauSize;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

LockstepOptions dau_options(const DauSize& size, std::uint64_t cycles) {
  LockstepOptions options;
  options.cycles = cycles;
  options.seed = 20190626 + size.sets + 1000 * size.slots + 100 * size.reserved;
  return options;
}

LockstepResult run_dau(const DauSize& size, const LockstepOptions& options) {
  return run_unit<units::DauDescription>(size, options);
}
LockstepResult run_dau(const DauSize& size, std::uint64_t cycles) {
  return run_dau(size, dau_options(size, cycles));
}

std::string name(const testing::TestParamInfo<DauSize>& info) {
  return std::to_string(info.param.sets) + "_sets_" + std::to_string(info.param.slots) + "_slots_" +
         std::to_string(info.param.reserved) + "_reserved";
}

class DauLockstepMillion : public testing::TestWithParam<DauSize> {};

TEST_P(DauLockstepMillion, ViewsAgreeInEveryStateAndTransition) {
  const LockstepResult result = run_dau(GetParam(), 1'000'000);
  EXPECT_FALSE(result.difference) << result.describe();
  EXPECT_EQ(result.cycles, result.directed_cycles + 1'000'000);
  EXPECT_THAT(result.coverage.missing, IsEmpty()) << result.describe();
  EXPECT_THAT(result.coverage.impossible, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Sizes, DauLockstepMillion,
                         testing::Values(DauSize{16, 1, 0}, DauSize{16, 2, 0}, DauSize{16, 4, 0},
                                         DauSize{16, 1, 8}, DauSize{16, 2, 8}, DauSize{16, 4, 8}),
                         name);

class DauLockstepCorner : public testing::TestWithParam<DauSize> {};

TEST_P(DauLockstepCorner, ViewsAgree) {
  const LockstepResult result = run_dau(GetParam(), 100'000);
  EXPECT_FALSE(result.difference) << result.describe();
  EXPECT_THAT(result.coverage.missing, IsEmpty()) << result.describe();
  EXPECT_THAT(result.coverage.impossible, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Sizes, DauLockstepCorner,
                         testing::Values(DauSize{2, 2, 1}, DauSize{5, 2, 2}, DauSize{8, 2, 8}),
                         name);
INSTANTIATE_TEST_SUITE_P(Corners, DauLockstepCorner,
                         testing::ValuesIn(units::DauDescription::kSizes), name);

TEST(DauLockstep, DirectedVectorsAloneCoverEverything) {
  for (const DauSize& size : {DauSize{8, 2, 0}, DauSize{8, 2, 4}, DauSize{4, 4, 0}}) {
    const LockstepResult result = run_dau(size, 0);
    EXPECT_FALSE(result.difference) << result.describe();
    EXPECT_THAT(result.coverage.missing, IsEmpty()) << result.describe();
  }
}

// In DL Fig 7b 8 sets of 2 slots hold 8 primary misses, or one and 15 secondary ones.
TEST(DauLockstep, DirectedVectorsFillThePoolOfThePaper) {
  mha::FastDau dau({8, 2, 0});
  std::uint32_t most_heads = 0;
  std::uint32_t secondaries = 0, most_secondaries = 0;
  for (const DauIn& in : dau_directed_vectors({8, 2, 0})) {
    const mha::DauOut out = dau.eval(in);
    dau.commit(in);
    if (in.req_valid && out.req_ready) secondaries = in.req_secondary ? secondaries + 1 : 0;
    std::uint32_t heads = 0;
    for (unsigned i = 0; i < 8; ++i) heads += is_active_head(dau.inspect().state[i]);
    most_heads = std::max(most_heads, heads);
    if (heads == 1) most_secondaries = std::max(most_secondaries, secondaries);
  }
  EXPECT_EQ(most_heads, 8u);
  EXPECT_EQ(most_secondaries, 15u);
}

TEST(DauLockstep, SameSeedSameRun) {
  const LockstepResult a = run_dau({5, 2, 2}, 20'000);
  const LockstepResult b = run_dau({5, 2, 2}, 20'000);
  EXPECT_EQ(a.coverage.table, b.coverage.table);
  LockstepOptions other = dau_options({5, 2, 2}, 20'000);
  ++other.seed;
  EXPECT_NE(a.coverage.table, run_dau({5, 2, 2}, other).coverage.table);
}

TEST(DauLockstep, SizesThatAreNotAllowed) {
  const auto message = [](const DauSize& size) {
    try {
      run_dau(size, 1);
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(message({0, 2, 0}), HasSubstr("sets: 0 is not 1 to"));
  EXPECT_THAT(message({8, 3, 0}), HasSubstr("slots: 3 is not 1, 2, 4 or 8"));
  EXPECT_THAT(message({8, 2, 9}), HasSubstr("reserved: 9 is more than the 8 sets"));
}

class BrokenDau : public BrokenRtl {
 protected:
  Difference difference() {
    LockstepOptions options = dau_options({8, 2, 4}, 100'000);
    options.places.rtl = rtl();
    options.waves_of_difference = folder() / "difference.fst";
    const LockstepResult result = run_dau({8, 2, 4}, options);
    EXPECT_TRUE(result.difference) << "the error was not found";
    if (!result.difference) return {};
    EXPECT_EQ(result.cycles, result.difference->cycle + 1);
    EXPECT_EQ(result.waves, options.waves_of_difference);
    EXPECT_GT(fs::file_size(result.waves), 100u);
    EXPECT_THAT(result.describe(), HasSubstr("DIFFERENCE in cycle"));
    return *result.difference;
  }
};

TEST_F(BrokenDau, TailIsNotMoved) {
  replace("dau/dau.sv", "(new_tail & {SETS{link_set[b]}})", "(new_tail & peer_q[b*SETS +: SETS])");
  const Difference d = difference();
  EXPECT_THAT(d.signal, StartsWith("peer["));
  EXPECT_EQ(d.of_class, d.of_systemc);
  EXPECT_NE(d.of_class, d.of_rtl);
  EXPECT_THAT(d.history, HasSubstr("linked"));
}

TEST_F(BrokenDau, FailStateIsNeverLeft) {
  replace("dau/dau_sets.sv", "& ~ret_i & {SETS{!linkable_i}}",
          "& ~ret_i & (~link_i | {SETS{!linkable_i}})");
  EXPECT_THAT(difference().signal, StartsWith("state["));
}

TEST_F(BrokenDau, RetDoesNotWin) {
  replace("dau/dau.sv", "&& !(ret_accept && ret_head_i == req_head_i)", "");
  EXPECT_EQ(difference().signal, "req_ready");
}

TEST_F(BrokenDau, ReleaseOfAllSetsAtOnce) {
  replace("dau/dau_sets.sv", "(~linked_q | free_ext_i)", "(~linked_q | free_ext_i | releasing_q)");
  EXPECT_EQ(difference().signal, "ret_ready");
}

TEST_F(BrokenDau, CheckInTheRtl) {
  replace("dau/dau_sets.sv", "(ret_i & (~taken_q | releasing_q)) == '0", "(ret_i & taken_q) == '0");
  const Difference d = difference();
  EXPECT_THAT(d.signal, HasSubstr("dau_sets.sv"));
  EXPECT_THAT(d.of_rtl, IsEmpty());
}

// Libraries are cached: what an included file says is part of the RTL.
TEST_F(BrokenDau, ErrorInAnIncludedFile) {
  replace("dau/dau.sv", "assign req_ready_o = primary || take || link;",
          "`include \"dau/ready.svh\"");
  write_text(rtl() / "dau/ready.svh", "assign req_ready_o = primary || take || link;\n");
  LockstepOptions options = dau_options({8, 2, 4}, 10'000);
  options.places.rtl = rtl();
  EXPECT_FALSE(run_dau({8, 2, 4}, options).difference);
  write_text(rtl() / "dau/ready.svh", "assign req_ready_o = primary || take;\n");
  EXPECT_EQ(difference().signal, "req_ready");
}

// Verilator takes a module that no source declares from the file of its name in rtl/.
TEST_F(BrokenDau, ErrorInAModuleThatIsNoSource) {
  replace("dau/dau.sv", "assign req_ready_o = primary || take || link;",
          "dau_ready u_ready (.primary, .take, .link, .ready(req_ready_o));");
  const std::string module =
      "module dau_ready (input wire primary, take, link, output wire ready);\n"
      "  assign ready = primary || take || link;\nendmodule\n";
  write_text(rtl() / "dau_ready.sv", module);
  LockstepOptions options = dau_options({8, 2, 4}, 10'000);
  options.places.rtl = rtl();
  EXPECT_FALSE(run_dau({8, 2, 4}, options).difference);
  replace("dau_ready.sv", "take || link", "take || (link && 1'b0)");
  EXPECT_EQ(difference().signal, "req_ready");
}

TEST_F(BrokenDau, TextThatDoesNotCompile) {
  replace("dau/dau.sv", "endmodule", "endmodul");
  LockstepOptions options = dau_options({8, 2, 4}, 1);
  options.places.rtl = rtl();
  EXPECT_THROW(run_dau({8, 2, 4}, options), UserError);
}

}  // namespace
}  // namespace warpmem::cosim
