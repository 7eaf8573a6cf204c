// SPDX-License-Identifier: Apache-2.0
// gesummv [n = 1024]: y = alpha A x + beta B x for n x n matrices.
//
// Stands for: GESUMMV of PolyBench/GPU.
// Memory: each thread walks a row of both matrices: two streams of 32 lines a warp, each line used
// by 32 iterations (un-coalesced, secondary misses, twice the footprint of atax).
// In the papers: GU, MR (docs/references.md).
// Measured (880): un-coalesced, primary-miss-predominant, type 0.
#include "common/check.hpp"

constexpr float kAlpha = 1.25f, kBeta = 0.5f;

__global__ void gesummv(const float* a, const float* b, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum_a = 0.0f, sum_b = 0.0f;
  for (int j = 0; j < n; ++j) {
    sum_a += a[i * n + j] * x[j];
    sum_b += b[i * n + j] * x[j];
  }
  y[i] = kAlpha * sum_a + kBeta * sum_b;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 1024, 1, 32768);
  workload::no_more_arguments(argc, argv, 1);
  const auto a = workload::random_floats(std::size_t(n) * n, 1);
  const auto b = workload::random_floats(std::size_t(n) * n, 2);
  const auto x = workload::random_floats(n, 3);
  const workload::DeviceArray<float> da(a), db(b), dx(x), dy(n);

  constexpr unsigned kBlock = 256;
  gesummv<<<workload::blocks_for(n, kBlock), kBlock>>>(da, db, dx, dy, n);
  workload::finish_kernels();

  std::vector<double> y(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      const std::size_t at = std::size_t(i) * n + j;
      y[i] += (double(kAlpha) * a[at] + double(kBeta) * b[at]) * x[j];
    }
  workload::Verdict verdict;
  verdict.close("y", dy.download(), y, 1e-4);
  return verdict.done();
}
