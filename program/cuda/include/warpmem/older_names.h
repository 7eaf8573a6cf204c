// SPDX-License-Identifier: Apache-2.0
// Names without underscores, and with the rounding as an argument, by which CUDA's first releases
// called what the device does in one instruction.
#ifndef WARPMEM_OLDER_NAMES_H
#define WARPMEM_OLDER_NAMES_H

#define WARPMEM_OLDER static __inline__ __device__

WARPMEM_OLDER int mulhi(int a, int b) { return __mulhi(a, b); }
WARPMEM_OLDER unsigned int mulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
WARPMEM_OLDER unsigned int mulhi(int a, unsigned int b) { return __umulhi(a, b); }
WARPMEM_OLDER unsigned int mulhi(unsigned int a, int b) { return __umulhi(a, b); }
WARPMEM_OLDER long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
WARPMEM_OLDER unsigned long long mul64hi(unsigned long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
WARPMEM_OLDER unsigned long long mul64hi(long long a, unsigned long long b) {
  return __umul64hi(a, b);
}
WARPMEM_OLDER unsigned long long mul64hi(unsigned long long a, long long b) {
  return __umul64hi(a, b);
}
WARPMEM_OLDER int mul24(int a, int b) { return __mul24(a, b); }
WARPMEM_OLDER unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }
WARPMEM_OLDER int float_as_int(float a) { return __float_as_int(a); }
WARPMEM_OLDER float int_as_float(int a) { return __int_as_float(a); }
WARPMEM_OLDER unsigned int float_as_uint(float a) { return __float_as_uint(a); }
WARPMEM_OLDER float uint_as_float(unsigned int a) { return __uint_as_float(a); }
WARPMEM_OLDER float saturate(float a) { return __saturatef(a); }

#define WARPMEM_ROUNDED(name, to, from, usual)                     \
  WARPMEM_OLDER to name(from a, enum cudaRoundMode mode = usual) { \
    return mode == cudaRoundNearest  ? __##name##_rn(a)            \
           : mode == cudaRoundPosInf ? __##name##_ru(a)            \
           : mode == cudaRoundMinInf ? __##name##_rd(a)            \
                                     : __##name##_rz(a);           \
  }
WARPMEM_ROUNDED(float2int, int, float, cudaRoundZero)
WARPMEM_ROUNDED(float2uint, unsigned int, float, cudaRoundZero)
WARPMEM_ROUNDED(int2float, float, int, cudaRoundNearest)
WARPMEM_ROUNDED(uint2float, float, unsigned int, cudaRoundNearest)
#undef WARPMEM_ROUNDED
#undef WARPMEM_OLDER

#endif
