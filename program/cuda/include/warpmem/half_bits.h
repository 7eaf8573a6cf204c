// SPDX-License-Identifier: Apache-2.0
// Half precision on the host, bit by bit.
#pragma once

#include <math.h>

namespace warpmem_bits {

enum Mode { to_nearest, to_zero, downwards, upwards };

static inline float half_value(unsigned short bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
  float v = 0;
  if (exponent == 31)
    v = fraction != 0 ? __builtin_nanf("") : __builtin_inff();
  else if (exponent == 0)
    v = ldexpf(static_cast<float>(fraction), -24);
  else
    v = ldexpf(static_cast<float>(fraction | 0x400), exponent - 25);
  return (bits & 0x8000) != 0 ? -v : v;
}

static inline unsigned short half_from(double v, Mode mode) {
  if (v != v) return 0x7fff;
  const bool negative = signbit(v);
  const unsigned short sign = negative ? 0x8000 : 0;
  const double magnitude = fabs(v);
  if (magnitude > 1.7e308) return sign | 0x7c00;
  int exponent = 0;
  frexp(magnitude, &exponent);
  // The last place of the result has the value 2^unit.
  const int unit = magnitude == 0 || exponent - 11 < -24 ? -24 : exponent - 11;
  const double scaled = ldexp(magnitude, -unit);
  double whole = floor(scaled);
  const double rest = scaled - whole;
  const bool away = (mode == downwards && negative) || (mode == upwards && !negative);
  if ((away && rest > 0) ||
      (mode == to_nearest && (rest > 0.5 || (rest == 0.5 && fmod(whole, 2.0) != 0))))
    whole += 1;
  const double rounded = ldexp(whole, unit);
  if (rounded >= 65536.0) return sign | (mode == to_nearest || away ? 0x7c00 : 0x7bff);
  if (rounded < 0x1p-14) return sign | static_cast<unsigned short>(ldexp(rounded, 24));
  frexp(rounded, &exponent);
  const unsigned short fraction = static_cast<unsigned short>(ldexp(rounded, 11 - exponent));
  return static_cast<unsigned short>(sign | (exponent + 14) << 10 | (fraction & 0x3ff));
}

}  // namespace warpmem_bits
