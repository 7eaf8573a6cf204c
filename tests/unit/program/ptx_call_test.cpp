// SPDX-License-Identifier: Apache-2.0
// Calls through pointers: lanes that go different ways, tables in memory, and what is no function.
#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "program/ptx/heap_library.hpp"
#include "unit/program/ptx_memory_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

class PtxCall : public PtxMemory {
 protected:
  static std::string functions() {
    std::string text;
    for (unsigned k = 0; k < 3; ++k)
      text += ".func (.param .b32 r) times" + std::to_string(k) +
              "(.param .b32 n) { .reg .b32 %x; ld.param.u32 %x, [n]; mul.lo.u32 %x, %x, " +
              std::to_string(10 + k) + "; st.param.b32 [r], %x; ret; }\n";
    // This one takes what the call does not pass.
    text += ".func (.param .b32 r) wide(.param .b64 n) { st.param.b32 [r], 1; ret; }\n";
    return text + ".global .u64 table[4] = {times0, times1, times2, wide};\n";
  }
  /// Lane i calls table[index]; `index` is to be put into %r3. The result goes to word i.
  static std::string calling(const std::string& index, const std::string& guard = "") {
    return "mov.u32 %r4, 7; " + index +
           "mul.wide.u32 %rd3, %r3, 8; mov.u64 %rd4, table; add.u64 %rd4, %rd4, %rd3;"
           "ld.global.u64 %rd5, [%rd4]; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r0;"
           "proto: .callprototype (.param .b32 _) _ (.param .b32 _);" +
           guard + " call (b), %rd5, (a), proto;" + guard +
           " ld.param.b32 %r4, [b]; } st.global.u32 [%rd2], %r4;";
  }
};

TEST_F(PtxCall, EachLaneEntersItsOwn) {
  prepare(calling("rem.u32 %r3, %r0, 3;"), {32}, 0, functions());
  const auto cta = grid->start_cta(0, SmView{});
  unsigned calls = 0;
  LaneMask behind = 0;
  while (cta->next(0) != nullptr) {
    const bool is_call = grid->mnemonic(*cta->next(0)) == "call";
    const bool is_store = cta->next(0)->mem == MemOp::store && cta->next(0)->space == Space::global;
    const LaneMask lanes = cta->execute(0).lanes;
    if (is_call) ++calls;
    if (is_store) behind = lanes;
  }
  EXPECT_EQ(calls, 3u);           // one for each target
  EXPECT_EQ(behind, 0xffffffff);  // all lanes meet again
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(host<std::uint32_t>()[i], i * (10 + i % 3));
}

TEST_F(PtxCall, LanesWithoutTheCallWait) {
  run(calling("and.b32 %r3, %r0, 1; setp.gt.u32 %p1, %r0, 9;", "@%p1"), {32}, 0, functions());
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(host<std::uint32_t>()[i], i > 9 ? i * (10 + i % 2) : 7);
}

TEST_F(PtxCall, WhatIsNoFunctionOfTheKind) {
  const auto error = [&](const std::string& index) {
    return error_of([&] { run(calling(index), {32}, 0, functions()); });
  };
  EXPECT_NE(error("mov.u32 %r3, 3;").find("which is no function with such parameters"),
            std::string::npos);
  EXPECT_EQ(error("mov.u32 %r3, 2;"), "");
}

class PtxHeap : public PtxMemory {
 protected:
  /// Allocates %rd5 bytes into %rd6 and stores it, for each lane.
  static std::string allocating(const std::string& bytes) {
    return "cvt.u64.u32 %rd4, %r0; add.u64 %rd3, %rd2, 0; mul.wide.u32 %rd7, %r0, 8; add.u64 %rd8, "
           "%rd0, %rd7; " +
           bytes +
           " { .param .b64 n; .param .b64 r; st.param.b64 [n], %rd5; call (r), malloc, (n); "
           "ld.param.b64 %rd6, [r]; } st.global.u64 [%rd8], %rd6;";
  }
  static std::string freeing() {
    return "{ .param .b64 p; st.param.b64 [p], %rd6; call free, (p); }";
  }
  void launch(const std::string& body, std::uint64_t heap_bytes) {
    const Addr heap = memory.allocate(kHeapHeader + heap_bytes);
    std::memset(DeviceMemory::host(heap), 0, kHeapHeader + heap_bytes);
    std::memcpy(DeviceMemory::host(heap), &heap_bytes, sizeof heap_bytes);
    prepare("ret;", {32});
    module = std::make_unique<Module>(
        header() +
            ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 "
            "p);\n.visible .entry k(.param .u64 ptr) { .reg .b32 %r<9>; .reg .b64 %rd<20>; .reg "
            ".pred %p<3>; ld.param.u64 %rd0, [ptr]; mov.u32 %r0, %tid.x; mul.wide.u32 %rd1, %r0, "
            "4; add.u64 %rd2, %rd0, %rd1;" +
            body + "ret; }",
        "heap.ptx");
    module->bind(memory);
    EXPECT_TRUE(module->find_entry("k")->allocates);
    grid = make_grid(*module, "k", {1}, {32}, 0, Arguments().add(buffer).bytes(), memory,
                     std::nullopt, 0, heap);
    run_functional(*grid);
    begin = heap + kHeapHeader;
    end = begin + heap_bytes;
  }
  Addr begin = 0, end = 0;
};

TEST_F(PtxHeap, BlocksLieApartInTheHeap) {
  launch(allocating("mul.lo.u64 %rd5, %rd4, 9; add.u64 %rd5, %rd5, 1;"), 1 << 16);
  std::vector<std::pair<Addr, Addr>> blocks;
  for (unsigned i = 0; i < 32; ++i)
    blocks.emplace_back(host<Addr>()[i], host<Addr>()[i] + 9 * i + 1);
  std::sort(blocks.begin(), blocks.end());
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(blocks[i].first % 16, 0u);
    EXPECT_GE(blocks[i].first, i == 0 ? begin : blocks[i - 1].second);
    EXPECT_LE(blocks[i].second, end);
  }
}

TEST_F(PtxHeap, NullWhenItIsFullAndForNothing) {
  // Blocks of 1 KiB with their headers; ten fit.
  launch(allocating("mov.u64 %rd5, 1000;"), 10 << 10);
  unsigned given = 0;
  for (unsigned i = 0; i < 32; ++i) given += host<Addr>()[i] != 0;
  EXPECT_EQ(given, 10u);
  launch(allocating("mov.u64 %rd5, 0;"), 1 << 10);
  EXPECT_EQ(host<Addr>()[0], 0u);
}

TEST_F(PtxHeap, WhatIsFreedIsGivenOutAgain) {
  launch("mov.u32 %r1, 0; AGAIN:" + allocating("mov.u64 %rd5, 100;") + freeing() +
             "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 50; @%p1 bra AGAIN;",
         32 * 128);
  for (unsigned i = 0; i < 32; ++i) EXPECT_NE(host<Addr>()[i], 0u);
}

TEST_F(PtxHeap, FreeingTwiceIsAFault) {
  const std::string error =
      error_of([&] { launch(allocating("mov.u64 %rd5, 8;") + freeing() + freeing(), 1 << 12); });
  EXPECT_NE(error.find("not freed before"), std::string::npos) << error;
  EXPECT_NE(error.find("call"), std::string::npos) << error;
}

}  // namespace
}  // namespace warpmem::program::ptx
