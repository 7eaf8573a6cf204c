// SPDX-License-Identifier: Apache-2.0
// Double-precision trigonometric and hyperbolic functions and their inverses for device code,
// within 2 ulp (4 where two functions are composed).
#ifndef WARPMEM_LIBDEVICE_TRIGONOMETRIC_H
#define WARPMEM_LIBDEVICE_TRIGONOMETRIC_H

// Returns bits of 2/pi, highest first, after 64 zeros.
static __device__ __forceinline__ unsigned long long warpmem_two_over_pi(int word) {
  static constexpr unsigned long long kBits[] = {0,
                                                 0xa2f9836e4e441529ull,
                                                 0xfc2757d1f534ddc0ull,
                                                 0xdb6295993c439041ull,
                                                 0xfe5163abdebbc561ull,
                                                 0xb7246e3a424dd2e0ull,
                                                 0x06492eea09d1921cull,
                                                 0xfe1deb1cb129a73eull,
                                                 0xe88235f52ebb4484ull,
                                                 0xe99c7026b45f7e41ull,
                                                 0x3991d639835339f4ull,
                                                 0x9c845f8bbdf9283bull,
                                                 0x1ff897ffde05980full,
                                                 0xef2f118b5a0a6d1full,
                                                 0x6d367ecf27cb09b7ull,
                                                 0x4f463f669e5fea2dull,
                                                 0x7527bac7ebe5f17bull,
                                                 0x3d0739f78a5292eaull,
                                                 0x6bfb5fb11f8d5d08ull,
                                                 0x56033046fc7b6babull,
                                                 0xf0cfbc209af4361dull};
  return kBits[word];
}
// Returns x - n pi/2 for any finite x (Payne and Hanek): only those bits of 2/pi are multiplied
// that decide the quadrant and the fraction.
static __device__ double warpmem_reduce_large(double x, int& q) {
  q = 0;
  if (!(__builtin_fabs(x) < __builtin_inf())) return __builtin_nan("");
  const unsigned long long bits = __nv_double_as_longlong(x) & 0x7fffffffffffffffull;
  const unsigned long long mantissa = (bits & 0x000fffffffffffffull) | 0x0010000000000000ull;
  const int exponent = (int)(bits >> 52) - 1075;  // x = mantissa * 2^exponent
  const int offset = exponent + 61;               // place of the first bit that matters
  const int word = offset >> 6, shift = offset & 63;
  unsigned long long w[3];
  for (int i = 0; i < 3; ++i) {
    const unsigned long long a = warpmem_two_over_pi(word + i);
    const unsigned long long b = word + i + 1 < 21 ? warpmem_two_over_pi(word + i + 1) : 0;
    w[i] = shift == 0 ? a : a << shift | b >> (64 - shift);
  }
  // This is mantissa * w modulo 2^192; the top 3 bits are the quadrant modulo 8.
  const unsigned long long low_high = __nv_umul64hi(mantissa, w[2]);
  unsigned long long middle = mantissa * w[1] + low_high;
  const unsigned long long carry = middle < low_high ? 1 : 0;
  unsigned long long high = mantissa * w[0] + __nv_umul64hi(mantissa, w[1]) + carry;
  q = (int)(high >> 61);
  // The fraction becomes a signed number in [-1/2, 1/2).
  high = high << 3 | middle >> 61;
  middle <<= 3;
  if ((high >> 63) != 0) ++q;
  const double top = (double)(long long)high;  // rounded; what is left goes into `rest`
  const double rest = (double)((long long)high - (long long)top) +
                      (double)middle * warpmem_double(0x3bf0000000000000ull);  // 2^-64
  const double product = top * 1.570796326794896558;
  const double product_low = __builtin_fma(top, 1.570796326794896558, -product) +
                             top * 6.12323399573676480327e-17 + rest * 1.570796326794896558;
  const double r = (product + product_low) * warpmem_double(0x3bf0000000000000ull);
  if (x < 0.0) {
    q = -q & 3;
    return -r;
  }
  q &= 3;
  return r;
}
static __device__ __forceinline__ double warpmem_reduce(double x, int& q) {
  if (!(__builtin_fabs(x) < 100000.0)) return warpmem_reduce_large(x, q);
  q = __nv_double2int_rn(x * 0.63661977236758134308);
  const double n = (double)q;
  double r = __builtin_fma(n, -1.570796326794896558, x);
  r = __builtin_fma(n, -6.12323399573676480327e-17, r);
  return __builtin_fma(n, -1.08285667392191389424e-32, r);
}
static __device__ __forceinline__ double warpmem_sin_core(double r) {
  constexpr double p[] = {-0.16666666666666665, 0.0083333333333309485,  -0.00019841269836758574,
                          2.755731610255244e-6, -2.5051131845003624e-8, 1.5918129294866609e-10};
  const double z = r * r;
  return warpmem_odd(r, z, warpmem_polynomial(p, z));
}
static __device__ __forceinline__ double warpmem_cos_core(double r) {
  constexpr double p[] = {0.041666666666666665,   -0.0013888888888887397, 2.4801587298765688e-5,
                          -2.7557317271729793e-7, 2.0876146268403198e-9,  -1.1382632425521718e-11};
  const double z = r * r, half = 0.5 * z, w = 1.0 - half;
  return w + (((1.0 - w) - half) + z * z * warpmem_polynomial(p, z));
}
static __device__ __forceinline__ double warpmem_sin_quadrant(double r, int q) {
  const double v = (q & 1) != 0 ? warpmem_cos_core(r) : warpmem_sin_core(r);
  return (q & 2) != 0 ? -v : v;
}
WARPMEM_NV_MATH double __nv_sin(double x) {
  int q;
  const double r = warpmem_reduce(x, q);
  return warpmem_sin_quadrant(r, q);
}
WARPMEM_NV_MATH double __nv_cos(double x) {
  int q;
  const double r = warpmem_reduce(x, q);
  return warpmem_sin_quadrant(r, q + 1);
}
WARPMEM_NV_MATH void __nv_sincos(double x, double* s, double* c) {
  int q;
  const double r = warpmem_reduce(x, q);
  *s = warpmem_sin_quadrant(r, q);
  *c = warpmem_sin_quadrant(r, q + 1);
}
WARPMEM_NV_MATH double __nv_tan(double x) {
  int q;
  const double r = warpmem_reduce(x, q);
  const double s = warpmem_sin_core(r), c = warpmem_cos_core(r);
  return (q & 1) != 0 ? -(c / s) : s / c;
}
static __device__ __forceinline__ double warpmem_reduce_pi(double x, int& q) {
  const double n = __builtin_rint(2.0 * x);
  q = (int)(n - 4.0 * __builtin_trunc(0.25 * n));
  const double f = __builtin_fma(-0.5, n, x);
  return __builtin_fma(f, 3.141592653589793116, f * 1.2246467991473532072e-16);
}
WARPMEM_NV_MATH double __nv_sinpi(double x) {
  int q;
  const double r = warpmem_reduce_pi(x, q);
  return warpmem_sin_quadrant(r, q);
}
WARPMEM_NV_MATH double __nv_cospi(double x) {
  int q;
  const double r = warpmem_reduce_pi(x, q);
  return warpmem_sin_quadrant(r, q + 1);
}
WARPMEM_NV_MATH void __nv_sincospi(double x, double* s, double* c) {
  *s = __nv_sinpi(x);
  *c = __nv_cospi(x);
}

