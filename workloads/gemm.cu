// SPDX-License-Identifier: Apache-2.0
// gemm [n = 256] [m = n] [k = n] [in_memory = 0]: C = alpha A B + beta C, a thread an element.
//
// Stands for: GEMM of PolyBench/GPU.
// Memory: a warp reads one word of A (broadcast) and a line of B in each iteration; coalesced,
// lines of B are shared by the rows of a block and by blocks of one column.
// in_memory 1: the sums stay in C, as in PolyBench/GPU's source; a store an iteration.
// In the papers: GU, MR (docs/references.md).
// Measured (352): coherent, secondary-miss-predominant, type 0.
#include "common/in_memory.hpp"
#include "common/matrix.hpp"

constexpr float kAlpha = 1.5f, kBeta = 0.75f;

__global__ void gemm(const float* a, const float* b, float* c, int n, int m, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= m) return;
  float sum = kBeta * c[i * m + j];
  for (int p = 0; p < k; ++p) sum += kAlpha * a[i * k + p] * b[p * m + j];
  c[i * m + j] = sum;
}

int main(int argc, char** argv) {
  const int n = workload::size_argument(argc, argv, 1, 256, 1, 16384);
  const int m = workload::size_argument(argc, argv, 2, n, 1, 16384);
  const int k = workload::size_argument(argc, argv, 3, n, 1, 16384);
  const bool in_memory = workload::size_argument(argc, argv, 4, 0, 0, 1) != 0;
  workload::no_more_arguments(argc, argv, 4);
  const auto a = workload::random_floats(std::size_t(n) * k, 1);
  const auto b = workload::random_floats(std::size_t(k) * m, 2);
  const auto c = workload::random_floats(std::size_t(n) * m, 3);
  const workload::DeviceArray<float> da(a), db(b), dc(c);

  const dim3 block(32, 8);
  const dim3 grid(workload::blocks_for(m, block.x), workload::blocks_for(n, block.y));
  if (in_memory)
    multiply_in_memory<<<grid, block>>>(da, db, dc, n, m, k, kAlpha, kBeta);
  else
    gemm<<<grid, block>>>(da, db, dc, n, m, k);
  workload::finish_kernels();

  workload::Verdict verdict;
  verdict.close("C", dc.download(), workload::multiply(a, b, n, k, m, kAlpha, kBeta, c), 1e-4);
  return verdict.done();
}
