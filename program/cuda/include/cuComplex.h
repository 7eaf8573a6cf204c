// SPDX-License-Identifier: Apache-2.0
// Complex numbers as vectors of two.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_functions.h"

#define WARPMEM_COMPLEX static __inline__ __host__ __device__

typedef float2 cuFloatComplex;
WARPMEM_COMPLEX float cuCrealf(cuFloatComplex v) { return v.x; }
WARPMEM_COMPLEX float cuCimagf(cuFloatComplex v) { return v.y; }
WARPMEM_COMPLEX cuFloatComplex make_cuFloatComplex(float real, float imaginary) {
  cuFloatComplex v;
  v.x = real, v.y = imaginary;
  return v;
}
WARPMEM_COMPLEX cuFloatComplex cuConjf(cuFloatComplex v) { return make_cuFloatComplex(v.x, -v.y); }
WARPMEM_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x + b.x, a.y + b.y);
}
WARPMEM_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x - b.x, a.y - b.y);
}
WARPMEM_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) {
  return make_cuFloatComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/* Scaled, so that neither part overflows on the way. */
WARPMEM_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex a, cuFloatComplex b) {
  const float scale = 1 / (fabsf(b.x) + fabsf(b.y));
  const float bx = b.x * scale, by = b.y * scale, ax = a.x * scale, ay = a.y * scale;
  const float norm = 1 / (bx * bx + by * by);
  return make_cuFloatComplex((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);
}
WARPMEM_COMPLEX float cuCabsf(cuFloatComplex v) { return hypotf(v.x, v.y); }
WARPMEM_COMPLEX cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
  return make_cuFloatComplex(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);
}

typedef double2 cuDoubleComplex;
WARPMEM_COMPLEX double cuCreal(cuDoubleComplex v) { return v.x; }
WARPMEM_COMPLEX double cuCimag(cuDoubleComplex v) { return v.y; }
WARPMEM_COMPLEX cuDoubleComplex make_cuDoubleComplex(double real, double imaginary) {
  cuDoubleComplex v;
  v.x = real, v.y = imaginary;
  return v;
}
WARPMEM_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex v) {
  return make_cuDoubleComplex(v.x, -v.y);
}
WARPMEM_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x + b.x, a.y + b.y);
}
WARPMEM_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x - b.x, a.y - b.y);
}
WARPMEM_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) {
  return make_cuDoubleComplex(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
/* Scaled, so that neither part overflows on the way. */
WARPMEM_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex a, cuDoubleComplex b) {
  const double scale = 1 / (fabs(b.x) + fabs(b.y));
  const double bx = b.x * scale, by = b.y * scale, ax = a.x * scale, ay = a.y * scale;
  const double norm = 1 / (bx * bx + by * by);
  return make_cuDoubleComplex((ax * bx + ay * by) * norm, (ay * bx - ax * by) * norm);
}
WARPMEM_COMPLEX double cuCabs(cuDoubleComplex v) { return hypot(v.x, v.y); }
WARPMEM_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
  return make_cuDoubleComplex(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x);
}

typedef cuFloatComplex cuComplex;
WARPMEM_COMPLEX cuComplex make_cuComplex(float real, float imaginary) {
  return make_cuFloatComplex(real, imaginary);
}
WARPMEM_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex v) {
  return make_cuDoubleComplex(v.x, v.y);
}
WARPMEM_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex v) {
  return make_cuFloatComplex((float)v.x, (float)v.y);
}
#undef WARPMEM_COMPLEX

#endif
