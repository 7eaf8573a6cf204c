// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics in every space, what they report to the machine, and the errors of wild
// addresses.
#include <algorithm>

#include "unit/program/ptx_memory_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

TEST_F(PtxMemory, NarrowLoadsExtendAndStoresTruncate) {
  host<std::uint64_t>()[0] = 0xfedcba9876543280ULL;
  run("ld.global.u8 %r1, [%rd0]; st.global.u32 [%rd0+64], %r1;"
      "ld.global.s8 %r1, [%rd0]; st.global.u32 [%rd0+68], %r1;"
      "ld.global.s8 %rd5, [%rd0+7]; st.global.u64 [%rd0+72], %rd5;"
      "ld.global.u16 %rd5, [%rd0+6]; st.global.u64 [%rd0+80], %rd5;"
      "ld.global.s32 %rd5, [%rd0+4]; st.global.u64 [%rd0+88], %rd5;"
      "ld.global.s16 %h1, [%rd0+6]; st.global.u16 [%rd0+96], %h1;"
      "ld.global.u64 %rd5, [%rd0]; st.global.u8 [%rd0+100], %rd5; st.global.u16 [%rd0+102], %rd5;",
      {1});
  EXPECT_EQ(host<std::uint32_t>()[16], 0x80u);
  EXPECT_EQ(host<std::uint32_t>()[17], 0xffffff80u);
  EXPECT_EQ(host<std::uint64_t>()[9], 0xfffffffffffffffeULL);
  EXPECT_EQ(host<std::uint64_t>()[10], 0xfedcULL);
  EXPECT_EQ(host<std::uint64_t>()[11], 0xfffffffffedcba98ULL);
  EXPECT_EQ(host<std::uint16_t>()[48], 0xfedcu);
  EXPECT_EQ(host<std::uint32_t>()[25], 0x32800080u);
}

TEST_F(PtxMemory, Vectors) {
  for (unsigned i = 0; i < 128; ++i) host<std::uint32_t>()[i] = i * 3;
  run("mul.wide.u32 %rd3, %r0, 16; add.u64 %rd4, %rd0, %rd3;"
      "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd4];"
      "st.global.v2.u32 [%rd4+2048], {%r4, %r3}; st.global.v2.u32 [%rd4+2056], {%r2, %r1};");
  for (unsigned i = 0; i < 32; ++i)
    for (unsigned k = 0; k < 4; ++k)
      EXPECT_EQ(host<std::uint32_t>()[512 + i * 4 + k], (i * 4 + 3 - k) * 3);
  run("mul.wide.u32 %rd3, %r0, 16; add.u64 %rd4, %rd0, %rd3;"
      "ld.global.v2.f64 {%fd1, %fd2}, [%rd4]; st.global.v2.f64 [%rd4], {%fd2, %fd1};",
      {1});
  EXPECT_EQ(host<std::uint32_t>()[0], 6u);
  run("ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%rd0]; st.global.v4.u8 [%rd0+4], {%h4, %h3, %h2, "
      "%h1}; mov.b64 %rd5, {%h1, %h2, %h3, %h4};"
      "mov.b32 {%h5, %h6}, %r0; mov.b64 {%r5, %r6}, %rd5; st.global.u32 [%rd0+8], %r6;",
      {1});
  EXPECT_EQ(host<std::uint32_t>()[0], 6u);
  EXPECT_EQ(host<std::uint32_t>()[1], 0x06000000u);
}

TEST_F(PtxMemory, SharedLocalConstantAndGenericSpaces) {
  run(".shared .align 8 .b8 tile[256]; .local .align 8 .b8 depot[32]; .reg .b64 %s, %l;\n"
      "mov.u64 %s, tile; add.u64 %s, %s, %rd1; st.shared.u32 [%s], %r0; bar.sync 0;"
      "xor.b32 %r1, %r0, 5; mul.wide.u32 %rd3, %r1, 4; mov.u64 %rd4, tile; cvta.shared.u64 %rd4, "
      "%rd4; add.u64 %rd4, %rd4, %rd3;"
      "ld.u32 %r2, [%rd4];"  // generic load of shared memory
      "mov.u64 %l, depot; st.local.u32 [%l+8], %r2; cvta.local.u64 %rd5, %l; ld.u32 %r3, [%rd5+8];"
      "isspacep.local %p1, %rd5; isspacep.shared %p2, %rd4; isspacep.global %p3, %rd0; "
      "isspacep.shared %p4, %rd5;"
      "selp.u32 %r4, 1, 0, %p1; @%p2 add.u32 %r4, %r4, 2; @%p3 add.u32 %r4, %r4, 4; @%p4 add.u32 "
      "%r4, %r4, 8;"
      "ld.const.u32 %r5, [table+4]; mad.lo.u32 %r4, %r4, %r5, %r3; st.global.u32 [%rd2], %r4;",
      {64}, 0, ".const .align 4 .u32 table[3] = {9, 1000, 7};");
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(host<std::uint32_t>()[i], 7000 + (i ^ 5)) << i;
}

