// SPDX-License-Identifier: Apache-2.0
// Half precision (IEEE 754 binary16), for conversions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "program/ptx/inst.hpp"

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

/// NaN gives the canonical 0x7fff.
inline std::uint16_t half_from_double(double v, Rounding rounding) {
  if (std::isnan(v)) return 0x7fff;
  const bool negative = std::signbit(v);
  const auto sign = static_cast<std::uint16_t>(negative ? 0x8000 : 0);
  const double magnitude = std::fabs(v);
  if (std::isinf(magnitude)) return sign | 0x7c00;
  // The last place has the value 2^unit at this magnitude, 2^-24 for subnormals.
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude in [2^(e-1), 2^e)
  const int unit = magnitude == 0 ? -24 : std::max(exponent - 11, -24);
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
  if (rounded >= 65536.0) {
    // An overflow gives infinity, unless the mode rounds towards zero from here.
    const bool to_infinity = rounding == Rounding::nearest ||
                             (rounding == Rounding::down && negative) ||
                             (rounding == Rounding::up && !negative);
    return sign | (to_infinity ? 0x7c00 : 0x7bff);
  }
  if (rounded < std::ldexp(1.0, -14))
    return sign | static_cast<std::uint16_t>(std::ldexp(rounded, 24));
  std::frexp(rounded, &exponent);
  const auto fraction =
      static_cast<std::uint16_t>(std::ldexp(rounded, 11 - exponent));  // 0x400..0x7ff
  return static_cast<std::uint16_t>(sign | ((exponent + 14) << 10) | (fraction & 0x3ff));
}

}  // namespace warpmem::program::ptx
