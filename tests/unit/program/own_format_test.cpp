// SPDX-License-Identifier: Apache-2.0
#include "program/trace/own_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "base/errors.hpp"
#include "program/trace/own_format_records.hpp"
#include "random_trace.hpp"
#include "static_instructions.hpp"

namespace warpmem::program::trace {
namespace {

using test::RandomKernel;

class OwnFormat : public ::testing::Test {
 protected:
  OwnFormat() {
    path_ = std::filesystem::temp_directory_path() /
            ("own_format_" + std::to_string(::getpid()) + ".wmtrace");
  }
  ~OwnFormat() override { std::filesystem::remove(path_); }

  std::string bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }
  void put(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }

  /// Everything the file says, as text.
  std::string content() const {
    const auto reader = open_own_format(path_);
    std::string text;
    const auto say = [&text](auto... n) { ((text += std::to_string(n) + " "), ...); };
    Command c;
    while (reader->next(c)) {
      say(static_cast<int>(c.kind), c.address, c.bytes, int(c.managed), int(c.to_device));
      if (c.kind != Command::Kind::launch) continue;
      describe(*c.kernel, text);
    }
    for (const std::string& note : reader->notes()) text += note;
    return text;
  }

  static void describe(KernelTrace& kernel, std::string& text) {
    const auto say = [&text](auto... n) { ((text += std::to_string(n) + " "), ...); };
    const KernelTraits& t = kernel.traits();
    text += t.name;
    say(t.grid.x, t.grid.y, t.grid.z, t.block.x, t.block.y, t.block.z, t.warps_per_cta,
        t.registers_per_thread, t.cluster.x, t.cluster.y, t.cluster.z, t.shared_bytes,
        t.local_bytes, t.scoreboard_registers);
    CtaTrace cta;
    while (kernel.next_cta(cta)) {
      for (const WarpTrace& warp : cta.warps) {
        for (const Step& s : warp.steps) {
          say(s.inst, s.lanes, static_cast<int>(s.space), int(s.exited), s.barrier,
              int(s.barrier_waits), s.barrier_warps);
          const InstInfo& i = kernel.inst(s.inst);
          if (!carries_addresses(i, s.lanes, s.space)) continue;
          const unsigned lanes = static_cast<unsigned>(__builtin_popcount(s.lanes));
          for (unsigned k = 0; k < lanes * (1 + operands_a_lane(i, t.clustered())); ++k)
            say(warp.addresses.at(s.first_address + k));
        }
        text += "\n";
      }
    }
    for (std::uint32_t k = 0; k < kernel.inst_count(); ++k) {
      const InstInfo& i = kernel.inst(k);
      say(i.pc, i.line, i.source_line, static_cast<int>(i.op_class), static_cast<int>(i.mem),
          static_cast<int>(i.space), i.bytes, int(i.volatile_access), static_cast<int>(i.async),
          static_cast<int>(i.cluster_barrier), int(i.tile), i.async_groups, i.sources.size(),
          i.destinations.size());
      for (const auto r : i.sources) say(r);
      for (const auto r : i.destinations) say(r);
      text += kernel.mnemonic(k);
    }
    for (const TensorMap& map : kernel.tensor_maps()) {
      std::array<std::uint8_t, TensorMap::kBytes> bytes;
      map.encode(bytes.data());
      for (const auto byte : bytes) say(byte);
    }
  }

  std::string error() const {
    try {
      content();
    } catch (const UserError& e) {
      return e.what();
    }
    return {};
  }

