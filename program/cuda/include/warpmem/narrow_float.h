// SPDX-License-Identifier: Apache-2.0
// What __half and __nv_bfloat16 have in common. `one` is the type, `two` a pair of it, `name` its
// name in those of functions, `magnitude` the bits but the sign.
#pragma once

#define WARPMEM_NARROW(type) static __inline__ __host__ __device__ type

// From and to integers, with each rounding; `wide` holds those that round to nearest.
#define WARPMEM_NARROW_INTEGER(one, wide, narrow, name, type)                                \
  WARPMEM_NARROW(one) __##name##2##narrow##_rn(type v) { return one(static_cast<wide>(v)); } \
  WARPMEM_NARROW(one) __##name##2##narrow##_rz(type v) {                                     \
    return __float2##narrow##_rz(static_cast<float>(v));                                     \
  }                                                                                          \
  WARPMEM_NARROW(type) __##narrow##2##name##_rn(one v) {                                     \
    return static_cast<type>(rintf(static_cast<float>(v)));                                  \
  }                                                                                          \
  WARPMEM_NARROW(type) __##narrow##2##name##_rz(one v) {                                     \
    return static_cast<type>(static_cast<float>(v));                                         \
  }                                                                                          \
  WARPMEM_NARROW(type) __##narrow##2##name##_rd(one v) {                                     \
    return static_cast<type>(floorf(static_cast<float>(v)));                                 \
  }                                                                                          \
  WARPMEM_NARROW(type) __##narrow##2##name##_ru(one v) {                                     \
    return static_cast<type>(ceilf(static_cast<float>(v)));                                  \
  }
#define WARPMEM_NARROW_INTEGERS(one, wide, narrow)                  \
  WARPMEM_NARROW_INTEGER(one, wide, narrow, int, int)               \
  WARPMEM_NARROW_INTEGER(one, wide, narrow, uint, unsigned int)     \
  WARPMEM_NARROW_INTEGER(one, wide, narrow, short, short)           \
  WARPMEM_NARROW_INTEGER(one, wide, narrow, ushort, unsigned short) \
  WARPMEM_NARROW_INTEGER(one, wide, narrow, ll, long long)          \
  WARPMEM_NARROW_INTEGER(one, wide, narrow, ull, unsigned long long)

#define WARPMEM_NARROW_COMPARE(one, two, name, symbol)                                          \
  WARPMEM_NARROW(bool) __h##name(one a, one b) {                                                \
    const float x = a, y = b;                                                                   \
    return x symbol y && x == x && y == y;                                                      \
  }                                                                                             \
  WARPMEM_NARROW(bool) __h##name##u(one a, one b) {                                             \
    const float x = a, y = b;                                                                   \
    return x symbol y || x != x || y != y;                                                      \
  }                                                                                             \
  WARPMEM_NARROW(two) __h##name##2(two a, two b) {                                              \
    return two(one(__h##name(a.x, b.x) ? 1.0f : 0.0f), one(__h##name(a.y, b.y) ? 1.0f : 0.0f)); \
  }                                                                                             \
  WARPMEM_NARROW(two) __h##name##u2(two a, two b) {                                             \
    return two(one(__h##name##u(a.x, b.x) ? 1.0f : 0.0f),                                       \
               one(__h##name##u(a.y, b.y) ? 1.0f : 0.0f));                                      \
  }                                                                                             \
  WARPMEM_NARROW(bool) __hb##name##2(two a, two b) {                                            \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                          \
  }                                                                                             \
  WARPMEM_NARROW(bool) __hb##name##u2(two a, two b) {                                           \
    return __h##name##u(a.x, b.x) && __h##name##u(a.y, b.y);                                    \
  }                                                                                             \
  WARPMEM_NARROW(unsigned int) __h##name##2_mask(two a, two b) {                                \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0);       \
  }                                                                                             \
  WARPMEM_NARROW(unsigned int) __h##name##u2_mask(two a, two b) {                               \
    return (__h##name##u(a.x, b.x) ? 0xffffu : 0) | (__h##name##u(a.y, b.y) ? 0xffff0000u : 0); \
  }                                                                                             \
  WARPMEM_NARROW(bool) operator symbol(const one& a, const one& b) {                            \
    return static_cast<float>(a) symbol static_cast<float>(b);                                  \
  }                                                                                             \
  WARPMEM_NARROW(bool) operator symbol(const two& a, const two& b) {                            \
    return a.x symbol b.x && a.y symbol b.y;                                                    \
  }

