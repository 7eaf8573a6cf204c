// SPDX-License-Identifier: Apache-2.0
// Traces in Accel-Sim's format: the lines of a small launch, what they may hold, and that reading
// them gives the launch back.
#include "program/trace/accelsim_export.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "base/errors.hpp"
#include "program/trace/accelsim_kernel.hpp"
#include "program/trace/accelsim_writer.hpp"
#include "program/trace/own_format.hpp"
#include "static_instructions.hpp"
#include "support/scratch_folder.hpp"

namespace warpmem::program::trace {
namespace {

using test::access;
using test::inst;
using ::testing::HasSubstr;

constexpr LaneMask kAll = 0xffffffff;

/// A launch of one warp that is put together step by step.
class Launch final : public KernelTrace {
 public:
  explicit Launch(unsigned threads = 32) {
    traits_.name = "k(int*)";
    traits_.block.x = threads;
    traits_.warps_per_cta = 1;
    traits_.registers_per_thread = 300;
    traits_.shared_bytes = 512;
    traits_.local_bytes = 20000;
    traits_.scoreboard_registers = 400;
    cta_.warps.resize(1);
  }
  std::uint32_t add(InstInfo info, const std::string& mnemonic) {
    info.pc = static_cast<std::uint32_t>(8 * code_.infos.size());
    info.line = 100 + static_cast<std::uint32_t>(code_.infos.size());
    code_.infos.push_back(info);
    code_.mnemonics.push_back(mnemonic);
    return static_cast<std::uint32_t>(code_.infos.size() - 1);
  }
  Step& step(std::uint32_t index, LaneMask lanes = kAll, std::vector<Addr> addresses = {},
             std::optional<Space> space = {}) {
    WarpTrace& warp = cta_.warps[0];
    Step& s = warp.steps.emplace_back();
    s.inst = index;
    s.lanes = lanes;
    s.space = space.value_or(code_.infos[index].space);
    s.first_address = static_cast<std::uint32_t>(warp.addresses.size());
    warp.addresses.insert(warp.addresses.end(), addresses.begin(), addresses.end());
    return s;
  }
  /// One instruction that executes once.
  Step& once(const InstInfo& info, const std::string& mnemonic, LaneMask lanes = kAll,
             std::vector<Addr> addresses = {}, std::optional<Space> space = {}) {
    return step(add(info, mnemonic), lanes, std::move(addresses), space);
  }
  void end(LaneMask lanes = kAll) { once(inst(OpClass::control), "ret", lanes).exited = true; }

  const KernelTraits& traits() const override { return traits_; }
  const InstInfo& inst(std::uint32_t index) const override { return code_.infos[index]; }
  std::uint32_t inst_count() const override {
    return static_cast<std::uint32_t>(code_.infos.size());
  }
  const std::string& mnemonic(std::uint32_t index) const override { return code_.mnemonics[index]; }
  bool next_cta(CtaTrace& cta) override {
    cta = cta_;
    return !std::exchange(done_, true);
  }
  const StaticCode& code() const { return code_; }
  const CtaTrace& cta() const { return cta_; }

 private:
  static InstInfo inst(OpClass op_class) { return test::inst(op_class); }

  KernelTraits traits_;
  StaticCode code_;
  CtaTrace cta_;
  bool done_ = false;
};

struct Text final : TextSink {
  void write(std::string_view more) override { text += more; }
  std::string text;
};

struct Written {
  std::string text;
  std::vector<std::string> notes;
  /// The lines of instructions.
  std::vector<std::string> steps() const {
    std::vector<std::string> lines;
    std::istringstream in(text.substr(text.find("insts = ")));
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line) && !line.empty()) lines.push_back(line);
    return lines;
  }
};

Written written(const Launch& launch, unsigned architecture = 70) {
  Text out;
  Notes notes;
  AccelsimWriter writer({architecture, 3, "t.wmtrace"}, launch.traits(), launch.code(), out, notes);
  writer.cta(launch.cta());
  return {out.text, notes.list()};
}

