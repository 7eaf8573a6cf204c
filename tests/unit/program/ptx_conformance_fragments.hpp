// SPDX-License-Identifier: Apache-2.0
// Cases of wmma in assembly: matrices in memory are loaded, multiplied and stored, in every shape,
// type, layout and state space, against integers. Nothing here knows which lane holds what.
#pragma once

#include <array>
#include <set>

#include "unit/program/ptx_conformance_matrix.hpp"

namespace warpmem::program::ptx {

namespace conformance {

struct WmmaShape {
  std::string name;
  unsigned m, n, k;
};
struct WmmaTypes {
  std::string operands, sums, product;  ///< words of loads and stores, and behind the shape
  Kind kind;
  Result result;
  bool saturate;
  unsigned inner;
};

inline const std::vector<WmmaShape>& wmma_shapes() {
  static const std::vector<WmmaShape> kShapes = {{"m16n16k16", 16, 16, 16},
                                                 {"m32n8k16", 32, 8, 16},
                                                 {"m8n32k16", 8, 32, 16},
                                                 {"m16n16k8", 16, 16, 8}};
  return kShapes;
}
inline const std::vector<WmmaTypes>& wmma_types() {
  static const std::vector<WmmaTypes> kTypes = {
      {"f16", "f32", "f32.f32", Kind::half, Result::single, false, 16},
      {"f16", "f16", "f16.f16", Kind::half, Result::half, false, 16},
      {"bf16", "f32", "f32.bf16.bf16.f32", Kind::bfloat, Result::single, false, 16},
      {"tf32", "f32", "f32.tf32.tf32.f32", Kind::tensor_float, Result::single, false, 8},
      {"s8", "s32", "s32.s8.s8.s32", Kind::s8, Result::integer, false, 16},
      {"u8", "s32", "s32.u8.u8.s32", Kind::u8, Result::integer, false, 16},
      {"s8", "s32", "s32.s8.s8.s32.satfinite", Kind::s8, Result::integer, true, 16},
      {"u8", "s32", "s32.u8.u8.s32.satfinite", Kind::u8, Result::integer, true, 16}};
  return kTypes;
}

/// A, B, C and D in this order wherever there are four.
struct WmmaForm {
  WmmaShape shape;
  WmmaTypes types;
  std::array<bool, 4> rows;
  std::array<std::string, 4> space;  ///< with its dot

