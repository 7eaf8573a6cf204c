// SPDX-License-Identifier: Apache-2.0
// Instructions that look across lanes and warps: vote, match, shfl, activemask, barriers.
#include <array>

#include "unit/program/ptx_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

/// Runs one CTA of `threads`: %r0 = tid, %r1 = in[tid], %p1 = (%r1 != 0); out[tid] = %r9.
std::vector<std::uint32_t> run(const std::string& body, const std::vector<std::uint32_t>& in) {
  DeviceMemory memory(1 << 20);
  Module module(header() +
                    ".visible .entry k(.param .u64 a, .param .u64 b) {\n.reg .pred %p<9>; .reg "
                    ".b32 %r<30>; .reg .b64 %rd<9>;\n"
                    "mov.u32 %r0, %tid.x; mul.wide.u32 %rd0, %r0, 4; ld.param.u64 %rd1, [a]; "
                    "ld.param.u64 %rd2, [b];\n"
                    "add.u64 %rd1, %rd1, %rd0; add.u64 %rd2, %rd2, %rd0; ld.global.u32 %r1, "
                    "[%rd1]; setp.ne.u32 %p1, %r1, 0;\n" +
                    body + "\nst.global.u32 [%rd2], %r9; ret; }\n",
                "warp.ptx");
  module.bind(memory);
  const auto n = static_cast<std::uint32_t>(in.size());
  const Addr a = memory.allocate(n * 4), b = memory.allocate(n * 4);
  std::memcpy(DeviceMemory::host(a), in.data(), n * 4);
  const auto grid = make_grid(module, "k", {1}, {n}, 0, Arguments().add(a).add(b).bytes(), memory);
  run_functional(*grid);
  std::vector<std::uint32_t> out(n);
  std::memcpy(out.data(), DeviceMemory::host(b), n * 4);
  return out;
}
std::vector<std::uint32_t> iota(std::uint32_t n) {
  std::vector<std::uint32_t> v(n);
  for (std::uint32_t i = 0; i < n; ++i) v[i] = i;
  return v;
}
std::vector<std::uint32_t> lanes_of_mask(std::uint32_t mask) {
  std::vector<std::uint32_t> v(32);
  for (unsigned i = 0; i < 32; ++i) v[i] = mask >> i & 1;
  return v;
}
std::vector<std::uint32_t> all(std::uint32_t value) {
  return std::vector<std::uint32_t>(32, value);
}

TEST(PtxWarp, VoteOldAndSync) {
  for (const std::uint32_t m : {0u, 0xffffffffu, 0x80000001u, 0x0000ffffu}) {
    const auto in = lanes_of_mask(m);
    const std::string tail = "selp.u32 %r9, 1, 0, %p2;";
    EXPECT_EQ(run("vote.all.pred %p2, %p1;" + tail, in), all(m == 0xffffffff ? 1 : 0));
    EXPECT_EQ(run("vote.any.pred %p2, %p1;" + tail, in), all(m != 0 ? 1 : 0));
    EXPECT_EQ(run("vote.uni.pred %p2, %p1;" + tail, in), all(m == 0 || m == 0xffffffff ? 1 : 0));
    EXPECT_EQ(run("vote.ballot.b32 %r9, %p1;", in), all(m));
    EXPECT_EQ(run("vote.ballot.b32 %r9, !%p1;", in), all(~m));
    EXPECT_EQ(run("vote.sync.ballot.b32 %r9, %p1, -1;", in), all(m));
  }
  // Only the members that execute count.
  const auto r =
      run("mov.u32 %r9, 0; setp.lt.u32 %p3, %r0, 16; @!%p3 bra X; vote.sync.ballot.b32 %r9, %p1, "
          "0xffff; X:",
          all(1));
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(r[i], i < 16 ? 0xffffu : 0u);
}

