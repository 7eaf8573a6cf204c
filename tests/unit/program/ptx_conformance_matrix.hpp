// SPDX-License-Identifier: Apache-2.0
// Cases of mma.sync: matrices of numbers whose products and sums are exact in 64-bit integers.
#pragma once

#include <array>
#include <cmath>
#include <random>

#include "unit/program/ptx_conformance_half.hpp"

namespace warpmem::program::ptx {

namespace conformance {

enum class Kind { half, bfloat, tensor_float, s8, u8, s4, u4, differ, both };
enum class Result { single, half, integer };

/// Bits are multiplied by xor (Kind::differ) or and (Kind::both).
inline bool is_bit(Kind kind) { return kind == Kind::differ || kind == Kind::both; }
/// Elements of a 32-bit register.
inline unsigned elements_of_register(Kind kind) {
  switch (kind) {
    case Kind::half:
    case Kind::bfloat:
      return 2;
    case Kind::tensor_float:
      return 1;
    case Kind::s8:
    case Kind::u8:
      return 4;
    case Kind::s4:
    case Kind::u4:
      return 8;
    default:
      return 32;
  }
}

/// These are in units of 2^-6 (A and B) and 2^-12 (C), or whole where they are integers.
struct Matrices {
  std::array<std::array<std::int64_t, 256>, 16> a{};
  std::array<std::array<std::int64_t, 8>, 256> b{};
  std::array<std::array<std::int64_t, 8>, 16> c{};
};

inline std::uint32_t bits_of_single(double v) {
  const auto single = static_cast<float>(v);
  std::uint32_t bits;
  std::memcpy(&bits, &single, sizeof bits);
  return bits;
}
/// Returns the bits of units of 2^-12 in single precision, without what lies below its 24 bits.
inline std::uint32_t cut_to_single(std::int64_t units) {
  constexpr std::int64_t kMantissas = std::int64_t(1) << 24;
  std::int64_t kept = units, weight = 1;
  for (; kept >= kMantissas || kept <= -kMantissas; weight *= 2) kept /= 2;
  return bits_of_single(std::ldexp(static_cast<double>(kept * weight), -12));
}
/// Returns the bits of an element of A or B.
inline std::uint32_t element_bits(Kind kind, std::int64_t units) {
  switch (kind) {
    case Kind::half:
      return static_cast<std::uint32_t>(nearest_half(Wide(units) << 42, false));
    case Kind::bfloat:
      return bits_of_single(std::ldexp(static_cast<double>(units), -6)) >> 16;
    case Kind::tensor_float:  // what is below its mantissa must not count
      return bits_of_single(std::ldexp(static_cast<double>(units), -6)) | 0x1abc;
    case Kind::s8:
    case Kind::u8:
      return static_cast<std::uint32_t>(units) & 0xff;
    case Kind::s4:
    case Kind::u4:
      return static_cast<std::uint32_t>(units) & 15;
    default:
      return static_cast<std::uint32_t>(units);
  }
}
/// Returns the bits of an element of C or D. Sums in single precision are cut off.
inline std::uint32_t sum_bits(Result result, std::int64_t units, bool saturate) {
  switch (result) {
    case Result::single:
      return cut_to_single(units);
    case Result::half:
      return static_cast<std::uint32_t>(nearest_half(Wide(units) << 36, false));
    default:
      if (saturate)
        units = std::min<std::int64_t>(std::max<std::int64_t>(units, -2147483648LL), 2147483647LL);
      return static_cast<std::uint32_t>(units);
  }
}

struct Form {
  std::string shape;
  unsigned inner;
  Kind a, b;
  Result result;
  bool saturate;
};

/// Runs one instruction in a warp. Each lane's registers, D's first, lie one after the other.
inline std::vector<std::uint32_t> run_mma(const std::string& spelling, unsigned a, unsigned b,
                                          unsigned c, const std::vector<std::uint32_t>& in) {
  DeviceMemory memory(1 << 20);
  std::string body, lists[4];
  unsigned next = 0;
  const unsigned counts[] = {c, a, b, c};
  for (unsigned operand = 0; operand < 4; ++operand) {
    for (unsigned i = 0; i < counts[operand]; ++i, ++next) {
      const std::string name = "%r" + std::to_string(next);
      lists[operand] += (i == 0 ? "{" : ", ") + name;
      if (operand != 0)
        body += "ld.global.u32 " + name + ", [%rd1+" + std::to_string(4 * (next - c)) + "];\n";
    }
    lists[operand] += "}";
  }
  body += spelling + " " + lists[0] + ", " + lists[1] + ", " + lists[2] + ", " + lists[3] + ";\n";
  for (unsigned i = 0; i < c; ++i)
    body += "st.global.u32 [%rd2+" + std::to_string(4 * i) + "], %r" + std::to_string(i) + ";\n";
  const unsigned inputs = a + b + c;
  Module module(header() +
                    ".visible .entry k(.param .u64 a, .param .u64 b) {\n.reg .b32 %r<20>; .reg "
                    ".b32 %t; .reg .b64 %rd<9>;\nmov.u32 %t, %tid.x; ld.param.u64 %rd1, [a]; "
                    "ld.param.u64 %rd2, [b];\nmul.wide.u32 %rd3, %t, " +
                    std::to_string(4 * inputs) +
                    "; add.u64 %rd1, %rd1, %rd3; mul.wide.u32 %rd4, "
                    "%t, " +
                    std::to_string(4 * c) + "; add.u64 %rd2, %rd2, %rd4;\n" + body + "ret; }\n",
                "mma.ptx");
  module.bind(memory);
  const Addr from = memory.allocate(in.size() * 4), to = memory.allocate(32 * c * 4);
  std::memcpy(DeviceMemory::host(from), in.data(), in.size() * 4);
  run_functional(
      *make_grid(module, "k", {1}, {32}, 0, Arguments().add(from).add(to).bytes(), memory));
  std::vector<std::uint32_t> out(32 * c);
  std::memcpy(out.data(), DeviceMemory::host(to), out.size() * 4);
  return out;
}

inline Matrices random_matrices(const Form& f, unsigned seed) {
  std::mt19937 random(seed);
  const bool integers = f.result == Result::integer;
  const auto pick = [&](Kind kind) -> std::int64_t {
    const auto v = static_cast<std::int64_t>(random() % 256);
    if (is_bit(kind)) return v % 2;
    if (kind == Kind::s4 || kind == Kind::u4) return v % 16 - (kind == Kind::s4 ? 8 : 0);
    return kind == Kind::u8 ? v : v - 128;  // of a bfloat's 8 bits none is lost
  };
  Matrices m;
  for (auto& row : m.a)
    for (auto& v : row) v = pick(f.a);
  for (auto& row : m.b)
    for (auto& v : row) v = pick(f.b);
  for (auto& row : m.c)
    for (auto& v : row) {
      v = static_cast<std::int64_t>(random() % 1024) - 512;
      if (f.result == Result::half) v *= 64;  // within a half's 11 bits, at 2^-6
      // Some sums are beyond the 24 bits of a float, or the 31 of an integer.
      if (f.result == Result::single && random() % 4 == 0) v += std::int64_t(1) << 25;
      if (integers && random() % 4 == 0) v += random() % 2 ? 2147480000LL : -2147480000LL;
      if (f.result == Result::single) v = static_cast<std::int64_t>(static_cast<float>(v));
    }
  return m;
}

inline void check_mma(const std::string& spelling, const Form& f) {
  const unsigned each = elements_of_register(f.a), width = 32 / each;  // bits
  const unsigned rows = f.shape[1] == '8' ? 8 : 16;
  const unsigned b = f.inner / (4 * each), a = rows / 8 * b;
  const unsigned c = rows == 8 || f.result == Result::half ? 2 : 4;
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const Matrices m = random_matrices(f, seed);
    std::vector<std::uint32_t> in;
    const auto c_register = [&](unsigned lane, unsigned r, const auto& value) {
      const unsigned g = lane / 4, t = lane % 4;
      if (f.result == Result::half)
        return value(g + 8 * r, 2 * t) | value(g + 8 * r, 2 * t + 1) << 16;
      return value(g + (r >= 2 ? 8 : 0), 2 * t + (r & 1));
    };
    const auto given = [&](unsigned row, unsigned column) {
      return sum_bits(f.result, m.c[row][column], false);
    };
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned g = lane / 4, t = lane % 4;
      for (unsigned r = 0; r < a; ++r) {
        std::uint32_t bits = 0;
        const unsigned row = g + (rows == 16 && r % 2 == 1 ? 8 : 0);
        for (unsigned k = 0; k < each; ++k)
          bits |= element_bits(f.a, m.a[row][t * each + k + (r >= 2 ? 4 * each : 0)]) << width * k;
        in.push_back(bits);
      }
      for (unsigned r = 0; r < b; ++r) {
        std::uint32_t bits = 0;
        for (unsigned k = 0; k < each; ++k)
          bits |= element_bits(f.b, m.b[t * each + k + r * 4 * each][g]) << width * k;
        in.push_back(bits);
      }
      for (unsigned r = 0; r < c; ++r) in.push_back(c_register(lane, r, given));
    }
    const auto out = run_mma(spelling, a, b, c, in);
    const auto expected = [&](unsigned row, unsigned column) {
      std::int64_t sum = m.c[row][column];
      for (unsigned k = 0; k < f.inner; ++k)
        sum += f.a == Kind::differ ? m.a[row][k] ^ m.b[k][column] : m.a[row][k] * m.b[k][column];
      return sum_bits(f.result, sum, f.saturate);
    };
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned r = 0; r < c; ++r)
        ASSERT_EQ(out[lane * c + r], c_register(lane, r, expected))
            << "seed " << seed << ", lane " << lane << ", register " << r;
  }
}

