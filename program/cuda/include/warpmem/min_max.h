// SPDX-License-Identifier: Apache-2.0
// min and max of every pair of arithmetic types that CUDA accepts, on both sides.
#ifndef WARPMEM_MIN_MAX_H
#define WARPMEM_MIN_MAX_H

#define WARPMEM_MIN_MAX(to, a_type, b_type)                          \
  static __inline__ __host__ __device__ to min(a_type a, b_type b) { \
    return (to)a < (to)b ? (to)a : (to)b;                            \
  }                                                                  \
  static __inline__ __host__ __device__ to max(a_type a, b_type b) { \
    return (to)a > (to)b ? (to)a : (to)b;                            \
  }
WARPMEM_MIN_MAX(unsigned int, unsigned int, unsigned int)
WARPMEM_MIN_MAX(unsigned int, int, unsigned int)
WARPMEM_MIN_MAX(unsigned int, unsigned int, int)
WARPMEM_MIN_MAX(long, long, long)
WARPMEM_MIN_MAX(unsigned long, unsigned long, unsigned long)
WARPMEM_MIN_MAX(unsigned long, long, unsigned long)
WARPMEM_MIN_MAX(unsigned long, unsigned long, long)
WARPMEM_MIN_MAX(long long, long long, long long)
WARPMEM_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
WARPMEM_MIN_MAX(unsigned long long, long long, unsigned long long)
WARPMEM_MIN_MAX(unsigned long long, unsigned long long, long long)
#undef WARPMEM_MIN_MAX

// The compiler's headers have min(int, int) for the device.
static __inline__ __host__ int min(int a, int b) { return a < b ? a : b; }
static __inline__ __host__ int max(int a, int b) { return a > b ? a : b; }

// The names that say of which type; the compiler's headers have the device's.
#define WARPMEM_MIN_MAX_OF(prefix, type)                                                \
  static __inline__ __host__ type prefix##min(type a, type b) { return a < b ? a : b; } \
  static __inline__ __host__ type prefix##max(type a, type b) { return a > b ? a : b; }
WARPMEM_MIN_MAX_OF(u, unsigned int)
WARPMEM_MIN_MAX_OF(ll, long long)
WARPMEM_MIN_MAX_OF(ull, unsigned long long)
#undef WARPMEM_MIN_MAX_OF

#define WARPMEM_MIN_MAX_FLOAT(to, a_type, b_type, suffix)                                         \
  static __inline__ __host__ __device__ to min(a_type a, b_type b) { return fmin##suffix(a, b); } \
  static __inline__ __host__ __device__ to max(a_type a, b_type b) { return fmax##suffix(a, b); }
WARPMEM_MIN_MAX_FLOAT(float, float, float, f)
WARPMEM_MIN_MAX_FLOAT(double, double, double, )
WARPMEM_MIN_MAX_FLOAT(double, float, double, )
WARPMEM_MIN_MAX_FLOAT(double, double, float, )
#undef WARPMEM_MIN_MAX_FLOAT

#endif