std::string error_of(const Launch& launch, unsigned architecture = 70) {
  try {
    written(launch, architecture);
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

class File : public warpmem::test::ScratchFolder {
 public:
  std::string with(const std::string& text) const {
    const std::string path = *this / "k.traceg";
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
};

/// A launch with something of everything that a line can hold.
Launch of_everything() {
  Launch k;
  k.once(access(MemOp::load, Space::param, 8, {}, {7}), "ld.param.u64");
  k.once(access(MemOp::load, Space::global, 16, {7}, {20, 21, 22, 23}), "ld.global.v4.f32", 0xf,
         {0x200000000000, 0x200000000010, 0x200000000020, 0x200000000030});
  k.once(inst(OpClass::fp32, {9, 22, 23}, {30}), "fma.rn.f32");
  k.once(access(MemOp::store, Space::shared, 4, {3, 30}), "st.shared.f32", 0x5, {0, 0x40});
  Step& barrier = k.once(inst(OpClass::barrier), "bar.sync");
  barrier.barrier = 2;
  barrier.barrier_warps = 1;
  const auto atomic =
      k.add(access(MemOp::atomic, Space::generic, 4, {7, 30}, {31}), "atom.add.u32");
  k.step(atomic, 0x8, {0x200000000100}, Space::global);
  k.step(atomic, 0x8, {0x80}, Space::shared);
  k.once(access(MemOp::load, Space::local, 4, {3}, {31}), "ld.local.u32", 0x3, {16384, 8});
  k.once(inst(OpClass::div, {30, 31}, {30}), "div.rn.f32", 0);
  const auto ret = k.add(inst(OpClass::control), "ret");
  k.step(ret, 0xffff);  // of a function
  k.once(inst(OpClass::int_alu, {3}, {3}), "mov.u32");
  k.step(ret, 0xffff0000);
  k.step(ret, 0xffff).exited = true;
  return k;
}

TEST(AccelsimWriter, LinesOfALaunch) {
  EXPECT_THAT(
      written(of_everything()).steps(),
      ::testing::ElementsAre(
          "0000 ffffffff 1 R0 LDC.64 0 0",
          "0010 0000000f 1 R1 LDG.E.128 1 R0 16 1 0x200000000000 16 0",
          "0020 ffffffff 1 R2 FFMA 2 R3 R1 0", "0030 00000005 0 STS 2 R4 R2 4 2 0x0 64 0",
          "0040 ffffffff 0 BAR.SYNC.DEFER_BLOCKING 0 0 34",
          "0050 00000008 1 R5 ATOM.E.ADD.STRONG.GPU 2 R0 R2 4 0 0x200000000100 0",
          "0050 00000008 1 R5 ATOM.E.ADD.STRONG.GPU 2 R0 R2 4 0 0x1000080 0",
          "0060 00000003 1 R5 LDL 1 R4 4 1 0x2004000 -16376 0",
          "0070 00000000 1 R2 MUFU.RCP 2 R2 R5 0", "0080 0000ffff 0 RET 0 0",
          "0090 ffffffff 1 R4 MOV 1 R4 0", "0080 ffff0000 0 EXIT 0 0", "0080 0000ffff 0 EXIT 0 0"));
}

TEST(AccelsimWriter, HeaderSaysWhatSassCannot) {
  const std::string text = written(of_everything(), 86).text;
  EXPECT_THAT(text, HasSubstr("-kernel name = k(int*)\n-kernel id = 3\n-grid dim = (1,1,1)\n"
                              "-block dim = (32,1,1)\n-shmem = 512\n-nregs = 255\n"
                              "-binary version = 86\n"));
  EXPECT_THAT(text, HasSubstr("-warpmem kernel = 300 20000 400\n"));
  EXPECT_THAT(text, HasSubstr("-warpmem instruction = 0010 8 101 0 memory load global 16 0 none 0 "
                              "1 7 4 20 21 22 23 ld.global.v4.f32\n"));
}

TEST(AccelsimWriter, ReadsBackAsItWas) {
  const Launch launch = of_everything();
  const File file;
  Notes notes;
  AccelsimKernel kernel(file.with(written(launch).text), notes);
  EXPECT_EQ(kernel.traits().registers_per_thread, 300u);
  EXPECT_EQ(kernel.traits().local_bytes, 20000u);
  EXPECT_EQ(kernel.traits().scoreboard_registers, 400u);
  CtaTrace cta;
  ASSERT_TRUE(kernel.next_cta(cta));
  EXPECT_TRUE(notes.list().empty());
  const WarpTrace &was = launch.cta().warps[0], &is = cta.warps[0];
  ASSERT_EQ(is.steps.size(), was.steps.size());
  EXPECT_EQ(is.addresses, was.addresses);
  for (std::size_t i = 0; i < is.steps.size(); ++i) {
    const Step &a = was.steps[i], &b = is.steps[i];
    EXPECT_EQ(a.lanes, b.lanes);
    EXPECT_EQ(a.space, b.space) << i;
    EXPECT_EQ(a.exited, b.exited) << i;
    EXPECT_EQ(a.first_address, b.first_address);
    EXPECT_EQ(a.barrier, b.barrier);
    EXPECT_EQ(a.barrier_waits, b.barrier_waits);
    EXPECT_EQ(a.barrier_warps, b.barrier_warps);
    const InstInfo &x = launch.code().infos[a.inst], &y = kernel.inst(b.inst);
    EXPECT_EQ(launch.code().mnemonics[a.inst], kernel.mnemonic(b.inst));
    EXPECT_EQ(exact_instruction(0, x, "m"), exact_instruction(0, y, "m"));
  }
}

TEST(AccelsimWriter, WhatAWarpWaitsForAtABarrier) {
  Step all, some;
  some.barrier = 15;
  some.barrier_waits = false;
  some.barrier_warps = 32;
  EXPECT_EQ(exact_barrier(all), 0u);
  EXPECT_EQ(exact_barrier(some), 15u + 16u + 32u * 32u);
  Step read;
  EXPECT_TRUE(read_exact_barrier(exact_barrier(some), read));
  EXPECT_EQ(read.barrier, 15u);
  EXPECT_FALSE(read.barrier_waits);
  EXPECT_EQ(read.barrier_warps, 32u);
  EXPECT_FALSE(read_exact_barrier(33 * 32, read));
}

TEST(AccelsimWriter, ASharedReductionWritesTheZeroRegister) {
  Launch k;
  k.once(access(MemOp::reduction, Space::shared, 4, {6, 4}), "atom.shared.add.u32", 1, {0x18});
  k.once(access(MemOp::reduction, Space::global, 4, {6, 4}), "atom.add.u32", 1, {0x200000000000});
  k.end();
  EXPECT_EQ(written(k).steps()[0], "0000 00000001 1 R255 ATOMS.ADD 2 R0 R1 4 0 0x18 0");
  EXPECT_EQ(written(k).steps()[1],
            "0010 00000001 0 RED.E.ADD.STRONG.GPU 2 R0 R1 4 0 0x200000000000 0");
}

TEST(AccelsimWriter, CopiesAreOfLaterArchitectures) {
  Launch k;
  InstInfo copy = access(MemOp::load, Space::global, 16, {1});
  copy.async = AsyncCopy::copy;
  copy.volatile_access = true;
  InstInfo close = inst(OpClass::int_alu), wait = inst(OpClass::int_alu);
  close.async = AsyncCopy::close;
  wait.async = AsyncCopy::wait;
  wait.async_groups = 2;
  k.once(copy, "cp.async.cg.shared.global", 0x2, {0x200000000000});
  k.once(close, "cp.async.commit_group");
  k.once(wait, "cp.async.wait_group");
  k.end();
  EXPECT_THAT(
      written(k, 80).steps(),
      ::testing::ElementsAre("0000 00000002 0 LDGSTS.E.BYPASS.128 1 R0 16 0 0x200000000000 0",
                             "0010 ffffffff 0 LDGDEPBAR 0 0", "0020 ffffffff 0 DEPBAR.LE 0 0 2",
                             "0030 ffffffff 0 EXIT 0 0"));
  EXPECT_EQ(error_of(k),
            "t.wmtrace: kernel k(int*): cp.async.cg.shared.global cannot be said in a "
            "trace of sm_70; allowed: sm_80 and later");
}

TEST(AccelsimWriter, WhatTheFormatCannotSay) {
  Launch bulk;
  InstInfo copy = access(MemOp::load, Space::global, 16, {1});
  copy.async = AsyncCopy::bulk;
  bulk.once(copy, "cp.async.bulk", 0);
  bulk.end();
  EXPECT_EQ(error_of(bulk, 90),
            "t.wmtrace: kernel k(int*): cp.async.bulk cannot be said in a trace of sm_90");
  Launch lives;
  lives.end(0xffff);
  EXPECT_THAT(error_of(lives), HasSubstr("CTA 0, warp 0: lanes ffff0000 do not end with an exit"));
  Launch generic;
  generic.once(access(MemOp::load, Space::generic, 4, {1}, {2}), "ld.u32", 1, {0x2fffffc},
               Space::global);
  generic.end();
  EXPECT_THAT(error_of(generic),
              HasSubstr("generic address 0x2fffffc; allowed: outside 0x1000000"));
}

TEST(AccelsimWriter, StaysWithinWhatReadersTake) {
  Launch k;
  k.once(inst(OpClass::int_alu, {1, 2, 3, 4, 5, 6}, {7, 8}), "op");
  for (std::uint16_t r = 10; r < 300; ++r) k.once(inst(OpClass::int_alu, {}, {r}), "mov.u32");
  k.end();
  const Written out = written(k);
  EXPECT_EQ(out.steps()[0], "0000 ffffffff 1 R0 IADD3 4 R1 R2 R3 R4 0");
  EXPECT_THAT(out.text, ::testing::Not(HasSubstr("R255")));
  EXPECT_THAT(out.notes,
              ::testing::ElementsAre(
                  "k(int*): 297 registers of 255 that the format has; numbers are used again",
                  "k(int*): 1 instructions have more sources than the 4 of the format"));
}

TEST(ExactLines, WhatIsWrongIsSaidWithItsLine) {
  const std::string good = written(of_everything()).text;
  const auto error = [&](const std::string& old, const std::string& now) -> std::string {
    std::string text = good;
    text.replace(text.find(old), old.size(), now);
    const File file;
    Notes notes;
    try {
      AccelsimKernel kernel(file.with(text), notes);
      CtaTrace cta;
      while (kernel.next_cta(cta)) {
      }
    } catch (const UserError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(error("x", "x"), "");
  EXPECT_THAT(error("kernel = 300 20000 400", "kernel = 300 20000"),
              HasSubstr("k.traceg:14: the line ends before scoreboard registers; allowed: a number "
                        "from 0 to 65536"));
  EXPECT_THAT(error("20000 400", "20000 400 1"), HasSubstr("`1` as end of the line"));
  EXPECT_THAT(error("20000 400", "20000 23"),
              HasSubstr("`23` as register; allowed: a number from 0 to 22"));
  EXPECT_THAT(
      error("memory load global", "memory lod global"),
      HasSubstr("`lod` as memory operation; allowed: none, load, store, atomic, reduction"));
  EXPECT_THAT(error("instruction = 0010", "instruction = 0000"),
              HasSubstr("the instruction at 0000 for the second time"));
  EXPECT_THAT(error("instruction = 0090", "instruction = 0094"),
              HasSubstr("no `-warpmem instruction` for the instruction at 0090"));
  EXPECT_THAT(error("global 16 0", "global 17 0"),
              HasSubstr("`17` as bytes a lane; allowed: a number from 1 to 16"));
  EXPECT_THAT(error("-warpmem kernel", "-other kernel"),
              HasSubstr("`-warpmem instruction` before `-warpmem kernel`"));
  EXPECT_THAT(error("0 0 34", "0 0 1056"), HasSubstr("`1056` as barrier"));
  EXPECT_THAT(error("21 22 23 ld.global.v4.f32", "21 22 23"),
              HasSubstr("the line ends before mnemonic; allowed: a word"));
}

class Export : public ::testing::Test {
 protected:
  std::string trace(Launch launch) const {
    const std::string path = folder_ / "t.wmtrace";
    OwnFormatWriter writer(path);
    writer.allocate(0x200000000000, 4096, false);
    writer.host_wrote(0x200000000000, 256);
    copy_kernel(launch, writer);
    writer.host_wrote(0x200000000000, 128);  // no launch follows
    writer.finish();
    return path;
  }
  static std::string text_of(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  warpmem::test::ScratchFolder folder_;
};

TEST_F(Export, AFolderWithAList) {
  const std::string input = trace(of_everything());
  const std::string out = folder_ / "out";
  EXPECT_TRUE(export_accelsim(input, out, {}).empty());
  EXPECT_EQ(text_of(out + "/kernelslist.g"),
            "MemcpyHtoD,0x0000200000000000,256\nkernel-1.traceg\n");
  const std::string packed = folder_ / "packed";
  AccelsimExport how;
  how.compressed = true;
  export_accelsim(input, packed, how);
  EXPECT_THAT(text_of(packed + "/kernelslist.g"), HasSubstr("kernel-1.traceg.xz\n"));
  LineReader plain(out + "/kernel-1.traceg"), unpacked(packed + "/kernel-1.traceg.xz");
  std::string_view a, b;
  while (plain.next(a)) {
    ASSERT_TRUE(unpacked.next(b));
    EXPECT_EQ(a, b);
  }
  EXPECT_FALSE(unpacked.next(b));
}

TEST_F(Export, NeverIntoAFolderThatHoldsSomething) {
  const std::string input = trace(of_everything());
  const auto error = [&](const std::string& out) -> std::string {
    try {
      export_accelsim(input, out, {});
    } catch (const UserError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_THAT(error(folder_ / ""), HasSubstr("is not empty; allowed: a new or an empty folder"));
  EXPECT_THAT(error(input), HasSubstr("is a file; allowed: a new or an empty folder"));
  Launch lives;
  lives.end(1);
  EXPECT_THAT((trace(lives), error(folder_ / "half")), HasSubstr("do not end with an exit"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "half/kernelslist.g"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "half/kernel-1.traceg"));
}

}  // namespace
}  // namespace warpmem::program::trace
