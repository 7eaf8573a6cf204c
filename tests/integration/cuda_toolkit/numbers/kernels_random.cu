// SPDX-License-Identifier: Apache-2.0
// cuRAND in kernels: pi by throwing darts with each generator, states kept between launches, and
// the moments of a normal distribution.
#include <curand_kernel.h>

#include "../runtime/check.h"

const int kThreads = 256, kDraws = 64;

template <class State>
__global__ void prepare(State* states) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(1234ULL, i, 0, &states[i]);
}
template <class State>
__global__ void darts(State* states, unsigned* inside, float* sum, float* squares) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  State mine = states[i];
  unsigned hits = 0;
  float a = 0, b = 0;
  for (int k = 0; k < kDraws; ++k) {
    const float x = curand_uniform(&mine), y = curand_uniform(&mine);
    hits += x * x + y * y <= 1.0f;
    const float2 n = curand_normal2(&mine);
    a += n.x + n.y;
    b += n.x * n.x + n.y * n.y;
  }
  states[i] = mine;
  atomicAdd(inside, hits);
  atomicAdd(sum, a);
  atomicAdd(squares, b);
}

struct Sums {
  unsigned inside;
  float sum, squares;
};

template <class State>
static void check() {
  State* states;
  Sums host[2], *device;
  OK(cudaMalloc(&states, kThreads * sizeof(State)));
  OK(cudaMalloc(&device, sizeof host));
  OK(cudaMemset(device, 0, sizeof host));
  prepare<<<kThreads / 64, 64>>>(states);
  for (int round = 0; round < 2; ++round)
    darts<<<kThreads / 64, 64>>>(states, &device[round].inside, &device[round].sum,
                                 &device[round].squares);
  OK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
  const float n = kThreads * kDraws;
  for (const Sums& s : host) {  // five standard deviations
    const float pi = 4 * s.inside / n, mean = s.sum / (2 * n), variance = s.squares / (2 * n);
    CHECK(pi > 3.1416f - 0.065f && pi < 3.1416f + 0.065f);
    CHECK(mean > -0.028f && mean < 0.028f);
    CHECK(variance > 1 - 0.04f && variance < 1 + 0.04f);
  }
  CHECK(host[0].inside != host[1].inside || host[0].sum != host[1].sum);
  OK(cudaFree(states));
}

int main() {
  check<curandState>();
  check<curandStatePhilox4_32_10_t>();
  return finish();
}
