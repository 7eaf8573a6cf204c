// SPDX-License-Identifier: Apache-2.0
// Runs one PTX instruction on many operand combinations, and whole kernels.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "base/errors.hpp"
#include "program/functional.hpp"
#include "program/ptx/module.hpp"

namespace warpmem::program::ptx {

/// This is the parameter block of a launch, each value aligned to its size.
class Arguments {
 public:
  template <class T>
  Arguments& add(T value) {
    while (bytes_.size() % sizeof(T) != 0) bytes_.push_back(0);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(&bytes_[at], &value, sizeof value);
    return *this;
  }
  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

inline std::string header() { return ".version 6.0\n.target sm_60\n.address_size 64\n"; }

template <class T>
std::uint64_t raw(T v) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &v, sizeof v);
  return bits;
}
template <class T>
T unraw(std::uint64_t bits) {
  T v;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

/// Widths in bytes (2, 4, 8) of the registers %d %a %b %c of an instruction.
struct Widths {
  unsigned d = 4, a = 4, b = 4, c = 4;
};

/// Runs `instructions` on a[i], b[i], c[i], one thread a row, and returns %d, zero-extended. %p, %q
/// are predicates, %x, %y scratch of 32 bits.
inline std::vector<std::uint64_t> evaluate(const std::string& instructions, Widths widths,
                                           const std::vector<std::uint64_t>& a,
                                           const std::vector<std::uint64_t>& b = {},
                                           const std::vector<std::uint64_t>& c = {}) {
  const auto bits = [](unsigned bytes) { return std::to_string(8 * bytes); };
  std::string text = header() +
                     ".visible .entry k(.param .u64 pa, .param .u64 pb, .param .u64 pc, "
                     ".param .u64 pd, .param .u32 n)\n{\n"
                     ".reg .pred %p, %q, %guard; .reg .b32 %x, %y, %i, %n;\n"
                     ".reg .b64 %pa, %pb, %pc, %pd, %o;\n";
  text += ".reg .b" + bits(widths.d) + " %d; .reg .b" + bits(widths.a) + " %a; .reg .b" +
          bits(widths.b) + " %b; .reg .b" + bits(widths.c) + " %c;\n";
  text +=
      "mov.u32 %x, %ctaid.x; mov.u32 %y, %ntid.x; mov.u32 %i, %tid.x; mad.lo.u32 %i, %x, %y, %i;\n"
      "ld.param.u32 %n, [n]; setp.ge.u32 %guard, %i, %n; @%guard ret;\n"
      "mul.wide.u32 %o, %i, 8;\n";
  for (const char v : {'a', 'b', 'c', 'd'}) {
    const std::string s(1, v);
    text += "ld.param.u64 %p" + s + ", [p" + s + "]; add.u64 %p" + s + ", %p" + s + ", %o;\n";
  }
  text += "ld.global.b" + bits(widths.a) + " %a, [%pa];\n";
  text += "ld.global.b" + bits(widths.b) + " %b, [%pb];\n";
  text += "ld.global.b" + bits(widths.c) + " %c, [%pc];\n";
  text += instructions + "\nst.global.b" + bits(widths.d) + " [%pd], %d;\nret;\n}\n";

  DeviceMemory memory(std::uint64_t(1) << 28);
  Module module(text, "test.ptx");
  module.bind(memory);
  const std::size_t n = a.size();
  Addr place[4];
  const std::vector<std::uint64_t>* const input[3] = {&a, &b, &c};
  for (unsigned k = 0; k < 4; ++k) {
    place[k] = memory.allocate(n * 8);
    if (k < 3 && !input[k]->empty())
      std::memcpy(DeviceMemory::host(place[k]), input[k]->data(), n * 8);
  }
  const auto ctas = static_cast<std::uint32_t>((n + 127) / 128);
  const auto grid = make_grid(module, "k", {ctas}, {128}, 0,
                              Arguments()
                                  .add(place[0])
                                  .add(place[1])
                                  .add(place[2])
                                  .add(place[3])
                                  .add(static_cast<std::uint32_t>(n))
                                  .bytes(),
                              memory);
  run_functional(*grid);
  std::vector<std::uint64_t> d(n);
  std::memcpy(d.data(), DeviceMemory::host(place[3]), n * 8);
  return d;
}

/// These are all pairs or triples of some values.
struct Combinations {
  std::vector<std::uint64_t> a, b, c;
};
inline Combinations combine(const std::vector<std::uint64_t>& va,
                            const std::vector<std::uint64_t>& vb,
                            const std::vector<std::uint64_t>& vc = {0}) {
  Combinations r;
  for (const auto x : va)
    for (const auto y : vb)
      for (const auto z : vc) {
        r.a.push_back(x);
        r.b.push_back(y);
        r.c.push_back(z);
      }
  return r;
}

/// Compares an instruction with `expected(a, b, c)` (raw bits) on all combinations.
template <class F>
void check(const std::string& instructions, Widths widths, const Combinations& in, F&& expected) {
  SCOPED_TRACE(instructions);
  const auto got = evaluate(instructions, widths, in.a, in.b, in.c);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::uint64_t want = expected(in.a[i], in.b[i], in.c[i]);
    ASSERT_EQ(got[i], want) << std::hex << "a=" << in.a[i] << " b=" << in.b[i] << " c=" << in.c[i];
  }
}

