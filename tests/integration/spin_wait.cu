// SPDX-License-Identifier: Apache-2.0
// Warps of the first CTAs spin on a flag; a warp of the last CTA, the youngest, sets it after
// `work` dependent loads. The spinning warps keep the issue slots of their scheduler busy.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void spin_wait(volatile int* flag, const int* chain, int work, unsigned* turns) {
  if (blockIdx.x == gridDim.x - 1) {
    if (threadIdx.x < 32) {
      int at = 0;
      for (int i = 0; i < work; ++i) at = chain[at];
      __threadfence();
      if (threadIdx.x == 0) *flag = at + 1;
    }
    return;
  }
  unsigned x = threadIdx.x;
  while (*flag == 0) {
#pragma unroll
    for (int i = 0; i < 64; ++i) x = (x ^ x >> 7) * 1664525u;
  }
  turns[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fprintf(stderr, "usage: %s CTAS THREADS WORK STRIDE\n", argv[0]);
    return 2;
  }
  const int ctas = std::atoi(argv[1]), threads = std::atoi(argv[2]);
  const int work = std::atoi(argv[3]), stride = std::atoi(argv[4]);
  int *flag, *chain, *host = new int[work * stride + 1];
  for (int i = 0; i <= work * stride; ++i) host[i] = i + stride;
  unsigned* turns;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&chain, (work * stride + 1) * sizeof(int));
  cudaMalloc(&turns, sizeof(unsigned) * ctas * threads);
  cudaMemset(flag, 0, sizeof(int));
  cudaMemcpy(chain, host, (work * stride + 1) * sizeof(int), cudaMemcpyHostToDevice);
  spin_wait<<<ctas, threads>>>(flag, chain, work, turns);
  int seen = 0;
  cudaMemcpy(&seen, flag, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("flag %d\n", seen);
  return seen == work * stride + 1 ? 0 : 1;
}
