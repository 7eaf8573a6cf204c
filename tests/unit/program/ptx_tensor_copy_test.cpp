// SPDX-License-Identifier: Apache-2.0
// cp.async.bulk.tensor: tiles in functional runs, what the machine is told, and the errors.
#include <cstring>

#include "program/async.hpp"
#include "program/tensor_map.hpp"
#include "unit/program/ptx_memory_fixture.hpp"

namespace warpmem::program::ptx {
namespace {

/// The buffer has the tensor map at 0, and from 1024 on a tensor of 8 x 16 words, whose word i is
/// 100 + i. %r8 is the address of a tile of 256 bytes in shared memory, %r9 of an mbarrier; %p8 is
/// true in thread 0, which has initialised it. Results go to 2048.
class PtxTensorCopy : public PtxMemory {
 protected:
  TensorMap map;

  void SetUp() override {
    map.base = buffer + 1024;
    map.rank = 2;
    map.element_bytes = 4;
    map.size = {8, 16};
    map.stride = {4, 32};
    map.box = {4, 4};
    for (unsigned i = 0; i < 128; ++i) host<std::uint32_t>(buffer + 1024)[i] = 100 + i;
  }
  void encode() { map.encode(host<std::uint8_t>()); }
  static std::string with(const std::string& body) {
    return ".shared .align 128 .b8 tile[256]; .shared .align 8 .b64 bar; mov.u32 %r8, tile;"
           "mov.u32 %r9, bar; setp.eq.u32 %p8, %r0, 0;"
           "@%p8 mbarrier.init.shared::cta.b64 [%r9], 1;" +
           body;
  }
  static std::string load(const std::string& coordinates, const std::string& dimensions = "2d",
                          const std::string& mode = ".tile") {
    return "@%p8 cp.async.bulk.tensor." + dimensions + ".shared::cluster.global" + mode +
           ".mbarrier::complete_tx::bytes [%r8], [%rd0, {" + coordinates + "}], [%r9];";
  }
  static std::string store(const std::string& coordinates) {
    return "@%p8 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd0, {" +
           coordinates +
           "}], [%r8]; @%p8 cp.async.bulk.commit_group;"
           "cp.async.bulk.wait_group 0;";
  }
  static std::string reduce(const std::string& op, const std::string& coordinates) {
    return "@%p8 cp.reduce.async.bulk.tensor.2d.global.shared::cta." + op +
           ".tile.bulk_group "
           "[%rd0, {" +
           coordinates +
           "}], [%r8]; @%p8 cp.async.bulk.commit_group;"
           "cp.async.bulk.wait_group 0;";
  }
  /// Word i of the tile is i.
  static std::string fill() {
    return "shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r8; st.shared.u32 [%r3], %r0;";
  }
  static std::string expect_and_wait(const std::string& bytes = "64") {
    return "@%p8 mbarrier.arrive.expect_tx.shared.b64 _, [%r9], " + bytes +
           "; AGAIN: mbarrier.try_wait.parity.shared.b64 %p1, [%r9], 0; @!%p1 bra AGAIN;";
  }
  static std::string result() {
    return "shl.b32 %r3, %r0, 2; add.u32 %r3, %r3, %r8; ld.shared.u32 %r4, [%r3];"
           "st.global.u32 [%rd2+2048], %r4;";
  }
  std::uint32_t result(unsigned i) { return host<std::uint32_t>(buffer + 2048)[i]; }
};

TEST_F(PtxTensorCopy, BringsTheRowsOfABox) {
  encode();
  run(with(load("2, 3") + expect_and_wait() + result()));
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned column = 0; column < 4; ++column)
      EXPECT_EQ(result(row * 4 + column), 100 + (3 + row) * 8 + 2 + column) << row << column;
}

TEST_F(PtxTensorCopy, ReadsZerosOutsideTheTensor) {
  encode();
  run(with("mov.u32 %r5, -1;" + load("6, %r5") + expect_and_wait() + result()));
  for (unsigned row = 0; row < 4; ++row)
    for (unsigned column = 0; column < 4; ++column)
      EXPECT_EQ(result(row * 4 + column),
                row == 0 || column > 1 ? 0 : 100 + (row - 1) * 8 + 6 + column);
}

TEST_F(PtxTensorCopy, PermutesUnitsByTheSwizzle) {
  map.box = {8, 8};  // rows of 32 B: four are a row of banks
  map.swizzle = Swizzle::bytes_32;
  encode();
  run(with(load("0, 0") + expect_and_wait("256") + "mov.u32 %r10, 128; add.u32 %r8, %r8, %r10;" +
           result()));
  // In the second half of the tile the two units of each row have changed places.
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(result(i), 100 + 32 + (i ^ 4)) << i;
}

TEST_F(PtxTensorCopy, WritesWhatIsInTheTensor) {
  encode();
  run(with(fill() + store("6, 14")));
  const auto* const words = host<std::uint32_t>(buffer + 1024);
  for (unsigned i = 0; i < 128; ++i) {
    const bool written = i / 8 >= 14 && i % 8 >= 6;
    EXPECT_EQ(words[i], written ? (i / 8 - 14) * 4 + i % 8 - 6 : 100 + i) << i;
  }
}

TEST_F(PtxTensorCopy, ReducesWhatIsInTheTensor) {
  map.element = Element::u32;
  encode();
  run(with(fill() + reduce("add", "6, 14")));
  const auto* const words = host<std::uint32_t>(buffer + 1024);
  for (unsigned i = 0; i < 128; ++i) {
    const bool reduced = i / 8 >= 14 && i % 8 >= 6;
    EXPECT_EQ(words[i], 100 + i + (reduced ? (i / 8 - 14) * 4 + i % 8 - 6 : 0)) << i;
  }
}

TEST_F(PtxTensorCopy, TheMapSaysWhatAReductionTakesTheElementsFor) {
  auto* const words = host<std::uint32_t>(buffer + 1024);
  const auto least = [&](Element element) {
    words[0] = 0xffffffff;  // below 0 for a signed element
    map.element = element;
    encode();
    run(with(fill() + reduce("min", "0, 0")));
    return words[0];
  };
  EXPECT_EQ(least(Element::u32), 0u);
  EXPECT_EQ(least(Element::s32), 0xffffffffu);
  // Halves: the bytes of word 1 are 1.0 and 2.0, and those of the tile 1 and 0 in the last place.
  map.element = Element::f16;
  map.element_bytes = 2;
  map.size[0] = 16;
  map.stride[0] = 2;
  map.box = {8, 1};
  encode();
  words[1] = 0x40003c00;
  run(with(fill() + reduce("add", "0, 0")));
  EXPECT_EQ(words[1], 0x40003c00u);
  run(with(fill() + "@%p8 st.shared.u32 [%r8+4], 0x3c003c00;" + reduce("add", "0, 0")));
  EXPECT_EQ(words[1], 0x42004000u);
}

TEST_F(PtxTensorCopy, FindsAMapInLocalMemory) {
  encode();
  // As clang passes a parameter: a copy of each thread, by its generic address.
  std::string copy = ".local .align 64 .b8 own[128]; cvta.local.u64 %rd3, own;";
  for (unsigned i = 0; i < 128; i += 8)
    copy += "ld.global.u64 %rd4, [%rd0+" + std::to_string(i) + "]; st.u64 [%rd3+" +
            std::to_string(i) + "], %rd4;";
  run(with(copy + "mov.u64 %rd0, %rd3;" + load("0, 1") + expect_and_wait() +
           "ld.param.u64 %rd0, [ptr];" + result()));
  EXPECT_EQ(result(0), 108u);
}

TEST_F(PtxTensorCopy, TheMachineIsToldOfItsPieces) {
  encode();
  prepare(with(load("6, 0") + expect_and_wait()));
  const auto cta = grid->start_cta(0, SmView{});
  const InstInfo* next = cta->next(0);
  for (; next->async != AsyncCopy::bulk; next = cta->next(0)) cta->execute(0);
  const Issue& copy = cta->execute(0);
  EXPECT_EQ(copy.lanes, 1u);
  EXPECT_EQ(copy.space, Space::global);
  EXPECT_EQ(copy.operand[1], 64u);
  ASSERT_NE(copy.tiles, nullptr);
  const std::vector<BulkPiece>& pieces = copy.tiles[0].pieces;
  ASSERT_EQ(pieces.size(), 8u);
  EXPECT_EQ(pieces[2].global, map.base + 32 + 24);
  EXPECT_EQ(pieces[2].offset, 16u);
  EXPECT_EQ(pieces[2].bytes, 8u);
  EXPECT_EQ(pieces[3].global, 0u);
  EXPECT_EQ(cta->execute(0).tiles, nullptr);
}

TEST_F(PtxTensorCopy, PrefetchesAndFencesDoNothingToBytes) {
  encode();
  run(
      with("prefetch.tensormap [%rd0]; fence.proxy.tensormap::generic.acquire.gpu [%rd0], 128;"
           "@%p8 cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd0, {0, 0}];" +
           load("1, 0", "2d", "") + expect_and_wait() + result()));
  EXPECT_EQ(result(0), 101u);
}

TEST_F(PtxTensorCopy, ErrorsNameWhatIsAllowed) {
  const auto message = [&](const std::string& body, const std::string& part) {
    const std::string text = fails(body);
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_NE(text.find("memory.ptx:"), std::string::npos) << text;
  };
  message(with(load("0, 0")), "there is no tensor map at that address");
  encode();
  message(with(load("0", "1d")), "the tensor map is of 2 dimensions, the instruction of 1");
  message(with(load("0, 0, 0")), "has 3 coordinates; allowed: 2");
  message(with("add.u32 %r8, %r8, 64;" + load("0, 0")), "is not aligned to 128 bytes");
  message(with("add.u32 %r8, %r8, 256;" + load("0, 0")), "out of range");
  message(with("add.u64 %rd0, %rd0, 8;" + load("0, 0")), "is not aligned to 64 bytes");
  message(with("add.u64 %rd0, %rd0, 8192;" + load("0, 0")), "out of range");
  message(with(load("0, 0", "2d", ".tile::gather4")), "allowed: .tile");
  message(with(reduce("add", "0, 0")), "of a type that reductions do not take");
  map.element = Element::f32;
  encode();
  message(with(reduce("max", "0, 0")), "does not take the elements of the tensor map; allowed");
  map.base = buffer + 4096 - 64;  // the third row is outside the allocation
  encode();
  message(with(load("0, 0")), "out of range");
}

}  // namespace
}  // namespace warpmem::program::ptx
