// SPDX-License-Identifier: Apache-2.0
// Single-precision mathematics for device code, within 2 ulp (powf within 4). Polynomials are
// interpolations at Chebyshev nodes. Functions that GPU programs rarely use are computed in double
// precision and rounded.
#ifndef WARPMEM_LIBDEVICE_FLOAT_H
#define WARPMEM_LIBDEVICE_FLOAT_H

#define WARPMEM_NV_MATH extern "C" __device__ inline

// Returns p[0] + x (p[1] + x (p[2] + ...)).
template <int kCount_>
static __device__ __forceinline__ float warpmem_polynomial(const float (&p)[kCount_], float x) {
  float r = p[kCount_ - 1];
#pragma unroll
  for (int i = kCount_ - 2; i >= 0; --i) r = __builtin_fmaf(r, x, p[i]);
  return r;
}
template <int kCount_>
static __device__ __forceinline__ double warpmem_polynomial(const double (&p)[kCount_], double x) {
  double r = p[kCount_ - 1];
#pragma unroll
  for (int i = kCount_ - 2; i >= 0; --i) r = __builtin_fma(r, x, p[i]);
  return r;
}

// Returns r + r z p for an odd function; the sum with 0 keeps the sign of r = -0 when p is
// negative.
static __device__ __forceinline__ float warpmem_odd(float r, float z, float p) {
  return __builtin_fmaf(__builtin_fmaf(z, p, 0.0f), r, r);
}
static __device__ __forceinline__ double warpmem_odd(double r, double z, double p) {
  return __builtin_fma(__builtin_fma(z, p, 0.0), r, r);
}

// Returns a * 2^n for integral n of |n| < 256, in two steps, so that intermediate results do not
// overflow.
static __device__ __forceinline__ float warpmem_scale(float a, float n) {
  const float half = __builtin_truncf(0.5f * n);
  return a * __nvvm_ex2_approx_f(half) * __nvvm_ex2_approx_f(n - half);
}

// exp2(x * log2_base) where high + low is 1 / log2_base.
static __device__ __forceinline__ float warpmem_exp(float x, float log2_base, float high,
                                                    float low) {
  const float n = __nv_fminf(__nv_fmaxf(__builtin_rintf(x * log2_base), -252.0f), 252.0f);
  float r = __builtin_fmaf(n, -high, x);
  r = __builtin_fmaf(n, -low, r);
  return warpmem_scale(__nvvm_ex2_approx_f(r * log2_base), n);
}

WARPMEM_NV_MATH float __nv_exp2f(float x) { return __nvvm_ex2_approx_f(x); }
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
WARPMEM_NV_MATH float __nv_expf(float x) { return __nv_fast_expf(x); }
WARPMEM_NV_MATH float __nv_exp10f(float x) { return __nv_fast_exp10f(x); }
#else
WARPMEM_NV_MATH float __nv_expf(float x) {
  return warpmem_exp(x, 1.44269502f, 0.693147182465f, -1.90465421213e-9f);
}
WARPMEM_NV_MATH float __nv_exp10f(float x) {
  return warpmem_exp(x, 3.32192810f, 0.301030009985f, -1.43209888392e-8f);
}
#endif

// Returns m of x = m * 2^e with m in [2/3, 4/3), for finite x > 0.
static __device__ __forceinline__ float warpmem_mantissa(float x, float& e) {
  e = 0.0f;
  if (x < 1.17549435e-38f) {
    x *= 8388608.0f;
    e = -23.0f;
  }
  const int bits = __nv_float_as_int(x);
  const int exponent = (bits - 0x3f2aaaab) & 0xff800000;
  e += (float)(exponent >> 23);
  return __nv_int_as_float(bits - exponent);
}

