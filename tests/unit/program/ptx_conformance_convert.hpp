// SPDX-License-Identifier: Apache-2.0
// Cases of cvt between every two types in every mode. Values are compared as exact numbers: a
// result is found by the definition of its rounding, in long double and 128-bit integers.
#pragma once

#include "unit/program/ptx_conformance_half.hpp"

namespace warpmem::program::ptx {

namespace conformance {

inline const std::vector<IntType>& convertible_integers() {
  static const std::vector<IntType> kTypes = [] {
    std::vector<IntType> t = integer_types();
    t.push_back({"u8", 1, false});
    t.push_back({"s8", 1, true});
    return t;
  }();
  return kTypes;
}
inline unsigned register_bytes(unsigned bytes) { return bytes == 1 ? 4 : bytes; }
/// An 8-bit result is extended into its register by its sign.
inline std::uint64_t in_register(Wide v, IntType t) {
  return wrapped(number(wrapped(v, t.bytes), t), register_bytes(t.bytes));
}

struct FloatType {
  const char* name;
  unsigned bytes;
};
inline constexpr FloatType kFloats[] = {{"f16", 2}, {"f32", 4}, {"f64", 8}};

inline long double float_number(std::uint64_t bits, unsigned bytes, bool ftz) {
  if (bytes == 8) return unraw<double>(bits);
  if (bytes == 4) return ftz ? without_subnormals(unraw<float>(bits)) : unraw<float>(bits);
  bits &= 0xffff;
  if (half_nan(bits)) return NAN;
  const long double v =
      half_infinite(bits) ? static_cast<long double>(INFINITY)
                          : std::ldexp(std::fabs(static_cast<long double>(half_units(bits))), -24);
  return bits & 0x8000 ? -v : v;
}

/// v rounded to a half in any mode, with the neighbours that nearest_half knows.
inline std::uint64_t half_rounded(long double v, int mode) {
  if (std::isnan(v)) return 0x7fff;
  const std::uint64_t sign = std::signbit(v) ? 0x8000 : 0;
  const long double m = std::fabs(v);
  if (std::isinf(m)) return sign | 0x7c00;
  std::uint64_t low = 0, high = 0x7c00;
  const auto at = [](std::uint64_t h) {
    return std::ldexp(static_cast<long double>(half_units(h)), -24);
  };
  while (high - low > 1) {
    const std::uint64_t middle = (low + high) / 2;
    (at(middle) <= m ? low : high) = middle;
  }
  if (m >= at(0x7c00)) low = 0x7bff, high = 0x7c00;
  if (at(low) == m) return sign | low;
  const bool up = mode == FE_TONEAREST
                      ? m - at(low) > at(high) - m || (m - at(low) == at(high) - m && low % 2 == 1)
                  : mode == FE_UPWARD   ? sign == 0
                  : mode == FE_DOWNWARD ? sign != 0
                                        : false;
  const bool beyond = m >= at(0x7c00);  // nearest and away from zero give infinity
  return sign | (up || (beyond && mode == FE_TONEAREST) ? high : low);
}

/// Returns the result of a conversion to a float, from the exact value.
inline std::uint64_t float_bits_of(long double v, unsigned bytes, int mode, bool ftz, bool sat) {
  if (bytes == 2) {
    const std::uint64_t h = half_rounded(v, mode);
    return sat ? half_saturated(h) : h;
  }
  volatile long double exact = v;
  std::fesetround(mode);
  volatile double d = static_cast<double>(exact);
  volatile float f = static_cast<float>(exact);
  std::fesetround(FE_TONEAREST);
  if (bytes == 8) return result_bits(sat ? between_0_and_1(double(d)) : double(d));
  float r = f;
  if (ftz) r = without_subnormals(r);
  return result_bits(sat ? between_0_and_1(r) : r);
}

inline const std::vector<std::uint64_t>& values_of(unsigned bytes) {
  return bytes == 2 ? half_values() : bytes == 4 ? float_values() : double_values();
}

inline long double integral(long double v, const std::string& mode) {
  if (mode == "rni") return std::nearbyint(v);
  if (mode == "rzi") return std::trunc(v);
  return mode == "rmi" ? std::floor(v) : std::ceil(v);
}

inline void add_integer_to_integer(Cases& c) {
  const auto in = combine(integer_values(), {0});
  for (const IntType from : convertible_integers())
    for (const IntType to : convertible_integers())
      for (const bool sat : {false, true}) {
        const Wide high = (Wide(1) << (8 * to.bytes - (to.is_signed ? 1 : 0))) - 1;
        const Wide low = to.is_signed ? -high - 1 : 0;
        add_case(
            c, std::string("cvt.") + (sat ? "sat." : "") + to.name + "." + from.name,
            {register_bytes(to.bytes), register_bytes(from.bytes), 4, 4}, in,
            [=](auto a, auto, auto) {
              const Wide v = number(a, from);
              return in_register(sat ? clamped(v, low, high) : v, to);
            },
            "%d, %a");
      }
}

inline void add_integer_to_float(Cases& c) {
  std::vector<std::uint64_t> values = integer_values();
  values.insert(values.end(), {0x1000001, 0x1000003, 0x7fffff80, 0x20000000000001ULL, 2049, 2051,
                               65519, 65520, 65535, 0x7fffffbfffffffffULL, 0xffffff8000000001ULL});
  const auto in = combine(values, {0});
  for (const IntType from : convertible_integers())
    for (const FloatType to : kFloats)
      for (const RoundingMode& m : kRoundingModes)
        for (const bool named : {true, false})
          for (const bool ftz : {false, true})
            for (const bool sat : {false, true}) {
              if (!named && m.host != FE_TONEAREST) continue;
              if (ftz && to.bytes != 4) continue;
              add_case(
                  c,
                  std::string("cvt.") + (named ? m.name + std::string(".") : "") +
                      (ftz ? "ftz." : "") + (sat ? "sat." : "") + to.name + "." + from.name,
                  {to.bytes, register_bytes(from.bytes), 4, 4}, in,
                  [=](auto a, auto, auto) {
                    // 64 bits fit a long double exactly.
                    return float_bits_of(static_cast<long double>(number(a, from)), to.bytes,
                                         m.host, ftz, sat);
                  },
                  "%d, %a");
            }
}

/// A number that is none of NaN, rounded by `mode` and limited to what `to` has.
inline std::uint64_t nearest_integer(long double v, const std::string& mode, const IntType& to) {
  const Wide high = (Wide(1) << (8 * to.bytes - (to.is_signed ? 1 : 0))) - 1;
  const Wide low = to.is_signed ? -high - 1 : 0;
  const long double r = integral(v, mode);
  return in_register(r >= static_cast<long double>(high)  ? high
                     : r <= static_cast<long double>(low) ? low
                                                          : static_cast<Wide>(r),
                     to);
}

inline void add_float_to_integer(Cases& c) {
  for (const std::string mode : {"rni", "rzi", "rmi", "rpi"})
    for (const FloatType from : kFloats)
      for (const IntType to : convertible_integers())
        for (const bool ftz : {false, true})
          for (const bool sat : {false, true}) {
            if (ftz && from.bytes != 4) continue;
            add_case(
                c,
                "cvt." + mode + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + "." + to.name + "." +
                    from.name,
                {register_bytes(to.bytes), from.bytes, 4, 4}, combine(values_of(from.bytes), {0}),
                [=](auto a, auto, auto) -> std::uint64_t {
                  const long double v = float_number(a, from.bytes, ftz);
                  if (std::isnan(v))
                    return from.bytes == 8 || to.bytes == 8
                               ? in_register(Wide(1) << (8 * to.bytes - 1), to)
                               : 0;
                  return nearest_integer(v, mode, to);
                },
                "%d, %a");
          }
}

inline void add_float_to_float(Cases& c) {
  for (const FloatType from : kFloats)
    for (const FloatType to : kFloats)
      for (const std::string mode : {"", "rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"})
        for (const bool ftz : {false, true})
          for (const bool sat : {false, true}) {
            if (ftz && from.bytes != 4 && to.bytes != 4) continue;
            int host = FE_TONEAREST;
            for (const RoundingMode& m : kRoundingModes)
              if (mode == m.name) host = m.host;
            const bool to_integral = mode.size() == 3;
            add_case(
                c,
                "cvt" + (mode.empty() ? "" : "." + mode) + (ftz ? ".ftz" : "") +
                    (sat ? ".sat" : "") + "." + to.name + "." + from.name,
                {to.bytes, from.bytes, 4, 4}, combine(values_of(from.bytes), {0}),
                [=](auto a, auto, auto) -> std::uint64_t {
                  long double v = float_number(a, from.bytes, ftz);
                  if (std::isnan(v) && !sat) {
                    // The sign and the top of the payload of a double stay; cvt.f32.f32 moves.
                    if (from.bytes == 8 && to.bytes == 2)
                      return (a >> 63 << 15) | 0x7e00 | (a >> 42 & 0x3ff);
                    if (from.bytes == 8 && to.bytes == 4)
                      return (a >> 63 << 31) | 0x7fc00000 | (a >> 29 & 0x7fffff);
                    if (from.bytes == 4 && to.bytes == 4 && !ftz && !to_integral)
                      return a & 0xffffffff;
                  }
                  if (to_integral && !std::isnan(v)) v = integral(v, mode);
                  return float_bits_of(v, to.bytes, host, ftz, sat);
                },
                "%d, %a", "", to.bytes == 8 ? quieten() : "");
          }
}

/// Returns the number with `bits` of mantissa below the leading one and exponents from `least` to
/// `most`, as 16 bits of a float that is so narrow.
inline std::uint64_t narrow_bits(long double v, int bits, int least, int most, bool cut) {
  if (std::isnan(v)) return 0x7fff;
  const std::uint64_t sign = std::signbit(v) ? 0x8000 : 0;
  const long double size = std::fabs(v);
  const auto infinity = static_cast<std::uint64_t>(most - least + 2) << bits;
  if (std::isinf(size)) return sign | infinity;
  if (size == 0) return sign;
  const int unit = std::max(std::ilogb(size), least) - bits;
  const long double scaled = std::ldexp(size, -unit);
  const auto units = static_cast<std::uint64_t>(cut ? std::floor(scaled) : std::nearbyint(scaled));
  // The units of normal numbers have the leading one, which counts on from the exponent below.
  const auto result = units + (static_cast<std::uint64_t>(unit + bits - least) << bits);
  return sign | std::min(result, cut ? infinity - 1 : infinity);
}

/// Two floats become the halves of a register, the first one the upper.
inline void add_float_pairs(Cases& c) {
  for (const bool cut : {false, true})
    for (const bool bfloat : {false, true})
      add_case(
          c, std::string(cut ? "cvt.rz." : "cvt.rn.") + (bfloat ? "bf16x2.f32" : "f16x2.f32"),
          {4, 4, 4, 4}, combine(values_of(4), values_of(4)),
          [=](auto a, auto b, auto) -> std::uint64_t {
            const auto narrow = [=](auto bits) {
              const long double v = float_number(bits, 4, false);
              return bfloat ? narrow_bits(v, 7, -126, 127, cut) : narrow_bits(v, 10, -14, 15, cut);
            };
            return narrow(a) << 16 | narrow(b);
          },
          "%d, %a, %b", "", "");
}

/// To the multiples of 2^-10 of the power of two below, the one further from zero of two as near.
inline void add_float_to_tensor_float(Cases& c) {
  add_case(
      c, "cvt.rna.tf32.f32", {4, 4, 4, 4}, combine(values_of(4), {0}),
      [](auto a, auto, auto) -> std::uint64_t {
        const long double v = float_number(a, 4, false);
        if (std::isnan(v)) return a & 0xffffe000;
        if (std::isinf(v) || v == 0) return a & 0xffffffff;
        constexpr int kBits = 10, kLeastExponent = -126;
        const int unit = std::max(std::ilogb(v), kLeastExponent) - kBits;
        const long double units = std::floor(std::fabs(std::ldexp(v, -unit)) + 0.5L);
        const auto single = static_cast<float>(std::ldexp(units, unit));
        std::uint32_t bits;
        std::memcpy(&bits, &single, sizeof bits);
        return bits | (a & 0x80000000);
      },
      "%d, %a", "", "");
}

}  // namespace conformance

inline Cases convert_cases() {
  Cases c;
  conformance::add_integer_to_integer(c);
  conformance::add_integer_to_float(c);
  conformance::add_float_to_integer(c);
  conformance::add_float_to_float(c);
  conformance::add_float_to_tensor_float(c);
  conformance::add_float_pairs(c);
  return c;
}

}  // namespace warpmem::program::ptx
