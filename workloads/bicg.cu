// SPDX-License-Identifier: Apache-2.0
// bicg [n = 1024] [m = n]: s = A^T r and q = A p for an n x m matrix, the kernels of BiCGStab.
//
// Stands for: BICG of PolyBench/GPU.
// Memory: kernel 1 gives each thread a column (coalesced); kernel 2 a row, so a warp touches 32
// lines a load and comes back to each for 32 iterations (un-coalesced, secondary misses).
// In the papers: GU, MR (docs/references.md).
// Measured (1584): un-coalesced, primary-miss-predominant, type 0.
#include "common/check.hpp"

__global__ void bicg_columns(const float* a, const float* r, float* s, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= m) return;
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += r[i] * a[i * m + j];
  s[j] = sum;
}

__global__ void bicg_rows(const float* a, const float* p, float* q, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < m; ++j) sum += a[i * m + j] * p[j];
  q[i] = sum;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 1024, 1, 32768);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 32768);
  workload::no_more_arguments(argc, argv, 2);
  const auto a = workload::random_floats(std::size_t(n) * m, 1);
  const auto r = workload::random_floats(n, 2), p = workload::random_floats(m, 3);
  const workload::DeviceArray<float> da(a), dr(r), dp(p), ds(m), dq(n);

  constexpr unsigned kBlock = 256;
  bicg_columns<<<workload::blocks_for(m, kBlock), kBlock>>>(da, dr, ds, n, m);
  bicg_rows<<<workload::blocks_for(n, kBlock), kBlock>>>(da, dp, dq, n, m);
  workload::finish_kernels();

  std::vector<double> s(m), q(n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) {
      s[j] += double(r[i]) * a[std::size_t(i) * m + j];
      q[i] += double(a[std::size_t(i) * m + j]) * p[j];
    }
  workload::Verdict verdict;
  verdict.close("s", ds.download(), s, 1e-4);
  verdict.close("q", dq.download(), q, 1e-4);
  return verdict.done();
}
