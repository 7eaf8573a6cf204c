// SPDX-License-Identifier: Apache-2.0
// Half precision (IEEE 754 binary16) and bfloat16, for conversions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "program/ptx/inst.hpp"
#include "program/ptx/lanes.hpp"

namespace warpmem::program::ptx {

inline float half_to_float(std::uint16_t h) {
  const int exponent = h >> 10 & 31;
  const int fraction = h & 0x3ff;
  float v = 0;
  if (exponent == 31)
    v = fraction != 0 ? std::nanf("") : INFINITY;
  else if (exponent == 0)
    v = std::ldexp(static_cast<float>(fraction), -24);
  else
    v = std::ldexp(static_cast<float>(fraction | 0x400), exponent - 25);
  return h & 0x8000 ? -v : v;
}

inline float bfloat_to_float(std::uint16_t b) { return bit_cast<float>(std::uint32_t(b) << 16); }

/// Rounds to a float of 16 bits, of which so many are its fraction. NaN gives the canonical 0x7fff.
template <int kFraction>
std::uint16_t narrow_from_double(double v, Rounding rounding) {
  constexpr int kBias = (1 << (14 - kFraction)) - 1;
  constexpr int kLeastUnit = 1 - kBias - kFraction;
  constexpr std::uint16_t kInfinity = 0x8000 - (1 << kFraction);
  if (std::isnan(v)) return 0x7fff;
  const bool negative = std::signbit(v);
  const auto sign = static_cast<std::uint16_t>(negative ? 0x8000 : 0);
  const double magnitude = std::fabs(v);
  if (std::isinf(magnitude)) return sign | kInfinity;
  // The last place has the value 2^unit at this magnitude, 2^kLeastUnit for subnormals.
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude in [2^(e-1), 2^e)
  const int unit = magnitude == 0 ? kLeastUnit : std::max(exponent - 1 - kFraction, kLeastUnit);
  const double scaled = std::ldexp(magnitude, -unit);
  const double whole = std::floor(scaled), rest = scaled - whole;
  bool up = false;
  switch (rounding) {
    case Rounding::nearest:
      up = rest > 0.5 || (rest == 0.5 && std::fmod(whole, 2.0) != 0);
      break;
    case Rounding::zero:
      break;
    case Rounding::down:
      up = negative && rest > 0;
      break;
    case Rounding::up:
      up = !negative && rest > 0;
      break;
  }
  const double rounded = std::ldexp(whole + (up ? 1 : 0), unit);
  if (rounded >= std::ldexp(1.0, kBias + 1)) {
    // An overflow gives infinity, unless the mode rounds towards zero from here.
    const bool to_infinity = rounding == Rounding::nearest ||
                             (rounding == Rounding::down && negative) ||
                             (rounding == Rounding::up && !negative);
    return static_cast<std::uint16_t>(sign | (kInfinity - (to_infinity ? 0 : 1)));
  }
  if (rounded < std::ldexp(1.0, 1 - kBias))
    return sign | static_cast<std::uint16_t>(std::ldexp(rounded, -kLeastUnit));
  std::frexp(rounded, &exponent);
  constexpr int kLeading = 1 << kFraction;
  const int fraction = static_cast<int>(std::ldexp(rounded, kFraction + 1 - exponent)) - kLeading;
  return static_cast<std::uint16_t>(sign | ((exponent - 1 + kBias) << kFraction) | fraction);
}
inline std::uint16_t half_from_double(double v, Rounding rounding) {
  return narrow_from_double<10>(v, rounding);
}
inline std::uint16_t bfloat_from_double(double v, Rounding rounding) {
  return narrow_from_double<7>(v, rounding);
}

}  // namespace warpmem::program::ptx
