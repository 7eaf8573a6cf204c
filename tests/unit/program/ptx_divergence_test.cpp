// SPDX-License-Identifier: Apache-2.0
// Divergence: the same functions run on the interpreter and on the host; how well lanes reconverge.
#include "program/ptx/warp.hpp"
#include "unit/program/clang_ptx.hpp"
#include "unit/program/ptx_fixture.hpp"

#define FN inline
#include "unit/program/torture_functions.hpp"
#undef FN

namespace warpmem::program::ptx {
namespace {

const struct {
  const char* name;
  unsigned (*function)(unsigned);
} kFunctions[] = {{"nested_loops", nested_loops},
                  {"early_returns", early_returns},
                  {"switch_in_loop", switch_in_loop},
                  {"collatz", collatz},
                  {"loop_with_three_exits", loop_with_three_exits},
                  {"calls", calls},
                  {"short_circuit", short_circuit},
                  {"local_sort", local_sort},
                  {"through_pointers", through_pointers}};

void run_torture(const std::string& options) {
  ASSERT_TRUE(have_clang()) << "run 'apt-get install clang-14'";
  std::string source = "#define FN __device__\n#include \"" WARPMEM_SOURCE_DIR
                       "/tests/unit/program/torture_functions.hpp\"\n";
  for (const auto& f : kFunctions)
    source += std::string("extern \"C\" __global__ void k_") + f.name +
              "(unsigned* out, unsigned n) { unsigned t = blockIdx_x * blockDim_x + threadIdx_x; "
              "if (t < n) out[t] = " +
              f.name + "(t); }\n";
  const std::string text = compile_to_ptx(source, options);
  ASSERT_FALSE(text.empty());
  DeviceMemory memory(1 << 20);
  const unsigned n = 1000;
  const Addr out = memory.allocate(n * 4);
  Module module(text, "torture.ptx");
  module.bind(memory);
  for (const auto& f : kFunctions) {
    SCOPED_TRACE(f.name);
    std::memset(DeviceMemory::host(out), 0, n * 4);
    const auto grid = make_grid(module, std::string("k_") + f.name, {9}, {120}, 0,
                                Arguments().add(out).add(n).bytes(), memory);
    run_functional(*grid);
    for (unsigned t = 0; t < n; ++t)
      ASSERT_EQ(reinterpret_cast<const unsigned*>(DeviceMemory::host(out))[t], f.function(t))
          << "thread " << t;
  }
}

TEST(PtxDivergence, OptimisedCodeAgreesWithTheHost) { run_torture("-O2"); }
TEST(PtxDivergence, UnoptimisedCodeAgreesWithTheHost) { run_torture("-O0"); }
TEST(PtxDivergence, LightlyOptimisedCodeAgreesWithTheHost) { run_torture("-O1"); }

/// Runs a one-warp kernel on %r0 = lane; returns how many instructions ran with all lanes of `mask`
/// at lines that begin with `mark:`.
struct Trace {
  std::vector<std::pair<unsigned, LaneMask>> steps;  // line, lanes
  std::vector<LaneMask> at(unsigned line) const {
    std::vector<LaneMask> r;
    for (const auto& s : steps)
      if (s.first == line) r.push_back(s.second);
    return r;
  }
};
Trace trace(const std::string& body) {
  DeviceMemory memory(1 << 16);
  Module module(
      header() +
          ".visible .entry k() {\n.reg .pred %p<9>; .reg .b32 %r<20>;\nmov.u32 %r0, %laneid;\n" +
          body + "\n}\n",
      "t.ptx");
  module.bind(memory);
  const auto grid = make_grid(module, "k", {1}, {32}, 0, {}, memory);
  const auto cta = grid->start_cta(0, {});
  Trace t;
  while (cta->next(0) != nullptr && t.steps.size() < 10000) {
    const Issue& issue = cta->execute(0);
    t.steps.push_back({issue.inst->line - 6, issue.lanes});
  }
  return t;
}
constexpr LaneMask kAll = 0xffffffff;

TEST(PtxReconvergence, IfThenElse) {
  // line 1 begins the body
  const auto t = trace(
      "setp.lt.u32 %p1, %r0, 8;\n@%p1 bra A;\nadd.u32 %r1, %r0, 1;\nbra B;\nA: add.u32 %r1, %r0, "
      "2;\nB: add.u32 %r2, %r1, 1;\nret;");
  EXPECT_EQ(t.at(3), std::vector<LaneMask>{0xffffff00});
  EXPECT_EQ(t.at(5), std::vector<LaneMask>{0x000000ff});
  EXPECT_EQ(t.at(6), std::vector<LaneMask>{kAll});
}

TEST(PtxReconvergence, LoopWithBreakMeetsAfterTheLoop) {
  const auto t = trace(
      "mov.u32 %r1, 0;\nL: add.u32 %r1, %r1, 1;\nsetp.gt.u32 %p1, %r1, %r0;\n@%p1 bra "
      "OUT;\nsetp.lt.u32 %p2, %r1, 20;\n@%p2 bra L;\nOUT: mov.u32 %r2, 1;\nret;");
  EXPECT_EQ(t.at(7), std::vector<LaneMask>{kAll});
  EXPECT_EQ(t.at(2).size(), 20u);
}

TEST(PtxReconvergence, EarlyReturnInsideAnIfDoesNotSplitTheRest) {
  const auto t = trace(
      "setp.lt.u32 %p1, %r0, 16;\n@!%p1 bra B;\nsetp.lt.u32 %p2, %r0, 4;\n@!%p2 bra A;\nret;\nA: "
      "add.u32 %r1, %r0, 2;\nB: bar.sync 0;\nret;");
  EXPECT_EQ(t.at(6), std::vector<LaneMask>{0x0000fff0});
  EXPECT_EQ(t.at(7), std::vector<LaneMask>{0xfffffff0});
}

TEST(PtxReconvergence, PredicatedReturnAndExit) {
  const auto t = trace(
      "setp.lt.u32 %p1, %r0, 5;\n@%p1 ret;\nsetp.gt.u32 %p2, %r0, 20;\n@%p2 exit;\nmov.u32 %r1, "
      "0;\nsetp.eq.u32 %p3, %r0, 99;\n@%p3 bra X;\nmov.u32 %r2, 0;\nX: exit;");
  EXPECT_EQ(t.at(3), std::vector<LaneMask>{0xffffffe0});
  EXPECT_EQ(t.at(5), std::vector<LaneMask>{0x001fffe0});
  EXPECT_EQ(t.at(9), std::vector<LaneMask>{0x001fffe0});
}

TEST(PtxReconvergence, LanesThatReturnedFromACallStayOutOfTheRestOfIt) {
  // Two returns in the text: lanes below 4 return while those up to 15 wait at the post-dominator.
  DeviceMemory memory(1 << 16);
  Module module(
      header() +
          ".func (.param .b32 r) f(.param .b32 n) {\n.reg .pred %p<4>; .reg .b32 "
          "%r<9>;\nld.param.u32 %r1, [n]; st.param.b32 [r], %r1;\n"
          "setp.ge.u32 %p1, %r1, 16; @%p1 bra B; setp.ge.u32 %p2, %r1, 4; @%p2 bra A; ret;\n"
          "A: add.u32 %r1, %r1, 100;\nB: add.u32 %r1, %r1, 1000; st.param.b32 [r], %r1; ret; }\n"
          ".visible .entry k(.param .u64 out) {\n.reg .b32 %r<9>; .reg .b64 %rd<5>;\nmov.u32 %r1, "
          "%tid.x;\n"
          "{ .param .b32 a; .param .b32 o; st.param.b32 [a], %r1; call.uni (o), f, (a); "
          "ld.param.b32 %r2, [o]; }\n"
          "ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2; "
          "st.global.u32 [%rd1], %r2; ret; }\n",
      "call.ptx");
  module.bind(memory);
  const Addr out = memory.allocate(128);
  run_functional(*make_grid(module, "k", {1}, {32}, 0, Arguments().add(out).bytes(), memory));
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(reinterpret_cast<const unsigned*>(DeviceMemory::host(out))[i], i < 4    ? i
                                                                             : i < 16 ? i + 1100
                                                                                      : i + 1000);
}

TEST(PtxReconvergence, StackDoesNotGrowWithIterations) {
  Launch launch;
  CtaState cta(launch);
  cta.live_warps = 1;
  cta.warps.resize(1);
  Warp& w = cta.warps[0];
  w.cta = &cta;
  w.frames.push_back(std::make_unique<Frame>());
  w.top = {10, kNoPc, kAll, 0};
  // The loop runs from 5 to 10, and lanes leave it one by one towards 20, the branch's
  // post-dominator.
  for (unsigned lane = 0; lane < 31; ++lane) {
    w.top.pc = 10;
    branch(w, 20, LaneMask(1) << lane, 20);
    EXPECT_EQ(w.top.pc, 11u);
    EXPECT_LE(w.stack.size(), 1u);
  }
  branch(w, 20, w.top.lanes, 20);
  EXPECT_EQ(w.top.pc, 20u);
  EXPECT_EQ(w.top.lanes, kAll);
  EXPECT_TRUE(w.stack.empty());
}

TEST(PtxReconvergence, BranchTable) {
  const auto t = trace(
      "and.b32 %r1, %r0, 3;\nT: .branchtargets A, B, A, C;\nbrx.idx %r1, T;\nA: mov.u32 %r2, "
      "1;\nbra E;\nB: mov.u32 %r2, 2;\nbra E;\nC: mov.u32 %r2, 3;\nE: mov.u32 %r3, %r2;\nret;");
  EXPECT_EQ(t.at(6), std::vector<LaneMask>{0x22222222});
  EXPECT_EQ(t.at(8), std::vector<LaneMask>{0x88888888});
  EXPECT_EQ(t.at(9), std::vector<LaneMask>{kAll});
  LaneMask a = 0;
  for (const auto m : t.at(4)) a |= m;
  EXPECT_EQ(a, 0x55555555u);
}

TEST(PtxReconvergence, EndlessLoopIsStoppedByTheLimit) {
  DeviceMemory memory(1 << 16);
  Module module(header() + ".visible .entry spin() { L: bra L; }", "t.ptx");
  module.bind(memory);
  const auto grid = make_grid(module, "spin", {1}, {64}, 0, {}, memory);
  EXPECT_NE(
      error_of([&] { run_functional(*grid, 0, 1, {1000}); }).find("kernel spin: no end after 1000"),
      std::string::npos);
}

TEST(PtxReconvergence, LimitOfRecursionIsAnError) {
  DeviceMemory memory(1 << 16);
  Module module(
      header() +
          ".func down(.param .b32 n) { .reg .b32 %r<3>; ld.param.u32 %r1, [n]; { .param .b32 p; "
          "st.param.b32 [p], %r1; call.uni down, (p); } ret; }\n"
          ".visible .entry k() { { .param .b32 p; st.param.b32 [p], 1; call down, (p); } ret; }",
      "deep.ptx");
  module.bind(memory);
  const auto grid = make_grid(module, "k", {1}, {32}, 0, {}, memory);
  EXPECT_NE(error_of([&] { run_functional(*grid); }).find("calls nested more than 128 deep"),
            std::string::npos);
}

}  // namespace
}  // namespace warpmem::program::ptx
