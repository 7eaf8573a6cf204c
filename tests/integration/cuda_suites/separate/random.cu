// SPDX-License-Identifier: Apache-2.0
#include "shared.h"

__device__ int walkers = 100;
static __device__ unsigned scramble(unsigned x) { return generated(x); }

__device__ unsigned next_random(unsigned &state) {
  state = scramble(state);
  return state >> 16 & 3;
}

static __device__ int marks = 5;
static __global__ void mark(int *to) { *to = marks += 50; }
int mark_numbers(int *device) {
  int marked = 0, kept = 0;
  mark<<<1, 1>>>(device);
  cudaMemcpy(&marked, device, sizeof marked, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&kept, marks, sizeof kept);
  return marked == kept ? kept : -1;
}
