// SPDX-License-Identifier: Apache-2.0
// Functions that CUDA adds to the host's mathematics, and the float overloads of those without one.
#ifndef WARPMEM_HOST_MATH_H
#define WARPMEM_HOST_MATH_H

#define WARPMEM_HOST static __inline__ __host__

WARPMEM_HOST float rsqrtf(float a) { return 1.0f / sqrtf(a); }
WARPMEM_HOST double rsqrt(double a) { return 1.0 / sqrt(a); }
WARPMEM_HOST float rcbrtf(float a) { return 1.0f / cbrtf(a); }
WARPMEM_HOST double rcbrt(double a) { return 1.0 / cbrt(a); }
WARPMEM_HOST float fdividef(float a, float b) { return a / b; }
WARPMEM_HOST double fdivide(double a, double b) { return a / b; }
WARPMEM_HOST double sinpi(double a) { return sin(3.14159265358979323846 * remainder(a, 2.0)); }
WARPMEM_HOST float sinpif(float a) { return (float)sinpi((double)a); }
WARPMEM_HOST double cospi(double a) { return cos(3.14159265358979323846 * remainder(a, 2.0)); }
WARPMEM_HOST float cospif(float a) { return (float)cospi((double)a); }
WARPMEM_HOST double normcdf(double a) { return 0.5 * erfc(-0.70710678118654752440 * a); }
WARPMEM_HOST float normcdff(float a) { return (float)normcdf((double)a); }
WARPMEM_HOST double norm3d(double a, double b, double c) { return sqrt(a * a + b * b + c * c); }
WARPMEM_HOST float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
WARPMEM_HOST double norm4d(double a, double b, double c, double d) {
  return sqrt(a * a + b * b + c * c + d * d);
}
WARPMEM_HOST double norm(int count, const double* values) {
  double squares = 0.0;
  for (int i = 0; i < count; ++i) squares += values[i] * values[i];
  return sqrt(squares);
}
WARPMEM_HOST float norm4df(float a, float b, float c, float d) {
  return (float)norm4d((double)a, (double)b, (double)c, (double)d);
}
WARPMEM_HOST float normf(int count, const float* values) {
  double squares = 0.0;
  for (int i = 0; i < count; ++i) squares += (double)values[i] * values[i];
  return (float)sqrt(squares);
}
WARPMEM_HOST double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
WARPMEM_HOST float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
WARPMEM_HOST double rnorm4d(double a, double b, double c, double d) {
  return 1.0 / norm4d(a, b, c, d);
}
WARPMEM_HOST float rnorm4df(float a, float b, float c, float d) {
  return 1.0f / norm4df(a, b, c, d);
}
WARPMEM_HOST double rnorm(int count, const double* values) { return 1.0 / norm(count, values); }
WARPMEM_HOST float rnormf(int count, const float* values) { return 1.0f / normf(count, values); }
WARPMEM_HOST double rhypot(double a, double b) { return 1.0 / hypot(a, b); }
WARPMEM_HOST float rhypotf(float a, float b) { return 1.0f / hypotf(a, b); }

// Overloads for float, on the side of the function they stand for.
#define WARPMEM_FLOAT(name)                               \
  WARPMEM_HOST float name(float a) { return name##f(a); } \
  static __inline__ __device__ float name(float a) { return name##f(a); }
WARPMEM_FLOAT(rsqrt)
WARPMEM_FLOAT(rcbrt)
WARPMEM_FLOAT(sinpi)
WARPMEM_FLOAT(cospi)
WARPMEM_FLOAT(normcdf)
#undef WARPMEM_FLOAT
#define WARPMEM_FLOAT(name) \
  static __inline__ __device__ float name(float a) { return name##f(a); }
WARPMEM_FLOAT(erfinv)
WARPMEM_FLOAT(erfcinv)
WARPMEM_FLOAT(erfcx)
WARPMEM_FLOAT(normcdfinv)
#undef WARPMEM_FLOAT
// The digits in the text, which the payload of a NaN may be, are not read.
static __inline__ __device__ double nan(const char*) { return __builtin_nan(""); }
static __inline__ __device__ float nanf(const char*) { return __builtin_nanf(""); }
static __inline__ __device__ int __signbit(double a) { return __signbitd(a); }
static __inline__ __device__ void sincospi(float a, float* s, float* c) { sincospif(a, s, c); }
WARPMEM_HOST void sincospi(double a, double* s, double* c) {
  *s = sinpi(a);
  *c = cospi(a);
}
WARPMEM_HOST void sincospif(float a, float* s, float* c) {
  *s = sinpif(a);
  *c = cospif(a);
}
WARPMEM_HOST void sincospi(float a, float* s, float* c) { sincospif(a, s, c); }
static __inline__ __host__ __device__ void sincos(float a, float* s, float* c) { sincosf(a, s, c); }
#undef WARPMEM_HOST

#endif
