// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk: when the bytes move, what the machine is told, and the errors.
#include "program/async.hpp"
#include "unit/program/ptx_memory_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

/// %r8 is the address of 256 bytes of shared memory, %r9 of an mbarrier; %p8 is true in thread 0,
/// which has initialised it for one arrival.
class PtxBulkCopy : public PtxMemory {
 protected:
  void SetUp() override {
    for (unsigned i = 0; i < 64; ++i) host<std::uint32_t>()[i] = 100 + i;
  }
  static std::string with(const std::string& body) {
    return ".shared .align 16 .b8 tile[256]; .shared .align 8 .b64 bar; mov.u32 %r8, tile;"
           "mov.u32 %r9, bar; setp.eq.u32 %p8, %r0, 0;"
           "@%p8 mbarrier.init.shared::cta.b64 [%r9], 1;" +
           body;
  }
  static std::string load(const std::string& bytes = "128") {
    return "@%p8 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r8], [%rd0], " +
           bytes + ", [%r9];";
  }
  static std::string store() {
    return "@%p8 cp.async.bulk.global.shared::cta.bulk_group [%rd0+1024], [%r8], 128;"
           "@%p8 cp.async.bulk.commit_group;";
  }
  static std::string expect(const std::string& bytes = "128") {
    return "@%p8 mbarrier.arrive.expect_tx.shared.b64 _, [%r9], " + bytes + ";";
  }
  static std::string wait() {
    return "AGAIN: mbarrier.try_wait.parity.shared.b64 %p1, [%r9], 0; @!%p1 bra AGAIN;";
  }
  static std::string result() {
    return "shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r8; ld.shared.u32 %r4, [%r3];"
           "st.global.u32 [%rd2+512], %r4;";
  }
};

TEST_F(PtxBulkCopy, TheWaitBringsTheBytes) {
  run(with(expect() + load() + wait() + result()));
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(host<std::uint32_t>()[128 + i], 100 + i) << i;
}

TEST_F(PtxBulkCopy, WhoDoesNotWaitFindsWhatWasThere) {
  run(with(expect() + load() + result()));
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(host<std::uint32_t>()[128 + i], 0u) << i;
}

TEST_F(PtxBulkCopy, AStoreTakesWhatIsThereWhenItIsRead) {
  const std::string fill = "shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r8; st.shared.u32 [%r3], 7;";
  const std::string spoil = "st.shared.u32 [%r3], 9;";
  run(with(fill + store() + "cp.async.bulk.wait_group.read 0;" + spoil));
  EXPECT_EQ(host<std::uint32_t>()[256 + 31], 7u);
  run(with(fill + store() + spoil + "cp.async.bulk.wait_group 0;"));
  EXPECT_EQ(host<std::uint32_t>()[256 + 31], 9u);
}

TEST_F(PtxBulkCopy, TheMachineIsToldOfEachCopy) {
  prepare(with(expect() + load("64") + wait()));
  EXPECT_NE(grid->traits().bulk_copy.find("memory.ptx:"), std::string::npos);
  EXPECT_NE(grid->traits().bulk_copy.find("`cp.async.bulk.shared::cta.global"), std::string::npos);
  const auto cta = grid->start_cta(0, SmView{});
  const InstInfo* next = cta->next(0);
  for (; next->async != AsyncCopy::bulk; next = cta->next(0)) cta->execute(0);
  const Issue& copy = cta->execute(0);
  EXPECT_EQ(copy.lanes, 1u);
  EXPECT_EQ(copy.space, Space::global);
  EXPECT_EQ(copy.inst->mem, MemOp::load);
  EXPECT_EQ(copy.address[0], buffer);
  EXPECT_EQ(copy.operand[0], 0u);
  EXPECT_EQ(copy.operand[1], 64u);
  EXPECT_EQ(copy.operand[2], 256u);
  const InstInfo& inst = *copy.inst;
  EXPECT_EQ(cta->shared_memory()[0], 0u);  // the machine moves the bytes
  EXPECT_EQ(cta->bulk_arrived(0, inst, 0, 256, 64), 0u);
  EXPECT_EQ(cta->bulk_arrived(0, inst, 0, 256, 64), 1u);
}

TEST_F(PtxBulkCopy, AKernelWithoutThemNeedsNoEngine) {
  prepare(with(""));
  EXPECT_EQ(grid->traits().bulk_copy, "");
}

TEST_F(PtxBulkCopy, ErrorsNameWhatIsAllowed) {
  const auto message = [&](const std::string& body, const std::string& part) {
    const std::string text = fails(body);
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_NE(text.find("memory.ptx:"), std::string::npos) << text;
  };
  const auto copy = [](const std::string& operands) {
    return with("cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes " + operands + ";");
  };
  message(copy("[%r8], [%rd0], 24, [%r9]"), "a bulk copy of 24 bytes; allowed: multiples of 16");
  message(copy("[%r8], [%rd0], 0, [%r9]"), "a bulk copy of 0 bytes");
  message(copy("[%r8+8], [%rd0], 16, [%r9]"), "shared address 0x8 is not aligned to 16 bytes");
  message(copy("[%r8], [%rd0+4], 16, [%r9]"), "is not aligned to 16 bytes");
  message(copy("[%r8+256], [%rd0], 16, [%r9]"), "out of range");
  message(copy("[%r8], [%rd0+4096], 16, [%r9]"), "out of range");
  message(copy("[%r8], [%rd0], 16, [%r9+4]"), "is not aligned to 8 bytes");
  message(copy("[%r8], [%rd0], 16, [%r8]"), "no mbarrier was initialised there");
  // Nobody is there to take the bytes when they come.
  message(with(load() + "@%p8 mbarrier.inval.shared.b64 [%r9];"), "at its end, mbarrier");
}

TEST_F(PtxBulkCopy, WhatIsNotThereIsRefusedByName) {
  const auto refused = [&](const std::string& body, const std::string& part) {
    const std::string text = fails(body);
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_NE(text.find("not supported"), std::string::npos) << text;
  };
  refused(
      "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes "
      "[%r1], [%rd0, {%r1, %r1, %r1}], [%r1], {%h1};",
      "cp.async.bulk.tensor");
  refused(
      "cp.reduce.async.bulk.tensor.3d.global.shared::cta.bulk_group.add.im2col_no_offs "
      "[%rd0, {%r1, %r1, %r1}], [%r1];",
      "cp.reduce.async.bulk.tensor");
  refused(
      "cp.reduce.async.bulk.tensor.1d.global.shared::cta.bulk_group.exch.tile "
      "[%rd0, {%r1}], [%r1];",
      "cp.reduce.async.bulk.tensor");
  for (const std::string form : {"inc.u64", "add.s64", "add.f16", "min.f32", "and.u32", "exch.b32"})
    refused("cp.reduce.async.bulk.global.shared::cta.bulk_group." + form + " [%rd0], [%r1], 16;",
            "cp.reduce.async.bulk");
  refused(
      "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.u64 "
      "[%r1], [%r1], 16, [%r1];",
      "cp.reduce.async.bulk");
}

}  // namespace
}  // namespace warpmem::program::ptx