// The second block takes the place of the first.
TEST_F(PtxMemory, LocalMemoryOfEachBlockBeginsWithZeros) {
  prepare(
      ".local .align 4 .b8 depot[4]; ld.local.u32 %r1, [depot]; add.u32 %r2, %r1, 7; "
      "st.local.u32 [depot], %r2; mov.u32 %r3, %ctaid.x; mul.wide.u32 %rd3, %r3, 4; "
      "add.u64 %rd3, %rd3, %rd0; st.global.u32 [%rd3], %r2;",
      {32}, 0, "", 0, {2});
  run_functional(*grid);
  EXPECT_EQ(host<std::uint32_t>()[0], 7u);
  EXPECT_EQ(host<std::uint32_t>()[1], 7u);
}

TEST_F(PtxMemory, DynamicSharedBeginsAfterStatic) {
  run("mov.u32 %r1, dynamic; mov.u32 %r2, fixed; sub.u32 %r3, %r1, %r2; st.global.u32 [%rd0], %r3;"
      "mov.u32 %r4, %total_smem_size; st.global.u32 [%rd0+4], %r4; add.u32 %r1, %r1, %r0; "
      "st.shared.u8 [%r1], %r0;"
      "mov.u32 %r4, %dynamic_smem_size; st.global.u32 [%rd0+8], %r4;",
      {32}, 100, ".shared .align 4 .b8 fixed[20]; .extern .shared .align 4 .b8 dynamic[];");
  EXPECT_EQ(host<std::uint32_t>()[0], 32u);
  EXPECT_EQ(host<std::uint32_t>()[1], 132u);
  EXPECT_EQ(host<std::uint32_t>()[2], 100u);
  EXPECT_EQ(module->find_entry("k")->static_shared_bytes, 32u);
}

TEST_F(PtxMemory, GenericAccessOfLanesInDifferentSpaces) {
  prepare(
      ".shared .align 4 .b8 tile[128]; .local .align 4 .b8 depot[4];\n"
      "mov.u64 %rd3, tile; cvta.shared.u64 %rd3, %rd3; mov.u64 %rd4, depot; cvta.local.u64 %rd4, "
      "%rd4;"
      "and.b32 %r1, %r0, 3; setp.eq.u32 %p1, %r1, 1; setp.eq.u32 %p2, %r1, 2; mov.u64 %rd5, %rd2;"
      "add.u64 %rd6, %rd3, %rd1; @%p1 mov.u64 %rd5, %rd6; @%p2 mov.u64 %rd5, %rd4;"
      "add.u32 %r2, %r0, 100; st.u32 [%rd5], %r2; ld.u32 %r3, [%rd5]; st.global.u32 [%rd2+256], "
      "%r3;");
  const auto cta = grid->start_cta(0, {});
  std::vector<std::pair<Space, LaneMask>> stores;
  while (cta->next(0) != nullptr) {
    const Issue& issue = cta->execute(0);
    if (issue.inst->mem == MemOp::store && issue.inst->space == Space::generic)
      stores.push_back({issue.space, issue.lanes});
  }
  EXPECT_EQ(stores, (std::vector<std::pair<Space, LaneMask>>{{Space::global, 0x99999999u},
                                                             {Space::shared, 0x22222222u},
                                                             {Space::local, 0x44444444u}}));
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(host<std::uint32_t>()[64 + i], i + 100);
}

