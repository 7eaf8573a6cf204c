// SPDX-License-Identifier: Apache-2.0
// A device assertion that the program expects, as the samples of assert() do.
#include <cuda_runtime.h>

#include <cassert>
#include <cstring>

#include "check.h"

__global__ void below(int n) { assert(int(blockIdx.x * blockDim.x + threadIdx.x) < n); }

int main() {
  below<<<2, 32>>>(64);
  OK(cudaDeviceSynchronize());
  below<<<2, 32>>>(60);
  OK(cudaGetLastError());  // the launch itself is right
  const cudaError_t error = cudaDeviceSynchronize();
  EXPECT(cudaErrorAssert, error);
  CHECK(std::strcmp(cudaGetErrorName(error), "cudaErrorAssert") == 0);
  void* memory;
  EXPECT(cudaErrorAssert, cudaMalloc(&memory, 4));
  EXPECT(cudaErrorAssert, cudaGetLastError());
  EXPECT(cudaSuccess, cudaPeekAtLastError());
  EXPECT(cudaErrorAssert, cudaDeviceSynchronize());
  EXPECT(cudaErrorAssert, cudaPeekAtLastError());
  return finish();
}