WARPMEM_NV_MATH double __nv_atan(double x) {
  constexpr double p[] = {
      -0.33333333333333315,   0.1999999999998641,     -0.14285714284072868,  0.11111111032045885,
      -0.090909070674963901,  0.076922759050147716,   -0.066663325092110192, 0.058798654898029812,
      -0.052495185843376629,  0.047052091530712655,   -0.041652118023505591, 0.035360661072633815,
      -0.027590832895856106,  0.018805224043642339,   -0.010595346043695831, 0.0046421639380263531,
      -0.0014627303082646209, 0.00029221739308086866, -2.7633793313601144e-5};
  const double magnitude = __builtin_fabs(x);
  const double t = magnitude > 1.0 ? 1.0 / magnitude : magnitude;
  const double z = t * t;
  double r = __builtin_fma(z * t, warpmem_polynomial(p, z), t);
  if (magnitude > 1.0) r = 1.570796326794896558 - (r - 6.1232339957367660359e-17);
  return x != x ? x : __nv_copysign(r, x);
}
WARPMEM_NV_MATH double __nv_atan2(double y, double x) {
  if (x != x || y != y) return x + y;
  const double ay = __builtin_fabs(y), ax = __builtin_fabs(x);
  const double high = ay > ax ? ay : ax, low = ay > ax ? ax : ay;
  double r = high == 0.0              ? 0.0
             : low == __builtin_inf() ? 0.78539816339744827900
                                      : __nv_atan(low / high);
  if (ay > ax) r = 1.570796326794896558 - (r - 6.1232339957367660359e-17);
  if (__nv_signbitd(x)) r = 3.141592653589793116 - (r - 1.2246467991473532072e-16);
  return __nv_copysign(r, y);
}
static __device__ __forceinline__ double warpmem_asin_core(double x) {
  constexpr double p[] = {0.16666666666666649,  0.075000000000208697,  0.04464285710323956,
                          0.03038194737955916,  0.022372047201808885,  0.017355268563953519,
                          0.013929545950485803, 0.011876344296279417,  0.007798626407562233,
                          0.016049124584949318, -0.010773195325585557, 0.028187667142318099};
  const double z = x * x;
  return __builtin_fma(z * x, warpmem_polynomial(p, z), x);
}
WARPMEM_NV_MATH double __nv_asin(double x) {
  const double magnitude = __builtin_fabs(x);
  if (magnitude <= 0.5) return warpmem_asin_core(x);
  const double r = warpmem_asin_core(__nv_sqrt(0.5 - 0.5 * magnitude));
  return __nv_copysign(1.570796326794896558 - (2.0 * r - 6.1232339957367660359e-17), x);
}
WARPMEM_NV_MATH double __nv_acos(double x) {
  const double magnitude = __builtin_fabs(x);
  if (magnitude <= 0.5)
    return 1.570796326794896558 - (warpmem_asin_core(x) - 6.1232339957367660359e-17);
  const double r = 2.0 * warpmem_asin_core(__nv_sqrt(0.5 - 0.5 * magnitude));
  return x > 0.0 ? r : 3.141592653589793116 - (r - 1.2246467991473532072e-16);
}

