// SPDX-License-Identifier: Apache-2.0
// Variables of the device: constant and global, arrays, structures, copied to and from with offsets
// and addresses, asynchronously, and shared by kernels.
#include "check.h"

struct Settings {
  int count;
  float scale[3];
};
__constant__ Settings settings;
__constant__ int weights[16] = {1, 2, 3};
__device__ int total;
__device__ float history[64];
static __device__ volatile unsigned ticket = 7;

__global__ void use(float* out) {
  const int i = threadIdx.x;
  out[i] = settings.scale[i % settings.count] * weights[i % 16] + history[i];
  history[i] = out[i];
  atomicAdd(&total, weights[i % 16]);
  if (i == 0) ticket = ticket + 1;
}

int main() {
  const Settings host = {3, {0.5f, 2, 4}};
  const int later[2] = {10, 20};
  float past[64], out[64], *device;
  for (int i = 0; i < 64; ++i) past[i] = static_cast<float>(i);
  OK(cudaMemcpyToSymbol(settings, &host, sizeof host));
  OK(cudaMemcpyToSymbol(weights, later, sizeof later, 4 * sizeof(int)));
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  OK(cudaMemcpyToSymbolAsync(history, past, sizeof past, 0, cudaMemcpyHostToDevice, stream));
  OK(cudaStreamSynchronize(stream));
  void* address = nullptr;
  size_t bytes = 0;
  OK(cudaGetSymbolAddress(&address, total));
  OK(cudaGetSymbolSize(&bytes, history));
  CHECK(bytes == sizeof past);
  OK(cudaMemset(address, 0, sizeof(int)));
  OK(cudaMalloc(&device, sizeof out));
  use<<<1, 64>>>(device);
  use<<<1, 64>>>(device);
  OK(cudaMemcpyFromSymbol(out, history, sizeof out));
  int weight[16] = {1, 2, 3, 0, 10, 20}, sum = 0, got = 0;
  for (int i = 0; i < 64; ++i) {
    CHECK(out[i] == past[i] + 2 * host.scale[i % 3] * weight[i % 16]);
    sum += 2 * weight[i % 16];
  }
  OK(cudaMemcpyFromSymbol(&got, total, sizeof got));
  CHECK(got == sum);
  unsigned turns = 0;
  OK(cudaMemcpyFromSymbol(&turns, ticket, sizeof turns));
  CHECK(turns == 9);
  return finish();
}