  std::string path_;
};

TEST_F(OwnFormat, WhatIsWrittenIsRead) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    OwnFormatWriter writer(path_);
    std::string expected = "0 4096 777 1 0 ";
    writer.allocate(4096, 777, true);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const std::uint32_t s = seed * 10 + k;
      RandomKernel original(s, 1 + s % 7, 1 + s * 37 % 1024, 300),
          again(s, 1 + s % 7, 1 + s * 37 % 1024, 300);
      copy_kernel(original, writer);
      expected += "5 0 0 0 0 ";
      describe(again, expected);
      writer.host_wrote(~Addr(0) - 9, 8);
      expected += "2 " + std::to_string(~Addr(0) - 9) + " 8 0 0 ";
    }
    writer.host_read(4096, 70);
    writer.prefetch(4096, 777, true);
    expected += "3 4096 70 0 0 4 4096 777 0 1 ";
    writer.release(4096);
    expected += "1 4096 0 0 0 ";
    writer.note("a note");
    writer.finish();
    ASSERT_EQ(content(), expected + "a note") << "seed " << seed;
  }
}

TEST_F(OwnFormat, ClustersAreReadAsTheyAreWritten) {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const std::uint32_t each = 2 + seed % 15;
    RandomKernel original(seed, 2 * each, 40, 100, each), again(seed, 2 * each, 40, 100, each);
    OwnFormatWriter writer(path_);
    copy_kernel(original, writer);
    writer.finish();
    std::string expected = "5 0 0 0 0 ";
    describe(again, expected);
    ASSERT_EQ(content(), expected) << "seed " << seed;
  }
}

TEST_F(OwnFormat, NobodyWaitsAtAnotherBlocksMbarrier) {
  for (const MbarrierOp op : {MbarrierOp::arrive, MbarrierOp::try_wait, MbarrierOp::test_wait,
                              MbarrierOp::copies_arrive, MbarrierOp::copies_arrive_no_inc}) {
    KernelTraits traits;
    traits.name = "k";
    traits.grid.x = traits.cluster.x = 2;
    OwnFormatWriter writer(path_);
    writer.begin_kernel(traits);
    InstInfo inst;
    inst.op_class = OpClass::memory;
    inst.mem = MemOp::atomic;
    inst.space = Space::cluster;
    inst.bytes = 8;
    inst.async = AsyncCopy::mbarrier;
    inst.async_groups = static_cast<std::uint8_t>(op);
    Step step;
    step.inst = writer.add_instruction(inst, "mbarrier");
    step.lanes = 1;
    step.space = Space::cluster;
    step.exited = true;
    CtaTrace cta;
    cta.warps.resize(1);
    cta.warps[0].steps.push_back(step);
    cta.warps[0].addresses = {cluster_address(1, 64), 1};
    for (unsigned rank = 0; rank < 2; ++rank) writer.cta(cta);
    writer.end_kernel();
    writer.finish();
    if (op == MbarrierOp::arrive) {
      EXPECT_EQ(error(), "");
    } else {
      EXPECT_THAT(error(), ::testing::HasSubstr("at the mbarrier of another block"));
    }
  }
}

/// Writes a launch of one warp whose steps execute one memory instruction each.
void write_accesses(const std::string& path, const std::vector<InstInfo>& infos, Space space) {
  KernelTraits traits;
  traits.name = "k";
  OwnFormatWriter writer(path);
  writer.begin_kernel(traits);
  CtaTrace cta;
  cta.warps.resize(1);
  for (const InstInfo& info : infos) {
    Step& step = cta.warps[0].steps.emplace_back();
    step.inst = writer.add_instruction(info, "access");
    step.lanes = 1;
    step.space = space;
    step.first_address = static_cast<std::uint32_t>(cta.warps[0].addresses.size());
    cta.warps[0].addresses.push_back(64);
  }
  cta.warps[0].steps.back().exited = true;
  writer.cta(cta);
  writer.end_kernel();
  writer.finish();
}

TEST_F(OwnFormat, NoAtomicIsInLocalMemory) {
  for (const MemOp op : {MemOp::store, MemOp::atomic, MemOp::reduction}) {
    write_accesses(path_, {test::access(op, Space::generic, 4, {})}, Space::local);
    if (op == MemOp::store) {
      EXPECT_EQ(error(), "");
    } else {
      EXPECT_THAT(error(), ::testing::HasSubstr("an atomic in local memory; allowed: global and"));
    }
  }
}

