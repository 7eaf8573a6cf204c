// SPDX-License-Identifier: Apache-2.0
// mbarriers in PTX: worked examples of waits, what the machine is told, and the errors.
#include "program/async.hpp"
#include "unit/program/ptx_memory_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

/// %r9 is the address of an mbarrier of shared memory; %p8 is true in thread 0.
class PtxMbarrier : public PtxMemory {
 protected:
  static std::string with(const std::string& body) {
    return ".shared .align 8 .b64 bar[2]; mov.u32 %r9, bar; setp.eq.u32 %p8, %r0, 0;" + body;
  }
  static std::string wait(const std::string& parity, const std::string& label) {
    return "{ .reg .pred done; " + label +
           ": mbarrier.try_wait.parity.shared::cta.b64 done, [%r9], " + parity + "; @!done bra " +
           label + "; }";
  }
};

// Two warps: the second waits until the first has written, then reads what it wrote.
TEST_F(PtxMbarrier, AWarpWaitsForTheOther) {
  run(with(".shared .b32 value; mov.u32 %r8, value;"
           "@%p8 mbarrier.init.shared::cta.b64 [%r9], 32;"
           "bar.sync 0; setp.lt.u32 %p1, %r0, 32; @%p1 bra WRITER;" +
           wait("0", "AGAIN") +
           "ld.shared.u32 %r3, [%r8]; st.global.u32 [%rd2], %r3; bra DONE;"
           "WRITER: @%p8 st.shared.u32 [%r8], 77; mbarrier.arrive.shared.b64 %rd5, [%r9]; DONE:"),
      {64});
  EXPECT_EQ(host<std::uint32_t>()[32], 77u);
  EXPECT_EQ(host<std::uint32_t>()[63], 77u);
}

// Each lane sees the state before its own arrival, the lowest lane first.
TEST_F(PtxMbarrier, TheStateOfAnArrivalTellsWhatThePhaseMisses) {
  run(
      with("@%p8 mbarrier.init.shared.b64 [%r9], 40;"
           "mbarrier.arrive.shared.b64 %rd5, [%r9]; mbarrier.pending_count.b64 %r3, %rd5;"
           "st.global.u32 [%rd2], %r3;"
           "mbarrier.test_wait.shared.b64 %p1, [%r9], %rd5; selp.u32 %r4, 1, 0, %p1;"
           "@%p8 mbarrier.arrive.shared.b64 _, [%r9], 8;"
           "mbarrier.test_wait.shared.b64 %p2, [%r9], %rd5; selp.u32 %r5, 2, 0, %p2;"
           "add.u32 %r4, %r4, %r5; st.global.u32 [%rd2+128], %r4;"));
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(host<std::uint32_t>()[i], 40 - i) << i;
    EXPECT_EQ(host<std::uint32_t>()[32 + i], 2u) << i;
  }
}

TEST_F(PtxMbarrier, GenericAddressesOfSharedMemory) {
  run(
      with("mov.u64 %rd6, bar; cvta.shared.u64 %rd7, %rd6;"
           "@%p8 mbarrier.init.b64 [%rd7], 32; mbarrier.arrive.b64 %rd5, [%rd7];"
           "mbarrier.try_wait.parity.b64 %p1, [%rd7], 0, 1000; selp.u32 %r4, 1, 0, %p1;"
           "st.global.u32 [%rd2], %r4;"));
  EXPECT_EQ(host<std::uint32_t>()[31], 1u);
}

// A test does not suspend: the warp polls, and the others get their turn in between.
TEST_F(PtxMbarrier, AWarpMayPoll) {
  run(with("@%p8 mbarrier.init.shared.b64 [%r9], 32; bar.sync 0; mov.u32 %r7, 0;"
           "setp.ge.u32 %p1, %r0, 32; @%p1 mbarrier.arrive.shared.b64 _, [%r9]; @%p1 bra DONE;"
           "AGAIN: add.u32 %r7, %r7, 1; mbarrier.test_wait.parity.shared.b64 %p2, [%r9], 0;"
           "@!%p2 bra AGAIN; st.global.u32 [%rd2], %r7; DONE:"),
      {64});
  EXPECT_EQ(host<std::uint32_t>()[0], 2u);  // false, then the other warp arrives, then true
}

TEST_F(PtxMbarrier, CopiesArriveWithTheirBytes) {
  host<std::uint32_t>()[3] = 5;
  run(
      with(".shared .align 16 .b8 tile[512]; mov.u32 %r8, tile; shl.b32 %r3, %r0, 4;"
           "add.u32 %r8, %r8, %r3; mul.wide.u32 %rd3, %r0, 16; add.u64 %rd3, %rd3, %rd0;"
           "@%p8 mbarrier.init.shared.b64 [%r9], 32;"
           "cp.async.ca.shared.global [%r8], [%rd3], 16;"
           "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r9];" +
           wait("0", "AGAIN") + "ld.shared.u32 %r3, [%r8+12]; st.global.u32 [%rd2+1024], %r3;"));
  EXPECT_EQ(host<std::uint32_t>()[256], 5u);
}

