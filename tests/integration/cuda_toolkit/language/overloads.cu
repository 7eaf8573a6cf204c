// SPDX-License-Identifier: Apache-2.0
// Mathematical functions by their types: on both sides, with and without std, the same function of
// a float is a float, and of two different numbers a double. No header of mathematics is named.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "check.h"

template <class Wanted, class Got>
__host__ __device__ void is(Got) {
  static_assert(std::is_same<Wanted, Got>::value, "another type");
}

__host__ __device__ double types(float f, double d, int i, unsigned long u) {
  is<float>(abs(f)), is<float>(fabs(f)), is<double>(fabs(d)), is<int>(abs(i));
  is<float>(sqrt(f)), is<double>(sqrt(i)), is<float>(floor(f)), is<double>(ceil(i));
  is<float>(pow(f, f)), is<double>(pow(f, 2)), is<double>(pow(d, i)), is<double>(pow(2, i));
  is<double>(std::pow(f, i)), is<float>(std::pow(f, 2.0f)), is<double>(pow(u, 0.5f));
  is<float>(fmax(f, f)), is<double>(fmax(f, d)), is<double>(fmin(f, 1)), is<double>(fmod(d, f));
  is<float>(max(f, f)), is<double>(max(f, d)), is<unsigned>(min(3u, i)), is<int>(max(i, 3));
  is<bool>(isnan(f)), is<bool>(isinf(d)), is<bool>(isfinite(f)), is<bool>(signbit(d));
  is<float>(copysign(f, f)), is<double>(copysign(1, f)), is<float>(ldexp(f, i));
  is<float>(std::abs(f)), is<float>(std::sqrt(f)), is<float>(std::exp(f)), is<float>(log(f));
  is<float>(std::min(f, 2.0f)), is<float>(std::numeric_limits<float>::max());
  is<unsigned>(umin(3u, 4u)), is<long long>(llmax(i, 3)), is<unsigned long long>(ullmin(u, u));
  is<double>(norm4d(d, d, d, d)), is<float>(rnorm3df(f, f, f)), is<double>(norm(1, &d));
  float sine = 0, cosine = 0;
  sincos(f, &sine, &cosine);
  sincospi(f, &sine, &cosine);
  return pow(f, 2) + pow(f, 3.0f) + std::pow(2, i) + sine + cosine + norm4df(f, f, f, f) +
         rnorm4d(d, 1, 2, 3) + umax(3u, 4u);
}

__global__ void powers(const float* in, double* out) {
  const int i = threadIdx.x;
  out[2 * i] = pow(in[i], 2);
  out[2 * i + 1] = types(in[i], in[i], i, i);
}

#define SAME(name) ok = ok && name(v) == name##f(v)
#define SAME2(name) ok = ok && name(v, 0.3f) == name##f(v, 0.3f)
__global__ void float_names(const float* in, int* out) {
  const float v = in[threadIdx.x];
  int first = 0, second = 0;
  bool ok = acosh(1 + v) == acoshf(1 + v);
  SAME(asinh);
  SAME(atanh);
  SAME(cbrt);
  SAME(erf);
  SAME(erfc);
  SAME(exp2);
  SAME(expm1);
  SAME(lgamma);
  SAME(log1p);
  SAME(log2);
  SAME(logb);
  SAME(nearbyint);
  SAME(rint);
  SAME(round);
  SAME(tgamma);
  SAME(trunc);
  SAME(ilogb);
  SAME(lrint);
  SAME(lround);
  SAME(llrint);
  SAME(llround);
  SAME2(copysign);
  SAME2(fdim);
  SAME2(fmax);
  SAME2(fmin);
  SAME2(hypot);
  SAME2(nextafter);
  SAME2(remainder);
  ok = ok && fma(v, v, 2.0f) == fmaf(v, v, 2.0f);
  ok = ok && remquo(v, 0.1f, &first) == remquof(v, 0.1f, &second) && first == second;
  ok = ok && scalbn(v, 3) == 8 * v && scalbln(v, -1L) == v / 2;
  out[threadIdx.x] = ok;
}

int main() {
  float* in;
  double* out;
  OK(cudaMallocManaged(&in, 32 * sizeof *in));
  OK(cudaMallocManaged(&out, 64 * sizeof *out));
  for (int i = 0; i < 32; ++i) in[i] = 1.0f / (3 + i);
  powers<<<1, 32>>>(in, out);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    CHECK(fabs(out[2 * i] - pow(in[i], 2)) < 1e-16);
    const double wanted = types(in[i], in[i], i, i);
    CHECK(fabs(out[2 * i + 1] - wanted) < 1e-6 * wanted);
  }
  int* good;
  OK(cudaMallocManaged(&good, 32 * sizeof *good));
  float_names<<<1, 32>>>(in, good);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) CHECK(good[i] == 1);
  return finish();
}