/// Returns the message of the UserError that `f` throws; empty when it throws none.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

inline const std::vector<std::uint64_t>& integer_values() {
  static const std::vector<std::uint64_t> kValues = {0,
                                                     1,
                                                     2,
                                                     3,
                                                     5,
                                                     7,
                                                     31,
                                                     32,
                                                     33,
                                                     63,
                                                     64,
                                                     127,
                                                     128,
                                                     255,
                                                     0x7fff,
                                                     0x8000,
                                                     0x8001,
                                                     0xffff,
                                                     0x10000,
                                                     0x12345678,
                                                     0x7fffffff,
                                                     0x80000000,
                                                     0x80000001,
                                                     0xfffffffe,
                                                     0xffffffff,
                                                     0x100000000ULL,
                                                     0x123456789abcdef0ULL,
                                                     0x7fffffffffffffffULL,
                                                     0x8000000000000000ULL,
                                                     0xfffffffffffffffeULL,
                                                     0xffffffffffffffffULL};
  return kValues;
}
inline const std::vector<std::uint64_t>& float_values() {
  static const std::vector<std::uint64_t> kValues = [] {
    std::vector<std::uint64_t> v;
    for (const std::uint32_t bits :
         {0x00000000u, 0x80000000u, 0x3f800000u, 0xbf800000u, 0x40490fdbu, 0x00000001u, 0x807fffffu,
          0x00800000u, 0x80800001u, 0x7f7fffffu, 0xff7fffffu, 0x7f800000u, 0xff800000u, 0x7fc00000u,
          0xffc12345u, 0x33800001u, 0x3f7fffffu, 0x3effffffu, 0x4b000001u, 0x4f000000u, 0xcf000001u,
          0x5f000000u, 0x1f000003u, 0xc0200000u, 0x3fc00000u, 0x40200000u})
      v.push_back(bits);
    return v;
  }();
  return kValues;
}
inline const std::vector<std::uint64_t>& double_values() {
  static const std::vector<std::uint64_t> kValues = {0,
                                                     0x8000000000000000ULL,
                                                     0x3ff0000000000000ULL,
                                                     0xbff0000000000000ULL,
                                                     0x400921fb54442d18ULL,
                                                     1,
                                                     0x800fffffffffffffULL,
                                                     0x0010000000000000ULL,
                                                     0x7fefffffffffffffULL,
                                                     0xffefffffffffffffULL,
                                                     0x7ff0000000000000ULL,
                                                     0xfff0000000000000ULL,
                                                     0x7ff8000000000000ULL,
                                                     0x3ca0000000000001ULL,
                                                     0x3fefffffffffffffULL,
                                                     0x4330000000000001ULL,
                                                     0x41e0000000000000ULL,
                                                     0xc1e0000000200000ULL,
                                                     0x47efffffe0000000ULL,
                                                     0x47effffff0000000ULL,
                                                     0x36a0000000000000ULL,
                                                     0x369fffffffffffffULL,
                                                     0x3ff0000010000000ULL,
                                                     0x3ff0000030000000ULL,
                                                     0xc004000000000000ULL,
                                                     0x3ff8000000000000ULL,
                                                     0x43e0000000000000ULL,
                                                     0x43f0000000000000ULL};
  return kValues;
}

}  // namespace warpmem::program::ptx
