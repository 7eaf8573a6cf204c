// SPDX-License-Identifier: Apache-2.0
// cp.async: what lands in shared memory, what the machine sees of it, and the errors.
#include <cstring>

#include "unit/program/ptx_memory_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

/// Fills 32 x 16 bytes at the buffer and clears what comes after them.
class PtxAsyncCopy : public PtxMemory {
 protected:
  void SetUp() override {
    for (unsigned i = 0; i < 128; ++i) host<std::uint32_t>()[i] = 0x1000 + i;
  }
  /// Copies with what follows the size, then stores the first word of each thread.
  static std::string copying(const std::string& source, const std::string& tail,
                             const std::string& before = "") {
    return ".shared .align 16 .b8 tile[512]; mul.wide.u32 %rd3, %r0, 16;"
           "add.u64 %rd4, %rd0, %rd3; mov.u32 %r2, tile; shl.b32 %r3, %r0, 4;"
           "add.u32 %r2, %r2, %r3; st.shared.u32 [%r2], 7;" +
           before + "cp.async.ca.shared.global [%r2], [" + source + "], 16" + tail +
           "; cp.async.wait_all; ld.shared.u32 %r5, [%r2];"
           "st.global.u32 [%rd2+2048], %r5;";
  }
};

TEST_F(PtxAsyncCopy, WhatIsNotReadIsZero) {
  // Odd threads have no source; their address may be anything.
  run(copying("%rd4", ", %r6",
              "and.b32 %r4, %r0, 1; setp.ne.u32 %p1, %r4, 0; selp.u32 %r6, 0, 16, %p1;"
              "@%p1 mov.u64 %rd4, 0;"));
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(host<std::uint32_t>()[512 + i], i % 2 ? 0 : 0x1000 + 4 * i) << i;
  run(copying("%rd4", ", %p1",
              "and.b32 %r4, %r0, 3; setp.eq.u32 %p1, %r4, 0; @%p1 mov.u64 %rd4, 0;"));
  for (unsigned i = 0; i < 32; ++i)
    EXPECT_EQ(host<std::uint32_t>()[512 + i], i % 4 ? 0x1000 + 4 * i : 0) << i;
}

// The buffer of 20 bytes ends in the second thread's piece.
TEST_F(PtxAsyncCopy, TheEndOfTheSourceMayBeTheEndOfItsMemory) {
  const Addr small = memory.allocate(20);
  const std::uint32_t words[] = {1, 2, 3, 4, 5};
  std::memcpy(host<std::uint32_t>(small), words, sizeof words);
  const std::string body =
      ".shared .align 16 .b8 tile[512]; mov.u64 %rd9, " + std::to_string(small) +
      "; mul.wide.u32 %rd3, %r0, 16; add.u64 %rd4, %rd9, %rd3; mov.u32 %r2, tile;"
      "shl.b32 %r3, %r0, 4; add.u32 %r2, %r2, %r3; setp.eq.u32 %p1, %r0, 0; selp.u32 %r6, 16, "
      "SIZE, "
      "%p1; cp.async.cg.shared.global [%r2], [%rd4], 16, %r6; cp.async.wait_all;"
      "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r2]; add.u64 %rd5, %rd0, %rd3;"
      "st.global.v4.u32 [%rd5], {%r10, %r11, %r12, %r13};";
  const auto with = [&](const char* size) {
    std::string text = body;
    return text.replace(text.find("SIZE"), 4, size);
  };
  run(with("4"), {2});
  const std::uint32_t expected[] = {1, 2, 3, 4, 5, 0, 0, 0};
  EXPECT_EQ(std::memcmp(host<std::uint32_t>(), expected, sizeof expected), 0);
  EXPECT_NE(fails(with("5"), {2}).find("out of range"), std::string::npos);
}

TEST_F(PtxAsyncCopy, IsALoadPastRegistersToTheMachine) {
  prepare(copying("%rd4+16", "", "setp.lt.u32 %p1, %r0, 8; @!%p1 bra SKIP;") + "SKIP:");
  const auto cta = grid->start_cta(0, SmView{});
  const Issue* copy = nullptr;
  while (copy == nullptr) {
    const InstInfo* const next = cta->next(0);
    ASSERT_NE(next, nullptr);
    const Issue& issue = cta->execute(0);
    if (next->async == AsyncCopy::copy) copy = &issue;
  }
  EXPECT_EQ(copy->lanes, 0xffu);
  EXPECT_EQ(copy->space, Space::global);
  EXPECT_EQ(copy->inst->mem, MemOp::load);
  EXPECT_EQ(copy->inst->bytes, 16);
  EXPECT_EQ(copy->inst->destinations.size(), 0u);
  EXPECT_FALSE(copy->inst->volatile_access);
  EXPECT_EQ(copy->address[3], buffer + 16 + 3 * 16);
  std::uint32_t word = 0;
  std::memcpy(&word, copy->data + 3 * Issue::kLaneBytes, sizeof word);
  EXPECT_EQ(word, 0x1000u + 4 + 12);
}

TEST_F(PtxAsyncCopy, OffsetsOfTheDestinationMayBeNegative) {
  for (const char* address : {"%r2-32", "%rd4-32"}) {
    run(".shared .align 16 .b8 tile[512]; mov.u32 %r2, tile; add.u32 %r2, %r2, 64;"
        "cvt.u64.u32 %rd4, %r2; cp.async.ca.shared.global [" +
            std::string(address) +
            "], [%rd0], 16; cp.async.wait_all; ld.shared.u32 %r5, [tile+32];"
            "st.global.u32 [%rd0+2048], %r5;",
        {1});
    EXPECT_EQ(host<std::uint32_t>()[512], 0x1000u) << address;
    host<std::uint32_t>()[512] = 0;
  }
}

TEST_F(PtxAsyncCopy, ErrorsNameTheThread) {
  EXPECT_NE(fails(copying("%rd4", ", 20")).find("more than the 16 that are copied"),
            std::string::npos);
  EXPECT_NE(fails(copying("%rd4+4", "")).find("not aligned to 16 bytes"), std::string::npos);
  EXPECT_NE(fails(copying("%rd4+4096", "")).find("out of range"), std::string::npos);
  const std::string tile =
      ".shared .align 16 .b8 tile[512]; mov.u32 %r2, tile; mov.u64 %rd4, tile; ";
  const std::string beyond = fails(tile + "cp.async.ca.shared.global [%r2+512], [%rd0], 16;", {1});
  EXPECT_NE(beyond.find("load of 16 bytes at shared address 0x200, out of range"),
            std::string::npos)
      << beyond;
  EXPECT_NE(fails(tile + "cp.async.ca.shared.global [%r2+4], [%rd0], 16;", {1})
                .find("shared address 0x4: not aligned to 16 bytes"),
            std::string::npos);
  EXPECT_NE(fails("cp.async.cg.shared.global [%r1], [%rd0], 8;").find("copies 16 bytes"),
            std::string::npos);
  EXPECT_NE(fails("cp.async.ca.shared.global [%r1], [%rd0], 2;").find("copies 4, 8 or 16 bytes"),
            std::string::npos);
  EXPECT_NE(fails("cp.async.wait_group %r1;").find("as a constant"), std::string::npos);
}

}  // namespace
}  // namespace warpmem::program::ptx