TEST_F(PtxMemory, ReportsAddressesAndBytes) {
  for (unsigned i = 0; i < 32; ++i) host<std::uint32_t>()[i] = i * i;
  prepare(
      "setp.lt.u32 %p1, %r0, 5; @%p1 ld.global.cg.u32 %r1, [%rd2]; st.global.u16 [%rd2], %r0; "
      "ld.param.u64 %rd5, [ptr];"
      "atom.global.add.u32 %r3, [%rd0+512], 1; bar.sync 0; membar.gl;");
  const auto cta = grid->start_cta(0, {});
  unsigned seen = 0;
  while (cta->next(0) != nullptr) {
    const InstInfo* const next = cta->next(0);
    const Issue& issue = cta->execute(0);
    EXPECT_EQ(next, issue.inst);
    EXPECT_EQ(issue.inst->pc % 8, 0u);
    if (issue.inst->op_class == OpClass::barrier || issue.inst->op_class == OpClass::fence) ++seen;
    if (issue.inst->op_class != OpClass::memory || issue.inst->space == Space::param) continue;
    ++seen;
    ASSERT_EQ(issue.space, Space::global);
    for (unsigned i = 0; i < 32; ++i) {
      if (!(issue.lanes >> i & 1)) continue;
      std::uint32_t word = 0;
      std::memcpy(&word, issue.data + i * Issue::kLaneBytes, issue.inst->bytes);
      if (issue.inst->mem == MemOp::load) {
        EXPECT_EQ(issue.lanes, 0x1fu);
        EXPECT_TRUE(issue.inst->volatile_access);
        EXPECT_EQ(issue.address[i], buffer + i * 4);
        EXPECT_EQ(word, i * i);
      } else if (issue.inst->mem == MemOp::store) {
        EXPECT_EQ(issue.inst->bytes, 2);
        EXPECT_EQ(word, i);
      } else {
        EXPECT_EQ(issue.inst->mem, MemOp::reduction);  // nothing reads its result
        EXPECT_EQ(issue.address[i], buffer + 512);
        EXPECT_EQ(word, 32u);  // every lane reports what all of them left
      }
    }
  }
  EXPECT_EQ(seen, 5u);
}

// As the assembler for the chip does.
TEST_F(PtxMemory, AtomicsWhoseResultNothingReadsAreReductions) {
  prepare(
      "atom.global.add.u32 %r1, [%rd2], 1; atom.global.add.u32 %r2, [%rd2], 1; st.global.u32 "
      "[%rd2+4], %r2;");
  const auto cta = grid->start_cta(0, {});
  std::vector<const InstInfo*> atomics;
  for (const InstInfo* next = cta->next(0); next != nullptr; next = cta->next(0)) {
    if (next->mem == MemOp::atomic || next->mem == MemOp::reduction) atomics.push_back(next);
    cta->execute(0);
  }
  ASSERT_EQ(atomics.size(), 2u);
  EXPECT_EQ(atomics[0]->mem, MemOp::reduction);
  EXPECT_EQ(atomics[0]->destinations.size(), 0u);
  EXPECT_EQ(atomics[1]->mem, MemOp::atomic);
  EXPECT_EQ(atomics[1]->destinations.size(), 1u);
}

TEST_F(PtxMemory, InstructionsNameTheirRegisters) {
  prepare(
      "ld.global.u32 %r1, [%rd2]; add.u32 %r2, %r1, %r0; setp.eq.u32 %p1, %r2, 0; @%p1 "
      "st.global.u32 [%rd2], %r2;");
  const auto cta = grid->start_cta(0, {});
  std::vector<const InstInfo*> infos;
  while (cta->next(0) != nullptr) {
    infos.push_back(cta->next(0));
    for (const unsigned reg : infos.back()->sources)
      EXPECT_LT(reg, grid->traits().scoreboard_registers);
    cta->execute(0);
  }
  const InstInfo &load = *infos[4], &add = *infos[5], &compare = *infos[6], &store = *infos[7];
  EXPECT_EQ(load.destinations.size(), 1u);
  EXPECT_EQ(add.sources.size(), 2u);
  EXPECT_EQ(add.sources[0], load.destinations[0]);
  EXPECT_EQ(compare.sources[0], add.destinations[0]);
  EXPECT_EQ(store.sources.size(), 3u);
  EXPECT_NE(std::find(store.sources.begin(), store.sources.end(), compare.destinations[0]),
            store.sources.end());
  EXPECT_EQ(store.destinations.size(), 0u);
}

