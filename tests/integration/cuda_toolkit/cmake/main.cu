// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <type_traits>

extern __device__ float squared(float v);
float sum_of(const float* device, int n);

template <class T>
__global__ void fill(T* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (std::is_same_v<T, float>)
    if (i < n) out[i] = squared(static_cast<float>(i));
}

int main() {
  const int n = 100;
  float* device;
  cudaMalloc(&device, n * sizeof(float));
  fill<<<(n + 63) / 64, 64>>>(device, n);
  const bool good = sum_of(device, n) == 328350.0f;
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