  std::string layout(unsigned matrix) const { return rows[matrix] ? "row" : "col"; }
  std::string access(unsigned matrix) const {
    static constexpr const char* kNames[] = {"load.a", "load.b", "load.c", "store.d"};
    return std::string("wmma.") + kNames[matrix] + ".sync.aligned." + layout(matrix) + "." +
           shape.name + "." + space[matrix] + (matrix < 2 ? types.operands : types.sums);
  }
  std::string product() const {
    return "wmma.mma.sync.aligned." + layout(0) + "." + layout(1) + "." + shape.name + "." +
           types.product;
  }
  unsigned element_bytes(unsigned matrix) const {
    if (matrix >= 2) return types.result == Result::half ? 2 : 4;
    return types.kind == Kind::tensor_float                         ? 4
           : types.kind == Kind::half || types.kind == Kind::bfloat ? 2
                                                                    : 1;
  }
  unsigned row_count(unsigned matrix) const { return matrix == 1 ? shape.k : shape.m; }
  unsigned column_count(unsigned matrix) const { return matrix == 0 ? shape.k : shape.n; }
  /// Registers as the manual counts them.
  unsigned registers(unsigned matrix) const {
    if (matrix >= 2) return types.result == Result::half ? 4 : 8;
    if (types.kind == Kind::half) return 8;
    return row_count(matrix) * column_count(matrix) * element_bytes(matrix) / 4 / 32;
  }
};

inline constexpr unsigned kRegion = 8192;  ///< bytes of memory of one of the four

/// How the test's addresses and strides are written.
enum class Spelt { registers, numbers, nothing };

/// Runs the four instructions on a warp; `bytes` are the four regions before and afterwards.
inline void run_wmma(const WmmaForm& f, Spelt spelt, const std::array<unsigned, 4>& stride,
                     bool in_place, std::vector<std::uint8_t>& bytes) {
  DeviceMemory memory(1 << 20);
  const auto list = [&](unsigned matrix) {
    static constexpr char kLetters[] = "abcd";
    const char letter = in_place && matrix == 3 ? 'c' : kLetters[matrix];
    std::string text;
    for (unsigned i = 0; i < f.registers(matrix); ++i)
      text += std::string(i == 0 ? "{" : ", ") + "%" + letter + std::to_string(i);
    return text + "}";
  };
  // Generic addresses are of global memory, or of shared memory.
  const auto place = [&](unsigned matrix) {
    const std::string offset = "+" + std::to_string(matrix * kRegion) + "]";
    const bool numbers = spelt == Spelt::numbers;
    if (f.space[matrix].empty()) return (numbers ? "[%rds" : "[%rd") + offset;
    if (f.space[matrix] == "global.") return "[%rd" + offset;
    return (numbers ? "[tile" : "[%s") + offset;
  };
  const auto step = [&](unsigned matrix) {
    if (spelt == Spelt::nothing) return std::string();
    if (spelt == Spelt::numbers) return ", " + std::to_string(stride[matrix]);
    return ", %step" + std::to_string(matrix);
  };
  std::string text =
      header() +
      ".visible .entry k(.param .u64 p) {\n.reg .b32 %a<8>; .reg .b32 %b<8>; .reg .b32 %c<8>; .reg "
      ".b32 %d<8>; .reg .b32 %step<4>; .reg .b32 %s; .reg .b32 %i; .reg .b32 %v; .reg .b32 %t; "
      ".reg .b64 %rd; .reg .b64 %rds; .reg .b64 %at; .reg .b64 %wide; .reg .pred %p;\n.shared "
      ".align 16 .b8 tile[32768];\nld.param.u64 %rd, [p]; mov.u32 %s, tile; cvt.u64.u32 %rds, %s; "
      "cvta.shared.u64 %rds, %rds; mov.u32 %i, %tid.x; shl.b32 %i, %i, 2;\n"
      "IN: cvt.u64.u32 %wide, %i; add.u64 %at, %rd, %wide; ld.global.u32 %v, [%at]; add.u32 %t, "
      "%s, %i; st.shared.u32 [%t], %v; add.u32 %i, %i, 128; setp.lt.u32 %p, %i, 32768; @%p bra "
      "IN;\nbar.sync 0;\n";
  for (unsigned matrix = 0; matrix < 4; ++matrix)
    text +=
        "mov.u32 %step" + std::to_string(matrix) + ", " + std::to_string(stride[matrix]) + ";\n";
  for (unsigned matrix = 0; matrix < 3; ++matrix)
    text += f.access(matrix) + " " + list(matrix) + ", " + place(matrix) + step(matrix) + ";\n";
  text += f.product() + " " + list(3) + ", " + list(0) + ", " + list(1) + ", " + list(2) + ";\n";
  text += f.access(3) + " " + place(3) + ", " + list(3) + step(3) + ";\n";
  const bool stored_in_shared = place(3).find("%rd+") == std::string::npos;
  if (stored_in_shared)
    text +=
        "bar.sync 0; mov.u32 %i, %tid.x; shl.b32 %i, %i, 2;\nOUT: cvt.u64.u32 %wide, %i; add.u64 "
        "%at, %rd, %wide; add.u32 %t, %s, %i; ld.shared.u32 %v, [%t]; st.global.u32 [%at], %v; "
        "add.u32 %i, %i, 128; setp.lt.u32 %p, %i, 32768; @%p bra OUT;\n";
  Module module(text + "ret; }\n", "wmma.ptx");
  module.bind(memory);
  const Addr at = memory.allocate(bytes.size());
  std::memcpy(DeviceMemory::host(at), bytes.data(), bytes.size());
  run_functional(*make_grid(module, "k", {1}, {32}, 0, Arguments().add(at).bytes(), memory));
  std::memcpy(bytes.data(), DeviceMemory::host(at), bytes.size());
}

inline void check_wmma(const WmmaForm& f) {
  unsigned seed = 0;
  for (const Spelt spelt : {Spelt::registers, Spelt::numbers, Spelt::nothing}) {
    std::mt19937 random(++seed);
    std::array<unsigned, 4> stride;
    std::array<std::vector<std::int64_t>, 4> numbers;
    std::vector<std::uint8_t> bytes(4 * kRegion);
    for (auto& b : bytes) b = static_cast<std::uint8_t>(random());
    const auto put = [&](unsigned matrix, unsigned row, unsigned column, std::uint32_t bits) {
      const unsigned index =
          f.rows[matrix] ? row * stride[matrix] + column : column * stride[matrix] + row;
      std::memcpy(&bytes[matrix * kRegion + index * f.element_bytes(matrix)], &bits,
                  f.element_bytes(matrix));
    };
    const auto bits_of = [&](unsigned matrix, std::int64_t units) {
      return matrix < 2 ? element_bits(f.types.kind, units)
                        : sum_bits(f.types.result, units, matrix == 3 && f.types.saturate);
    };
    for (unsigned matrix = 0; matrix < 4; ++matrix) {
      const unsigned rows = f.row_count(matrix), columns = f.column_count(matrix);
      stride[matrix] =
          (f.rows[matrix] ? columns : rows) + (spelt == Spelt::nothing ? 0 : 8 * (matrix + 1));
      numbers[matrix].resize(rows * columns);
      for (auto& v : numbers[matrix]) {
        v = static_cast<std::int64_t>(random() % 256);
        if (f.types.kind != Kind::u8) v -= 128;
        if (matrix == 2 && f.types.result == Result::half) v *= 64;
        if (matrix == 2 && f.types.result == Result::integer && random() % 4 == 0)
          v += random() % 2 ? 2147480000LL : -2147480000LL;
      }
      if (matrix == 3) break;
      for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < columns; ++column)
          put(matrix, row, column, bits_of(matrix, numbers[matrix][row * columns + column]));
    }
    std::vector<std::uint8_t> got = bytes;
    run_wmma(f, spelt, stride, seed % 2 == 0, got);
    // What is not of D stays as it was.
    for (unsigned row = 0; row < f.shape.m; ++row)
      for (unsigned column = 0; column < f.shape.n; ++column) {
        std::int64_t sum = numbers[2][row * f.shape.n + column];
        for (unsigned k = 0; k < f.shape.k; ++k)
          sum += numbers[0][row * f.shape.k + k] * numbers[1][k * f.shape.n + column];
        put(3, row, column, bits_of(3, sum));
      }
    for (std::size_t i = 0; i < bytes.size(); ++i)
      ASSERT_EQ(unsigned(got[i]), unsigned(bytes[i])) << "seed " << seed << ", byte " << i;
  }
}

}  // namespace conformance

