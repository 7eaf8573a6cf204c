// SPDX-License-Identifier: Apache-2.0
// Kernels work on memory of the host in place: vectors that are mapped, an array of malloc that is
// registered, a structure that a kernel counts in, and copies of the device from and to them.
#include <cstdlib>

#include "check.h"

struct Counts {
  int even;
  int odd;
  float largest;
};

__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

__global__ void count(const float* values, int n, Counts* counts) {
  __shared__ float largest[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  largest[threadIdx.x] = i < n ? values[i] : 0;
  if (i < n) atomicAdd(static_cast<int>(values[i]) % 2 == 0 ? &counts->even : &counts->odd, 1);
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int k = 1; k < blockDim.x; ++k) largest[0] = fmaxf(largest[0], largest[k]);
  // Positive floats are ordered as integers are.
  atomicMax(reinterpret_cast<int*>(&counts->largest), __float_as_int(largest[0]));
}

int main() {
  const int n = 3001;
  const size_t bytes = n * sizeof(float);
  OK(cudaSetDeviceFlags(cudaDeviceMapHost));
  cudaDeviceProp properties;
  OK(cudaGetDeviceProperties(&properties, 0));
  CHECK(properties.canMapHostMemory);
  float *a, *b, *device_a, *device_b, *device_sum, *copy;
  Counts *counts, *device_counts;
  OK(cudaHostAlloc(&a, bytes, cudaHostAllocMapped));
  OK(cudaHostAlloc(&b, bytes, cudaHostAllocMapped | cudaHostAllocWriteCombined));
  OK(cudaMallocHost(&counts, sizeof(Counts)));
  float* const sum = static_cast<float*>(std::malloc(bytes));
  OK(cudaHostRegister(sum, bytes, cudaHostRegisterMapped));
  OK(cudaHostGetDevicePointer(&device_a, a, 0));
  OK(cudaHostGetDevicePointer(&device_b, b, 0));
  OK(cudaHostGetDevicePointer(&device_sum, sum, 0));
  OK(cudaHostGetDevicePointer(&device_counts, counts, 0));
  OK(cudaMalloc(&copy, bytes));
  for (int round = 0; round < 2; ++round) {
    int even = 0;
    for (int i = 0; i < n; ++i) {
      a[i] = static_cast<float>(i);
      b[i] = static_cast<float>(2 * round);
      even += i % 2 == 0;
    }
    OK(cudaMemset(device_counts, 0, sizeof(Counts)));
    add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_sum, n);
    count<<<(n + 255) / 256, 256>>>(device_sum, n, device_counts);
    OK(cudaMemcpyAsync(copy, sum, bytes, cudaMemcpyDefault));
    OK(cudaDeviceSynchronize());
    for (int i = 0; i < n; ++i) CHECK(sum[i] == a[i] + b[i]);
    CHECK(counts->even == even && counts->odd == n - even);
    CHECK(counts->largest == static_cast<float>(n - 1 + 2 * round));
    OK(cudaMemcpy(device_a, copy, bytes, cudaMemcpyDeviceToDevice));
    for (int i = 0; i < n; ++i) CHECK(a[i] == sum[i]);
  }
  OK(cudaHostUnregister(sum));
  std::free(sum);
  OK(cudaFreeHost(a));
  OK(cudaFreeHost(b));
  OK(cudaFreeHost(counts));
  OK(cudaFree(copy));
  return finish();
}
