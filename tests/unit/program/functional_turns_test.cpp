// SPDX-License-Identifier: Apache-2.0
// Runs without a machine: warps and CTAs that wait for each other come to their end, and one that
// waits for ever is told of.
#include <gtest/gtest.h>

#include <cstring>

#include "program/functional.hpp"
#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

struct Outcome {
  std::vector<std::uint32_t> words;
  FunctionalResult result;
};

/// Runs a kernel `k(p)` on 4096 words that are zero.
Outcome run(const std::string& body, Dim3 grid, Dim3 block, const FunctionalLimits& limits = {}) {
  DeviceMemory memory(1 << 20);
  Module module(header() +
                    ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<9>; .reg .b64 %d<4>; "
                    ".reg .pred %p<3>;\nld.param.u64 %d0, [p];\nmov.u32 %r0, %tid.x;\n"
                    "mov.u32 %r1, %ctaid.x;\n" +
                    body + "\nret;\n}\n",
                "turns.ptx");
  module.bind(memory);
  const Addr place = memory.allocate(4 * 4096);
  const auto launch =
      make_grid(module, "k", grid, block, 0, Arguments().add(place).bytes(), memory);
  Outcome outcome;
  outcome.result = run_functional(*launch, 0, ~std::uint64_t(0), limits);
  outcome.words.resize(4096);
  std::memcpy(outcome.words.data(), DeviceMemory::host(place), 4 * outcome.words.size());
  return outcome;
}

TEST(FunctionalTurns, WarpWaitsForALaterOne) {
  const Outcome r =
      run("setp.lt.u32 %p0, %r0, 32;\n@!%p0 bra SET;\nWAIT: ld.volatile.global.u32 %r2, [%d0];\n"
          "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra WAIT;\nst.global.u32 [%d0+4], %r2;\nret;\n"
          "SET: st.global.u32 [%d0], 7;",
          {1}, {64});
  EXPECT_EQ(r.words[1], 7u);
}

TEST(FunctionalTurns, EachBlockWaitsForTheNextOne) {
  const Outcome r =
      run("mul.wide.u32 %d1, %r1, 4;\nadd.u64 %d1, %d0, %d1;\nmov.u32 %r3, %nctaid.x;\n"
          "sub.u32 %r3, %r3, 1;\nsetp.eq.u32 %p0, %r1, %r3;\nmov.u32 %r2, 0;\n@%p0 bra SET;\n"
          "WAIT: ld.volatile.global.u32 %r2, [%d1+4];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra WAIT;\n"
          "SET: add.u32 %r2, %r2, 1;\nst.volatile.global.u32 [%d1], %r2;",
          {100}, {32});
  for (std::uint32_t i = 0; i < 100; ++i) EXPECT_EQ(r.words[i], 100 - i);
  EXPECT_LT(r.result.warp_instructions, 20'000'000u);
}

// Two warps add to a word without an atomic, as both have read it before either writes.
TEST(FunctionalTurns, RaceBetweenWarpsShows) {
  const Outcome r =
      run("ld.volatile.global.u32 %r2, [%d0];\nmov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1;\n"
          "setp.lt.u32 %p0, %r4, 20;\n@%p0 bra L;\nadd.u32 %r2, %r2, 1;\n"
          "st.volatile.global.u32 [%d0], %r2;",
          {1}, {64});
  EXPECT_EQ(r.words[0], 1u);
}

TEST(FunctionalTurns, ClockCountsOn) {
  const Outcome r =
      run("mov.u32 %r2, %clock;\nL: mov.u32 %r3, %clock;\nsub.u32 %r3, %r3, %r2;\n"
          "setp.lt.u32 %p0, %r3, 500;\n@%p0 bra L;\nst.global.u32 [%d0], %r3;",
          {1}, {32});
  EXPECT_GE(r.words[0], 500u);
  EXPECT_LT(r.words[0], 600u);
}

TEST(FunctionalTurns, EndlessWaitIsToldOf) {
  FunctionalLimits limits;
  limits.without_progress = 200'000;
  const std::string error = error_of([&] {
    run("WAIT: ld.volatile.global.u32 %r2, [%d0];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra WAIT;", {3},
        {64}, limits);
  });
  EXPECT_NE(error.find("kernel k: 200000 warp instructions without a store"), std::string::npos)
      << error;
  EXPECT_NE(error.find("warp 0 of CTA 0 is in line"), std::string::npos) << error;
  EXPECT_EQ(error.find("lanes"), std::string::npos) << error;
}

TEST(FunctionalTurns, EndlessWaitOfLanesForOthersOfTheirWarpIsToldOf) {
  FunctionalLimits limits;
  limits.without_progress = 200'000;
  const std::string error = error_of([&] {
    run("mov.u32 %r4, %laneid;\nsetp.eq.u32 %p0, %r4, 0;\n@%p0 bra SET;\n"
        "WAIT: ld.volatile.global.u32 %r2, [%d0];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra WAIT;\n"
        "bra END;\nSET: st.volatile.global.u32 [%d0], 1;\nEND:",
        {1}, {32}, limits);
  });
  EXPECT_NE(error.find("lanes of one warp do not overtake each other"), std::string::npos) << error;
}

}  // namespace
}  // namespace warpmem::program::ptx