/// Each spelling of a load, product or store is in a form of its own.
inline Cases fragment_cases() {
  using namespace conformance;
  Cases cases;
  std::set<std::string> have;
  const auto add = [&](const std::string& spelling, const WmmaForm& f) {
    if (have.insert(spelling).second) cases.push_back({spelling, [f] { check_wmma(f); }});
  };
  static const std::array<std::string, 4> kSpaces = {"global.", "shared.", "shared::cta.", ""};
  for (const WmmaShape& shape : wmma_shapes())
    for (const WmmaTypes& types : wmma_types()) {
      if (types.inner != shape.k) continue;
      for (unsigned layouts = 0; layouts < 16; ++layouts) {
        WmmaForm f{shape, types, {}, {}};
        for (unsigned matrix = 0; matrix < 4; ++matrix) f.rows[matrix] = layouts >> matrix & 1;
        for (unsigned first = 0; first < kSpaces.size(); ++first) {
          for (unsigned matrix = 0; matrix < 4; ++matrix)
            f.space[matrix] = kSpaces[(first + matrix) % kSpaces.size()];
          for (unsigned matrix = 0; matrix < 4; ++matrix) add(f.access(matrix), f);
          add(f.product(), f);
        }
      }
    }
  return cases;
}

}  // namespace warpmem::program::ptx
