// SPDX-License-Identifier: Apache-2.0
// Functions of floats by the names of those of doubles. The compiler's headers declare them for the
// device and leave them to CUDA's to define.
#ifndef WARPMEM_FLOAT_OVERLOADS_H
#define WARPMEM_FLOAT_OVERLOADS_H

#define WARPMEM_OVERLOAD static __inline__ __attribute__((always_inline)) __device__
#define WARPMEM_OF_ONE(result, name) \
  WARPMEM_OVERLOAD result name(float a) { return name##f(a); }
#define WARPMEM_OF_TWO(name) \
  WARPMEM_OVERLOAD float name(float a, float b) { return name##f(a, b); }
WARPMEM_OF_ONE(float, acosh)
WARPMEM_OF_ONE(float, asinh)
WARPMEM_OF_ONE(float, atanh)
WARPMEM_OF_ONE(float, cbrt)
WARPMEM_OF_ONE(float, erf)
WARPMEM_OF_ONE(float, erfc)
WARPMEM_OF_ONE(float, exp2)
WARPMEM_OF_ONE(float, expm1)
WARPMEM_OF_ONE(float, lgamma)
WARPMEM_OF_ONE(float, log1p)
WARPMEM_OF_ONE(float, log2)
WARPMEM_OF_ONE(float, logb)
WARPMEM_OF_ONE(float, nearbyint)
WARPMEM_OF_ONE(float, rint)
WARPMEM_OF_ONE(float, round)
WARPMEM_OF_ONE(float, tgamma)
WARPMEM_OF_ONE(float, trunc)
WARPMEM_OF_ONE(int, ilogb)
WARPMEM_OF_ONE(long, lrint)
WARPMEM_OF_ONE(long, lround)
WARPMEM_OF_ONE(long long, llrint)
WARPMEM_OF_ONE(long long, llround)
WARPMEM_OF_TWO(copysign)
WARPMEM_OF_TWO(fdim)
WARPMEM_OF_TWO(fmax)
WARPMEM_OF_TWO(fmin)
WARPMEM_OF_TWO(hypot)
WARPMEM_OF_TWO(nextafter)
WARPMEM_OF_TWO(remainder)
WARPMEM_OVERLOAD float fma(float a, float b, float c) { return fmaf(a, b, c); }
WARPMEM_OVERLOAD float remquo(float a, float b, int* quotient) { return remquof(a, b, quotient); }
WARPMEM_OVERLOAD float scalbn(float a, int b) { return scalbnf(a, b); }
WARPMEM_OVERLOAD float scalbln(float a, long b) { return scalblnf(a, b); }
#undef WARPMEM_OF_ONE
#undef WARPMEM_OF_TWO
#undef WARPMEM_OVERLOAD

#endif
