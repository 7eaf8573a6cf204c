// SPDX-License-Identifier: Apache-2.0
// syr2k [n = 160] [m = n]: C = alpha (A B^T + B A^T) + beta C for n x m matrices A and B.
//
// Stands for: SYR2K of PolyBench/GPU.
// Memory: as syrk with two matrices: two un-coalesced and two broadcast streams a warp.
// In the papers: GU (docs/references.md).
// Measured (112): un-coalesced, primary-miss-predominant, type III.
#include "common/matrix.hpp"

constexpr float kAlpha = 1.5f, kBeta = 0.75f;

__global__ void syr2k(const float* a, const float* b, float* c, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  float sum = kBeta * c[i * n + j];
  for (int k = 0; k < m; ++k)
    sum += kAlpha * (a[i * m + k] * b[j * m + k] + b[i * m + k] * a[j * m + k]);
  c[i * n + j] = sum;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 160, 1, 8192);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 8192);
  workload::no_more_arguments(argc, argv, 2);
  const auto a = workload::random_floats(std::size_t(n) * m, 1);
  const auto b = workload::random_floats(std::size_t(n) * m, 2);
  const auto c = workload::random_floats(std::size_t(n) * n, 3);
  const workload::DeviceArray<float> da(a), db(b), dc(c);

  const dim3 block(32, 8);
  const dim3 grid(workload::blocks_for(n, block.x), workload::blocks_for(n, block.y));
  syr2k<<<grid, block>>>(da, db, dc, n, m);
  workload::finish_kernels();

  const auto ab = workload::multiply(a, workload::transposed(b, n, m), n, m, n, kAlpha, kBeta, c);
  const auto ba = workload::multiply(b, workload::transposed(a, n, m), n, m, n, kAlpha);
  std::vector<double> expected(ab.size());
  for (std::size_t i = 0; i < ab.size(); ++i) expected[i] = ab[i] + ba[i];
  workload::Verdict verdict;
  verdict.close("C", dc.download(), expected, 1e-4);
  return verdict.done();
}