// Returns log(1 + f) - f for f in [-1/3, 1/3].
static __device__ __forceinline__ float warpmem_log1p_rest(float f) {
  constexpr float p[] = {0.333333202f, -0.249999879f, 0.200037803f, -0.166701407f,
                         0.141183099f, -0.123461902f, 0.13425749f,  -0.121255807f};
  const float ff = f * f;
  return __builtin_fmaf(ff * f, warpmem_polynomial(p, f), -0.5f * ff);
}

// What log gives outside (0, inf).
static __device__ __forceinline__ float warpmem_log_edge(float x) {
  if (x == 0.0f) return -__builtin_inff();
  return x > 0.0f ? x : (x != x ? x : __builtin_nanf(""));
}

WARPMEM_NV_MATH float __nv_logf(float x) {
  if (!(x > 0.0f && x < __builtin_inff())) return warpmem_log_edge(x);
  float e;
  const float f = warpmem_mantissa(x, e) - 1.0f;
  const float rest = __builtin_fmaf(e, -1.90465421213e-9f, warpmem_log1p_rest(f));
  return __builtin_fmaf(e, 0.693147182465f, f + rest);
}

WARPMEM_NV_MATH float __nv_log2f(float x) {
  if (!(x > 0.0f && x < __builtin_inff())) return warpmem_log_edge(x);
  float e;
  const float f = warpmem_mantissa(x, e) - 1.0f;
  const float rest = warpmem_log1p_rest(f);
  float r = __builtin_fmaf(f, 1.9259630335e-8f, rest * 1.44269502163f);
  r = __builtin_fmaf(f, 1.44269502163f, r);
  return e + r;
}

#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
WARPMEM_NV_MATH float __nv_log10f(float x) { return __nv_fast_log10f(x); }
#else
WARPMEM_NV_MATH float __nv_log10f(float x) {
  if (!(x > 0.0f && x < __builtin_inff())) return warpmem_log_edge(x);
  float e;
  const float f = warpmem_mantissa(x, e) - 1.0f;
  const float rest = warpmem_log1p_rest(f);
  float r = __builtin_fmaf(e, -1.43209888392e-8f, rest * 0.434294492f);
  r = __builtin_fmaf(f, 0.434294492f, r);
  return __builtin_fmaf(e, 0.301030009985f, r);
}
#endif

WARPMEM_NV_MATH float __nv_log1pf(float x) {
  if (x > -0.33f && x < 0.33f) return x + warpmem_log1p_rest(x);
  const float u = 1.0f + x;
  if (!(u > 0.0f && u < __builtin_inff())) return warpmem_log_edge(u);
  // u misses x by what rounding dropped.
  const float dropped = x > 1.0f ? 1.0f - (u - x) : x - (u - 1.0f);
  return __nv_logf(u) + dropped / u;
}

WARPMEM_NV_MATH double __nv_expm1(double x);
WARPMEM_NV_MATH float __nv_expm1f(float x) { return (float)__nv_expm1((double)x); }

// Returns |a|^b for finite a != 0 and any b: log2 |a| to about 35 bits as a sum of two floats,
// times b.
static __device__ __forceinline__ float warpmem_pow_core(float a, float b) {
  float e;
  const float m = warpmem_mantissa(a, e);
  // Here log(m) = 2 atanh(p / q), and u = 2 p / q has two parts.
  const float p = m - 1.0f, q = m + 1.0f;
  const float q_low = m - (q - 1.0f);
  const float reciprocal = 1.0f / q;
  const float u = 2.0f * p * reciprocal;
  float residue = __builtin_fmaf(-u, q, 2.0f * p);
  residue = __builtin_fmaf(-u, q_low, residue);
  const float v = u * u;
  constexpr float series[] = {0.0833333333f, 0.0125f, 0.00223214286f, 0.000434027778f,
                              0.0000887784f};
  float low = residue * reciprocal;
  low = __builtin_fmaf(u * v, warpmem_polynomial(series, v), low);
  // This multiplies by log2(e).
  const float t = u * 1.44269502163f;
  float t_low = __builtin_fmaf(u, 1.44269502163f, -t);
  t_low = __builtin_fmaf(u, 1.9259630335e-8f, t_low);
  t_low = __builtin_fmaf(low, 1.44269502163f, t_low);
  // This adds e, where |e| >= |t| or e is 0.
  const float sum = e + t;
  const float sum_low = (e - sum) + t + t_low;
  // This multiplies by b.
  const float product = b * sum;
  if (!(__builtin_fabsf(product) < 300.0f)) return __nvvm_ex2_approx_f(product);
  float product_low = __builtin_fmaf(b, sum, -product);
  product_low = __builtin_fmaf(b, sum_low, product_low);
  const float n = __builtin_rintf(product);
  const float f = (product - n) + product_low;
  return warpmem_scale(__nvvm_ex2_approx_f(f), n);
}