/// Doubles whose sums are not exact: they round as a chain of fused multiply-adds does.
inline void check_doubles(const std::string& spelling) {
  constexpr unsigned kSide = 8, kInner = 4, kEach = 6;  // numbers of a lane: D, A, B, C
  std::mt19937_64 random(7);
  double a[kSide][kInner], b[kInner][kSide], c[kSide][kSide];
  const auto pick = [&random] {
    return std::ldexp(static_cast<double>(random() >> 11), -53 - static_cast<int>(random() % 40)) *
           (random() % 2 == 0 ? 1 : -1);
  };
  for (auto& row : a)
    for (double& v : row) v = pick();
  for (auto& row : b)
    for (double& v : row) v = pick();
  for (auto& row : c)
    for (double& v : row) v = pick();
  DeviceMemory memory(1 << 20);
  Module module(header() +
                    ".visible .entry k(.param .u64 p) {\n.reg .b32 %t; .reg .b64 %a, %o; .reg .f64 "
                    "%d<6>;\nmov.u32 %t, %tid.x; ld.param.u64 %a, [p]; mul.wide.u32 %o, %t, 48; "
                    "add.u64 %a, %a, %o;\nld.global.f64 %d2, [%a+16]; ld.global.f64 %d3, [%a+24]; "
                    "ld.global.f64 %d4, [%a+32]; ld.global.f64 %d5, [%a+40];\n" +
                    spelling + " {%d0, %d1}, {%d2}, {%d3}, {%d4, %d5};\n" +
                    "st.global.f64 [%a], %d0; st.global.f64 [%a+8], %d1; ret; }\n",
                "mma.ptx");
  module.bind(memory);
  const Addr at = memory.allocate(32 * kEach * sizeof(double));
  auto* const lanes = reinterpret_cast<double(*)[kEach]>(DeviceMemory::host(at));
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned g = i / 4, t = i % 4;
    lanes[i][2] = a[g][t];
    lanes[i][3] = b[t][g];
    lanes[i][4] = c[g][2 * t];
    lanes[i][5] = c[g][2 * t + 1];
  }
  run_functional(*make_grid(module, "k", {1}, {32}, 0, Arguments().add(at).bytes(), memory));
  for (unsigned i = 0; i < 32; ++i)
    for (unsigned r = 0; r < 2; ++r) {
      const unsigned row = i / 4, column = i % 4 * 2 + r;
      double sum = c[row][column];
      for (unsigned k = 0; k < kInner; ++k) sum = std::fma(a[row][k], b[k][column], sum);
      ASSERT_EQ(lanes[i][r], sum) << "lane " << i << ", register " << r;
    }
}

}  // namespace conformance