TEST_F(OwnFormat, NoTwoInstructionsHaveOnePc) {
  InstInfo load = test::access(MemOp::load, Space::global, 4, {});
  InstInfo store = test::access(MemOp::store, Space::global, 4, {});
  load.pc = store.pc = 16;
  write_accesses(path_, {load, store}, Space::global);
  const auto reader = open_own_format(path_);
  Command c;
  ASSERT_TRUE(reader->next(c));
  CtaTrace cta;
  ASSERT_TRUE(c.kernel->next_cta(cta));
  EXPECT_EQ(c.kernel->inst(0).pc, 16u);
  EXPECT_NE(c.kernel->inst(1).pc, 16u);
}

TEST_F(OwnFormat, SeveralBlocksAndLongWarps) {
  RandomKernel original(5, 3, 96, 40000), again(5, 3, 96, 40000);
  OwnFormatWriter writer(path_);
  copy_kernel(original, writer);
  writer.finish();
  EXPECT_GT(std::filesystem::file_size(path_), kBlockTarget);
  std::string expected = "5 0 0 0 0 ";
  describe(again, expected);
  EXPECT_EQ(content(), expected);
}

TEST_F(OwnFormat, ALaunchNeedNotBeRead) {
  OwnFormatWriter writer(path_);
  for (std::uint32_t k = 0; k < 3; ++k) {
    RandomKernel kernel(k, 4, 64, 50);
    copy_kernel(kernel, writer);
  }
  writer.finish();
  const auto reader = open_own_format(path_);
  Command c;
  CtaTrace cta;
  for (const char* name : {"kernel_0", "kernel_1", "kernel_2"}) {
    ASSERT_TRUE(reader->next(c));
    EXPECT_EQ(c.kernel->traits().name, name);
    EXPECT_TRUE(c.kernel->next_cta(cta));
  }
  EXPECT_FALSE(reader->next(c));
  EXPECT_FALSE(reader->next(c));
}

TEST_F(OwnFormat, EveryDamagedByteIsAnError) {
  {
    OwnFormatWriter writer(path_);
    RandomKernel kernel(1, 2, 40, 6), clusters(2, 4, 40, 6, 2);
    copy_kernel(kernel, writer);
    copy_kernel(clusters, writer);
    writer.finish();
  }
  const std::string good = bytes();
  ASSERT_EQ(error(), "");
  for (std::size_t k = 0; k < good.size(); ++k) {
    std::string bad = good;
    bad[k] = static_cast<char>(bad[k] ^ 1 << k % 8);
    put(bad);
    ASSERT_THAT(error(), ::testing::HasSubstr("byte offset")) << "byte " << k;
  }
  for (std::size_t length = 0; length < good.size(); length += length < 40 ? 1 : 13) {
    put(good.substr(0, length));
    ASSERT_THAT(error(), ::testing::HasSubstr("byte offset")) << "length " << length;
  }
  put(good + "x");
  EXPECT_NE(error(), "");
  put(good + good.substr(kOwnHeaderBytes));
  EXPECT_THAT(error(), ::testing::HasSubstr("follows the totals"));
}

TEST_F(OwnFormat, NothingIsLeftOfAnUnfinishedTrace) {
  { OwnFormatWriter writer(path_); }
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_FALSE(std::filesystem::exists(path_ + ".part"));
  EXPECT_THROW(OwnFormatWriter("/nonexistent/x.wmtrace"), UserError);
  EXPECT_THROW(open_own_format("/nonexistent/x.wmtrace"), UserError);
}

TEST_F(OwnFormat, IsRecognised) {
  OwnFormatWriter writer(path_);
  writer.finish();
  EXPECT_TRUE(is_own_format(path_));
  EXPECT_EQ(content(), "");
  put("WMTRACE");
  EXPECT_FALSE(is_own_format(path_));
}

}  // namespace
}  // namespace warpmem::program::trace