#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
WARPMEM_NV_MATH float __nv_powf(float a, float b) { return __nv_fast_powf(a, b); }
#else
WARPMEM_NV_MATH float __nv_powf(float a, float b) {
  if (a == 1.0f || b == 0.0f) return 1.0f;
  if (a != a || b != b) return a + b;
  const float magnitude = __builtin_fabsf(a);
  const bool whole = __builtin_truncf(b) == b;
  const bool odd =
      whole && __builtin_fabsf(b) < 16777216.0f && __builtin_truncf(0.5f * b) * 2.0f != b;
  float r;
  if (magnitude == 0.0f || magnitude == __builtin_inff()) {
    r = (magnitude == 0.0f) == (b > 0.0f) ? 0.0f : __builtin_inff();
  } else if (__builtin_fabsf(b) == __builtin_inff()) {
    r = magnitude == 1.0f ? 1.0f : (magnitude > 1.0f) == (b > 0.0f) ? __builtin_inff() : 0.0f;
  } else {
    if (a < 0.0f && !whole) return __builtin_nanf("");
    r = warpmem_pow_core(magnitude, b);
  }
  return odd && __nv_signbitf(a) ? -r : r;
}
#endif
WARPMEM_NV_MATH float __nv_powif(float a, int n) {
  unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n;
  float r = 1.0f;
  for (float square = a; left != 0; left >>= 1, square *= square)
    if (left & 1) r *= square;
  return n < 0 ? 1.0f / r : r;
}

