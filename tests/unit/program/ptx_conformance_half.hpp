// SPDX-License-Identifier: Apache-2.0
// Cases of half precision. Numbers are taken apart into integers, sums and products computed
// exactly in 128 bits and rounded by searching all halves for the nearest.
#pragma once

#include <cmath>

#include "unit/program/ptx_conformance_float.hpp"

namespace warpmem::program::ptx {

namespace conformance {

inline bool half_nan(std::uint64_t h) { return (h & 0x7fff) > 0x7c00; }
inline bool half_infinite(std::uint64_t h) { return (h & 0x7fff) == 0x7c00; }
/// Returns a finite half in units of 2^-24, exactly.
inline Wide half_units(std::uint64_t h) {
  const std::uint64_t e = h >> 10 & 31, f = h & 0x3ff;
  const Wide m = e == 0 ? Wide(f) : Wide(f | 0x400) << (e - 1);
  return h & 0x8000 ? -m : m;
}
/// Returns the half nearest to v units of 2^-48, ties to even; `negative_zero` signs a zero.
inline std::uint64_t nearest_half(Wide v, bool negative_zero) {
  const bool negative = v < 0 || (v == 0 && negative_zero);
  const Wide magnitude = v < 0 ? -v : v;
  std::uint64_t low = 0, high = 0x7c00;  // 0x7c00 stands for 2^16 here
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    if (half_units(middle) << 24 <= magnitude)
      low = middle;
    else
      high = middle;
  }
  const Wide below = magnitude - (half_units(low) << 24);
  const Wide above = (half_units(high) << 24) - magnitude;
  const std::uint64_t r = above < below || (above == below && low % 2 == 1) ? high : low;
  return r | (negative ? 0x8000 : 0);
}

inline std::uint64_t half_flushed(std::uint64_t h) { return (h & 0x7c00) == 0 ? h & 0x8000 : h; }

/// Returns a * b + c, all halves; with `ftz` a zero for what is below the least normal number when
/// it has been rounded to 11 bits.
inline std::uint64_t half_fma(std::uint64_t a, std::uint64_t b, std::uint64_t c, bool ftz = false) {
  if (half_nan(a) || half_nan(b) || half_nan(c)) return 0x7fff;
  const std::uint64_t sign = (a ^ b) & 0x8000;
  const bool zero_product = (a & 0x7fff) == 0 || (b & 0x7fff) == 0;
  if (half_infinite(a) || half_infinite(b)) {
    if (zero_product || (half_infinite(c) && (c & 0x8000) != sign)) return 0x7fff;
    return sign | 0x7c00;
  }
  if (half_infinite(c)) return c;
  const Wide sum = half_units(a) * half_units(b) + half_units(c) * (Wide(1) << 24);
  constexpr Wide kLeastNormal = Wide(1) << 34;
  // Half a place of the 11 bits below the least normal number is 2^-26 of it, 2^22 units; a tie
  // goes to that number, which is even.
  const Wide magnitude = sum < 0 ? -sum : sum;
  if (ftz && sum != 0 && magnitude < kLeastNormal - (Wide(1) << 22)) return sum < 0 ? 0x8000 : 0;
  const bool both_negative = sign != 0 && (c & 0x8000) != 0;
  return nearest_half(sum, both_negative && zero_product && (c & 0x7fff) == 0);
}

inline std::uint64_t half_saturated(std::uint64_t h) {
  if (half_nan(h) || (h & 0x8000) != 0) return 0;
  return std::min<std::uint64_t>(h, 0x3c00);
}

/// The last argument is .ftz.
using HalfOperation =
    std::function<std::uint64_t(std::uint64_t, std::uint64_t, std::uint64_t, bool)>;

inline const std::vector<std::uint64_t>& half_values() {
  static const std::vector<std::uint64_t> kValues = {
      0x0000, 0x8000, 0x3c00, 0xbc00, 0x0001, 0x83ff, 0x0400, 0x8401, 0x7bff, 0xfbff, 0x7c00,
      0xfc00, 0x7e00, 0xfe01, 0x3555, 0x4248, 0x1400, 0x9401, 0x3bff, 0x6800, 0x6401, 0x0c01};
  return kValues;
}
/// Returns the same in pairs, with another value in the upper half.
inline const std::vector<std::uint64_t>& half_pairs() {
  static const std::vector<std::uint64_t> kValues = [] {
    std::vector<std::uint64_t> v;
    const auto& h = half_values();
    for (std::size_t i = 0; i < h.size(); ++i) v.push_back(h[i] | h[(i * 7 + 3) % h.size()] << 16);
    return v;
  }();
  return kValues;
}

inline void add_half_operation(Cases& c, const std::string& op, bool ftz, bool sat, unsigned arity,
                               const HalfOperation& f) {
  const auto one = [=](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    x &= 0xffff, y &= 0xffff, z &= 0xffff;
    const std::uint64_t r =
        ftz ? f(half_flushed(x), half_flushed(y), half_flushed(z), true) : f(x, y, z, false);
    return sat ? half_saturated(r) : r;
  };
  const std::string operands = arity == 1 ? "%d, %a" : arity == 2 ? "%d, %a, %b" : "%d, %a, %b, %c";
  const std::vector<std::uint64_t> unused = {0};
  for (const bool two : {false, true}) {
    const auto& v = two ? half_pairs() : half_values();
    const unsigned n = two ? 4 : 2;
    add_case(
        c, op + (two ? ".f16x2" : ".f16"), {n, n, n, n},
        combine(v, arity > 1 ? v : unused, arity > 2 ? v : unused),
        [=](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
          return one(x, y, z) | (two ? one(x >> 16, y >> 16, z >> 16) << 16 : 0);
        },
        operands);
  }
}

inline void add_half_arithmetic(Cases& c) {
  const HalfOperation add = [](auto a, auto b, auto, bool ftz) {
    return half_fma(a, 0x3c00, b, ftz);
  };
  const HalfOperation sub = [](auto a, auto b, auto, bool ftz) {
    return half_fma(a, 0x3c00, half_nan(b) ? b : b ^ 0x8000, ftz);
  };
  // -0 as the third operand keeps the sign of a zero product.
  const HalfOperation mul = [](auto a, auto b, auto, bool ftz) {
    return half_fma(a, b, half_nan(a) || half_nan(b) ? 0 : (a ^ b) & 0x8000, ftz);
  };
  for (const bool ftz : {false, true})
    for (const bool sat : {false, true}) {
      const std::string s = std::string(ftz ? ".ftz" : "") + (sat ? ".sat" : "");
      for (const std::string round : {"", ".rn"}) {
        add_half_operation(c, "add" + round + s, ftz, sat, 2, add);
        add_half_operation(c, "sub" + round + s, ftz, sat, 2, sub);
        add_half_operation(c, "mul" + round + s, ftz, sat, 2, mul);
      }
      add_half_operation(c, "fma.rn" + s, ftz, sat, 3, half_fma);
    }
  for (const bool ftz : {false, true}) {
    const std::string s = ftz ? ".ftz" : "";
    add_half_operation(c, "neg" + s, ftz, false, 1,
                       [](auto a, auto, auto, bool) { return half_nan(a) ? 0x7fff : a ^ 0x8000; });
    add_half_operation(c, "abs" + s, ftz, false, 1,
                       [](auto a, auto, auto, bool) { return half_nan(a) ? 0x7fff : a & 0x7fff; });
  }
}

/// Returns where a half lies among all of them, -0 below +0.
inline int half_order(std::uint64_t h) {
  return h & 0x8000 ? -1 - static_cast<int>(h & 0x7fff) : static_cast<int>(h);
}

inline void add_half_extremes(Cases& c) {
  for (const bool maximum : {false, true})
    for (const bool ftz : {false, true})
      for (const bool nan : {false, true})
        add_half_operation(
            c, std::string(maximum ? "max" : "min") + (ftz ? ".ftz" : "") + (nan ? ".NaN" : ""),
            ftz, false, 2, [=](std::uint64_t a, std::uint64_t b, auto, bool) -> std::uint64_t {
              if (half_nan(a) && (nan || half_nan(b))) return 0x7fff;
              if (half_nan(a)) return b;
              if (half_nan(b)) return nan ? 0x7fff : a;
              const bool first =
                  maximum ? half_order(a) > half_order(b) : half_order(a) < half_order(b);
              return first ? a : b;
            });
}

/// Returns the half that a function of floats gives.
inline std::uint64_t half_function(std::uint64_t h, float (*f)(float)) {
  if (half_nan(h)) return 0x7fff;
  constexpr int kUnit = 24;
  const float sign = h & 0x8000 ? -1.0f : 1.0f;
  const float x = half_infinite(h)
                      ? sign * INFINITY
                      : std::copysign(std::ldexp(static_cast<float>(half_units(h)), -kUnit), sign);
  const float y = f(x);
  if (std::isinf(y)) return y < 0 ? 0xfc00 : 0x7c00;
  return nearest_half(static_cast<Wide>(std::ldexp(static_cast<double>(y), 2 * kUnit)),
                      std::signbit(y));
}

inline void add_half_functions(Cases& c) {
  add_half_operation(c, "ex2.approx", false, false, 1, [](auto a, auto, auto, bool) {
    return half_function(a, [](float x) { return std::exp2(x); });
  });
  add_half_operation(c, "tanh.approx", false, false, 1, [](auto a, auto, auto, bool) {
    return half_function(a, [](float x) { return std::tanh(x); });
  });
}

}  // namespace conformance

inline Cases half_cases() {
  Cases c;
  conformance::add_half_arithmetic(c);
  conformance::add_half_extremes(c);
  conformance::add_half_functions(c);
  return c;
}

}  // namespace warpmem::program::ptx
