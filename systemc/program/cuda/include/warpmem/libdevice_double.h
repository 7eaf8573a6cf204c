// SPDX-License-Identifier: Apache-2.0
// Double-precision mathematics for device code, within 2 ulp (4 where two functions are composed).
// Polynomials are interpolations at Chebyshev nodes.
#ifndef WARPMEM_LIBDEVICE_DOUBLE_H
#define WARPMEM_LIBDEVICE_DOUBLE_H

static __device__ __forceinline__ double warpmem_double(unsigned long long bits) {
  return __builtin_bit_cast(double, bits);
}

// a * 2^n in steps that round at most once more than the result does.
WARPMEM_NV_MATH double __nv_ldexp(double x, int n) {
  n = __nv_min(__nv_max(n, -2200), 2200);
  while (n > 1023) {
    x *= warpmem_double(0x7fe0000000000000ull);
    n -= 1023;
  }
  // 2^-969 keeps a normal number normal as long as more scaling follows.
  while (n < -1022) {
    x *= warpmem_double((unsigned long long)(1023 - 969) << 52);
    n += 969;
  }
  return x * warpmem_double((unsigned long long)(1023 + n) << 52);
}
WARPMEM_NV_MATH double __nv_scalbn(double x, int n) { return __nv_ldexp(x, n); }
WARPMEM_NV_MATH double __nv_frexp(double x, int* n) {
  *n = 0;
  if (x == 0.0 || !(__builtin_fabs(x) < __builtin_inf())) return x;
  if (__builtin_fabs(x) < 2.2250738585072014e-308) {
    x *= 18014398509481984.0;  // 2^54
    *n = -54;
  }
  const unsigned long long bits = __nv_double_as_longlong(x);
  *n += (int)(bits >> 52 & 0x7ff) - 1022;
  return warpmem_double((bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull);
}
WARPMEM_NV_MATH int __nv_ilogb(double x) {
  if (x == 0.0 || x != x) return -2147483647 - 1;
  if (__builtin_fabs(x) == __builtin_inf()) return 2147483647;
  int n;
  __nv_frexp(x, &n);
  return n - 1;
}
WARPMEM_NV_MATH double __nv_logb(double x) {
  if (x == 0.0) return -__builtin_inf();
  if (!(__builtin_fabs(x) < __builtin_inf())) return x * x;
  return (double)__nv_ilogb(x);
}

// exp(r) - 1 - r for |r| <= ln(2) / 2.
static __device__ __forceinline__ double warpmem_exp_rest(double r) {
  constexpr double p[] = {0.50000000000000011,   0.16666666666666668,   0.041666666666620639,
                          0.0083333333333297935, 0.0013888888918939168, 0.00019841269864380513,
                          2.4801518641395994e-5, 2.7557266418612304e-6, 2.7621338669142924e-7,
                          2.510134692835034e-8};
  return r * r * warpmem_polynomial(p, r);
}
// exp(x + x_low), |x_low| small; n is clamped so that over- and underflow come out of ldexp.
static __device__ __forceinline__ double warpmem_exp_sum(double x, double x_low) {
  const double n = __builtin_rint(x * 1.442695040888963387);
  const double clamped = __nv_fmin(__nv_fmax(n, -1100.0), 1100.0);
  double r = __builtin_fma(clamped, -0.69314718055994528623, x);
  r = __builtin_fma(clamped, -2.3190468138462995584e-17, r) + x_low;
  if (!(__builtin_fabs(r) < 1.0)) return r > 0.0 ? __builtin_inf() : r < 0.0 ? 0.0 : r;
  return __nv_ldexp(1.0 + (r + warpmem_exp_rest(r)), (int)clamped);
}
WARPMEM_NV_MATH double __nv_exp(double x) { return warpmem_exp_sum(x, 0.0); }
WARPMEM_NV_MATH double __nv_exp2(double x) {
  const double n = __nv_fmin(__nv_fmax(__builtin_rint(x), -1100.0), 1100.0);
  const double f = x - n;
  if (!(__builtin_fabs(f) < 1.0)) return f > 0.0 ? __builtin_inf() : f < 0.0 ? 0.0 : f;
  const double r = f * 0.69314718055994528623;
  return __nv_ldexp(1.0 + (__builtin_fma(f, 2.3190468138462995584e-17, r) + warpmem_exp_rest(r)),
                    (int)n);
}
WARPMEM_NV_MATH double __nv_exp10(double x) {
  const double n = __nv_fmin(__nv_fmax(__builtin_rint(x * 3.3219280948873623479), -1100.0), 1100.0);
  double f = __builtin_fma(n, -0.30102999566398119802, x);
  f = __builtin_fma(n, 2.8037281277851703937e-18, f);
  if (!(__builtin_fabs(f) < 1.0)) return f > 0.0 ? __builtin_inf() : f < 0.0 ? 0.0 : f;
  const double r = f * 2.302585092994045684;
  return __nv_ldexp(1.0 + (r + warpmem_exp_rest(r)), (int)n);
}
WARPMEM_NV_MATH double __nv_expm1(double x) {
  if (x != x || x == __builtin_inf() || x == 0.0) return x;
  if (x < -40.0) return -1.0;
  if (x > 709.8) return __builtin_inf();
  const double n = __builtin_rint(x * 1.442695040888963387);
  double r = __builtin_fma(n, -0.69314718055994528623, x);
  r = __builtin_fma(n, -2.3190468138462995584e-17, r);
  const double small = r + warpmem_exp_rest(r);
  if (n == 0.0) return small;
  if (n > 1022.0) return __nv_ldexp(1.0 + small, (int)n) - 1.0;
  const double scale = __nv_ldexp(1.0, (int)n);
  return __builtin_fma(scale, small, scale - 1.0);
}

// x = m * 2^e with m in [sqrt(1/2), sqrt(2)), for finite x > 0.
static __device__ __forceinline__ double warpmem_mantissa(double x, double& e) {
  int n;
  double m = __nv_frexp(x, &n);
  if (m < 0.70710678118654752) {
    m *= 2.0;
    --n;
  }
  e = (double)n;
  return m;
}
// log(m) for m in [sqrt(1/2), sqrt(2)) as high + low, 2^-65 or better: 2 atanh((m - 1) / (m + 1)).
static __device__ __forceinline__ double warpmem_log_core(double m, double& low) {
  // After 2 s + (2/3) s^3.
  constexpr double p[] = {0.4,
                          0.28571428571428564,
                          0.22222222222228881,
                          0.1818181817952256,
                          0.15384615780649009,
                          0.13333295011819227,
                          0.11766878658920437,
                          0.10454865970366546,
                          0.10775601535616746};
  const double f = m - 1.0, q = m + 1.0;
  const double q_low = m - (q - 1.0);
  const double s = f / q;
  double residue = __builtin_fma(-s, q, f);
  residue = __builtin_fma(-s, q_low, residue);
  const double s_low = residue / q;
  const double z = s * s;
  // The first term of the series in two parts, the others in one.
  const double third = s * z * 0.66666666666666663;
  const double z_low = __builtin_fma(s, s, -z);
  const double sz = s * z;
  const double sz_low = __builtin_fma(s, z, -sz) + s * z_low + 3.0 * z * s_low;
  const double third_low = __builtin_fma(sz, 0.66666666666666663, -third) +
                           sz * 3.7007434154171886e-17 + sz_low * 0.66666666666666663;
  const double tail = sz * z * warpmem_polynomial(p, z);
  const double high = 2.0 * s + third;
  low = (2.0 * s - high) + third + (third_low + tail + 2.0 * s_low);
  // Renormalised: high is the nearest double.
  const double sum = high + low;
  low = (high - sum) + low;
  return sum;
}
static __device__ __forceinline__ double warpmem_log_edge(double x) {
  if (x == 0.0) return -__builtin_inf();
  return x > 0.0 ? x : (x != x ? x : __builtin_nan(""));
}
// log(m) for the same range in plain arithmetic.
static __device__ __forceinline__ double warpmem_log_simple(double m) {
  constexpr double p[] = {0.66666666666666699, 0.39999999999893222, 0.28571428628810996,
                          0.22222210674238515, 0.18182922513515942, 0.15330617306743305,
                          0.1463003136412286};
  const double f = m - 1.0;
  const double s = f / (m + 1.0);
  const double z = s * s;
  // f - s (f - rest) loses less than 2 s + rest.
  return f - s * (f - z * warpmem_polynomial(p, z));
}
WARPMEM_NV_MATH double __nv_log(double x) {
  if (!(x > 0.0 && x < __builtin_inf())) return warpmem_log_edge(x);
  double e;
  const double m = warpmem_mantissa(x, e);
  const double r = __builtin_fma(e, 2.3190468138462995584e-17, warpmem_log_simple(m));
  return __builtin_fma(e, 0.69314718055994528623, r);
}
WARPMEM_NV_MATH double __nv_log2(double x) {
  if (!(x > 0.0 && x < __builtin_inf())) return warpmem_log_edge(x);
  double e, low;
  const double high = warpmem_log_core(warpmem_mantissa(x, e), low);
  const double r = high * 1.442695040888963387;
  const double r_low = __builtin_fma(high, 1.442695040888963387, -r) +
                       high * 2.0355273740931033111e-17 + low * 1.442695040888963387;
  return (e + r) + (((e - (e + r)) + r) + r_low);
}
WARPMEM_NV_MATH double __nv_log10(double x) {
  if (!(x > 0.0 && x < __builtin_inf())) return warpmem_log_edge(x);
  double e, low;
  const double high = warpmem_log_core(warpmem_mantissa(x, e), low);
  const double r = high * 0.43429448190325181667;
  const double r_low = __builtin_fma(high, 0.43429448190325181667, -r) +
                       high * 1.0983196502167650727e-17 + low * 0.43429448190325181667;
  const double t = e * 0.30102999566398119802;
  const double t_low = __builtin_fma(e, 0.30102999566398119802, -t) - e * 2.8037281277851703937e-18;
  return (t + r) + (((t - (t + r)) + r) + r_low + t_low);
}
WARPMEM_NV_MATH double __nv_log1p(double x) {
  const double u = 1.0 + x;
  if (!(u > 0.0 && u < __builtin_inf())) return warpmem_log_edge(u);
  if (__builtin_fabs(x) < 1e-20) return x;
  const double dropped = x > 1.0 ? 1.0 - (u - x) : x - (u - 1.0);
  if (x > -0.29 && x < 0.41) {  // log(m) with f = x exactly
    constexpr double p[] = {0.66666666666666699, 0.39999999999893222, 0.28571428628810996,
                            0.22222210674238515, 0.18182922513515942, 0.15330617306743305,
                            0.1463003136412286};
    const double s = x / (2.0 + x);
    const double z = s * s;
    return x - s * (x - z * warpmem_polynomial(p, z));
  }
  return __nv_log(u) + dropped / u;
}

WARPMEM_NV_MATH double __nv_pow(double a, double b) {
  if (a == 1.0 || b == 0.0) return 1.0;
  if (a != a || b != b) return a + b;
  const double magnitude = __builtin_fabs(a);
  const bool whole = __builtin_trunc(b) == b;
  const bool odd =
      whole && __builtin_fabs(b) < 9007199254740992.0 && __builtin_trunc(0.5 * b) * 2.0 != b;
  double r;
  if (magnitude == 0.0 || magnitude == __builtin_inf()) {
    r = (magnitude == 0.0) == (b > 0.0) ? 0.0 : __builtin_inf();
  } else if (__builtin_fabs(b) == __builtin_inf()) {
    r = magnitude == 1.0 ? 1.0 : (magnitude > 1.0) == (b > 0.0) ? __builtin_inf() : 0.0;
  } else {
    if (a < 0.0 && !whole) return __builtin_nan("");
    double e, low;
    const double high = warpmem_log_core(warpmem_mantissa(magnitude, e), low);
    // + e ln 2
    const double t = e * 0.69314718055994528623;
    const double t_low =
        __builtin_fma(e, 0.69314718055994528623, -t) + e * 2.3190468138462995584e-17;
    const double sum = t + high;
    const double sum_low = (e == 0.0 ? 0.0 : (t - sum) + high) + t_low + low;
    const double product = b * sum;
    const double product_low = __builtin_fma(b, sum, -product) + b * sum_low;
    r = __builtin_fabs(product) < 800.0 ? warpmem_exp_sum(product, product_low)
        : product > 0.0                 ? __builtin_inf()
                                        : 0.0;
  }
  return odd && __nv_signbitd(a) ? -r : r;
}
WARPMEM_NV_MATH double __nv_powi(double a, int n) {
  unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n;
  double r = 1.0;
  for (double square = a; left != 0; left >>= 1, square *= square)
    if (left & 1) r *= square;
  return n < 0 ? 1.0 / r : r;
}

// Bits of 2/pi, highest first, after 64 zeros.
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
// x - n pi/2 for any finite x (Payne and Hanek): only those bits of 2/pi are multiplied that decide
// the quadrant and the fraction.
static __device__ double warpmem_reduce_large(double x, int& q) {
  q = 0;
  if (!(__builtin_fabs(x) < __builtin_inf())) return __builtin_nan("");
  const unsigned long long bits = __nv_double_as_longlong(x) & 0x7fffffffffffffffull;
  const unsigned long long mantissa = (bits & 0x000fffffffffffffull) | 0x0010000000000000ull;
  const int exponent = (int)(bits >> 52) - 1075;  // x = mantissa * 2^exponent
  const int offset = exponent + 61;               // of the first bit that matters
  const int word = offset >> 6, shift = offset & 63;
  unsigned long long w[3];
  for (int i = 0; i < 3; ++i) {
    const unsigned long long a = warpmem_two_over_pi(word + i);
    const unsigned long long b = word + i + 1 < 21 ? warpmem_two_over_pi(word + i + 1) : 0;
    w[i] = shift == 0 ? a : a << shift | b >> (64 - shift);
  }
  // mantissa * w modulo 2^192; the top 3 bits are the quadrant modulo 8.
  const unsigned long long low_high = __nv_umul64hi(mantissa, w[2]);
  unsigned long long middle = mantissa * w[1] + low_high;
  const unsigned long long carry = middle < low_high ? 1 : 0;
  unsigned long long high = mantissa * w[0] + __nv_umul64hi(mantissa, w[1]) + carry;
  q = (int)(high >> 61);
  // The fraction as a signed number in [-1/2, 1/2).
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

WARPMEM_NV_MATH double __nv_cbrt(double x) {
  if (x == 0.0 || !(__builtin_fabs(x) < __builtin_inf())) return x;
  int n;
  double m = __nv_frexp(__builtin_fabs(x), &n);
  int third = n / 3, rest = n - 3 * third;
  if (rest < 0) {
    rest += 3;
    --third;
  }
  m *= (double)(1 << rest);
  // A single-precision start, then Newton's method twice.
  double r = (double)__nvvm_ex2_approx_f(0.333333333f * __nvvm_lg2_approx_f((float)m));
  for (int i = 0; i < 2; ++i) r -= (r * r * r - m) / (3.0 * r * r);
  return __nv_copysign(__nv_ldexp(r, third), x);
}
WARPMEM_NV_MATH double __nv_rcbrt(double x) { return 1.0 / __nv_cbrt(x); }
WARPMEM_NV_MATH double __nv_rsqrt(double x) { return 1.0 / __nv_sqrt(x); }

// sqrt of a sum of squares without overflow on the way.
static __device__ __forceinline__ double warpmem_norm(double a, double b, double c, double d) {
  const double most = __nv_fmax(__nv_fmax(__builtin_fabs(a), __builtin_fabs(b)),
                                __nv_fmax(__builtin_fabs(c), __builtin_fabs(d)));
  if (most == __builtin_inf()) return most;
  if (most == 0.0 || a + b + c + d != a + b + c + d) return a + b + c + d;
  const int n = __nv_ilogb(most);
  const double s = __nv_ldexp(1.0, -n);
  a *= s, b *= s, c *= s, d *= s;
  return __nv_ldexp(__nv_sqrt(a * a + (b * b + (c * c + d * d))), n);
}
WARPMEM_NV_MATH double __nv_hypot(double a, double b) { return warpmem_norm(a, b, 0.0, 0.0); }
WARPMEM_NV_MATH double __nv_norm3d(double a, double b, double c) {
  return warpmem_norm(a, b, c, 0.0);
}
WARPMEM_NV_MATH double __nv_norm4d(double a, double b, double c, double d) {
  return warpmem_norm(a, b, c, d);
}
WARPMEM_NV_MATH double __nv_norm(int n, const double* values) {
  double r = 0.0;
  for (int i = 0; i < n; ++i) r = __nv_hypot(r, values[i]);
  return r;
}
WARPMEM_NV_MATH double __nv_rhypot(double a, double b) { return 1.0 / __nv_hypot(a, b); }
WARPMEM_NV_MATH double __nv_rnorm3d(double a, double b, double c) {
  return 1.0 / __nv_norm3d(a, b, c);
}
WARPMEM_NV_MATH double __nv_rnorm4d(double a, double b, double c, double d) {
  return 1.0 / __nv_norm4d(a, b, c, d);
}
WARPMEM_NV_MATH double __nv_rnorm(int n, const double* values) {
  return 1.0 / __nv_norm(n, values);
}

WARPMEM_NV_MATH double __nv_round(double x) {
  const double t = __builtin_trunc(x);
  const double rest = __builtin_fabs(x - t);
  return rest >= 0.5 ? t + __nv_copysign(1.0, x) : __nv_copysign(t, x);
}
WARPMEM_NV_MATH long long __nv_llround(double x) { return (long long)__nv_round(x); }
WARPMEM_NV_MATH long long __nv_llrint(double x) { return __nv_double2ll_rn(x); }
WARPMEM_NV_MATH double __nv_fdim(double a, double b) {
  return a != a || b != b ? a + b : a > b ? a - b : 0.0;
}
WARPMEM_NV_MATH double __nv_modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return __nv_copysign(__builtin_fabs(x) == __builtin_inf() ? 0.0 : x - *whole, x);
}
WARPMEM_NV_MATH double __nv_nextafter(double a, double b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (a == 0.0) return __nv_copysign(warpmem_double(1), b);
  const unsigned long long bits = __nv_double_as_longlong(a);
  return warpmem_double((a < b) == (a > 0.0) ? bits + 1 : bits - 1);
}

// a = n b + r with |r| < |b| and r of a's sign, exactly; the low bits of |n| in `quotient`.
static __device__ __forceinline__ double warpmem_divide(double a, double b, unsigned& quotient) {
  quotient = 0;
  double r = __builtin_fabs(a);
  const double d = __builtin_fabs(b);
  if (a != a || b != b || r == __builtin_inf() || d == 0.0) return __builtin_nan("");
  if (d == __builtin_inf() || r < d) return a;
  // Long division in steps of one bit; each subtraction is exact. Halving a subnormal divisor would
  // lose bits, so small operands are scaled up.
  const double scale = d < 1e-290 ? 18014398509481984.0 : 1.0;
  const bool huge = r > 1e290;
  if (huge && scale != 1.0) {
    // Far apart: the largest multiples of d go first, unscaled.
    for (int n = __nv_ilogb(r) - __nv_ilogb(d); n >= 0 && r > 1e280; --n) {
      const double multiple = __nv_ldexp(d, n);
      if (multiple <= r) r -= multiple;
    }
  }
  r *= scale;
  const double unit = d * scale;
  for (int n = r < unit ? -1 : __nv_ilogb(r) - __nv_ilogb(unit); n >= 0; --n) {
    const double multiple = __nv_ldexp(unit, n);
    if (multiple <= r) {
      r -= multiple;
      if (n < 31) quotient += 1u << n;
    }
  }
  return __nv_copysign(r / scale, a);
}
WARPMEM_NV_MATH double __nv_fmod(double a, double b) {
  unsigned quotient;
  return warpmem_divide(a, b, quotient);
}
WARPMEM_NV_MATH double __nv_remquo(double a, double b, int* q) {
  unsigned quotient;
  double r = warpmem_divide(a, b, quotient);
  const double d = __builtin_fabs(b), half = __builtin_fabs(r);
  // To nearest, ties to even.
  if (half > d - half || (half == d - half && (quotient & 1) != 0)) {
    r = r > 0.0 ? r - d : r + d;
    ++quotient;
  }
  const int low = (int)(quotient & 0x7fffffffu);
  *q = __nv_signbitd(a) != __nv_signbitd(b) ? -low : low;
  return r == 0.0 ? __nv_copysign(0.0, a) : r;
}
WARPMEM_NV_MATH double __nv_remainder(double a, double b) {
  int q;
  return __nv_remquo(a, b, &q);
}

#endif
