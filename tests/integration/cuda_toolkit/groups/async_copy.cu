// SPDX-License-Identifier: Apache-2.0
// Copies into shared memory that go on beside the arithmetic: memcpy_async of a block and of a
// warp, and the primitives of pipelines, two stages deep.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>

#include "../runtime/check.h"

namespace cg = cooperative_groups;
const int kThreads = 128, kTiles = 8;

__global__ void by_block(const int* in, int* out) {
  __shared__ __align__(16) int tile[2][kThreads];
  const cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, tile[0], in, sizeof tile[0]);
  int sum = 0;
  for (int k = 0; k < kTiles; ++k) {
    if (k + 1 < kTiles) {
      cg::memcpy_async(block, tile[(k + 1) % 2], in + (k + 1) * kThreads, sizeof tile[0]);
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += tile[k % 2][kThreads - 1 - threadIdx.x];
    block.sync();
  }
  out[threadIdx.x] = sum;
}
__global__ void by_primitives(const int* in, int* out) {
  __shared__ __align__(16) int tile[2][kThreads];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(int));
  __pipeline_commit();
  int sum = 0;
  for (int k = 0; k < kTiles; ++k) {
    if (k + 1 < kTiles)
      __pipeline_memcpy_async(&tile[(k + 1) % 2][t], &in[(k + 1) * kThreads + t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += tile[k % 2][t ^ 1] * (k + 1);
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  const int n = kThreads * kTiles;
  static int in[n];
  int out[kThreads], *device_in, *device_out;
  for (int i = 0; i < n; ++i) in[i] = i * 7 % 1000;
  OK(cudaMalloc(&device_in, sizeof in));
  OK(cudaMalloc(&device_out, sizeof out));
  OK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
  by_block<<<1, kThreads>>>(device_in, device_out);
  OK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int t = 0; t < kThreads; ++t) {
    int sum = 0;
    for (int k = 0; k < kTiles; ++k) sum += in[k * kThreads + kThreads - 1 - t];
    CHECK(out[t] == sum);
  }
  by_primitives<<<1, kThreads>>>(device_in, device_out);
  OK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int t = 0; t < kThreads; ++t) {
    int sum = 0;
    for (int k = 0; k < kTiles; ++k) sum += in[k * kThreads + (t ^ 1)] * (k + 1);
    CHECK(out[t] == sum);
  }
  return finish();
}