TEST_F(PtxMemory, ModuleVariables) {
  run("ld.global.u64 %rd3, [pointers+8]; ld.u32 %r1, [%rd3]; st.global.u32 [%rd0], %r1; mov.u64 "
      "%rd4, words; ld.global.u32 %r2, [%rd4+4];"
      "st.global.u32 [%rd0+4], %r2; ld.global.f32 %f1, [reals]; st.global.f32 [%rd0+8], %f1; "
      "ld.global.u8 %r3, [matrix+5]; st.global.u32 [%rd0+12], %r3;",
      {1}, 0,
      ".global .align 4 .u32 words[4] = {1, 0x20, 3};\n.global .align 8 .u64 pointers[2] = "
      "{generic(words), generic(words)+8};\n"
      ".global .f32 reals[2] = {0f40490FDB, 1.5};\n.global .b8 matrix[2][4] = {{1, 2}, {3, 4, 5, "
      "6}};");
  EXPECT_EQ(host<std::uint32_t>()[0], 3u);
  EXPECT_EQ(host<std::uint32_t>()[1], 0x20u);
  EXPECT_EQ(host<float>()[2], 3.14159274f);
  EXPECT_EQ(host<std::uint32_t>()[3], 4u);
  EXPECT_EQ(module->find_variable("words")->bytes, 16u);
  EXPECT_EQ(module->find_variable("nothing"), nullptr);
  EXPECT_EQ(*host<std::uint64_t>(module->find_variable("pointers")->address),
            module->find_variable("words")->address);
}

// ---- atomics
// -----------------------------------------------------------------------------------------

TEST_F(PtxMemory, AtomicsOfEveryKind) {
  const struct {
    const char* op;
    std::uint64_t start, want;
    unsigned bytes;
    const char* value;  // operand by lane: %r0 (0..31), or widened
  } kCases[] = {
      {"add.u32", 10, 10 + 496, 4, "%r0"},
      {"add.s32", 0xffffffff, 495, 4, "%r0"},
      {"add.u64", 1, 497, 8, "%rd8"},
      {"min.u32", 7, 0, 4, "%r0"},
      {"min.s32", 0xfffffff0, 0xfffffff0, 4, "%r0"},
      {"max.u32", 7, 31, 4, "%r0"},
      {"max.s32", 0xfffffff0, 31, 4, "%r0"},
      {"max.u64", 100, 100, 8, "%rd8"},
      {"min.s64", ~0ULL, ~0ULL, 8, "%rd8"},
      {"and.b32", 0xff, 0, 4, "%r0"},
      {"or.b32", 0x100, 0x11f, 4, "%r0"},
      {"xor.b32", 0, 0, 4, "%r0"},
      {"or.b64", 1ULL << 40, (1ULL << 40) | 31, 8, "%rd8"},
      {"inc.u32", 3, 0, 4, "7"},
      {"dec.u32", 3, 3, 4, "7"},
      {"exch.b32", 3, 31, 4, "%r0"},
      {"exch.b64", 3, 31, 8, "%rd8"},
  };
  // With limit 7 inc goes 3, 4, ... 7, 0, so 32 steps from 3 end at (3 + 32) mod 8 = 3; dec does
  // likewise.
  for (const auto& c : kCases) {
    for (const char* space : {".global", ".shared", ""}) {
      SCOPED_TRACE(std::string(c.op) + space);
      std::memset(host<char>(), 0, 1024);
      std::memcpy(host<char>(), &c.start, 8);
      const std::string d = c.bytes == 8 ? "%rd9" : "%r9";
      const std::string where = *space == 0 || space[1] == 'g' ? "%rd0" : "%rd7";
      const std::string width = c.bytes == 8 ? "64" : "32";
      run(".shared .align 8 .b64 cell; cvt.u64.u32 %rd8, %r0; mov.u64 %rd7, cell; ld.global.u64 "
          "%rd6, [%rd0]; st.shared.u64 [cell], %rd6;"
          "atom" +
          std::string(space) + "." + c.op + " " + d + ", [" + where + "], " + c.value + ";" +
          (where == "%rd7" ? "ld.shared.u64 %rd6, [cell]; st.global.u64 [%rd0], %rd6;" : "") +
          "mul.wide.u32 %rd4, %r0, 8; add.u64 %rd4, %rd4, %rd0; st.global.b" + width +
          " [%rd4+64], " + d + ";");
      std::uint64_t want = c.want;
      if (std::string(c.op) == "inc.u32" || std::string(c.op) == "dec.u32") want = 3;
      EXPECT_EQ(host<std::uint64_t>()[0] & (c.bytes == 8 ? ~0ULL : 0xffffffffULL), want);
      EXPECT_EQ(host<std::uint64_t>()[8] & (c.bytes == 8 ? ~0ULL : 0xffffffffULL),
                c.start & (c.bytes == 8 ? ~0ULL : 0xffffffffULL));
    }
  }
}

