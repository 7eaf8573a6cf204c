// SPDX-License-Identifier: Apache-2.0
// The part of the compiler's device library that is one PTX instruction each: integers, conversions
// and arithmetic with an explicit rounding mode. The names are those that clang's own CUDA headers
// call (what a CUDA toolkit's libdevice would define).
#ifndef WARPMEM_LIBDEVICE_BITS_H
#define WARPMEM_LIBDEVICE_BITS_H

#define WARPMEM_NV extern "C" __device__ inline __attribute__((always_inline))

// These work on integers.
WARPMEM_NV int __nv_abs(int a) { return a < 0 ? -a : a; }
WARPMEM_NV long long __nv_llabs(long long a) { return a < 0 ? -a : a; }
WARPMEM_NV int __nv_min(int a, int b) { return a < b ? a : b; }
WARPMEM_NV int __nv_max(int a, int b) { return a > b ? a : b; }
WARPMEM_NV unsigned int __nv_umin(unsigned int a, unsigned int b) { return a < b ? a : b; }
WARPMEM_NV unsigned int __nv_umax(unsigned int a, unsigned int b) { return a > b ? a : b; }
WARPMEM_NV long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
WARPMEM_NV long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
WARPMEM_NV unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
WARPMEM_NV unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
WARPMEM_NV int __nv_brev(int a) { return (int)__builtin_bitreverse32((unsigned)a); }
WARPMEM_NV long long __nv_brevll(long long a) {
  return (long long)__builtin_bitreverse64((unsigned long long)a);
}
// The builtins are undefined for 0, where these functions are the width.
WARPMEM_NV int __nv_clz(int a) { return a == 0 ? 32 : __builtin_clz((unsigned)a); }
WARPMEM_NV int __nv_clzll(long long a) {
  return a == 0 ? 64 : __builtin_clzll((unsigned long long)a);
}
WARPMEM_NV int __nv_ffs(int a) { return __builtin_ffs(a); }
WARPMEM_NV int __nv_ffsll(long long a) { return __builtin_ffsll(a); }
WARPMEM_NV int __nv_popc(int a) { return __builtin_popcount((unsigned)a); }
WARPMEM_NV int __nv_popcll(long long a) { return __builtin_popcountll((unsigned long long)a); }
WARPMEM_NV int __nv_byte_perm(int a, int b, int selector) {
  int r;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(selector));
  return r;
}
WARPMEM_NV int __nv_mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
WARPMEM_NV unsigned int __nv_umulhi(unsigned int a, unsigned int b) {
  return (unsigned int)(((unsigned long long)a * b) >> 32);
}
WARPMEM_NV long long __nv_mul64hi(long long a, long long b) {
  long long r;
  asm("mul.hi.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}
WARPMEM_NV unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) {
  unsigned long long r;
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(r) : "l"(a), "l"(b));
  return r;
}
WARPMEM_NV int __nv_mul24(int a, int b) {
  return (int)((unsigned)((a << 8) >> 8) * (unsigned)((b << 8) >> 8));
}
WARPMEM_NV unsigned int __nv_umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
WARPMEM_NV int __nv_sad(int a, int b, int c) {
  return (int)((a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + (unsigned)c);
}
WARPMEM_NV unsigned int __nv_usad(unsigned int a, unsigned int b, unsigned int c) {
  return (a > b ? a - b : b - a) + c;
}
WARPMEM_NV int __nv_hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
WARPMEM_NV int __nv_rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
WARPMEM_NV int __nv_uhadd(unsigned int a, unsigned int b) {
  return (int)((a & b) + ((a ^ b) >> 1));
}
WARPMEM_NV unsigned int __nv_urhadd(unsigned int a, unsigned int b) {
  return (a | b) - ((a ^ b) >> 1);
}

// These work on the bits of floating-point numbers.
WARPMEM_NV int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
WARPMEM_NV unsigned int __nv_float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
WARPMEM_NV float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
WARPMEM_NV float __nv_uint_as_float(unsigned int a) { return __builtin_bit_cast(float, a); }
WARPMEM_NV unsigned long long __nv_double_as_longlong(double a) {
  return __builtin_bit_cast(unsigned long long, a);
}
WARPMEM_NV double __nv_longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
WARPMEM_NV int __nv_double2hiint(double a) {
  return (int)(__builtin_bit_cast(unsigned long long, a) >> 32);
}
WARPMEM_NV int __nv_double2loint(double a) {
  return (int)__builtin_bit_cast(unsigned long long, a);
}
WARPMEM_NV double __nv_hiloint2double(int high, int low) {
  return __builtin_bit_cast(
      double, (unsigned long long)(unsigned)high << 32 | (unsigned long long)(unsigned)low);
}
WARPMEM_NV int __nv_signbitf(float a) { return __builtin_bit_cast(int, a) < 0; }
WARPMEM_NV int __nv_signbitd(double a) { return __builtin_bit_cast(long long, a) < 0; }
WARPMEM_NV int __nv_isnanf(float a) { return a != a; }
WARPMEM_NV int __nv_isnand(double a) { return a != a; }
WARPMEM_NV int __nv_isinff(float a) { return __builtin_fabsf(a) == __builtin_inff(); }
WARPMEM_NV int __nv_isinfd(double a) { return __builtin_fabs(a) == __builtin_inf(); }
WARPMEM_NV int __nv_finitef(float a) { return __builtin_fabsf(a) < __builtin_inff(); }
WARPMEM_NV int __nv_isfinited(double a) { return __builtin_fabs(a) < __builtin_inf(); }
WARPMEM_NV double __nv_nan(const signed char*) { return __builtin_nan(""); }
WARPMEM_NV float __nv_nanf(const signed char*) { return __builtin_nanf(""); }

// There are four rounding modes; PTX calls them rn (nearest even), rz (zero), rm (down), and rp
// (up), for which the names here have ru.
#define WARPMEM_NV_ROUNDED1(name, ptx, type, letter) \
  WARPMEM_NV type name(type a) {                     \
    type r;                                          \
    asm(ptx " %0, %1;" : "=" letter(r) : letter(a)); \
    return r;                                        \
  }
#define WARPMEM_NV_ROUNDED2(name, ptx, type, letter)                \
  WARPMEM_NV type name(type a, type b) {                            \
    type r;                                                         \
    asm(ptx " %0, %1, %2;" : "=" letter(r) : letter(a), letter(b)); \
    return r;                                                       \
  }
#define WARPMEM_NV_ROUNDED3(name, ptx, type, letter)                               \
  WARPMEM_NV type name(type a, type b, type c) {                                   \
    type r;                                                                        \
    asm(ptx " %0, %1, %2, %3;" : "=" letter(r) : letter(a), letter(b), letter(c)); \
    return r;                                                                      \
  }
#define WARPMEM_NV_MODES(MAKE, name, before, after, type, letter) \
  MAKE(name##_rn, before ".rn" after, type, letter)               \
  MAKE(name##_rz, before ".rz" after, type, letter)               \
  MAKE(name##_rd, before ".rm" after, type, letter)               \
  MAKE(name##_ru, before ".rp" after, type, letter)
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED2, __nv_fadd, "add", ".f32", float, "f")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED2, __nv_fsub, "sub", ".f32", float, "f")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED2, __nv_fmul, "mul", ".f32", float, "f")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED2, __nv_fdiv, "div", ".f32", float, "f")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED3, __nv_fmaf, "fma", ".f32", float, "f")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED3, __nv_fmaf_ieee, "fma", ".f32", float, "f")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED1, __nv_frcp, "rcp", ".f32", float, "f")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED1, __nv_fsqrt, "sqrt", ".f32", float, "f")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED2, __nv_dadd, "add", ".f64", double, "d")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED2, __nv_dsub, "sub", ".f64", double, "d")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED2, __nv_dmul, "mul", ".f64", double, "d")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED2, __nv_ddiv, "div", ".f64", double, "d")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED3, __nv_fma, "fma", ".f64", double, "d")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED1, __nv_drcp, "rcp", ".f64", double, "d")
WARPMEM_NV_MODES(WARPMEM_NV_ROUNDED1, __nv_dsqrt, "sqrt", ".f64", double, "d")

