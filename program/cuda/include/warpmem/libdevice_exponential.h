// SPDX-License-Identifier: Apache-2.0
// Double-precision scaling, exponentials, logarithms and powers for device code, within 2 ulp.
// Polynomials are interpolations at Chebyshev nodes.
#ifndef WARPMEM_LIBDEVICE_EXPONENTIAL_H
#define WARPMEM_LIBDEVICE_EXPONENTIAL_H

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

// Returns exp(r) - 1 - r for |r| <= ln(2) / 2.
static __device__ __forceinline__ double warpmem_exp_rest(double r) {
  constexpr double p[] = {0.50000000000000011,   0.16666666666666668,   0.041666666666620639,
                          0.0083333333333297935, 0.0013888888918939168, 0.00019841269864380513,
                          2.4801518641395994e-5, 2.7557266418612304e-6, 2.7621338669142924e-7,
                          2.510134692835034e-8};
  return r * r * warpmem_polynomial(p, r);
}
// Returns exp(x + x_low) for a small |x_low|; n is clamped so that over- and underflow come out of
// ldexp.
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

// Returns m of x = m * 2^e with m in [sqrt(1/2), sqrt(2)), for finite x > 0.
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
// Returns log(m) for m in [sqrt(1/2), sqrt(2)) as high + low, to 2^-65 or better: 2 atanh((m - 1) /
// (m + 1)).
static __device__ __forceinline__ double warpmem_log_core(double m, double& low) {
  // These coefficients follow 2 s + (2/3) s^3.
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
  // The first term of the series has two parts, the others have one.
  const double third = s * z * 0.66666666666666663;
  const double z_low = __builtin_fma(s, s, -z);
  const double sz = s * z;
  const double sz_low = __builtin_fma(s, z, -sz) + s * z_low + 3.0 * z * s_low;
  const double third_low = __builtin_fma(sz, 0.66666666666666663, -third) +
                           sz * 3.7007434154171886e-17 + sz_low * 0.66666666666666663;
  const double tail = sz * z * warpmem_polynomial(p, z);
  const double high = 2.0 * s + third;
  low = (2.0 * s - high) + third + (third_low + tail + 2.0 * s_low);
  // The sum is renormalised: high is the nearest double.
  const double sum = high + low;
  low = (high - sum) + low;
  return sum;
}
static __device__ __forceinline__ double warpmem_log_edge(double x) {
  if (x == 0.0) return -__builtin_inf();
  return x > 0.0 ? x : (x != x ? x : __builtin_nan(""));
}
// Returns log(m) for the same range in plain arithmetic.
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
    // This adds e ln 2.
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

#endif
