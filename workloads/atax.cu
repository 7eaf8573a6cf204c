// SPDX-License-Identifier: Apache-2.0
// atax [n = 1024] [m = n]: y = A^T (A x) for an n x m matrix.
//
// Stands for: ATAX of PolyBench/GPU.
// Memory: kernel 1 gives each thread a row, so a warp's loads of A touch 32 lines and each line is
// used by 32 consecutive iterations (un-coalesced, secondary misses); kernel 2 gives each thread a
// column (coalesced).
// In the papers: GU, MR (docs/references.md).
// Measured (1584): un-coalesced, primary-miss-predominant, type 0.
#include "common/check.hpp"

__global__ void atax_rows(const float* a, const float* x, float* t, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < m; ++j) sum += a[i * m + j] * x[j];
  t[i] = sum;
}

__global__ void atax_columns(const float* a, const float* t, float* y, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += a[i * m + j] * t[i];
  y[j] = sum;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 1024, 1, 32768);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 32768);
  workload::no_more_arguments(argc, argv, 2);
  const auto a = workload::random_floats(std::size_t(n) * m, 1);
  const auto x = workload::random_floats(m, 2);
  const workload::DeviceArray<float> da(a), dx(x), dt(n), dy(m);

  constexpr unsigned kBlock = 256;
  atax_rows<<<workload::blocks_for(n, kBlock), kBlock>>>(da, dx, dt, n, m);
  atax_columns<<<workload::blocks_for(m, kBlock), kBlock>>>(da, dt, dy, n, m);
  workload::finish_kernels();

  std::vector<double> t(n), y(m);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) t[i] += double(a[std::size_t(i) * m + j]) * x[j];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) y[j] += a[std::size_t(i) * m + j] * t[i];
  workload::Verdict verdict;
  verdict.close("y", dy.download(), y, 1e-4);
  return verdict.done();
}
