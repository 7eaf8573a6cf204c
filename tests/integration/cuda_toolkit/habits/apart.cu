// SPDX-License-Identifier: Apache-2.0
// A kernel whose function and constant are in another file.
#include <cstdio>

#include "part.cuh"

__global__ void run(int* out) { out[threadIdx.x] = twice(threadIdx.x) + kAdded; }

int main() {
  int *device, host[32];
  cudaMalloc(&device, sizeof host);
  run<<<1, 32>>>(device);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  bool good = true;
  for (int i = 0; i < 32; ++i) good = good && host[i] == 2 * i + 5;
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
