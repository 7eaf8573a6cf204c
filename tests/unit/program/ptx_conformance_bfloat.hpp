// SPDX-License-Identifier: Apache-2.0
// Cases of bfloat16 and of .relu. Sums and products are those of 128-bit floats, with what these
// drop, and rounded by searching all bfloats for the nearest.
#pragma once

#include "unit/program/ptx_conformance_compare.hpp"
#include "unit/program/ptx_conformance_convert.hpp"

namespace warpmem::program::ptx {

namespace conformance {

__extension__ using Quad = __float128;

inline bool bfloat_is_nan(std::uint64_t b) { return (b & 0x7fff) > 0x7f80; }
inline float bfloat_number(std::uint64_t b) { return unraw<float>((b & 0xffff) << 16); }

inline const std::vector<std::uint64_t>& bfloats() {
  static const std::vector<std::uint64_t> kValues = {
      0x0000, 0x8000, 0x3f80, 0xbf80, 0x0001, 0x8001, 0x007f, 0x0080, 0x7f7f, 0xff7f, 0x7f80,
      0xff80, 0x7fc0, 0xff81, 0x3eab, 0x4049, 0x3b80, 0xbf7f, 0x3f81, 0x4f00, 0xcf01, 0x5f80};
  return kValues;
}
inline const std::vector<std::uint64_t>& bfloat_pairs() {
  static const std::vector<std::uint64_t> kValues = [] {
    std::vector<std::uint64_t> v;
    const auto& b = bfloats();
    for (std::size_t i = 0; i < b.size(); ++i) v.push_back(b[i] | b[(i * 7 + 3) % b.size()] << 16);
    return v;
  }();
  return kValues;
}

/// Returns a * b + c.
inline std::uint64_t bfloat_fma(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const Quad x = bfloat_number(a), y = bfloat_number(b), z = bfloat_number(c);
  const Quad product = x * y, sum = product + z;
  if (sum != sum) return 0x7fff;
  const bool negative = sum < 0 || (sum == 0 && std::signbit(static_cast<double>(sum)));
  const std::uint64_t sign = negative ? 0x8000 : 0;
  const Quad size = negative ? -sum : sum;
  if (size > Quad(1e300)) return sign | 0x7f80;
  const Quad back = sum - product;
  const Quad lost = ((product - (sum - back)) + (z - back)) * (negative ? -1 : 1);
  std::uint64_t low = 0, high = 0x7f80;  // 0x7f80 stands for 2^128 here
  const auto at = [](std::uint64_t m) { return m == 0x7f80 ? Quad(0x1p128) : bfloat_number(m); };
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    (at(middle) <= size ? low : high) = middle;
  }
  const Quad middle = (at(low) + at(high)) / 2;
  const bool up = size > middle || (size == middle && (lost > 0 || (lost == 0 && low % 2 == 1)));
  return sign | (up ? high : low);
}

inline std::uint64_t without_negatives(std::uint64_t v) {
  return (v & 0x8000) != 0 && v != 0xffff ? 0 : v;
}

using BfloatOperation = std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t)>;

inline void add_bfloat_operation(Cases& c, const std::string& op, unsigned arity,
                                 const BfloatOperation& f) {
  const std::string operands = arity == 1 ? "%d, %a" : arity == 2 ? "%d, %a, %b" : "%d, %a, %b, %c";
  const std::vector<std::uint64_t> unused = {0};
  for (const bool two : {false, true}) {
    const auto& v = two ? bfloat_pairs() : bfloats();
    const unsigned n = two ? 4 : 2;
    add_case(
        c, op + (two ? ".bf16x2" : ".bf16"), {n, n, n, n},
        combine(v, arity > 1 ? v : unused, arity > 2 ? v : unused),
        [=](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
          const std::uint64_t low = f(x & 0xffff, y & 0xffff, z & 0xffff);
          return two ? low | f(x >> 16 & 0xffff, y >> 16 & 0xffff, z >> 16 & 0xffff) << 16 : low;
        },
        operands);
  }
}

