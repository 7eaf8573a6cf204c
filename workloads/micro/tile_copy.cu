// SPDX-License-Identifier: Apache-2.0
// A block sums tiles of global memory that pass through its shared memory, two tiles deep: `async`
// copies the next tile past registers (cp.async) while it sums this one; `registers` loads a tile,
// stores it into shared memory, and sums it. The latency of DRAM is hidden in the one and stands
// between any two tiles in the other.
//
// arguments: [async|registers] (async) [tiles a block] (16) [blocks] (4)
#include <cuda_pipeline.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "../common/check.hpp"

constexpr int kThreads = 128;
constexpr int kWork = 64;  // additions a thread and tile

/// Adds its four words to the thread's sum, as often as a tile is used.
__device__ unsigned summed(const uint4& v, unsigned sum) {
  for (int i = 0; i < kWork; ++i) sum = sum * 3 + (v.x ^ v.y ^ v.z ^ v.w);
  return sum;
}

/// The compiler would load the struct in two halves.
__device__ uint4 loaded(const uint4* p) {
  uint4 v;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(p));
  return v;
}

__global__ void through_registers(const uint4* in, unsigned* out, int tiles) {
  __shared__ uint4 tile[kThreads];
  const int t = threadIdx.x;
  in += blockIdx.x * tiles * kThreads;
  unsigned sum = 0;
  for (int k = 0; k < tiles; ++k) {
    tile[t] = loaded(&in[k * kThreads + t]);
    __syncthreads();
    sum = summed(tile[kThreads - 1 - t], sum);
    __syncthreads();
  }
  out[blockIdx.x * kThreads + t] = sum;
}

__global__ void past_registers(const uint4* in, unsigned* out, int tiles) {
  __shared__ uint4 tile[2][kThreads];
  const int t = threadIdx.x;
  in += blockIdx.x * tiles * kThreads;
  __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(uint4));
  __pipeline_commit();
  unsigned sum = 0;
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles)
      __pipeline_memcpy_async(&tile[(k + 1) % 2][t], &in[(k + 1) * kThreads + t], sizeof(uint4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum = summed(tile[k % 2][kThreads - 1 - t], sum);
    __syncthreads();
  }
  out[blockIdx.x * kThreads + t] = sum;
}

int main(int argc, char** argv) {
  const bool async = argc <= 1 || std::strcmp(argv[1], "async") == 0;
  if (!async && std::strcmp(argv[1], "registers") != 0) {
    std::fprintf(stderr, "error: %s is neither async nor registers\n", argv[1]);
    return 2;
  }
  const int tiles = workload::size_argument(argc, argv, 2, 16, 1, 1 << 10);
  const int blocks = workload::size_argument(argc, argv, 3, 4, 1, 1 << 8);
  workload::no_more_arguments(argc, argv, 3);
  std::vector<uint4> in(std::size_t(tiles) * blocks * kThreads);
  for (std::size_t i = 0; i < in.size(); ++i) {
    const auto word = static_cast<unsigned>(i);
    in[i] = {word * 2654435761u, word, word << 7, ~word};
  }
  uint4* device;
  unsigned* sums;
  cudaMalloc((void**)&device, in.size() * sizeof(uint4));
  cudaMalloc((void**)&sums, blocks * kThreads * sizeof(unsigned));
  cudaMemcpy(device, in.data(), in.size() * sizeof(uint4), cudaMemcpyHostToDevice);
  if (async)
    past_registers<<<blocks, kThreads>>>(device, sums, tiles);
  else
    through_registers<<<blocks, kThreads>>>(device, sums, tiles);
  std::vector<unsigned> result(blocks * kThreads);
  cudaMemcpy(result.data(), sums, result.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < kThreads; ++t) {
      unsigned sum = 0;
      for (int k = 0; k < tiles; ++k) {
        const uint4& v = in[(std::size_t(b) * tiles + k) * kThreads + kThreads - 1 - t];
        for (int i = 0; i < kWork; ++i) sum = sum * 3 + (v.x ^ v.y ^ v.z ^ v.w);
      }
      right = right && result[b * kThreads + t] == sum;
    }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