TEST_F(PtxMemory, IncrementAndDecrementWrapAtTheirLimit) {
  host<std::uint32_t>()[0] = 9;
  host<std::uint32_t>()[1] = 9;
  run("atom.global.dec.u32 %r1, [%rd0], 7; atom.global.inc.u32 %r1, [%rd0+4], 7;", {1});
  EXPECT_EQ(host<std::uint32_t>()[0], 7u);
  EXPECT_EQ(host<std::uint32_t>()[1], 0u);
}

TEST_F(PtxMemory, AtomicFloatCompareAndSwapAndReduction) {
  host<float>()[0] = 0.5f;
  host<double>()[1] = 0.25;
  host<std::uint32_t>()[4] = 0;
  run("cvt.rn.f32.u32 %f1, %r0; atom.global.add.f32 %f2, [%rd0], %f1; cvt.f64.f32 %fd1, %f1; "
      "red.global.add.f64 [%rd0+8], %fd1;"
      "add.u32 %r1, %r0, 1; atom.cas.b32 %r2, [%rd0+16], %r0, %r1; st.global.u32 [%rd2+128], %r2; "
      "red.relaxed.gpu.global.max.s32 [%rd0+20], %r0;");
  EXPECT_EQ(host<float>()[0], 496.5f);
  EXPECT_EQ(host<double>()[1], 496.25);
  EXPECT_EQ(host<std::uint32_t>()[4], 32u);  // lane i finds i and leaves i + 1
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(host<std::uint32_t>()[32 + i], i);
  EXPECT_EQ(host<std::uint32_t>()[5], 31u);
}

// ---- errors
// ------------------------------------------------------------------------------------------

TEST_F(PtxMemory, WildAddressesAreNamed) {
  EXPECT_EQ(fails("ld.global.u32 %r1, [%rd2+4000];"),
            "kernel k, PC 0x20, memory.ptx:9: `ld.global.u32`, CTA (0,0,0) thread (24,0,0): load "
            "of 4 bytes at global address "
            "0x200000001000, out of range: 0 bytes past the end of the allocation 0x200000000000 "
            "of 4096 bytes");
  EXPECT_NE(fails("mov.u64 %rd5, 0; st.global.u32 [%rd5], %r0;").find("null pointer"),
            std::string::npos);
  EXPECT_NE(fails("ld.global.u32 %r1, [%rd0+2];").find("not aligned to 4 bytes"),
            std::string::npos);
  EXPECT_NE(fails("ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%rd0+8];").find("not aligned to 16 bytes"),
            std::string::npos);
  EXPECT_NE(fails("atom.global.add.u32 %r1, [%rd0+4096], 1;").find("atomic of 4 bytes"),
            std::string::npos);
  EXPECT_NE(fails("ld.global.u64 %rd5, [%rd0+4088]; ld.global.u64 %rd5, [%rd0+4094];")
                .find("out of range"),
            std::string::npos);
  EXPECT_NE(fails("ld.global.u32 %r1, [%rd0-4];").find("4 bytes before the allocation"),
            std::string::npos);
  EXPECT_NE(fails(".shared .align 4 .b8 t[64]; mov.u64 %rd5, t; add.u64 %rd5, %rd5, %rd1; "
                  "st.shared.u32 [%rd5], %r0;")
                .find("thread (16,0,0): store of 4 bytes at shared address 0x40, out of range: "
                      "there are 64 bytes"),
            std::string::npos);
  EXPECT_NE(fails(".local .align 4 .b8 t[8]; mov.u64 %rd5, t; ld.local.u32 %r1, [%rd5+8];")
                .find("local address 0x8, out of range"),
            std::string::npos);
  EXPECT_NE(fails("ld.param.u32 %r1, [ptr+8];").find("parameter"), std::string::npos);
  EXPECT_NE(fails("ld.u32 %r1, [%rd0];", {32}, 0x1234).find("0x1234"), std::string::npos);
  EXPECT_NE(fails(".shared .align 4 .b8 t[4]; mov.u64 %rd5, t; cvta.shared.u64 %rd5, %rd5; ld.u32 "
                  "%r1, [%rd5+4];")
                .find("shared address 0x4"),
            std::string::npos);
  // Lanes that do not execute may hold any address.
  EXPECT_EQ(fails("setp.eq.u32 %p1, %r0, 0; mov.u64 %rd5, 1; @%p1 mov.u64 %rd5, %rd0; @%p1 "
                  "ld.global.u32 %r1, [%rd5];"),
            "");
}

}  // namespace
}  // namespace warpmem::program::ptx
