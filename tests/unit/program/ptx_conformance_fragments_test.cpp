// SPDX-License-Identifier: Apache-2.0
// wmma in assembly: against integers, registers that serve twice, and what is refused.
#include "unit/program/ptx_conformance_fragments.hpp"

#include "unit/program/ptx_memory_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

TEST(PtxConformance, Fragments) { run_all(fragment_cases()); }

class PtxFragments : public PtxMemory {};

/// Loads A and B, dense and row by row, sums of 0, and stores where A was: the lists are of
/// registers of A, B and of the sums.
std::string product(const std::string& a, const std::string& b, const std::string& sums) {
  return "wmma.load.a.sync.aligned.row.m16n16k16.global.s8 " + a +
         ", [%rd0]; wmma.load.b.sync.aligned.row.m16n16k16.global.s8 " + b +
         ", [%rd0+256];\nwmma.mma.sync.aligned.row.row.m16n16k16.s32.s8.s8.s32 " + sums + ", " + a +
         ", " + b + ", {%r20,%r21,%r22,%r23,%r24,%r25,%r26,%r27};\n" +
         "wmma.store.d.sync.aligned.row.m16n16k16.global.s32 [%rd0+512], " + sums + ";";
}

// The two products of which one is made must not see each other's sums.
TEST_F(PtxFragments, DestinationsMayBeSources) {
  std::string zeros;
  for (unsigned r = 20; r < 28; ++r) zeros += "mov.u32 %r" + std::to_string(r) + ", 0;";
  for (const std::string sums :
       {"{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}", "{%r10,%r11,%r12,%r13,%r5,%r6,%r7,%r8}",
        "{%r11,%r9,%r8,%r7,%r12,%r13,%r10,%r6}", "{%r24,%r25,%r26,%r27,%r20,%r21,%r22,%r23}"}) {
    auto* const bytes = host<std::int8_t>();
    for (int i = 0; i < 512; ++i) bytes[i] = static_cast<std::int8_t>(i * 37 + i / 16);
    run(zeros + product("{%r10,%r11}", "{%r12,%r13}", sums));
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < 16; ++column) {
        int sum = 0;
        for (int k = 0; k < 16; ++k) sum += bytes[row * 16 + k] * bytes[256 + k * 16 + column];
        ASSERT_EQ(host<std::int32_t>()[128 + row * 16 + column], sum)
            << sums << row << "," << column;
      }
  }
}

// The register of the stride is also that of the fragment.
TEST_F(PtxFragments, ADestinationMayBeTheStride) {
  for (int i = 0; i < 1024; ++i) host<std::int32_t>()[i] = i;
  run("mov.u32 %r1, 24; wmma.load.c.sync.aligned.col.m16n16k16.global.s32 "
      "{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd0], %r1; mov.u32 %r9, 16;"
      "wmma.store.d.sync.aligned.col.m16n16k16.s32 [%rd0], {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, "
      "%r9;");
  for (int i = 0; i < 256; ++i) ASSERT_EQ(host<std::int32_t>()[i], i / 16 * 24 + i % 16);
}

// A warp's accesses are those of mma.h: 32 bits where the elements of a register lie side by side.
TEST_F(PtxFragments, AreOrdinaryAccessesToTheMachine) {
  const struct {
    const char* load;
    unsigned accesses, bytes;
  } cases[] = {
      {"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}", 4, 4},
      {"wmma.load.a.sync.aligned.col.m16n16k16.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}", 8, 2},
      {"wmma.load.b.sync.aligned.row.m16n16k16.u8 {%r1,%r2}", 8, 1},
      {"wmma.load.c.sync.aligned.row.m8n32k16.f32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}", 8, 4},
      {"wmma.load.c.sync.aligned.col.m8n32k16.f32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}", 4, 8}};
  for (const auto& c : cases) {
    prepare(std::string(c.load) + ", [%rd0];");
    const auto cta = grid->start_cta(0, SmView{});
    unsigned accesses = 0;
    while (const InstInfo* const next = cta->next(0)) {
      if (next->mem == MemOp::load && next->space == Space::generic) {
        ++accesses;
        EXPECT_EQ(next->bytes, c.bytes) << c.load;
      }
      cta->execute(0);
    }
    EXPECT_EQ(accesses, c.accesses) << c.load;
  }
}

TEST_F(PtxFragments, Refusals) {
  const std::string eight = "{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}";
  const struct {
    std::string body, message;
  } cases[] = {
      {"wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1,%r2,%r3,%r4}, [%rd0];", "in braces"},
      {"wmma.load.a.sync.aligned.row.m16n16k16.s8 {%rd1,%rd2}, [%rd0];", "in braces"},
      {"wmma.load.a.sync.aligned.row.m16n16k16.f16 " + eight + ", %rd0;", "address in brackets"},
      {"wmma.load.a.sync.aligned.row.m16n16k16.f16 " + eight + ", [16];",
       "must begin with a register or a variable"},
      {"wmma.load.a.sync.aligned.row.m16n16k16.f16 " + eight + ", [%rd0], %rd1;",
       "the stride must be"},
      {".shared .b8 tile[512]; wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + eight +
           ", [tile];",
       "another state space"},
      {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " + eight + ", " + eight + ", " + eight +
           ";",
       "must be D, A, B and C"},
      {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " + eight + ", " + eight + ", {%r1}, " +
           eight + ";",
       "in braces"},
      {"wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64 {%rd1,%rd2}, {%rd3}, {%rd4}, "
       "{%rd1,%rd2};",
       "memory.ptx:9: unsupported instruction "
       "`wmma.mma.sync.aligned.row.col.m8n8k4.rn.f64.f64.f64.f64`"},
      {"wmma.load.a.sync.aligned.row.m8n8k32.s4 {%r1}, [%rd0];", "unsupported instruction `wmma."},
      {"wmma.load.a.sync.aligned.row.m16n16k16.local.s8 {%r1,%r2}, [%rd0];",
       "unsupported instruction `wmma."}};
  for (const auto& c : cases) {
    const std::string message = fails(c.body);
    EXPECT_NE(message.find(c.message), std::string::npos) << c.body << "\n" << message;
    EXPECT_NE(message.find("memory.ptx:9: "), std::string::npos) << message;
  }
}

TEST_F(PtxFragments, AFaultNamesTheInstruction) {
  EXPECT_NE(fails("mov.u64 %rd5, 64; wmma.store.d.sync.aligned.row.m16n16k16.f16 [%rd5], "
                  "{%r1,%r2,%r3,%r4};")
                .find("`wmma.store.d.sync.aligned.row.m16n16k16.f16`"),
            std::string::npos);
}

}  // namespace
}  // namespace warpmem::program::ptx
