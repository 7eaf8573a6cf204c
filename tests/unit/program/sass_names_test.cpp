// SPDX-License-Identifier: Apache-2.0
#include "program/trace/sass_names.hpp"

#include <gtest/gtest.h>

#include "program/trace/sass_opcodes.hpp"
#include "static_instructions.hpp"

namespace warpmem::program::trace {
namespace {

using test::access;
using test::inst;

TEST(SassNames, EveryClassHasOneInEveryArchitecture) {
  for (const unsigned architecture : {70u, 75u, 80u, 86u, 90u})
    for (std::size_t c = 0; c < kOpClasses; ++c) {
      const auto op_class = static_cast<OpClass>(c);
      for (const char* spelling : {"other", "add.s32", "fma.rn.f64", "min.s32", "bar.arrive"}) {
        const std::string name = sass_mnemonic(inst(op_class), spelling, architecture);
        const SassOpcode* const opcode = find_sass_opcode(name.substr(0, name.find('.')));
        ASSERT_NE(opcode, nullptr) << name;
        EXPECT_TRUE(opcode->exists_in(architecture)) << name << " " << architecture;
        const bool other = op_class == OpClass::memory || op_class == OpClass::div ||
                           (op_class == OpClass::uniform && architecture == 70);
        if (!other) {
          EXPECT_EQ(opcode->op_class, op_class) << name;
        }
      }
    }
}

TEST(SassNames, WidthsAndOperations) {
  const auto name = [](const InstInfo& info, const char* spelling) {
    return sass_mnemonic(info, spelling, 70);
  };
  EXPECT_EQ(name(access(MemOp::load, Space::global, 1, {}), "ld.global.u8"), "LDG.E.U8");
  EXPECT_EQ(name(access(MemOp::store, Space::global, 2, {}), "st.global.u16"), "STG.E.U16");
  EXPECT_EQ(name(access(MemOp::load, Space::shared, 8, {}), "ld.shared.f64"), "LDS.64");
  EXPECT_EQ(name(access(MemOp::store, Space::local, 4, {}), "st.local.u32"), "STL");
  EXPECT_EQ(name(access(MemOp::store, Space::generic, 4, {}), "st.u32"), "ST.E");
  EXPECT_EQ(name(access(MemOp::load, Space::constant, 4, {}), "ld.const.u32"), "LDC");
  EXPECT_EQ(name(access(MemOp::atomic, Space::shared, 4, {}), "atom.shared.exch.b32"),
            "ATOMS.EXCH");
  EXPECT_EQ(name(access(MemOp::atomic, Space::global, 8, {}), "atom.global.cas.b64"),
            "ATOMG.E.CAS.64.STRONG.GPU");
  EXPECT_EQ(name(access(MemOp::reduction, Space::global, 4, {}), "atom.global.max.s32"),
            "RED.E.MAX.STRONG.GPU");
  InstInfo around = access(MemOp::load, Space::global, 4, {});
  around.volatile_access = true;
  EXPECT_EQ(name(around, "ld.volatile.global.u32"), "LDG.E.STRONG.GPU");
  EXPECT_EQ(name(inst(OpClass::int_alu), "SHFL.BFLY"), "SHFL.BFLY");
}

TEST(SassNames, Matrices) {
  const InstInfo load = access(MemOp::load, Space::shared, 16, {});
  const InstInfo product = inst(OpClass::tensor);
  const struct {
    const InstInfo& info;
    const char* spelling;
    unsigned architecture;
    const char* name;
  } kCases[] = {
      {load, "ldmatrix.sync.aligned.m8n8.x1.shared.b16", 75, "LDSM.16.M88"},
      {load, "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16", 80, "LDSM.16.MT88.2"},
      {load, "ldmatrix.sync.aligned.m8n8.x4.b16", 90, "LDSM.16.M88.4"},
      {load, "ldmatrix.sync.aligned.m8n8.x4.b16", 70, "LDS.128"},
      {product, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 80, "HMMA.1688.F32"},
      {product, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 80, "HMMA.16816.F16"},
      {product, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 86, "HMMA.16816.F32.BF16"},
      {product, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 90, "HMMA.1684.F32.TF32"},
      {product, "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32", 80,
       "IMMA.16832.S8.U8.SAT"},
      {product, "mma.sync.aligned.m16n8k64.row.col.s32.s4.u4.s32", 80, "IMMA.16864.S4.U4"},
      {product, "mma.sync.aligned.m8n8k128.row.col.s32.b1.b1.s32.and.popc", 80,
       "BMMA.88128.AND.POPC"},
      {product, "mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.xor.popc", 86,
       "BMMA.168256.XOR.POPC"},
      {product, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 70, "HMMA.884.F32.F32.STEP0"},
      {product, "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", 80, "HMMA.16816.F32"},
      {product, "wmma.mma.sync.aligned.col.col.m8n32k16.s32.u8.u8.s32.satfinite", 80,
       "IMMA.16816.U8.U8.SAT"},
      {product, "wmma.mma.sync.aligned.row.row.m16n16k8.f32.tf32.tf32.f32", 80,
       "HMMA.1688.F32.TF32"},
      {load, "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 80, "LDS.128"},
  };
  for (const auto& c : kCases)
    EXPECT_EQ(sass_mnemonic(c.info, c.spelling, c.architecture), c.name) << c.spelling;
}

TEST(SassNames, SassOfLaterArchitecturesIsNotWritten) {
  const struct {
    InstInfo info;
    const char* spelling;
    unsigned architecture;
    const char* name;
  } kCases[] = {
      {inst(OpClass::int_alu), "VIADD", 90, "VIADD"},
      {inst(OpClass::int_alu), "VIADD", 86, "IADD3"},
      {inst(OpClass::uniform), "UMOV", 75, "UMOV"},
      {inst(OpClass::uniform), "UMOV", 70, "MOV"},
      {access(MemOp::load, Space::constant, 4, {}), "ULDC", 70, "LDC"},
      {access(MemOp::load, Space::shared, 16, {}), "LDSM.16.M88", 70, "LDS.128"},
      {inst(OpClass::fp64), "F2F.F64.F32", 70, "F2F.F64.F32"},
  };
  for (const auto& c : kCases)
    EXPECT_EQ(sass_mnemonic(c.info, c.spelling, c.architecture), c.name) << c.spelling;
}

}  // namespace
}  // namespace warpmem::program::trace