// Returns x - q pi/2 in [-pi/4, pi/4], and q modulo 4.
static __device__ double warpmem_reduce_large(double x, int& q);
static __device__ __forceinline__ float warpmem_reduce(float x, int& q) {
  if (!(__builtin_fabsf(x) < 105615.0f)) return (float)warpmem_reduce_large((double)x, q);
  // n is never -0 and the parts of pi/2 are all positive, so -0 comes out as -0.
  q = __nv_float2int_rn(x * 0.636619772f);
  const float n = (float)q;
  float r = __builtin_fmaf(n, -1.57079625129699707f, x);
  r = __builtin_fmaf(n, -7.54978941586159635e-8f, r);
  return __builtin_fmaf(n, -5.39030252995776477e-15f, r);
}
// These hold on [-pi/4, pi/4].
static __device__ __forceinline__ float warpmem_sin_core(float r) {
  constexpr float p[] = {-0.166666647f, 0.00833274827f, -0.000195878909f};
  const float z = r * r;
  return warpmem_odd(r, z, warpmem_polynomial(p, z));
}
static __device__ __forceinline__ float warpmem_cos_core(float r) {
  constexpr float p[] = {0.0416666647f, -0.0013888303f, 2.45479421e-5f};
  const float z = r * r;
  return __builtin_fmaf(z * z, warpmem_polynomial(p, z), __builtin_fmaf(-0.5f, z, 1.0f));
}
static __device__ __forceinline__ float warpmem_sin_quadrant(float r, int q) {
  const float v = (q & 1) != 0 ? warpmem_cos_core(r) : warpmem_sin_core(r);
  return (q & 2) != 0 ? -v : v;
}
WARPMEM_NV_MATH float __nv_sinf(float x) {
  int q;
  const float r = warpmem_reduce(x, q);
  return warpmem_sin_quadrant(r, q);
}
WARPMEM_NV_MATH float __nv_cosf(float x) {
  int q;
  const float r = warpmem_reduce(x, q);
  return warpmem_sin_quadrant(r, q + 1);
}
WARPMEM_NV_MATH void __nv_sincosf(float x, float* s, float* c) {
  int q;
  const float r = warpmem_reduce(x, q);
  *s = warpmem_sin_quadrant(r, q);
  *c = warpmem_sin_quadrant(r, q + 1);
}
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
WARPMEM_NV_MATH float __nv_tanf(float x) { return __nv_fast_tanf(x); }
#else
WARPMEM_NV_MATH float __nv_tanf(float x) {
  int q;
  const float r = warpmem_reduce(x, q);
  const float s = warpmem_sin_core(r), c = warpmem_cos_core(r);
  return (q & 1) != 0 ? -(c / s) : s / c;
}
#endif
// x modulo 2 is exact, so only the product with pi rounds.
static __device__ __forceinline__ float warpmem_reduce_pi(float x, int& q) {
  const float n = __builtin_rintf(2.0f * x);
  q = (int)(n - 4.0f * __builtin_truncf(0.25f * n));
  return __builtin_fmaf(-0.5f, n, x) * 3.14159265f;
}
WARPMEM_NV_MATH float __nv_sinpif(float x) {
  int q;
  const float r = warpmem_reduce_pi(x, q);
  return warpmem_sin_quadrant(r, q);
}
WARPMEM_NV_MATH float __nv_cospif(float x) {
  int q;
  const float r = warpmem_reduce_pi(x, q);
  return warpmem_sin_quadrant(r, q + 1);
}
WARPMEM_NV_MATH void __nv_sincospif(float x, float* s, float* c) {
  *s = __nv_sinpif(x);
  *c = __nv_cospif(x);
}

WARPMEM_NV_MATH float __nv_atanf(float x) {
  constexpr float p[] = {-0.333333231f,  0.199986812f,  -0.142570449f,  0.108657591f,
                         -0.0800968172f, 0.0489143215f, -0.0200267476f, 0.00386673891f};
  const float magnitude = __builtin_fabsf(x);
  const float t = magnitude > 1.0f ? 1.0f / magnitude : magnitude;
  const float z = t * t;
  float r = __builtin_fmaf(z * t, warpmem_polynomial(p, z), t);
  if (magnitude > 1.0f) r = 1.57079637f - (r + 4.37113883e-8f);
  return x != x ? x : __nv_copysignf(r, x);
}
WARPMEM_NV_MATH float __nv_atan2f(float y, float x) {
  if (x != x || y != y) return x + y;
  const float ay = __builtin_fabsf(y), ax = __builtin_fabsf(x);
  const float high = ay > ax ? ay : ax, low = ay > ax ? ax : ay;
  float r = high == 0.0f ? 0.0f : low == __builtin_inff() ? 0.785398163f : __nv_atanf(low / high);
  if (ay > ax) r = 1.57079637f - r;
  if (__nv_signbitf(x)) r = 3.14159274f - r;
  return __nv_copysignf(r, y);
}
// Returns asin for |x| <= 1/2.
static __device__ __forceinline__ float warpmem_asin_core(float x) {
  constexpr float p[] = {0.166666724f, 0.0749885507f, 0.0450013801f, 0.0265545422f, 0.0380850236f};
  const float z = x * x;
  return __builtin_fmaf(z * x, warpmem_polynomial(p, z), x);
}
WARPMEM_NV_MATH float __nv_asinf(float x) {
  const float magnitude = __builtin_fabsf(x);
  if (magnitude <= 0.5f) return warpmem_asin_core(x);
  const float r = warpmem_asin_core(__nv_sqrtf(__builtin_fmaf(-0.5f, magnitude, 0.5f)));
  return __nv_copysignf(__builtin_fmaf(-2.0f, r, 1.57079637f), x);
}
WARPMEM_NV_MATH float __nv_acosf(float x) {
  const float magnitude = __builtin_fabsf(x);
  if (magnitude <= 0.5f) return 1.57079637f - (warpmem_asin_core(x) + 4.37113883e-8f);
  const float r = 2.0f * warpmem_asin_core(__nv_sqrtf(__builtin_fmaf(-0.5f, magnitude, 0.5f)));
  return x > 0.0f ? r : 3.14159274f - r;
}
WARPMEM_NV_MATH float __nv_tanhf(float x) {
  constexpr float p[] = {-0.33333332f, 0.133331137f, -0.0539094288f, 0.0213093887f,
                         -0.00661022783f};
  const float magnitude = __builtin_fabsf(x);
  if (magnitude < 0.55f) {
    const float z = x * x;
    return warpmem_odd(x, z, warpmem_polynomial(p, z));
  }
  const float r = 1.0f - 2.0f / (__nv_expf(2.0f * magnitude) + 1.0f);
  return x != x ? x : __nv_copysignf(r, x);
}

