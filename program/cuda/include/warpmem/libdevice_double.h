// SPDX-License-Identifier: Apache-2.0
// Double-precision roots, norms, rounding and remainders for device code, within 2 ulp; rounding
// and remainders are exact.
#ifndef WARPMEM_LIBDEVICE_DOUBLE_H
#define WARPMEM_LIBDEVICE_DOUBLE_H

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
  // This starts in single precision and goes through Newton's method twice.
  double r = (double)__nvvm_ex2_approx_f(0.333333333f * __nvvm_lg2_approx_f((float)m));
  for (int i = 0; i < 2; ++i) r -= (r * r * r - m) / (3.0 * r * r);
  return __nv_copysign(__nv_ldexp(r, third), x);
}
WARPMEM_NV_MATH double __nv_rcbrt(double x) { return 1.0 / __nv_cbrt(x); }
WARPMEM_NV_MATH double __nv_rsqrt(double x) { return 1.0 / __nv_sqrt(x); }

// Returns the sqrt of a sum of squares without overflow on the way.
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

// Returns r of a = n b + r with |r| < |b| and r of a's sign, exactly; the low bits of |n| go into
// `quotient`.
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
    // When they are far apart, the largest multiples of d go first, unscaled.
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
