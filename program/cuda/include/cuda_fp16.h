// SPDX-License-Identifier: Apache-2.0
// Half precision (IEEE 754 binary16): storage, conversions, arithmetic. Device code adds,
// multiplies and fuses by PTX's own instructions for it; all else goes through single precision,
// which rounds once in the end. On the host everything does.
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#if defined(__cplusplus)

#include "warpmem/half_bits.h"

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

#define CUDART_ZERO_FP16 __ushort_as_half(0x0000)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half(0x8000)
#define CUDART_ONE_FP16 __ushort_as_half(0x3c00)
#define CUDART_INF_FP16 __ushort_as_half(0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half(0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half(0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half(0x7bff)

#define WARPMEM_HALF static __inline__ __host__ __device__

#if defined(__CUDA_ARCH__)
#define WARPMEM_HALF_FROM_FLOAT(name, mode)                            \
  WARPMEM_HALF unsigned short warpmem_half_from_float##name(float v) { \
    unsigned short bits;                                               \
    asm("cvt." mode ".f16.f32 %0, %1;" : "=h"(bits) : "f"(v));         \
    return bits;                                                       \
  }
WARPMEM_HALF_FROM_FLOAT(_rn, "rn")
WARPMEM_HALF_FROM_FLOAT(_rz, "rz")
WARPMEM_HALF_FROM_FLOAT(_rd, "rm")
WARPMEM_HALF_FROM_FLOAT(_ru, "rp")
WARPMEM_HALF float warpmem_half_to_float(unsigned short bits) {
  float v;
  asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(bits));
  return v;
}
WARPMEM_HALF unsigned short warpmem_half_from_double(double v) {
  unsigned short bits;
  asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(v));
  return bits;
}
#else
#define WARPMEM_HALF_FROM_FLOAT(name, mode)                            \
  WARPMEM_HALF unsigned short warpmem_half_from_float##name(float v) { \
    return warpmem_bits::half_from(v, warpmem_bits::mode);             \
  }
WARPMEM_HALF_FROM_FLOAT(_rn, to_nearest)
WARPMEM_HALF_FROM_FLOAT(_rz, to_zero)
WARPMEM_HALF_FROM_FLOAT(_rd, downwards)
WARPMEM_HALF_FROM_FLOAT(_ru, upwards)
WARPMEM_HALF float warpmem_half_to_float(unsigned short bits) {
  return warpmem_bits::half_value(bits);
}
WARPMEM_HALF unsigned short warpmem_half_from_double(double v) {
  return warpmem_bits::half_from(v, warpmem_bits::to_nearest);
}
#endif
#undef WARPMEM_HALF_FROM_FLOAT

struct __half {
  unsigned short __x;
  __half() = default;
  __host__ __device__ __half(const __half_raw& raw) : __x(raw.x) {}
#define WARPMEM_FROM(type) \
  __host__ __device__ __half(type v) : __x(warpmem_half_from_float_rn(static_cast<float>(v))) {}
  WARPMEM_FROM(float)
  WARPMEM_FROM(short)
  WARPMEM_FROM(unsigned short)
  WARPMEM_FROM(int)
  WARPMEM_FROM(unsigned int)
  WARPMEM_FROM(long long)
  WARPMEM_FROM(unsigned long long)
#undef WARPMEM_FROM
  __host__ __device__ __half(double v) : __x(warpmem_half_from_double(v)) {}
  __host__ __device__ operator float() const { return warpmem_half_to_float(__x); }
  __host__ __device__ operator __half_raw() const { return __half_raw{__x}; }
  __host__ __device__ explicit operator bool() const { return (__x & 0x7fff) != 0; }
};
typedef __half half;
typedef __half __nv_half;

struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(const __half& a, const __half& b) : x(a), y(b) {}
  __host__ __device__ __half2(const __half2_raw& raw)
      : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __host__ __device__ operator __half2_raw() const { return __half2_raw{x.__x, y.__x}; }
};
typedef __half2 half2;
typedef __half2 __nv_half2;

WARPMEM_HALF __half __float2half(float v) { return __half(v); }
WARPMEM_HALF __half __double2half(double v) { return __half(v); }
WARPMEM_HALF float __half2float(__half v) { return v; }
#define WARPMEM_ROUNDED(mode)                             \
  WARPMEM_HALF __half __float2half_##mode(float v) {      \
    return __half_raw{warpmem_half_from_float_##mode(v)}; \
  }