TEST_F(PtxMbarrier, TheMachineIsToldOfEachOperation) {
  prepare(
      with("@%p8 mbarrier.init.shared.b64 [%r9], 2;"
           "@%p8 mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 48;"
           "@%p8 mbarrier.try_wait.parity.shared.b64 %p1, [%r9], 0, 100;"));
  const auto cta = grid->start_cta(0, SmView{});
  const auto upto = [&](MbarrierOp op) -> const Issue& {
    for (;;) {
      const InstInfo* const next = cta->next(0);
      const Issue& issue = cta->execute(0);
      if (next->async == AsyncCopy::mbarrier && MbarrierOp(next->async_groups) == op) return issue;
    }
  };
  EXPECT_EQ(upto(MbarrierOp::init).operand[0], 2u);
  const Issue& arrival = upto(MbarrierOp::arrive_expect_tx);
  EXPECT_EQ(arrival.lanes, 1u);
  EXPECT_EQ(arrival.space, Space::shared);
  EXPECT_EQ(arrival.address[0], 0u);
  EXPECT_EQ(arrival.operand[0], 48u);
  EXPECT_EQ(arrival.phases_ended, 0u);
  const Issue& wait = upto(MbarrierOp::try_wait);
  EXPECT_TRUE(wait.suspended);
  EXPECT_EQ(wait.most_wait_ns, 100u);
  const std::string what = cta->waits_for(0);
  EXPECT_NE(what.find("mbarrier at shared address 0x0: 1 of 2 arrivals and 48 bytes are missing"),
            std::string::npos)
      << what;
  EXPECT_TRUE(cta->execute(0).suspended);
  cta->stop_waiting(0);
  const Issue& answer = cta->execute(0);
  EXPECT_FALSE(answer.suspended);
  EXPECT_TRUE(answer.wait_failed);
  EXPECT_EQ(answer.operand[0], 0u);
}

TEST_F(PtxMbarrier, ErrorsNameTheObjectAndWhatIsAllowed) {
  const auto init = [](const std::string& rest) {
    return with("@%p8 mbarrier.init.shared.b64 [%r9], 2;" + rest);
  };
  const auto message = [&](const std::string& body, const std::string& part) {
    const std::string text = fails(body);
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  message(with("mbarrier.arrive.shared.b64 _, [%r9];"),
          "mbarrier at shared address 0x0: no mbarrier was initialised there");
  message(with("mbarrier.init.shared.b64 [%r9+4], 1;"), "not aligned to 8 bytes");
  message(with("mbarrier.init.shared.b64 [%r9+1600], 1;"), "out of range");
  message(with("mbarrier.init.shared.b64 [%r9], 0;"), "allowed: 1 to 1048575");
  message(with("mbarrier.init.b64 [%rd0], 1;"), "an mbarrier must lie in shared memory");
  message(init("@%p8 mbarrier.arrive.shared.b64 _, [%r9], 3;"), "misses 2 of 2");
  message(init("mbarrier.arrive.noComplete.shared.b64 %rd5, [%r9], 1;"), "would end the phase");
  message(init("mbarrier.test_wait.parity.shared.b64 %p1, [%r9], 2;"), "allowed: 0 or 1");
  message(init("@%p8 mbarrier.inval.shared.b64 [%r9]; "
               "mbarrier.test_wait.parity.shared.b64 %p1, [%r9], 0;"),
          "no mbarrier was initialised there");
}

TEST_F(PtxMbarrier, AWaitThatNobodyEndsIsADeadlock) {
  const std::string begin = with(
      "@%p8 mbarrier.init.shared.b64 [%r9], 33; bar.sync 0;"
      "@%p8 mbarrier.arrive.shared.b64 _, [%r9], 30;");
  const std::string text = fails(begin + wait("0", "AGAIN"));
  EXPECT_NE(text.find("warp 0 waits at memory.ptx:"), std::string::npos) << text;
  EXPECT_NE(text.find("phase of parity 0"), std::string::npos) << text;
  EXPECT_NE(text.find("3 of 33 arrivals and 0 bytes are missing"), std::string::npos) << text;
  EXPECT_NE(fails(begin + "A: mbarrier.test_wait.parity.shared.b64 %p2, [%r9], 0; @!%p2 bra A;")
                .find("3 of 33 arrivals"),
            std::string::npos);
}

}  // namespace
}  // namespace warpmem::program::ptx
