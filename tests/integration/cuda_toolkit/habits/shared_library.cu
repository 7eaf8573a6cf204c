// SPDX-License-Identifier: Apache-2.0
// Kernels in a shared library, called by plain C++, and in a static one.
#include "shared_library.h"

__global__ static void square(int* v) { v[threadIdx.x] *= v[threadIdx.x]; }

int square_all(int* data, int n) {
  int* device;
  if (cudaMalloc(&device, n * sizeof(int)) != cudaSuccess) return 1;
  cudaMemcpy(device, data, n * sizeof(int), cudaMemcpyHostToDevice);
  square<<<1, n>>>(device);
  return cudaMemcpy(data, device, n * sizeof(int), cudaMemcpyDeviceToHost) != cudaSuccess;
}