#define WARPMEM_NARROW_OPERATOR(type, symbol, function)                                         \
  WARPMEM_NARROW(type) operator symbol(const type& a, const type& b) { return function(a, b); } \
  WARPMEM_NARROW(type&) operator symbol##=(type& a, const type& b) { return a = function(a, b); }

#define WARPMEM_NARROW_SATURATED(one, two, name)                                         \
  WARPMEM_NARROW(one) name##_rn(one a, one b) { return name(a, b); }                     \
  WARPMEM_NARROW(two) name##2_rn(two a, two b) { return name##2(a, b); }                 \
  WARPMEM_NARROW(one) name##_sat(one a, one b) { return warpmem_saturated(name(a, b)); } \
  WARPMEM_NARROW(two) name##2_sat(two a, two b) {                                        \
    return two(name##_sat(a.x, b.x), name##_sat(a.y, b.y));                              \
  }

#define WARPMEM_NARROW_FLOAT(one, two, name, magnitude)                                         \
  WARPMEM_NARROW(two) __halves2##name##2(one a, one b) { return two(a, b); }                    \
  WARPMEM_NARROW(one) __low2##name(two v) { return v.x; }                                       \
  WARPMEM_NARROW(one) __high2##name(two v) { return v.y; }                                      \
  WARPMEM_NARROW(float) __low2float(two v) { return v.x; }                                      \
  WARPMEM_NARROW(float) __high2float(two v) { return v.y; }                                     \
  WARPMEM_NARROW(two) __low2##name##2(two v) { return two(v.x, v.x); }                          \
  WARPMEM_NARROW(two) __high2##name##2(two v) { return two(v.y, v.y); }                         \
  WARPMEM_NARROW(two) __lows2##name##2(two a, two b) { return two(a.x, b.x); }                  \
  WARPMEM_NARROW(two) __highs2##name##2(two a, two b) { return two(a.y, b.y); }                 \
  WARPMEM_NARROW(two) __lowhigh2highlow(two v) { return two(v.y, v.x); }                        \
  WARPMEM_NARROW(one) __hneg(one a) {                                                           \
    a.__x ^= 0x8000;                                                                            \
    return a;                                                                                   \
  }                                                                                             \
  WARPMEM_NARROW(one) __habs(one a) {                                                           \
    a.__x &= magnitude;                                                                         \
    return a;                                                                                   \
  }                                                                                             \
  WARPMEM_NARROW(two) __hneg2(two a) { return two(__hneg(a.x), __hneg(a.y)); }                  \
  WARPMEM_NARROW(two) __habs2(two a) { return two(__habs(a.x), __habs(a.y)); }                  \
  WARPMEM_NARROW(one) __hdiv(one a, one b) {                                                    \
    return one(static_cast<float>(a) / static_cast<float>(b));                                  \
  }                                                                                             \
  WARPMEM_NARROW(two) __h2div(two a, two b) { return two(__hdiv(a.x, b.x), __hdiv(a.y, b.y)); } \
  WARPMEM_NARROW(bool) __hisnan(one a) {                                                        \
    const float v = a;                                                                          \
    return v != v;                                                                              \
  }                                                                                             \
  WARPMEM_NARROW(int) __hisinf(one a) {                                                         \
    const float v = a;                                                                          \
    return v == __builtin_inff() ? 1 : v == -__builtin_inff() ? -1 : 0;                         \
  }                                                                                             \
  WARPMEM_NARROW(one) __hmax(one a, one b) {                                                    \
    return one(fmaxf(static_cast<float>(a), static_cast<float>(b)));                            \
  }                                                                                             \
  WARPMEM_NARROW(one) __hmin(one a, one b) {                                                    \
    return one(fminf(static_cast<float>(a), static_cast<float>(b)));                            \
  }                                                                                             \
  WARPMEM_NARROW(one) __hmax_nan(one a, one b) {                                                \
    return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b);                                    \
  }                                                                                             \
  WARPMEM_NARROW(one) __hmin_nan(one a, one b) {                                                \
    return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b);                                    \
  }                                                                                             \
  WARPMEM_NARROW(two) __hmax2(two a, two b) { return two(__hmax(a.x, b.x), __hmax(a.y, b.y)); } \
  WARPMEM_NARROW(two) __hmin2(two a, two b) { return two(__hmin(a.x, b.x), __hmin(a.y, b.y)); } \
  WARPMEM_NARROW(two) __hmax2_nan(two a, two b) {                                               \
    return two(__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y));                                     \
  }                                                                                             \
  WARPMEM_NARROW(two) __hmin2_nan(two a, two b) {                                               \
    return two(__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y));                                     \
  }                                                                                             \
  WARPMEM_NARROW(two) __hisnan2(two a) {                                                        \
    return two(one(__hisnan(a.x) ? 1.0f : 0.0f), one(__hisnan(a.y) ? 1.0f : 0.0f));             \
  }                                                                                             \
  WARPMEM_NARROW(one) warpmem_saturated(one a) {                                                \
    const float v = a;                                                                          \
    return v > 0.0f ? v < 1.0f ? a : one(1.0f) : one(0.0f);                                     \
  }                                                                                             \
  WARPMEM_NARROW_SATURATED(one, two, __hadd)                                                    \
  WARPMEM_NARROW_SATURATED(one, two, __hsub)                                                    \
  WARPMEM_NARROW_SATURATED(one, two, __hmul)                                                    \
  WARPMEM_NARROW(one) __hfma_sat(one a, one b, one c) {                                         \
    return warpmem_saturated(__hfma(a, b, c));                                                  \
  }                                                                                             \
  WARPMEM_NARROW(one) __hfma_relu(one a, one b, one c) {                                        \
    return __hmax_nan(__hfma(a, b, c), one(0.0f));                                              \
  }                                                                                             \
  WARPMEM_NARROW(two) __hfma2_sat(two a, two b, two c) {                                        \
    return two(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));                           \
  }                                                                                             \
  WARPMEM_NARROW(two) __hfma2_relu(two a, two b, two c) {                                       \
    return two(__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y));                         \
  }                                                                                             \
  WARPMEM_NARROW(two) __hcmadd(two a, two b, two c) {                                           \
    return two(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)),                                 \
               __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));                                        \
  }                                                                                             \
  WARPMEM_NARROW_COMPARE(one, two, eq, ==)                                                      \
  WARPMEM_NARROW_COMPARE(one, two, ne, !=)                                                      \
  WARPMEM_NARROW_COMPARE(one, two, lt, <)                                                       \
  WARPMEM_NARROW_COMPARE(one, two, le, <=)                                                      \
  WARPMEM_NARROW_COMPARE(one, two, gt, >)                                                       \
  WARPMEM_NARROW_COMPARE(one, two, ge, >=)                                                      \
  WARPMEM_NARROW_OPERATOR(one, +, __hadd)                                                       \
  WARPMEM_NARROW_OPERATOR(one, -, __hsub)                                                       \
  WARPMEM_NARROW_OPERATOR(one, *, __hmul)                                                       \
  WARPMEM_NARROW_OPERATOR(one, /, __hdiv)                                                       \
  WARPMEM_NARROW_OPERATOR(two, +, __hadd2)                                                      \
  WARPMEM_NARROW_OPERATOR(two, -, __hsub2)                                                      \
  WARPMEM_NARROW_OPERATOR(two, *, __hmul2)                                                      \
  WARPMEM_NARROW_OPERATOR(two, /, __h2div)                                                      \
  WARPMEM_NARROW(one) operator-(const one& a) { return __hneg(a); }                             \
  WARPMEM_NARROW(two) operator-(const two& a) { return __hneg2(a); }                            \
  WARPMEM_NARROW(one) operator+(const one& a) { return a; }                                     \
  WARPMEM_NARROW(one&) operator++(one& a) { return a = __hadd(a, one(1.0f)); }                  \
  WARPMEM_NARROW(one&) operator--(one& a) { return a = __hsub(a, one(1.0f)); }                  \
  WARPMEM_NARROW(one) operator++(one& a, int) {                                                 \
    const one before = a;                                                                       \
    ++a;                                                                                        \
    return before;                                                                              \
  }                                                                                             \
  WARPMEM_NARROW(one) operator--(one& a, int) {                                                 \
    const one before = a;                                                                       \
    --a;                                                                                        \
    return before;                                                                              \
  }