WARPMEM_ROUNDED(rn)
WARPMEM_ROUNDED(rz)
WARPMEM_ROUNDED(rd)
WARPMEM_ROUNDED(ru)
#undef WARPMEM_ROUNDED
WARPMEM_HALF __half2 __float2half2_rn(float v) { return __half2(__half(v), __half(v)); }
WARPMEM_HALF __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
WARPMEM_HALF __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
WARPMEM_HALF float2 __half22float2(__half2 v) {
  return make_float2(static_cast<float>(v.x), static_cast<float>(v.y));
}
WARPMEM_HALF __half __ushort_as_half(unsigned short bits) { return __half_raw{bits}; }
WARPMEM_HALF __half __short_as_half(short bits) {
  return __half_raw{static_cast<unsigned short>(bits)};
}
WARPMEM_HALF unsigned short __half_as_ushort(__half v) { return v.__x; }
WARPMEM_HALF short __half_as_short(__half v) { return static_cast<short>(v.__x); }
WARPMEM_HALF __half2 make_half2(__half a, __half b) { return __half2(a, b); }
WARPMEM_HALF __half2 __half2half2(__half v) { return __half2(v, v); }

// What PTX has instructions for.
#if defined(__CUDA_ARCH__)
#define WARPMEM_BINARY(name, instruction, symbol)                                              \
  WARPMEM_HALF __half name(__half a, __half b) {                                               \
    unsigned short r;                                                                          \
    asm(instruction ".f16 %0, %1, %2;" : "=h"(r) : "h"(a.__x), "h"(b.__x));                    \
    return __half_raw{r};                                                                      \
  }                                                                                            \
  WARPMEM_HALF __half2 name##2(__half2 a, __half2 b) {                                         \
    unsigned int r;                                                                            \
    asm(instruction ".f16x2 %0, %1, %2;"                                                       \
        : "=r"(r)                                                                              \
        : "r"(__builtin_bit_cast(unsigned int, a)), "r"(__builtin_bit_cast(unsigned int, b))); \
    return __builtin_bit_cast(__half2, r);                                                     \
  }
WARPMEM_HALF __half __hfma(__half a, __half b, __half c) {
  unsigned short r;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(r) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return __half_raw{r};
}
WARPMEM_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  unsigned int r;
  asm("fma.rn.f16x2 %0, %1, %2, %3;"
      : "=r"(r)
      : "r"(__builtin_bit_cast(unsigned int, a)), "r"(__builtin_bit_cast(unsigned int, b)),
        "r"(__builtin_bit_cast(unsigned int, c)));
  return __builtin_bit_cast(__half2, r);
}
#else
#define WARPMEM_BINARY(name, instruction, symbol)                      \
  WARPMEM_HALF __half name(__half a, __half b) {                       \
    return __half(static_cast<float>(a) symbol static_cast<float>(b)); \
  }                                                                    \
  WARPMEM_HALF __half2 name##2(__half2 a, __half2 b) {                 \
    return __half2(name(a.x, b.x), name(a.y, b.y));                    \
  }
WARPMEM_HALF __half __hfma(__half a, __half b, __half c) {
  return __half(static_cast<double>(static_cast<float>(a)) * static_cast<float>(b) +
                static_cast<float>(c));
}
WARPMEM_HALF __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#endif
WARPMEM_BINARY(__hadd, "add", +)
WARPMEM_BINARY(__hsub, "sub", -)
WARPMEM_BINARY(__hmul, "mul", *)
#undef WARPMEM_BINARY
#undef WARPMEM_HALF

#include "warpmem/narrow_float.h"
WARPMEM_NARROW_INTEGERS(__half, double, half)
WARPMEM_NARROW_FLOAT(__half, __half2, half, 0x7fff)
WARPMEM_NARROW_FLOAT_DEVICE(__half, __half2)

#if defined(__CUDA__)
static __inline__ __device__ __half2 atomicAdd(__half2* address, __half2 value) {
  unsigned int before;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(before)
               : "l"(address), "r"(__builtin_bit_cast(unsigned int, value))
               : "memory");
  return __builtin_bit_cast(__half2, before);
}
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
template <class Type_>  // gives way to the program's own
static __inline__ __device__ typename warpmem_only<Type_, __half>::only atomicAdd(
    Type_* address, typename warpmem_only<Type_, __half>::only value) {
  unsigned short before;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
               : "=h"(before)
               : "l"(address), "h"(value.__x)
               : "memory");
  return __half_raw{before};
}
#endif
#endif

#endif
#endif
