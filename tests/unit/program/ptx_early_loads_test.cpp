// SPDX-License-Identifier: Apache-2.0
// Which loads go ahead of what (docs/mechanisms.md 1.1). Instructions are named by their lines.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "program/ptx/module.hpp"
#include "program/ptx/module_data.hpp"

namespace warpmem::program::ptx {
namespace {

using Lines = std::vector<unsigned>;

/// The lines of a kernel's body in the order in which it executes them; its first line is 1.
Lines order_of(const std::string& body, bool early = true, const std::string& global = "") {
  const std::string text = ".version 7.0\n.target sm_80\n.address_size 64\n" + global +
                           ".visible .entry k() { .reg .b32 %r<64>; .reg .b64 %d<64>; "
                           ".reg .f32 %f<64>; .reg .pred %p<8>;\n" +
                           body + "\n}\n";
  DeviceMemory memory(1 << 20);
  Module module(text, "early.ptx", early);
  module.bind(memory);
  Lines lines;
  for (const InstInfo& info : module.data().program(0).infos) lines.push_back(info.line - 4);
  lines.pop_back();  // the end of the body
  return lines;
}

TEST(EarlyLoads, GoAheadOfTheFirstUse) {
  const std::string body =
      "ld.global.f32 %f1, [%d1];\n"
      "add.f32 %f0, %f0, %f1;\n"
      "add.s64 %d2, %d1, 4;\n"
      "ld.global.f32 %f2, [%d2];\n"
      "add.f32 %f0, %f0, %f2;\n"
      "mul.f32 %f0, %f0, %f0;";
  EXPECT_EQ(order_of(body), (Lines{1, 3, 4, 2, 5, 6}));
  EXPECT_EQ(order_of(body, false), (Lines{1, 2, 3, 4, 5, 6}));
}

TEST(EarlyLoads, WaitForTheAddressThatALoadBrings) {
  EXPECT_EQ(order_of("ld.global.u64 %d2, [%d1];\n"
                     "ld.global.u64 %d3, [%d2];\n"
                     "ld.global.u64 %d4, [%d1+8];\n"
                     "ld.global.u64 %d5, [%d3];"),
            (Lines{1, 3, 2, 4}));
}

TEST(EarlyLoads, StayBehindWhatMayWriteWhatTheyRead) {
  for (const char* in_order :
       {"st.global.f32 [%d3], %f0;", "atom.global.add.u32 %r1, [%d3], %r2;", "bar.sync 0;",
        "membar.gl;", "ld.volatile.global.f32 %f9, [%d3];", "mov.u64 %d9, %clock64;"})
    EXPECT_EQ(order_of("ld.global.f32 %f1, [%d1];\n"
                       "add.f32 %f0, %f0, %f1;\n" +
                       std::string(in_order) +
                       "\nld.global.f32 %f2, [%d1+4];\n"
                       "add.f32 %f0, %f0, %f2;"),
              (Lines{1, 2, 3, 4, 5}))
        << in_order;
}

// A tile is filled by loads of global memory, each with a store to shared memory behind it.
TEST(EarlyLoads, PassWhatAccessesOtherMemory) {
  const auto around = [](const std::string& between) {
    return order_of("ld.global.f32 %f1, [%d1];\n" + between +
                    "\nld.global.f32 %f2, [%d1+4];\n"
                    "add.f32 %f0, %f1, %f2;");
  };
  for (const char* elsewhere : {"st.shared.f32 [%r1], %f1;", "st.local.f32 [%d3], %f1;",
                                "@%p1 st.shared.f32 [%r1], %f1;", "red.shared.add.f32 [%r1], %f1;"})
    EXPECT_EQ(around(elsewhere), (Lines{1, 3, 2, 4})) << elsewhere;
  for (const char* may_order :
       {"st.f32 [%d3], %f1;", "st.global.f32 [%d3], %f1;", "st.volatile.shared.f32 [%r1], %f1;",
        "red.acq_rel.gpu.shared.add.f32 [%r1], %f1;", "st.release.cta.shared.f32 [%r1], %f1;"})
    EXPECT_EQ(around(may_order), (Lines{1, 2, 3, 4})) << may_order;
}

TEST(EarlyLoads, OfATileStayBehindItsStoresAndTheBarrier) {
  EXPECT_EQ(order_of("ld.global.f32 %f1, [%d1];\n"
                     "st.shared.f32 [%r1], %f1;\n"
                     "ld.shared.f32 %f2, [%r2];\n"
                     "ld.global.f32 %f3, [%d1+4];\n"
                     "bar.sync 0;\n"
                     "ld.global.f32 %f4, [%d1+8];\n"
                     "add.f32 %f0, %f2, %f3;\n"
                     "add.f32 %f0, %f0, %f4;"),
            (Lines{1, 4, 2, 3, 5, 6, 7, 8}));
}

// The chip's arithmetic reads constants and parameters as operands: they take no part in the limit,
// and come with what needs them.
TEST(EarlyLoads, ConstantsComeWithTheLoadsThatNeedThem) {
  std::string body = "ld.global.f32 %f1, [%d1];\nadd.f32 %f0, %f0, %f1;\n";
  for (int i = 2; i < 20; ++i)
    body += "ld.const.f32 %f" + std::to_string(i) + ", [c+" + std::to_string(4 * i) + "];\n";
  body +=
      "ld.const.u64 %d2, [c];\n"
      "ld.global.f32 %f40, [%d2];";
  const Lines lines = order_of(body, true, ".const .align 8 .b8 c[256];");
  EXPECT_EQ(Lines(lines.begin(), lines.begin() + 5), (Lines{1, 21, 22, 2, 3}));
}

// The register that the load would overwrite is read by a store to other memory.
TEST(EarlyLoads, DoNotOverwriteWhatAStoreElsewhereReads) {
  EXPECT_EQ(order_of("ld.global.f32 %f1, [%d1];\n"
                     "st.shared.f32 [%r1], %f1;\n"
                     "ld.global.f32 %f1, [%d1+4];\n"
                     "st.shared.f32 [%r1+4], %f1;"),
            (Lines{1, 2, 3, 4}));
}

TEST(EarlyLoads, StayInTheirBlock) {
  EXPECT_EQ(order_of("ld.global.f32 %f1, [%d1];\n"
                     "add.f32 %f0, %f0, %f1;\n"
                     "@%p1 bra AFTER;\n"
                     "ld.global.f32 %f2, [%d1+4];\n"
                     "AFTER: add.f32 %f0, %f0, %f2;"),
            (Lines{1, 2, 3, 4, 5}));
}

TEST(EarlyLoads, DoNotOverwriteWhatIsStillRead) {
  // %f1 is read by line 2, so that the load of line 3 cannot pass; %d1 is changed by line 5.
  EXPECT_EQ(order_of("ld.global.f32 %f1, [%d1];\n"
                     "add.f32 %f0, %f0, %f1;\n"
                     "ld.global.f32 %f1, [%d1+4];\n"
                     "add.f32 %f0, %f0, %f1;\n"
                     "add.s64 %d1, %d1, 8;\n"
                     "ld.global.f32 %f3, [%d1];\n"
                     "add.f32 %f0, %f0, %f3;"),
            (Lines{1, 2, 3, 5, 6, 4, 7}));
}

TEST(EarlyLoads, AGuardIsAnOperand) {
  EXPECT_EQ(order_of("ld.global.u32 %r1, [%d1];\n"
                     "setp.eq.u32 %p1, %r1, 0;\n"
                     "@%p1 ld.global.u32 %r2, [%d1+4];\n"
                     "@!%p2 ld.global.u32 %r3, [%d1+8];"),
            (Lines{1, 4, 2, 3}));
}

TEST(EarlyLoads, AtMostSixteenRegistersWait) {
  std::string body;
  for (int i = 0; i < 20; ++i)
    body += "ld.global.f32 %f" + std::to_string(i + 1) + ", [%d1+" + std::to_string(4 * i) +
            "];\nadd.f32 %f0, %f0, %f" + std::to_string(i + 1) + ";\n";
  const Lines lines = order_of(body);
  Lines loads;
  for (unsigned i = 0; i < 16; ++i) loads.push_back(2 * i + 1);
  EXPECT_EQ(Lines(lines.begin(), lines.begin() + 16), loads);
  EXPECT_EQ(lines[16], 2u);
  EXPECT_EQ(lines[17], 33u);  // a register is free for the next load
}

}  // namespace
}  // namespace warpmem::program::ptx
