// SPDX-License-Identifier: Apache-2.0
#pragma once
#define THREADS 64
extern __device__ int walkers;
extern __constant__ int stride[4];
__device__ unsigned next_random(unsigned &state);
__device__ unsigned generated(unsigned x);
__device__ int walk(unsigned seed, int steps);
// Kernels and variables that each file keeps to itself have one name.
int mark_walks(int *device);
int mark_numbers(int *device);
// The definition is weak in each file.
template <class T>
__device__ __noinline__ T wrap(T value, T limit) {
  return value < limit ? value : value - limit;
}