TEST(PtxWarp, ActivemaskAndLanemasks) {
  const auto r =
      run("mov.u32 %r9, 0; setp.lt.u32 %p3, %r0, 5; @!%p3 bra X; activemask.b32 %r9; X:", iota(32));
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(r[i], i < 5 ? 0x1fu : 0u);
  const auto masks =
      run("mov.u32 %r2, %lanemask_lt; mov.u32 %r3, %lanemask_ge; mov.u32 %r4, %lanemask_eq; "
          "mov.u32 %r5, %lanemask_gt; mov.u32 %r6, %lanemask_le;"
          "or.b32 %r7, %r2, %r3; not.b32 %r7, %r7; xor.b32 %r8, %r6, %r5; not.b32 %r8, %r8; or.b32 "
          "%r9, %r7, %r8; popc.b32 %r2, %r2;"
          "sub.u32 %r2, %r2, %r0; or.b32 %r9, %r9, %r2; popc.b32 %r4, %r4; sub.u32 %r4, %r4, 1; "
          "or.b32 %r9, %r9, %r4;",
          iota(32));
  EXPECT_EQ(masks, all(0));
}

TEST(PtxWarp, Match) {
  std::vector<std::uint32_t> in(32);
  for (unsigned i = 0; i < 32; ++i) in[i] = i % 3;
  const auto r = run("match.any.sync.b32 %r9, %r1, -1;", in);
  for (unsigned i = 0; i < 32; ++i) {
    std::uint32_t want = 0;
    for (unsigned k = i % 3; k < 32; k += 3) want |= 1u << k;
    EXPECT_EQ(r[i], want);
  }
  EXPECT_EQ(run("match.all.sync.b32 %r9|%p2, %r1, -1; @%p2 add.u32 %r9, %r9, 1;", all(7)), all(0));
  EXPECT_EQ(run("match.all.sync.b32 %r9|%p2, %r1, -1; @%p2 add.u32 %r9, %r9, 1;", in), all(0));
  EXPECT_EQ(run("cvt.u64.u32 %rd5, %r1; match.all.sync.b64 %r9, %rd5, 0xff;", all(7))[0], 0xffu);
  // As clang writes it: the mask of 64-bit values in a register of 64 bits.
  EXPECT_EQ(run("cvt.u64.u32 %rd5, %r1; match.any.sync.b64 %rd6, %rd5, -1; shr.u64 %rd7, %rd6, 32; "
                "add.u64 %rd6, %rd6, %rd7; cvt.u32.u64 %r9, %rd6;",
                in),
            r);
}

TEST(PtxWarp, ShuffleModesAndSegments) {
  const auto in = iota(32);
  for (const unsigned width : {32u, 16u, 8u, 4u}) {
    const std::string segment = std::to_string((32 - width) << 8);
    const std::string clamp = std::to_string((32 - width) << 8 | 31);
    const auto up =
        run("shfl.up.b32 %r9|%p2, %r1, 3, " + segment + "; @!%p2 add.u32 %r9, %r9, 1000;", in);
    const auto down = run(
        "shfl.sync.down.b32 %r9|%p2, %r1, 3, " + clamp + ", -1; @!%p2 add.u32 %r9, %r9, 1000;", in);
    const auto bfly = run("shfl.bfly.b32 %r9, %r1, 2, " + clamp + ";", in);
    const auto idx = run("shfl.sync.idx.b32 %r9, %r1, 2, " + clamp + ", -1;", in);
    for (unsigned i = 0; i < 32; ++i) {
      const unsigned at = i % width, base = i - at;
      EXPECT_EQ(up[i], at >= 3 ? i - 3 : i + 1000) << width;
      EXPECT_EQ(down[i], at + 3 < width ? i + 3 : i + 1000) << width;
      EXPECT_EQ(bfly[i], i ^ 2) << width;
      EXPECT_EQ(idx[i], base + 2) << width;
    }
  }
}