WARPMEM_NV_MATH float __nv_hypotf(float a, float b) {
  if (__builtin_fabsf(a) == __builtin_inff() || __builtin_fabsf(b) == __builtin_inff())
    return __builtin_inff();
  return (float)__nvvm_sqrt_rn_d((double)a * a + (double)b * b);
}
WARPMEM_NV_MATH float __nv_norm3df(float a, float b, float c) {
  return (float)__nvvm_sqrt_rn_d((double)a * a + (double)b * b + (double)c * c);
}
WARPMEM_NV_MATH float __nv_norm4df(float a, float b, float c, float d) {
  return (float)__nvvm_sqrt_rn_d((double)a * a + (double)b * b + (double)c * c + (double)d * d);
}
WARPMEM_NV_MATH float __nv_normf(int n, const float* values) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += (double)values[i] * values[i];
  return (float)__nvvm_sqrt_rn_d(sum);
}
WARPMEM_NV_MATH float __nv_rhypotf(float a, float b) { return 1.0f / __nv_hypotf(a, b); }
WARPMEM_NV_MATH float __nv_rnorm3df(float a, float b, float c) {
  return 1.0f / __nv_norm3df(a, b, c);
}
WARPMEM_NV_MATH float __nv_rnorm4df(float a, float b, float c, float d) {
  return 1.0f / __nv_norm4df(a, b, c, d);
}
WARPMEM_NV_MATH float __nv_rnormf(int n, const float* values) {
  return 1.0f / __nv_normf(n, values);
}

// Halves round away from zero.
WARPMEM_NV_MATH float __nv_roundf(float x) {
  const float t = __builtin_truncf(x);
  const float rest = __builtin_fabsf(x - t);
  return rest >= 0.5f ? t + __nv_copysignf(1.0f, x) : __nv_copysignf(t, x);
}
WARPMEM_NV_MATH long long __nv_llroundf(float x) { return (long long)__nv_roundf(x); }
WARPMEM_NV_MATH long long __nv_llrintf(float x) { return __nv_float2ll_rn(x); }
WARPMEM_NV_MATH float __nv_fdimf(float a, float b) {
  return a != a || b != b ? a + b : a > b ? a - b : 0.0f;
}
WARPMEM_NV_MATH float __nv_modff(float x, float* whole) {
  *whole = __builtin_truncf(x);
  return __nv_copysignf(__builtin_fabsf(x) == __builtin_inff() ? 0.0f : x - *whole, x);
}
WARPMEM_NV_MATH float __nv_nextafterf(float a, float b) {
  if (a != a || b != b) return a + b;
  if (a == b) return b;
  if (a == 0.0f) return __nv_copysignf(__nv_int_as_float(1), b);
  const int bits = __nv_float_as_int(a);
  return __nv_int_as_float((a < b) == (a > 0.0f) ? bits + 1 : bits - 1);
}

