// SPDX-License-Identifier: Apache-2.0
// A kernel on pinned memory of the host between kernels on device memory, and the host, which
// stores there as well.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void of_host(int *host) { host[threadIdx.x] += 1; }
__global__ void of_device(int *device) { device[threadIdx.x] += 1; }
__global__ void of_both(int *device, const int *host) { device[threadIdx.x] += host[threadIdx.x]; }

int main() {
  const int n = 256;
  int *host, *device, last = 0;
  cudaMallocHost(&host, n * sizeof *host);
  cudaMalloc(&device, n * sizeof *device);
  cudaMemset(device, 0, n * sizeof *device);
  for (int i = 0; i < n; ++i) host[i] = i;
  for (int round = 0; round < 3; ++round) {
    of_host<<<1, n>>>(host);
    of_device<<<1, n>>>(device);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) host[i] += 10;
    of_device<<<1, n>>>(device);
    of_both<<<1, n>>>(device, host);
    cudaDeviceSynchronize();
  }
  cudaMemcpy(&last, device + n - 1, sizeof last, cudaMemcpyDeviceToHost);
  const int expected = 6 + 3 * (n - 1) + 6 * 11;
  std::printf("%s\n", last == expected ? "PASS" : "FAIL");
  return last != expected;
}