WARPMEM_NV_MATH double __nv_sinh(double x) {
  const double magnitude = __builtin_fabs(x);
  if (magnitude > 709.0) {  // exp overflows before its half does
    const double half = __nv_exp(0.5 * magnitude);
    return __nv_copysign(0.5 * half * half, x);
  }
  const double e = __nv_expm1(magnitude);
  return __nv_copysign(0.5 * (e + e / (e + 1.0)), x);
}
WARPMEM_NV_MATH double __nv_cosh(double x) {
  const double magnitude = __builtin_fabs(x);
  if (magnitude > 709.0) {
    const double half = __nv_exp(0.5 * magnitude);
    return 0.5 * half * half;
  }
  const double e = __nv_exp(magnitude);
  return 0.5 * e + 0.5 / e;
}
WARPMEM_NV_MATH double __nv_tanh(double x) {
  constexpr double p[] = {-0.33333333333333307,   0.13333333333315646,    -0.053968253948899144,
                          0.021869487712363183,   -0.008863217663269123,  0.0035919044131928018,
                          -0.0014541180436174583, 0.00058177244078681313, -0.00021454222089075103,
                          5.3906420141721769e-5};
  const double magnitude = __builtin_fabs(x);
  if (magnitude < 0.55) {
    const double z = x * x;
    return warpmem_odd(x, z, warpmem_polynomial(p, z));
  }
  const double r = 1.0 - 2.0 / (__nv_exp(2.0 * magnitude) + 1.0);
  return x != x ? x : __nv_copysign(r, x);
}
WARPMEM_NV_MATH double __nv_asinh(double x) {
  const double a = __builtin_fabs(x);
  if (!(a < 1e18)) return __nv_copysign(__nv_log(a) + 0.69314718055994531, x);
  return __nv_copysign(__nv_log1p(a + a * a / (1.0 + __nv_sqrt(a * a + 1.0))), x);
}
WARPMEM_NV_MATH double __nv_acosh(double x) {
  if (!(x >= 1.0)) return __builtin_nan("");
  if (x > 1e18) return __nv_log(x) + 0.69314718055994531;
  const double t = x - 1.0;
  return __nv_log1p(t + __nv_sqrt(2.0 * t + t * t));
}
WARPMEM_NV_MATH double __nv_atanh(double x) {
  const double a = __builtin_fabs(x);
  return __nv_copysign(0.5 * __nv_log1p(2.0 * a / (1.0 - a)), x);
}

#endif
