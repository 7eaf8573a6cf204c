// SPDX-License-Identifier: Apache-2.0
// Spin-waits: warps of a block hand a number on backwards, and so do blocks; a delay by the clock.
#include <cstdio>

__global__ void relay(volatile int* baton, int stations, int* late) {
  const int warps = blockDim.x / 32;
  const int station = stations - 1 - static_cast<int>(blockIdx.x * warps + threadIdx.x / 32);
  const long long begin = clock64();
  while (clock64() - begin < 100) {
  }
  if (threadIdx.x % 32 == 0) {
    while (*baton != station) {
    }
    __threadfence();
    *baton = station + 1;
  }
  if (clock64() - begin < 100) *late = 1;
}

int main() {
  int *device, host[2] = {0, 0};
  cudaMalloc(&device, sizeof host);
  cudaMemset(device, 0, sizeof host);
  relay<<<8, 128>>>(device, 32, device + 1);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  const bool good = host[0] == 32 && host[1] == 0;
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