TEST(PtxWarp, SpecialRegistersOfBlocksInThreeDimensions) {
  DeviceMemory memory(1 << 20);
  Module module(
      header() +
          ".visible .entry k(.param .u64 out) {\n.reg .b32 %r<30>; .reg .b64 %rd<9>;\n"
          "mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z; mov.u32 %r4, %ntid.x; "
          "mov.u32 %r5, %ntid.y; mov.u32 %r6, %ntid.z;\n"
          "mov.u32 %r7, %ctaid.x; mov.u32 %r8, %ctaid.y; mov.u32 %r9, %ctaid.z; mov.u32 %r10, "
          "%nctaid.x; mov.u32 %r11, %nctaid.y;\n"
          "mad.lo.u32 %r12, %r9, %r11, %r8; mad.lo.u32 %r12, %r12, %r10, %r7; mad.lo.u32 %r12, "
          "%r12, %r6, %r3; mad.lo.u32 %r12, %r12, %r5, %r2; mad.lo.u32 %r12, %r12, %r4, %r1;\n"
          "ld.param.u64 %rd1, [out]; mul.wide.u32 %rd2, %r12, 4; add.u64 %rd1, %rd1, %rd2; mov.u32 "
          "%r13, %warpid; mov.u32 %r14, %laneid; mad.lo.u32 %r13, %r13, 32, %r14;\n"
          "mov.u32 %r15, %smid; mad.lo.u32 %r13, %r15, 1000, %r13; mov.u32 %r16, %clock; add.u32 "
          "%r13, %r13, %r16; st.global.u32 [%rd1], %r13; ret; }",
      "dims.ptx");
  module.bind(memory);
  const Dim3 grid_size{3, 2, 2}, block{5, 4, 3};
  const Addr out = memory.allocate(12 * 60 * 4);
  const auto grid =
      make_grid(module, "k", grid_size, block, 0, Arguments().add(out).bytes(), memory);
  EXPECT_EQ(grid->traits().warps_per_cta, 2u);
  EXPECT_EQ(grid->ctas(), 12u);
  const std::uint64_t clock = 100000;
  for (std::uint64_t cta = 0; cta < 12; ++cta) {
    SmView view;
    view.clock = &clock;
    view.sm = 2;
    const auto c = grid->start_cta(cta, view);
    for (unsigned w = 0; w < 2; ++w)
      while (c->next(w) != nullptr) c->execute(w);
  }
  for (unsigned i = 0; i < 12 * 60; ++i)
    ASSERT_EQ(reinterpret_cast<const std::uint32_t*>(DeviceMemory::host(out))[i], 102000 + i % 60)
        << i;
}

TEST(PtxBarrier, ReductionsSeeTheWholeCta) {
  std::vector<std::uint32_t> in(100, 0);
  for (unsigned i = 0; i < 100; i += 3) in[i] = 1;
  EXPECT_EQ(run("bar.red.popc.u32 %r9, 0, %p1;", in), std::vector<std::uint32_t>(100, 34));
  EXPECT_EQ(run("bar.red.and.pred %p2, 0, %p1; selp.u32 %r9, 1, 0, %p2;", in),
            std::vector<std::uint32_t>(100, 0));
  EXPECT_EQ(run("bar.red.or.pred %p2, 0, %p1; selp.u32 %r9, 1, 0, %p2;", in),
            std::vector<std::uint32_t>(100, 1));
  EXPECT_EQ(
      run("bar.red.and.pred %p2, 0, !%p1; selp.u32 %r9, 1, 0, %p2; bar.red.popc.u32 %r9, 0, %p2;",
          std::vector<std::uint32_t>(100, 0)),
      std::vector<std::uint32_t>(100, 100));
}

TEST(PtxBarrier, WarpsThatHaveExitedDoNotHoldTheOthers) {
  const auto r =
      run("mov.u32 %r9, 7; setp.ge.u32 %p3, %r0, 64; @%p3 ret; bar.red.popc.u32 %r9, 0, %p1;",
          std::vector<std::uint32_t>(128, 1));
  EXPECT_EQ(r[0], 64u);
  EXPECT_EQ(r[63], 64u);
  EXPECT_EQ(r[64], 0u);
  // The last warp exits after the first has arrived.
  const auto late =
      run("mov.u32 %r9, 7; setp.lt.u32 %p3, %r0, 32; @!%p3 ret; bar.red.popc.u32 %r9, 0, %p1;",
          std::vector<std::uint32_t>(64, 1));
  EXPECT_EQ(late[5], 32u);
}

