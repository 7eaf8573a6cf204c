// SPDX-License-Identifier: Apache-2.0
// make_float4 and its kin.
#pragma once
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#define WARPMEM_MAKERS(name, type)                                                               \
  static __inline__ __host__ __device__ name##1 make_##name##1(type x) {                         \
    name##1 v;                                                                                   \
    v.x = x;                                                                                     \
    return v;                                                                                    \
  }                                                                                              \
  static __inline__ __host__ __device__ name##2 make_##name##2(type x, type y) {                 \
    name##2 v;                                                                                   \
    v.x = x, v.y = y;                                                                            \
    return v;                                                                                    \
  }                                                                                              \
  static __inline__ __host__ __device__ name##3 make_##name##3(type x, type y, type z) {         \
    name##3 v;                                                                                   \
    v.x = x, v.y = y, v.z = z;                                                                   \
    return v;                                                                                    \
  }                                                                                              \
  static __inline__ __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) { \
    name##4 v;                                                                                   \
    v.x = x, v.y = y, v.z = z, v.w = w;                                                          \
    return v;                                                                                    \
  }

WARPMEM_MAKERS(char, signed char)
WARPMEM_MAKERS(uchar, unsigned char)
WARPMEM_MAKERS(short, short)
WARPMEM_MAKERS(ushort, unsigned short)
WARPMEM_MAKERS(int, int)
WARPMEM_MAKERS(uint, unsigned int)
WARPMEM_MAKERS(long, long)
WARPMEM_MAKERS(ulong, unsigned long)
WARPMEM_MAKERS(longlong, long long)
WARPMEM_MAKERS(ulonglong, unsigned long long)
WARPMEM_MAKERS(float, float)
WARPMEM_MAKERS(double, double)
#undef WARPMEM_MAKERS