inline void add_bfloat_arithmetic(Cases& c) {
  constexpr std::uint64_t kOne = 0x3f80;
  for (const std::string round : {"", ".rn"}) {
    add_bfloat_operation(c, "add" + round, 2,
                         [=](auto a, auto b, auto) { return bfloat_fma(a, kOne, b); });
    add_bfloat_operation(c, "sub" + round, 2, [=](auto a, auto b, auto) {
      return bfloat_fma(a, kOne, bfloat_is_nan(b) ? b : b ^ 0x8000);
    });
    // -0 as the third operand keeps the sign of a zero product.
    add_bfloat_operation(c, "mul" + round, 2, [](auto a, auto b, auto) {
      return bfloat_fma(a, b, bfloat_is_nan(a) || bfloat_is_nan(b) ? 0 : (a ^ b) & 0x8000);
    });
  }
  add_bfloat_operation(c, "fma.rn", 3, bfloat_fma);
  add_bfloat_operation(c, "fma.rn.relu", 3, [](auto x, auto y, auto z) {
    return without_negatives(bfloat_fma(x, y, z));
  });
  add_bfloat_operation(c, "neg", 1, [](auto a, auto, auto) -> std::uint64_t {
    return bfloat_is_nan(a) ? 0x7fff : a ^ 0x8000;
  });
  add_bfloat_operation(c, "abs", 1, [](auto a, auto, auto) -> std::uint64_t {
    return bfloat_is_nan(a) ? 0x7fff : a & 0x7fff;
  });
  for (const bool maximum : {false, true})
    for (const bool nan : {false, true})
      add_bfloat_operation(c, std::string(maximum ? "max" : "min") + (nan ? ".NaN" : ""), 2,
                           [=](auto a, auto b, auto) -> std::uint64_t {
                             if (bfloat_is_nan(a) && (nan || bfloat_is_nan(b))) return 0x7fff;
                             if (bfloat_is_nan(a)) return b;
                             if (bfloat_is_nan(b)) return nan ? 0x7fff : a;
                             const bool first = maximum ? half_order(a) > half_order(b)
                                                        : half_order(a) < half_order(b);
                             return first ? a : b;
                           });
  for (const bool ftz : {false, true})
    add_half_operation(c, std::string("fma.rn") + (ftz ? ".ftz" : "") + ".relu", ftz, false, 3,
                       [](auto x, auto y, auto z, bool flushed) {
                         return without_negatives(half_fma(x, y, z, flushed));
                       });
}

inline void add_bfloat_comparisons(Cases& c) {
  const auto order = [](std::uint64_t a, std::uint64_t b, bool) {
    return order_of(bfloat_number(a), bfloat_number(b));
  };
  const std::vector<std::string> relations = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",
                                              "equ", "neu", "ltu", "leu", "gtu", "geu",
                                              "num", "nan", "lo",  "ls",  "hi",  "hs"};
  add_comparisons(c, {"bf16", 2, bfloats(), relations, order, false});
  add_comparisons(c, {"bf16x2", 4, bfloat_pairs(), relations, order, false});
}

inline std::uint64_t narrowed(long double v, bool bfloat, bool cut) {
  return bfloat ? narrow_bits(v, 7, -126, 127, cut) : narrow_bits(v, 10, -14, 15, cut);
}

inline void add_bfloat_conversions(Cases& c) {
  for (const bool cut : {false, true}) {
    const std::string start = cut ? "cvt.rz." : "cvt.rn.";
    for (const FloatType from : kFloats)
      add_case(
          c, start + "bf16." + from.name, {2, from.bytes, 4, 4},
          combine(values_of(from.bytes), {0}),
          [=](auto a, auto, auto) {
            return narrowed(float_number(a, from.bytes, false), true, cut);
          },
          "%d, %a", "", "");
    for (const IntType from : convertible_integers())
      add_case(
          c, start + "bf16." + from.name, {2, register_bytes(from.bytes), 4, 4},
          combine(integer_values(), {0}),
          [=](auto a, auto, auto) {
            return narrowed(static_cast<long double>(number(a, from)), true, cut);
          },
          "%d, %a");
    add_case(
        c, start + "f16.bf16", {2, 2, 4, 4}, combine(bfloats(), {0}),
        [=](auto a, auto, auto) { return narrowed(bfloat_number(a), false, cut); }, "%d, %a");
    for (const bool bfloat : {false, true}) {
      const auto cut_off = [=](std::uint64_t bits) {
        return without_negatives(narrowed(float_number(bits, 4, false), bfloat, cut));
      };
      const std::string type = bfloat ? "bf16" : "f16";
      add_case(
          c, start + "relu." + type + ".f32", {2, 4, 4, 4}, combine(values_of(4), {0}),
          [=](auto a, auto, auto) { return cut_off(a); }, "%d, %a");
      add_case(
          c, start + "relu." + type + "x2.f32", {4, 4, 4, 4}, combine(values_of(4), values_of(4)),
          [=](auto a, auto b, auto) { return cut_off(a) << 16 | cut_off(b); }, "%d, %a, %b");
    }
  }
  for (const unsigned bytes : {4u, 8u})
    add_case(
        c, bytes == 4 ? "cvt.f32.bf16" : "cvt.f64.bf16", {bytes, 2, 4, 4}, combine(bfloats(), {0}),
        [=](auto a, auto, auto) {
          const float v = bfloat_number(a);
          return bytes == 4 ? result_bits(v) : result_bits(static_cast<double>(v));
        },
        "%d, %a", "", bytes == 8 ? quieten() : "");
  for (const std::string mode : {"rni", "rzi", "rmi", "rpi"})
    for (const IntType to : convertible_integers())
      add_case(
          c, "cvt." + mode + "." + to.name + ".bf16", {register_bytes(to.bytes), 2, 4, 4},
          combine(bfloats(), {0}),
          [=](auto a, auto, auto) -> std::uint64_t {
            const long double v = bfloat_number(a);
            if (std::isnan(v)) return to.bytes == 8 ? in_register(Wide(1) << 63, to) : 0;
            return nearest_integer(v, mode, to);
          },
          "%d, %a");
}

}  // namespace conformance

inline Cases bfloat_cases() {
  Cases c;
  conformance::add_bfloat_arithmetic(c);
  conformance::add_bfloat_comparisons(c);
  conformance::add_bfloat_conversions(c);
  return c;
}

}  // namespace warpmem::program::ptx