inline Cases matrix_cases() {
  using namespace conformance;
  Cases cases;
  const auto add = [&](const Form& f, const std::string& types) {
    const std::string spelling =
        "mma.sync.aligned." + f.shape + ".row.col." + (f.saturate ? "satfinite." : "") + types;
    cases.push_back({spelling, [=] { check_mma(spelling, f); }});
  };
  for (const unsigned inner : {8u, 16u}) {
    const std::string shape = "m16n8k" + std::to_string(inner);
    add({shape, inner, Kind::half, Kind::half, Result::single, false}, "f32.f16.f16.f32");
    add({shape, inner, Kind::half, Kind::half, Result::half, false}, "f16.f16.f16.f16");
    add({shape, inner, Kind::bfloat, Kind::bfloat, Result::single, false}, "f32.bf16.bf16.f32");
  }
  for (const unsigned inner : {4u, 8u})
    add({"m16n8k" + std::to_string(inner), inner, Kind::tensor_float, Kind::tensor_float,
         Result::single, false},
        "f32.tf32.tf32.f32");
  const std::pair<Kind, const char*> integers[] = {
      {Kind::s8, "s8."}, {Kind::u8, "u8."}, {Kind::s4, "s4."}, {Kind::u4, "u4."}};
  for (const auto& [a, of_a] : integers)
    for (const auto& [b, of_b] : integers) {
      const unsigned each = elements_of_register(a);
      if (each != elements_of_register(b)) continue;
      for (const bool saturate : {false, true}) {
        const std::string types = std::string("s32.") + of_a + of_b + "s32";
        for (const unsigned inner : {4 * each, 8 * each})
          add({"m16n8k" + std::to_string(inner), inner, a, b, Result::integer, saturate}, types);
        add({"m8n8k" + std::to_string(4 * each), 4 * each, a, b, Result::integer, saturate}, types);
      }
    }
  for (const Kind a : {Kind::differ, Kind::both})
    for (const auto& [shape, inner] :
         {std::pair("m8n8k128", 128u), std::pair("m16n8k128", 128u), std::pair("m16n8k256", 256u)})
      add({shape, inner, a, a, Result::integer, false},
          std::string("s32.b1.b1.s32.") + (a == Kind::both ? "and.popc" : "xor.popc"));
  const std::string doubles = "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64";
  cases.push_back({doubles, [=] { check_doubles(doubles); }});
  return cases;
}

}  // namespace warpmem::program::ptx
