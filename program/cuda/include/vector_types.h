// SPDX-License-Identifier: Apache-2.0
// CUDA's vector types, with the sizes and alignments that kernels and host share.
#pragma once
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define WARPMEM_VECTORS(name, type, align1, align2, align4) \
  struct __align__(align1) name##1 {                        \
    type x;                                                 \
  };                                                        \
  struct __align__(align2) name##2 {                        \
    type x, y;                                              \
  };                                                        \
  struct __align__(align1) name##3 {                        \
    type x, y, z;                                           \
  };                                                        \
  struct __align__(align4) name##4 {                        \
    type x, y, z, w;                                        \
  };                                                        \
  typedef struct name##1 name##1;                           \
  typedef struct name##2 name##2;                           \
  typedef struct name##3 name##3;                           \
  typedef struct name##4 name##4;

WARPMEM_VECTORS(char, signed char, 1, 2, 4)
WARPMEM_VECTORS(uchar, unsigned char, 1, 2, 4)
WARPMEM_VECTORS(short, short, 2, 4, 8)
WARPMEM_VECTORS(ushort, unsigned short, 2, 4, 8)
WARPMEM_VECTORS(int, int, 4, 8, 16)
WARPMEM_VECTORS(uint, unsigned int, 4, 8, 16)
WARPMEM_VECTORS(long, long, 8, 16, 16)
WARPMEM_VECTORS(ulong, unsigned long, 8, 16, 16)
WARPMEM_VECTORS(longlong, long long, 8, 16, 16)
WARPMEM_VECTORS(ulonglong, unsigned long long, 8, 16, 16)
WARPMEM_VECTORS(float, float, 4, 8, 16)
WARPMEM_VECTORS(double, double, 8, 16, 16)
#undef WARPMEM_VECTORS

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __host__ __device__ constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
      : x(vx), y(vy), z(vz) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
