// SPDX-License-Identifier: Apache-2.0
// gramschmidt [n = 96] [m = n]: A = Q R by modified Gram-Schmidt for an n x m matrix, three
// launches a column.
//
// Stands for: GRAMSCHM of PolyBench/GPU.
// Memory: walks columns of a row-major matrix: kernel 1 is one thread, kernel 2 touches a line a
// lane (un-coalesced, primary misses), kernel 3 is coalesced. Launches with little parallel work.
// In the papers: GU (docs/references.md).
// Measured (192): coherent, primary-miss-predominant, type 0.
#include "common/check.hpp"

__global__ void norm_of_column(const float* a, float* r, int n, int m, int k) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += a[i * m + k] * a[i * m + k];
  r[k * m + k] = sqrtf(sum);
}

__global__ void scale_column(const float* a, const float* r, float* q, int n, int m, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) q[i * m + k] = a[i * m + k] / r[k * m + k];
}

__global__ void subtract_projection(float* a, float* r, const float* q, int n, int m, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j <= k || j >= m) return;
  float dot = 0.0f;
  for (int i = 0; i < n; ++i) dot += q[i * m + k] * a[i * m + j];
  r[k * m + j] = dot;
  for (int i = 0; i < n; ++i) a[i * m + j] -= q[i * m + k] * dot;
}

int main(int argc, char** argv) {
  const int m = workload::size_argument(
      argc, argv, 2, workload::size_argument(argc, argv, 1, 96, 1, 4096), 1, 4096);
  const int n = workload::size_argument(argc, argv, 1, 96, m, 4096);
  workload::no_more_arguments(argc, argv, 2);
  auto a = workload::random_floats(std::size_t(n) * m, 1);
  for (int i = 0; i < m; ++i) a[std::size_t(i) * m + i] += n;  // columns far from dependent
  const workload::DeviceArray<float> da(a), dq(a.size());
  workload::DeviceArray<float> dr(std::size_t(m) * m);
  dr.zero();

  constexpr unsigned kBlock = 128;
  for (int k = 0; k < m; ++k) {
    norm_of_column<<<1, 1>>>(da, dr, n, m, k);
    scale_column<<<workload::blocks_for(n, kBlock), kBlock>>>(da, dr, dq, n, m, k);
    subtract_projection<<<workload::blocks_for(m, kBlock), kBlock>>>(da, dr, dq, n, m, k);
  }
  workload::finish_kernels();

  std::vector<double> work(a.begin(), a.end()), q(a.size()), r(std::size_t(m) * m);
  const auto at = [m](int i, int j) { return std::size_t(i) * m + j; };
  for (int k = 0; k < m; ++k) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += work[at(i, k)] * work[at(i, k)];
    r[at(k, k)] = std::sqrt(sum);
    for (int i = 0; i < n; ++i) q[at(i, k)] = work[at(i, k)] / r[at(k, k)];
    for (int j = k + 1; j < m; ++j) {
      for (int i = 0; i < n; ++i) r[at(k, j)] += q[at(i, k)] * work[at(i, j)];
      for (int i = 0; i < n; ++i) work[at(i, j)] -= q[at(i, k)] * r[at(k, j)];
    }
  }
  workload::Verdict verdict;
  verdict.close("Q", dq.download(), q, 1e-3, 0.1);
  verdict.close("R", dr.download(), r, 1e-3);
  return verdict.done();
}
