// SPDX-License-Identifier: Apache-2.0
#include "shared.h"

__constant__ int stride[4] = {1, 2, 3, 4};
static __device__ __noinline__ int scramble(int at, int by) { return wrap(at + by, 97); }

__device__ int walk(unsigned seed, int steps) {
  int at = 0;
  for (int i = 0; i < steps; ++i) at = scramble(at, stride[next_random(seed)]);
  return at;
}

static __device__ int marks = 3;
static __global__ void mark(int *to) { *to = marks += 30; }
int mark_walks(int *device) {
  int marked = 0, kept = 0;
  mark<<<1, 1>>>(device);
  cudaMemcpy(&marked, device, sizeof marked, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&kept, marks, sizeof kept);
  return marked == kept ? kept : -1;
}
