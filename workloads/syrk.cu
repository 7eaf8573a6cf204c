// SPDX-License-Identifier: Apache-2.0
// syrk [n = 192] [m = n]: C = alpha A A^T + beta C for an n x m matrix A.
//
// Stands for: SYRK of PolyBench/GPU.
// Memory: the lanes of a warp walk 32 different rows of A in step (un-coalesced, 32 lines a load)
// and all share one more row (broadcast); each line serves 32 iterations (secondary misses).
// In the papers: GU (docs/references.md).
// Measured (144): un-coalesced, primary-miss-predominant, type III.
#include "common/matrix.hpp"

constexpr float kAlpha = 1.5f, kBeta = 0.75f;

__global__ void syrk(const float* a, float* c, int n, int m) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n) return;
  float sum = kBeta * c[i * n + j];
  for (int k = 0; k < m; ++k) sum += kAlpha * a[i * m + k] * a[j * m + k];
  c[i * n + j] = sum;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 192, 1, 8192);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 8192);
  workload::no_more_arguments(argc, argv, 2);
  const auto a = workload::random_floats(std::size_t(n) * m, 1);
  const auto c = workload::random_floats(std::size_t(n) * n, 2);
  const workload::DeviceArray<float> da(a), dc(c);

  const dim3 block(32, 8);
  const dim3 grid(workload::blocks_for(n, block.x), workload::blocks_for(n, block.y));
  syrk<<<grid, block>>>(da, dc, n, m);
  workload::finish_kernels();

  const auto expected =
      workload::multiply(a, workload::transposed(a, n, m), n, m, n, kAlpha, kBeta, c);
  workload::Verdict verdict;
  verdict.close("C", dc.download(), expected, 1e-4);
  return verdict.done();
}
