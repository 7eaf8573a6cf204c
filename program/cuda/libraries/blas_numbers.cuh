// SPDX-License-Identifier: Apache-2.0
// The arithmetic of BLAS for real and complex numbers and half precision.
#pragma once

#include <cuComplex.h>
#include <cuda_fp16.h>

namespace warpmem_blas {

#define WARPMEM_BOTH __host__ __device__ inline

WARPMEM_BOTH cuComplex operator+(cuComplex a, cuComplex b) { return cuCaddf(a, b); }
WARPMEM_BOTH cuComplex operator-(cuComplex a, cuComplex b) { return cuCsubf(a, b); }
WARPMEM_BOTH cuComplex operator*(cuComplex a, cuComplex b) { return cuCmulf(a, b); }
WARPMEM_BOTH cuComplex operator*(cuComplex a, float b) { return make_cuComplex(a.x * b, a.y * b); }
WARPMEM_BOTH cuComplex operator/(cuComplex a, cuComplex b) { return cuCdivf(a, b); }
WARPMEM_BOTH cuDoubleComplex operator+(cuDoubleComplex a, cuDoubleComplex b) {
  return cuCadd(a, b);
}
WARPMEM_BOTH cuDoubleComplex operator-(cuDoubleComplex a, cuDoubleComplex b) {
  return cuCsub(a, b);
}
WARPMEM_BOTH cuDoubleComplex operator*(cuDoubleComplex a, cuDoubleComplex b) {
  return cuCmul(a, b);
}
WARPMEM_BOTH cuDoubleComplex operator*(cuDoubleComplex a, double b) {
  return make_cuDoubleComplex(a.x * b, a.y * b);
}
WARPMEM_BOTH cuDoubleComplex operator/(cuDoubleComplex a, cuDoubleComplex b) {
  return cuCdiv(a, b);
}

/// What products of a type are added up in.
template <class T>
struct Sum {
  typedef T type;
};
template <>
struct Sum<__half> {
  typedef float type;
};
/// What the magnitude of a number is.
template <class T>
struct Real {
  typedef T type;
};
template <>
struct Real<cuComplex> {
  typedef float type;
};
template <>
struct Real<cuDoubleComplex> {
  typedef double type;
};

template <class T>
WARPMEM_BOTH T one() {
  return T(1.0f);
}
template <>
WARPMEM_BOTH cuComplex one<cuComplex>() {
  return make_cuComplex(1, 0);
}
template <>
WARPMEM_BOTH cuDoubleComplex one<cuDoubleComplex>() {
  return make_cuDoubleComplex(1, 0);
}

template <class T>
WARPMEM_BOTH T conjugate(T v) {
  return v;
}
WARPMEM_BOTH cuComplex conjugate(cuComplex v) { return cuConjf(v); }
WARPMEM_BOTH cuDoubleComplex conjugate(cuDoubleComplex v) { return cuConj(v); }

template <class T>
WARPMEM_BOTH bool is_zero(T v) {
  return v == T(0);
}
WARPMEM_BOTH bool is_zero(cuComplex v) { return v.x == 0 && v.y == 0; }
WARPMEM_BOTH bool is_zero(cuDoubleComplex v) { return v.x == 0 && v.y == 0; }

/// a b + c, rounded once for real numbers.
WARPMEM_BOTH float multiply_add(float a, float b, float c) { return fmaf(a, b, c); }
WARPMEM_BOTH double multiply_add(double a, double b, double c) { return fma(a, b, c); }
template <class T>
WARPMEM_BOTH T multiply_add(T a, T b, T c) {
  return a * b + c;
}

/// As BLAS measures complex numbers: the sum of the magnitudes of the parts.
WARPMEM_BOTH float magnitude1(float v) { return fabsf(v); }
WARPMEM_BOTH double magnitude1(double v) { return fabs(v); }
WARPMEM_BOTH float magnitude1(cuComplex v) { return fabsf(v.x) + fabsf(v.y); }
WARPMEM_BOTH double magnitude1(cuDoubleComplex v) { return fabs(v.x) + fabs(v.y); }

WARPMEM_BOTH float square(float v) { return v * v; }
WARPMEM_BOTH double square(double v) { return v * v; }
WARPMEM_BOTH float square(cuComplex v) { return v.x * v.x + v.y * v.y; }
WARPMEM_BOTH double square(cuDoubleComplex v) { return v.x * v.x + v.y * v.y; }

WARPMEM_BOTH float root(float v) { return sqrtf(v); }
WARPMEM_BOTH double root(double v) { return sqrt(v); }
WARPMEM_BOTH cuComplex root(cuComplex v) { return v; }  // no such sum is asked for
WARPMEM_BOTH cuDoubleComplex root(cuDoubleComplex v) { return v; }

/// Products become sums of the same type; those of complex numbers have no real one.
template <class R, class T>
WARPMEM_BOTH R cast(T v) {
  return R(v);
}
template <>
WARPMEM_BOTH float cast<float, cuComplex>(cuComplex v) {
  return v.x;
}
template <>
WARPMEM_BOTH double cast<double, cuDoubleComplex>(cuDoubleComplex v) {
  return v.x;
}

/// A real number as one of that type.
template <class R, class T>
WARPMEM_BOTH R from_real(T v) {
  return R(v);
}
template <>
WARPMEM_BOTH cuComplex from_real<cuComplex, float>(float v) {
  return make_cuComplex(v, 0);
}
template <>
WARPMEM_BOTH cuDoubleComplex from_real<cuDoubleComplex, double>(double v) {
  return make_cuDoubleComplex(v, 0);
}

/// The value of the lane so far below the own one.
template <class T>
__device__ inline T from_lane_below(T v, int by) {
  return __shfl_down_sync(0xffffffffu, v, by);
}
template <>
__device__ inline cuComplex from_lane_below(cuComplex v, int by) {
  return make_cuComplex(from_lane_below(v.x, by), from_lane_below(v.y, by));
}
template <>
__device__ inline cuDoubleComplex from_lane_below(cuDoubleComplex v, int by) {
  return make_cuDoubleComplex(from_lane_below(v.x, by), from_lane_below(v.y, by));
}

#undef WARPMEM_BOTH

}  // namespace warpmem_blas