TEST(PtxBarrier, NamedBarriersOfSomeWarps) {
  // Warps 0 and 1 meet at barrier 1, warps 2 and 3 at barrier 2, chosen by a register.
  const auto r =
      run("shr.u32 %r2, %r0, 6; add.u32 %r2, %r2, 1; bar.red.popc.u32 %r9, %r2, 64, %p1; "
          "barrier.cta.red.or.aligned.pred %p2, %r2, 64, %p1; @!%p2 mov.u32 %r9, 77;",
          [] {
            std::vector<std::uint32_t> in(128, 0);
            in[0] = in[33] = in[127] = 1;
            return in;
          }());
  for (unsigned i = 0; i < 128; ++i) EXPECT_EQ(r[i], i < 64 ? 2u : 1u) << i;
}

TEST(PtxBarrier, ProducerArrivesConsumerWaits) {
  // This is the pattern of the manual: barrier 1 says "full", barrier 2 "empty"; there are two
  // rounds through one word.
  const std::string body =
      ".shared .u32 box[1]; mov.u32 %r9, 0; mov.u32 %r4, 0; mov.u32 %r5, 2;"
      "setp.ge.u32 %p3, %r0, 32; @%p3 bra CONSUMER;"
      "PRODUCE: bar.sync 2, 64; add.u32 %r6, %r4, 5; st.shared.u32 [box], %r6; "
      "barrier.arrive 1, %r7; add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, 2; @%p4 bra PRODUCE; "
      "bra DONE;"
      "CONSUMER: bar.arrive 2, 64; CONSUME: bar.sync 1, 64; ld.shared.u32 %r6, [box]; "
      "mad.lo.u32 %r9, %r9, 10, %r6; add.u32 %r4, %r4, 1; setp.lt.u32 %p4, %r4, 2; "
      "@%p4 bar.arrive 2, 64; @%p4 bra CONSUME; DONE:";
  const auto r = run("mov.u32 %r7, 64;" + body, iota(64));
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(r[i], i < 32 ? 0u : 56u) << i;
}

TEST(PtxBarrier, MistakesAreNamed) {
  const auto error = [](const std::string& body, unsigned threads) {
    return error_of([&] { run(body, iota(threads)); });
  };
  EXPECT_NE(error("bar.sync 1, 96;", 64)
                .find("deadlock: this warp waits at barrier 1, which 2 of 3 warps have reached"),
            std::string::npos);
  EXPECT_NE(error("setp.lt.u32 %p3, %r0, 32; @%p3 bar.sync 1, 64; @!%p3 bar.sync 1, 96;", 128)
                .find("barrier 1 is to wait for 3 warps, the warps already there said 2"),
            std::string::npos);
  EXPECT_NE(error("bar.sync %r0;", 64).find("barrier 32: the barrier must be from 0 to 15"),
            std::string::npos);
  EXPECT_NE(error("mov.u32 %r2, 33; bar.sync 1, %r2;", 64).find("cannot wait for 33 threads"),
            std::string::npos);
  // Here a warp that exits leaves the others alone at the barrier.
  EXPECT_NE(error("setp.lt.u32 %p3, %r0, 32; @%p3 bra W; exit; W: bar.sync 3, 64;", 96)
                .find("deadlock: this warp waits at barrier 3"),
            std::string::npos);
}

TEST(PtxBarrier, WarpsAtDifferentBarriersAreADeadlock) {
  EXPECT_NE(error_of([] {
              run("setp.lt.u32 %p3, %r0, 32; @%p3 bra A; bar.sync 1; bra B; A: bar.sync 0; B:",
                  iota(64));
            })
                .find("deadlock: this warp waits at barrier 1 while 1 of the CTA's warps wait at "
                      "barrier 0"),
            std::string::npos);
}

}  // namespace
}  // namespace warpmem::program::ptx