// These are conversions. To an integer PTX writes the mode with a final i; out of range saturates.
#define WARPMEM_NV_CONVERT(name, ptx, to, to_letter, from, from_letter) \
  WARPMEM_NV to name(from a) {                                          \
    to r;                                                               \
    asm("cvt." ptx " %0, %1;" : "=" to_letter(r) : from_letter(a));     \
    return r;                                                           \
  }
#define WARPMEM_NV_CONVERT_MODES(name, types, i, to, to_letter, from, from_letter) \
  WARPMEM_NV_CONVERT(name##_rn, "rn" i types, to, to_letter, from, from_letter)    \
  WARPMEM_NV_CONVERT(name##_rz, "rz" i types, to, to_letter, from, from_letter)    \
  WARPMEM_NV_CONVERT(name##_rd, "rm" i types, to, to_letter, from, from_letter)    \
  WARPMEM_NV_CONVERT(name##_ru, "rp" i types, to, to_letter, from, from_letter)
WARPMEM_NV_CONVERT_MODES(__nv_float2int, ".s32.f32", "i", int, "r", float, "f")
WARPMEM_NV_CONVERT_MODES(__nv_float2uint, ".u32.f32", "i", unsigned int, "r", float, "f")
WARPMEM_NV_CONVERT_MODES(__nv_float2ll, ".s64.f32", "i", long long, "l", float, "f")
WARPMEM_NV_CONVERT_MODES(__nv_float2ull, ".u64.f32", "i", unsigned long long, "l", float, "f")
WARPMEM_NV_CONVERT_MODES(__nv_double2int, ".s32.f64", "i", int, "r", double, "d")
WARPMEM_NV_CONVERT_MODES(__nv_double2uint, ".u32.f64", "i", unsigned int, "r", double, "d")
WARPMEM_NV_CONVERT_MODES(__nv_double2ll, ".s64.f64", "i", long long, "l", double, "d")
WARPMEM_NV_CONVERT_MODES(__nv_double2ull, ".u64.f64", "i", unsigned long long, "l", double, "d")
WARPMEM_NV_CONVERT_MODES(__nv_double2float, ".f32.f64", "", float, "f", double, "d")
WARPMEM_NV_CONVERT_MODES(__nv_int2float, ".f32.s32", "", float, "f", int, "r")
WARPMEM_NV_CONVERT_MODES(__nv_uint2float, ".f32.u32", "", float, "f", unsigned int, "r")
WARPMEM_NV_CONVERT_MODES(__nv_ll2float, ".f32.s64", "", float, "f", long long, "l")
WARPMEM_NV_CONVERT_MODES(__nv_ull2float, ".f32.u64", "", float, "f", unsigned long long, "l")
WARPMEM_NV_CONVERT_MODES(__nv_ll2double, ".f64.s64", "", double, "d", long long, "l")
WARPMEM_NV_CONVERT_MODES(__nv_ull2double, ".f64.u64", "", double, "d", unsigned long long, "l")
WARPMEM_NV double __nv_int2double_rn(int a) { return a; }
WARPMEM_NV double __nv_uint2double_rn(unsigned int a) { return a; }
WARPMEM_NV unsigned short __nv_float2half_rn(float a) {
  unsigned short r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(a));
  return r;
}
WARPMEM_NV float __nv_half2float(unsigned short a) {
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(a));
  return r;
}

// These functions are exact or a single instruction.
WARPMEM_NV float __nv_fabsf(float a) { return __builtin_fabsf(a); }
WARPMEM_NV double __nv_fabs(double a) { return __builtin_fabs(a); }
WARPMEM_NV float __nv_floorf(float a) { return __builtin_floorf(a); }
WARPMEM_NV double __nv_floor(double a) { return __builtin_floor(a); }
WARPMEM_NV float __nv_ceilf(float a) { return __builtin_ceilf(a); }
WARPMEM_NV double __nv_ceil(double a) { return __builtin_ceil(a); }
WARPMEM_NV float __nv_truncf(float a) { return __builtin_truncf(a); }
WARPMEM_NV double __nv_trunc(double a) { return __builtin_trunc(a); }
WARPMEM_NV float __nv_rintf(float a) { return __builtin_rintf(a); }
WARPMEM_NV double __nv_rint(double a) { return __builtin_rint(a); }
WARPMEM_NV float __nv_nearbyintf(float a) { return __builtin_nearbyintf(a); }
WARPMEM_NV double __nv_nearbyint(double a) { return __builtin_nearbyint(a); }
WARPMEM_NV float __nv_copysignf(float a, float b) {
  return __builtin_bit_cast(float, (__builtin_bit_cast(unsigned, a) & 0x7fffffffu) |
                                       (__builtin_bit_cast(unsigned, b) & 0x80000000u));
}
WARPMEM_NV double __nv_copysign(double a, double b) {
  return __nv_longlong_as_double((long long)((__nv_double_as_longlong(a) & 0x7fffffffffffffffull) |
                                             (__nv_double_as_longlong(b) & 0x8000000000000000ull)));
}
WARPMEM_NV float __nv_fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
WARPMEM_NV double __nv_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
WARPMEM_NV float __nv_fminf(float a, float b) { return __builtin_fminf(a, b); }
WARPMEM_NV double __nv_fmin(double a, double b) { return __builtin_fmin(a, b); }
WARPMEM_NV float __nv_fmaxf(float a, float b) { return __builtin_fmaxf(a, b); }
WARPMEM_NV double __nv_fmax(double a, double b) { return __builtin_fmax(a, b); }
#ifdef WARPMEM_APPROXIMATE_ROOT
WARPMEM_NV float __nv_sqrtf(float a) { return __nvvm_sqrt_approx_f(a); }
#else
WARPMEM_NV float __nv_sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
#endif
WARPMEM_NV double __nv_sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
WARPMEM_NV float __nv_rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
WARPMEM_NV float __nv_frsqrt_rn(float a) { return (float)(1.0 / __nvvm_sqrt_rn_d((double)a)); }
WARPMEM_NV float __nv_saturatef(float a) {
  float r;
  asm("cvt.sat.f32.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
}
WARPMEM_NV double __nv_rcp64h(double a) {
  double r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(a));
  return r;
}

// These are the hardware's own functions: fast, and a few bits less exact.
WARPMEM_NV float __nv_fast_sinf(float a) { return __nvvm_sin_approx_f(a); }
WARPMEM_NV float __nv_fast_cosf(float a) { return __nvvm_cos_approx_f(a); }
WARPMEM_NV void __nv_fast_sincosf(float a, float* s, float* c) {
  *s = __nvvm_sin_approx_f(a);
  *c = __nvvm_cos_approx_f(a);
}
WARPMEM_NV float __nv_fast_fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
WARPMEM_NV float __nv_fast_tanf(float a) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a));
}
WARPMEM_NV float __nv_fast_expf(float a) { return __nvvm_ex2_approx_f(a * 1.44269504f); }
WARPMEM_NV float __nv_fast_exp10f(float a) { return __nvvm_ex2_approx_f(a * 3.32192809f); }
WARPMEM_NV float __nv_fast_log2f(float a) { return __nvvm_lg2_approx_f(a); }
WARPMEM_NV float __nv_fast_logf(float a) { return __nvvm_lg2_approx_f(a) * 0.693147181f; }
WARPMEM_NV float __nv_fast_log10f(float a) { return __nvvm_lg2_approx_f(a) * 0.301029996f; }
WARPMEM_NV float __nv_fast_powf(float a, float b) {
  return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}

#undef WARPMEM_NV_ROUNDED1
#undef WARPMEM_NV_ROUNDED2
#undef WARPMEM_NV_ROUNDED3
#undef WARPMEM_NV_MODES
#undef WARPMEM_NV_CONVERT
#undef WARPMEM_NV_CONVERT_MODES

#endif
