// SPDX-License-Identifier: Apache-2.0
#include "shared.h"

__device__ int walkers = 100;
static __device__ unsigned scramble(unsigned x) { return x * 1103515245u + 12345u; }

__device__ unsigned next_random(unsigned &state) {
  state = scramble(state);
  return state >> 16 & 3;
}
