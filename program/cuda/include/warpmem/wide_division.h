// SPDX-License-Identifier: Apache-2.0
// Division of 128-bit integers in kernels: what the compiler calls for it, by name. Included before
// units that mention such integers.
#pragma once

namespace warpmem_wide {

using Wide = unsigned __int128;
struct Divided {
  Wide quotient, rest;
};

static __device__ int leading_zeros(Wide v) {
  const auto high = static_cast<unsigned long long>(v >> 64);
  return high != 0 ? __clzll(high) : 64 + __clzll(static_cast<unsigned long long>(v));
}

/// Bit by bit, from the highest place at which the divisor fits.
static __device__ Divided divided(Wide n, Wide d) {
  if ((n | d) >> 64 == 0) {
    const auto a = static_cast<unsigned long long>(n), b = static_cast<unsigned long long>(d);
    return {a / b, a % b};
  }
  Wide quotient = 0;
  if (d == 0) return {~quotient, n};
  for (int place = leading_zeros(d) - leading_zeros(n); place >= 0; --place) {
    const Wide part = d << place;
    quotient <<= 1;
    if (n < part) continue;
    n -= part;
    quotient |= 1;
  }
  return {quotient, n};
}

static __device__ Wide magnitude(__int128 v) {
  return v < 0 ? -static_cast<Wide>(v) : static_cast<Wide>(v);
}
static __device__ __int128 with_sign(Wide v, bool negative) {
  return static_cast<__int128>(negative ? -v : v);
}

#define WARPMEM_WIDE(result, name, type)                                                   \
  static __device__ __attribute__((used)) result name(type n, type d) __asm__("__" #name); \
  static __device__ __attribute__((used)) result name(type n, type d)
WARPMEM_WIDE(Wide, udivti3, Wide) { return divided(n, d).quotient; }
WARPMEM_WIDE(Wide, umodti3, Wide) { return divided(n, d).rest; }
WARPMEM_WIDE(__int128, divti3, __int128) {
  return with_sign(divided(magnitude(n), magnitude(d)).quotient, (n < 0) != (d < 0));
}
WARPMEM_WIDE(__int128, modti3, __int128) {
  return with_sign(divided(magnitude(n), magnitude(d)).rest, n < 0);
}
#undef WARPMEM_WIDE

}  // namespace warpmem_wide
