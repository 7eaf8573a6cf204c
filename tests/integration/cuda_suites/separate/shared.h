// SPDX-License-Identifier: Apache-2.0
#pragma once
#define THREADS 64
extern __device__ int walkers;
extern __constant__ int stride[4];
__device__ unsigned next_random(unsigned &state);
__device__ int walk(unsigned seed, int steps);
// The definition is weak in each file.
template <class T>
__device__ __noinline__ T wrap(T value, T limit) {
  return value < limit ? value : value - limit;
}