#if defined(__CUDA__)
#define WARPMEM_NARROW_MATH(one, two, name, expression) \
  static __inline__ __device__ one h##name(one a) {     \
    const float v = a;                                  \
    return one(expression);                             \
  }                                                     \
  static __inline__ __device__ two h2##name(two a) { return two(h##name(a.x), h##name(a.y)); }
#define WARPMEM_NARROW_SHUFFLE(type, name, operand)                                      \
  static __device__ __forceinline__ type name(unsigned int mask, type value, operand by, \
                                              int width = warpSize) {                    \
    unsigned int bits = 0;                                                               \
    __builtin_memcpy(&bits, &value, sizeof value);                                       \
    bits = name(mask, bits, by, width);                                                  \
    __builtin_memcpy(&value, &bits, sizeof value);                                       \
    return value;                                                                        \
  }
#define WARPMEM_NARROW_MOVES(type)                         \
  WARPMEM_NARROW_SHUFFLE(type, __shfl_sync, int)           \
  WARPMEM_NARROW_SHUFFLE(type, __shfl_up_sync, unsigned)   \
  WARPMEM_NARROW_SHUFFLE(type, __shfl_down_sync, unsigned) \
  WARPMEM_NARROW_SHUFFLE(type, __shfl_xor_sync, int)

