// SPDX-License-Identifier: Apache-2.0
// mvt [n = 1024]: x1 += A y1 and x2 += A^T y2 for an n x n matrix.
//
// Stands for: MVT of PolyBench/GPU.
// Memory: kernel 1 walks a row a thread (un-coalesced, secondary misses), kernel 2 a column a
// thread (coalesced).
// In the papers: GU, MR (docs/references.md).
// Measured (1552): un-coalesced, primary-miss-predominant, type 0.
#include "common/check.hpp"

__global__ void mvt_rows(const float* a, float* x, const float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = x[i];
  for (int j = 0; j < n; ++j) sum += a[i * n + j] * y[j];
  x[i] = sum;
}

__global__ void mvt_columns(const float* a, float* x, const float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = x[i];
  for (int j = 0; j < n; ++j) sum += a[j * n + i] * y[j];
  x[i] = sum;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 1024, 1, 32768);
  workload::no_more_arguments(argc, argv, 1);
  const auto a = workload::random_floats(std::size_t(n) * n, 1);
  const auto x1 = workload::random_floats(n, 2), x2 = workload::random_floats(n, 3);
  const auto y1 = workload::random_floats(n, 4), y2 = workload::random_floats(n, 5);
  const workload::DeviceArray<float> da(a), dx1(x1), dx2(x2), dy1(y1), dy2(y2);

  constexpr unsigned kBlock = 256;
  mvt_rows<<<workload::blocks_for(n, kBlock), kBlock>>>(da, dx1, dy1, n);
  mvt_columns<<<workload::blocks_for(n, kBlock), kBlock>>>(da, dx2, dy2, n);
  workload::finish_kernels();

  std::vector<double> e1(x1.begin(), x1.end()), e2(x2.begin(), x2.end());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      e1[i] += double(a[std::size_t(i) * n + j]) * y1[j];
      e2[j] += double(a[std::size_t(i) * n + j]) * y2[i];
    }
  workload::Verdict verdict;
  verdict.close("x1", dx1.download(), e1, 1e-4);
  verdict.close("x2", dx2.download(), e2, 1e-4);
  return verdict.done();
}
