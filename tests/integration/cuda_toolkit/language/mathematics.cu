// SPDX-License-Identifier: Apache-2.0
// Functions of the mathematical library in kernels, their intrinsics, integers, special values.
#include <math_constants.h>

#include <cmath>

#include "check.h"

__global__ void doubles(const double* in, double* out) {
  const int i = threadIdx.x;
  const double v = in[i];
  double s, c;
  sincos(v, &s, &c);
  out[8 * i] = s * s + c * c;
  out[8 * i + 1] = pow(fabs(v) + 1, 1.5);
  out[8 * i + 2] = fma(v, v, erf(v));
  out[8 * i + 3] = log1p(fabs(v)) + expm1(v / 8);
  out[8 * i + 4] = fmod(v, 0.7) + rint(v) + copysign(1.0, v);
  out[8 * i + 5] = hypot(v, 2.0) + cbrt(v) + atan2(v, 3.0);
  out[8 * i + 6] = isnan(nan("")) && isinf(CUDART_INF) && !isfinite(v / 0.0) ? 1 : 0;
  out[8 * i + 7] = rsqrt(fabs(v) + 2) + tgamma(fabs(v) + 1);
}
__global__ void whole(const int* in, int* out) {
  const int i = threadIdx.x, v = in[i];
  out[4 * i] = __mulhi(v, 0x12345678) + __clz(v) + __popc(v) + __ffs(v);
  out[4 * i + 1] = static_cast<int>(__byte_perm(v, ~v, 0x1357)) ^ static_cast<int>(__brev(v));
  out[4 * i + 2] = max(v, -5) + min(v, 5) + abs(v) + __sad(v, 3, 4u);
  out[4 * i + 3] = __float_as_int(__int_as_float(v)) + __float2int_rd(-1.5f) + __double2int_rn(2.5);
}
__global__ void quick(float* out) {
  const float v = 0.01f * threadIdx.x + 0.1f;
  out[threadIdx.x] = __sinf(v) * __sinf(v) + __cosf(v) * __cosf(v) + __expf(__logf(v)) - v +
                     __fdividef(v, v) + __saturatef(2.5f) + __powf(v, 0.f);
}

int main() {
  const int n = 64;
  double in[n], got[8 * n], *device_in, *device_out;
  for (int i = 0; i < n; ++i) in[i] = (i - 31.5) / 9;
  OK(cudaMalloc(&device_in, sizeof in));
  OK(cudaMalloc(&device_out, sizeof got));
  OK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
  doubles<<<1, n>>>(device_in, device_out);
  OK(cudaMemcpy(got, device_out, sizeof got, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    const double v = in[i], a = std::fabs(v);
    const double wanted[8] = {1,
                              std::pow(a + 1, 1.5),
                              v * v + std::erf(v),
                              std::log1p(a) + std::expm1(v / 8),
                              std::fmod(v, 0.7) + std::rint(v) + std::copysign(1.0, v),
                              std::hypot(v, 2.0) + std::cbrt(v) + std::atan2(v, 3.0),
                              1,
                              1 / std::sqrt(a + 2) + std::tgamma(a + 1)};
    for (int k = 0; k < 8; ++k)
      CHECK(std::fabs(got[8 * i + k] - wanted[k]) <= 1e-13 * (1 + std::fabs(wanted[k])));
  }
  int numbers[n], results[4 * n];
  for (int i = 0; i < n; ++i) numbers[i] = (i - 30) * 0x1234567;
  OK(cudaMemcpy(device_in, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  whole<<<1, n>>>(reinterpret_cast<int*>(device_in), reinterpret_cast<int*>(device_out));
  OK(cudaMemcpy(results, device_out, sizeof results, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    const int v = numbers[i];
    const unsigned u = static_cast<unsigned>(v);
    const int high = static_cast<int>((static_cast<long long>(v) * 0x12345678) >> 32);
    CHECK(results[4 * i] ==
          high + (v == 0 ? 32 : __builtin_clz(u)) + __builtin_popcount(u) + __builtin_ffs(v));
    unsigned mixed = 0, reversed = 0;
    const unsigned long long both = static_cast<unsigned long long>(~u) << 32 | u;
    for (int k = 0; k < 4; ++k)
      mixed |= static_cast<unsigned>(both >> 8 * (7 - 2 * k) & 0xff) << 8 * k;
    for (int k = 0; k < 32; ++k) reversed |= (u >> k & 1) << (31 - k);
    CHECK(results[4 * i + 1] == static_cast<int>(mixed ^ reversed));
    const long long apart = v > 3 ? static_cast<long long>(v) - 3 : 3 - static_cast<long long>(v);
    CHECK(results[4 * i + 2] == static_cast<int>(static_cast<unsigned>(
                                    (v > -5 ? v : -5) + static_cast<long long>(v < 5 ? v : 5) +
                                    std::abs(v) + apart + 4)));
    CHECK(results[4 * i + 3] == v - 2 + 2);
  }
  float rough[n];
  quick<<<1, n>>>(reinterpret_cast<float*>(device_out));
  OK(cudaMemcpy(rough, device_out, sizeof rough, cudaMemcpyDeviceToHost));
  for (float v : rough) CHECK(std::fabs(v - 4) < 1e-4f);
  return finish();
}