/// Functions of device code alone.
#define WARPMEM_NARROW_LOAD(type, bits, load)                                \
  static __device__ __forceinline__ type load(const type* p) {               \
    return __builtin_bit_cast(type, load(reinterpret_cast<const bits*>(p))); \
  }
#define WARPMEM_NARROW_STORE(type, bits, store)                     \
  static __device__ __forceinline__ void store(type* p, type v) {   \
    store(reinterpret_cast<bits*>(p), __builtin_bit_cast(bits, v)); \
  }
/// Loads and stores with a hint for the caches are those of the same bits.
#define WARPMEM_NARROW_HINTS(type, bits)   \
  WARPMEM_NARROW_LOAD(type, bits, __ldca)  \
  WARPMEM_NARROW_LOAD(type, bits, __ldcg)  \
  WARPMEM_NARROW_LOAD(type, bits, __ldcs)  \
  WARPMEM_NARROW_LOAD(type, bits, __ldlu)  \
  WARPMEM_NARROW_LOAD(type, bits, __ldcv)  \
  WARPMEM_NARROW_STORE(type, bits, __stwb) \
  WARPMEM_NARROW_STORE(type, bits, __stcg) \
  WARPMEM_NARROW_STORE(type, bits, __stcs) \
  WARPMEM_NARROW_STORE(type, bits, __stwt)
#define WARPMEM_NARROW_FLOAT_DEVICE(one, two)                                        \
  WARPMEM_NARROW_MATH(one, two, sqrt, sqrtf(v))                                      \
  WARPMEM_NARROW_MATH(one, two, rsqrt, rsqrtf(v))                                    \
  WARPMEM_NARROW_MATH(one, two, rcp, 1.0f / v)                                       \
  WARPMEM_NARROW_MATH(one, two, exp, expf(v))                                        \
  WARPMEM_NARROW_MATH(one, two, exp2, exp2f(v))                                      \
  WARPMEM_NARROW_MATH(one, two, exp10, exp10f(v))                                    \
  WARPMEM_NARROW_MATH(one, two, log, logf(v))                                        \
  WARPMEM_NARROW_MATH(one, two, log2, log2f(v))                                      \
  WARPMEM_NARROW_MATH(one, two, log10, log10f(v))                                    \
  WARPMEM_NARROW_MATH(one, two, sin, sinf(v))                                        \
  WARPMEM_NARROW_MATH(one, two, cos, cosf(v))                                        \
  WARPMEM_NARROW_MATH(one, two, tanh, tanhf(v))                                      \
  WARPMEM_NARROW_MATH(one, two, ceil, ceilf(v))                                      \
  WARPMEM_NARROW_MATH(one, two, floor, floorf(v))                                    \
  WARPMEM_NARROW_MATH(one, two, rint, rintf(v))                                      \
  WARPMEM_NARROW_MATH(one, two, trunc, truncf(v))                                    \
  WARPMEM_NARROW_MOVES(one)                                                          \
  WARPMEM_NARROW_MOVES(two)                                                          \
  WARPMEM_NARROW_HINTS(one, unsigned short)                                          \
  WARPMEM_NARROW_HINTS(two, unsigned int)                                            \
  static __device__ __forceinline__ one __ldg(const one* p) {                        \
    one v;                                                                           \
    v.__x = __ldg(&p->__x);                                                          \
    return v;                                                                        \
  }                                                                                  \
  static __device__ __forceinline__ two __ldg(const two* p) {                        \
    return __builtin_bit_cast(two, __ldg(reinterpret_cast<const unsigned int*>(p))); \
  }
#else
#define WARPMEM_NARROW_FLOAT_DEVICE(one, two)
#endif
