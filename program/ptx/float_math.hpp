// SPDX-License-Identifier: Apache-2.0
// Floating-point rules of PTX (ISA 6.x sections 9.7.3-9.7.4): subnormals flushed on request,
// results saturated to [0,1], one NaN for single precision.
#pragma once

#include <cfenv>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "program/ptx/lanes.hpp"

namespace warpmem::program::ptx {

inline constexpr std::uint32_t kCanonicalNan32 = 0x7fffffff;

/// Subnormal becomes a zero of the same sign. Doubles have no .ftz.
[[gnu::always_inline]] inline float flush(float v) {
  const auto bits = bit_cast<std::uint32_t>(v);
  return bit_cast<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
[[gnu::always_inline]] inline double flush(double v) { return v; }

/// .ftz makes a zero of a result that would be below the least normal number with an exponent
/// without bounds, even if it is rounded up to that number (docs/decisions.md). Operands that are
/// multiplied by kScale give the result times kScale, which has room below.
inline constexpr float kScale32 = 0x1p64f;
inline constexpr float kScaledLeastNormal32 = 0x1p-126f * kScale32;
[[gnu::always_inline]] inline float flush_scaled(float v, float scaled) {
  const auto bits = bit_cast<std::uint32_t>(v);
  const bool tiny = std::fabs(scaled) < kScaledLeastNormal32;
  return bit_cast<float>(tiny ? bits & 0x80000000u : bits);
}

/// Clamps to [0, 1]; NaN becomes 0.
template <class T>
[[gnu::always_inline]] inline T saturate(T v) {
  const T low = v > T(0) ? v : T(0);
  return low < T(1) ? low : T(1);
}

/// A single-precision NaN result is the canonical one; a double keeps its payload.
[[gnu::always_inline]] inline float canonical(float v) {
  return v == v ? v : bit_cast<float>(kCanonicalNan32);
}
[[gnu::always_inline]] inline double canonical(double v) { return v; }

/// Sets the host's rounding mode for the life of the object. Code in between must take its operands
/// from and put its results into memory, which the two calls pin.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding mode) : active_(mode != Rounding::nearest) {
    static constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    if (active_) std::fesetround(kModes[static_cast<unsigned>(mode)]);
  }
  ~RoundingScope() {
    if (active_) std::fesetround(FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  bool active_;
};

/// Hides a value from the optimiser, so that arithmetic on it stays between two rounding changes.
template <class T>
[[gnu::always_inline]] inline T opaque(T v) {
  asm volatile("" : "+m"(v)::"memory");
  return v;
}

}  // namespace warpmem::program::ptx
