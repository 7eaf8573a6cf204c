// SPDX-License-Identifier: Apache-2.0
// bfloat16: the upper half of a float. Operations go through single precision and round once in the
// end, to nearest even, as GPUs before compute capability 8.0 do.
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include <math.h>

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#if defined(__cplusplus)

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

#define CUDART_ZERO_BF16 __ushort_as_bfloat16(0x0000)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16(0x8000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16(0x3f80)
#define CUDART_INF_BF16 __ushort_as_bfloat16(0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16(0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16(0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16(0x7f7f)

#define WARPMEM_BF16 static __inline__ __host__ __device__

WARPMEM_BF16 unsigned short warpmem_bf16_from_float(float v) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, v);
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
  return static_cast<unsigned short>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

struct __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
#define WARPMEM_FROM(type) \
  __host__ __device__ __nv_bfloat16(type v) : __x(warpmem_bf16_from_float(static_cast<float>(v))) {}
  WARPMEM_FROM(float)
  WARPMEM_FROM(double)
  WARPMEM_FROM(short)
  WARPMEM_FROM(unsigned short)
  WARPMEM_FROM(int)
  WARPMEM_FROM(unsigned int)
  WARPMEM_FROM(long long)
  WARPMEM_FROM(unsigned long long)
#undef WARPMEM_FROM
  __host__ __device__ operator float() const {
    return __builtin_bit_cast(float, static_cast<unsigned int>(__x) << 16);
  }
  __host__ __device__ operator __nv_bfloat16_raw() const { return __nv_bfloat16_raw{__x}; }
  __host__ __device__ explicit operator bool() const { return (__x & 0x7fff) != 0; }
};
typedef __nv_bfloat16 nv_bfloat16;

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw& raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const {
    return __nv_bfloat162_raw{x.__x, y.__x};
  }
};
typedef __nv_bfloat162 nv_bfloat162;

WARPMEM_BF16 __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
WARPMEM_BF16 __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
WARPMEM_BF16 __nv_bfloat16 __float2bfloat16_rz(float v) {
  return v != v ? __nv_bfloat16(v)
                : __nv_bfloat16(__nv_bfloat16_raw{
                      static_cast<unsigned short>(__builtin_bit_cast(unsigned int, v) >> 16)});
}
// Toward one side: the next number away from zero where what is cut off is not zero.
WARPMEM_BF16 __nv_bfloat16 warpmem_bf16_toward(float v, bool up) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, v);
  if (v != v) return __nv_bfloat16(v);
  const bool away = (bits & 0xffff) != 0 && (bits >> 31 == 0) == up;
  return __nv_bfloat16_raw{static_cast<unsigned short>((bits >> 16) + (away ? 1 : 0))};
}
WARPMEM_BF16 __nv_bfloat16 __float2bfloat16_rd(float v) { return warpmem_bf16_toward(v, false); }
WARPMEM_BF16 __nv_bfloat16 __float2bfloat16_ru(float v) { return warpmem_bf16_toward(v, true); }
WARPMEM_BF16 __nv_bfloat16 __double2bfloat16(double v) { return __nv_bfloat16(v); }
WARPMEM_BF16 float __bfloat162float(__nv_bfloat16 v) { return v; }
WARPMEM_BF16 __nv_bfloat162 __float2bfloat162_rn(float v) {
  return __nv_bfloat162(__nv_bfloat16(v), __nv_bfloat16(v));
}
WARPMEM_BF16 __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
  return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
WARPMEM_BF16 __nv_bfloat162 __float22bfloat162_rn(float2 v) {
  return __floats2bfloat162_rn(v.x, v.y);
}
WARPMEM_BF16 float2 __bfloat1622float2(__nv_bfloat162 v) {
  return make_float2(static_cast<float>(v.x), static_cast<float>(v.y));
}
WARPMEM_BF16 __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) { return __nv_bfloat162(v, v); }
WARPMEM_BF16 __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
  return __nv_bfloat162(a, b);
}
WARPMEM_BF16 __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
  return __nv_bfloat16_raw{bits};
}
WARPMEM_BF16 unsigned short __bfloat16_as_ushort(__nv_bfloat16 v) { return v.__x; }
WARPMEM_BF16 __nv_bfloat16 __short_as_bfloat16(short bits) {
  return __nv_bfloat16_raw{static_cast<unsigned short>(bits)};
}
WARPMEM_BF16 short __bfloat16_as_short(__nv_bfloat16 v) { return static_cast<short>(v.__x); }

#define WARPMEM_BINARY(name, symbol)                                          \
  WARPMEM_BF16 __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {         \
    return __nv_bfloat16(static_cast<float>(a) symbol static_cast<float>(b)); \
  }                                                                           \
  WARPMEM_BF16 __nv_bfloat162 name##2(__nv_bfloat162 a, __nv_bfloat162 b) {   \
    return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                    \
  }
WARPMEM_BINARY(__hadd, +)
WARPMEM_BINARY(__hsub, -)
WARPMEM_BINARY(__hmul, *)
#undef WARPMEM_BINARY
WARPMEM_BF16 __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return __nv_bfloat16(fmaf(static_cast<float>(a), static_cast<float>(b), static_cast<float>(c)));
}
WARPMEM_BF16 __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
#undef WARPMEM_BF16

#include "warpmem/narrow_float.h"
WARPMEM_NARROW_INTEGERS(__nv_bfloat16, float, bfloat16)
WARPMEM_NARROW_FLOAT(__nv_bfloat16, __nv_bfloat162, bfloat16, 0x7fff)
WARPMEM_NARROW_FLOAT_DEVICE(__nv_bfloat16, __nv_bfloat162)

#if defined(__CUDA__)
// There is no such instruction before sm_90: they compare and swap.
static __inline__ __device__ __nv_bfloat162 atomicAdd(__nv_bfloat162* address,
                                                      __nv_bfloat162 value) {
  unsigned int* const word = reinterpret_cast<unsigned int*>(address);
  unsigned int before = *word, seen;
  do {
    seen = before;
    const __nv_bfloat162 sum = __hadd2(__builtin_bit_cast(__nv_bfloat162, seen), value);
    before = atomicCAS(word, seen, __builtin_bit_cast(unsigned int, sum));
  } while (before != seen);
  return __builtin_bit_cast(__nv_bfloat162, before);
}
#if __CUDA_ARCH__ >= 700 || !defined(__CUDA_ARCH__)
static __inline__ __device__ __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
  unsigned short* const word = reinterpret_cast<unsigned short*>(address);
  unsigned short before = *word, seen;
  do {
    seen = before;
    const __nv_bfloat16 sum = __hadd(__builtin_bit_cast(__nv_bfloat16, seen), value);
    before = atomicCAS(word, seen, __builtin_bit_cast(unsigned short, sum));
  } while (before != seen);
  return __builtin_bit_cast(__nv_bfloat16, before);
}
#endif
#endif

#endif
#endif