// These are exact in double precision, or rounded once from it.
WARPMEM_NV_MATH double __nv_ldexp(double x, int n);
WARPMEM_NV_MATH double __nv_frexp(double x, int* n);
WARPMEM_NV_MATH int __nv_ilogb(double x);
WARPMEM_NV_MATH double __nv_logb(double x);
WARPMEM_NV_MATH double __nv_fmod(double a, double b);
WARPMEM_NV_MATH double __nv_remainder(double a, double b);
WARPMEM_NV_MATH double __nv_remquo(double a, double b, int* q);
WARPMEM_NV_MATH float __nv_ldexpf(float x, int n) { return (float)__nv_ldexp((double)x, n); }
WARPMEM_NV_MATH float __nv_scalbnf(float x, int n) { return (float)__nv_ldexp((double)x, n); }
WARPMEM_NV_MATH float __nv_frexpf(float x, int* n) { return (float)__nv_frexp((double)x, n); }
WARPMEM_NV_MATH int __nv_ilogbf(float x) { return __nv_ilogb((double)x); }
WARPMEM_NV_MATH float __nv_logbf(float x) { return (float)__nv_logb((double)x); }
WARPMEM_NV_MATH float __nv_fmodf(float a, float b) {
  return (float)__nv_fmod((double)a, (double)b);
}
WARPMEM_NV_MATH float __nv_remainderf(float a, float b) {
  return (float)__nv_remainder((double)a, (double)b);
}
WARPMEM_NV_MATH float __nv_remquof(float a, float b, int* q) {
  return (float)__nv_remquo((double)a, (double)b, q);
}
#define WARPMEM_NV_BY_DOUBLE(name)              \
  WARPMEM_NV_MATH double __nv_##name(double x); \
  WARPMEM_NV_MATH float __nv_##name##f(float x) { return (float)__nv_##name((double)x); }
WARPMEM_NV_BY_DOUBLE(sinh)
WARPMEM_NV_BY_DOUBLE(cosh)
WARPMEM_NV_BY_DOUBLE(asinh)
WARPMEM_NV_BY_DOUBLE(acosh)
WARPMEM_NV_BY_DOUBLE(atanh)
WARPMEM_NV_BY_DOUBLE(cbrt)
WARPMEM_NV_BY_DOUBLE(rcbrt)
WARPMEM_NV_BY_DOUBLE(erf)
WARPMEM_NV_BY_DOUBLE(erfc)
WARPMEM_NV_BY_DOUBLE(erfcx)
WARPMEM_NV_BY_DOUBLE(erfinv)
WARPMEM_NV_BY_DOUBLE(erfcinv)
WARPMEM_NV_BY_DOUBLE(normcdf)
WARPMEM_NV_BY_DOUBLE(normcdfinv)
WARPMEM_NV_BY_DOUBLE(lgamma)
WARPMEM_NV_BY_DOUBLE(tgamma)
WARPMEM_NV_BY_DOUBLE(j0)
WARPMEM_NV_BY_DOUBLE(j1)
WARPMEM_NV_BY_DOUBLE(y0)
WARPMEM_NV_BY_DOUBLE(y1)
WARPMEM_NV_BY_DOUBLE(cyl_bessel_i0)
WARPMEM_NV_BY_DOUBLE(cyl_bessel_i1)
#undef WARPMEM_NV_BY_DOUBLE
WARPMEM_NV_MATH double __nv_jn(int n, double x);
WARPMEM_NV_MATH double __nv_yn(int n, double x);
WARPMEM_NV_MATH float __nv_jnf(int n, float x) { return (float)__nv_jn(n, (double)x); }
WARPMEM_NV_MATH float __nv_ynf(int n, float x) { return (float)__nv_yn(n, (double)x); }

#endif
